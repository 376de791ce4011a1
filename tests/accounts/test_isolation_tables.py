"""The second wall, table by table: a row is shown to its owner and to nobody else."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import (
    DatabaseError,
    IntegrityError,
    ProgrammingError,
    connection,
    models,
    transaction,
)
from django.utils.timezone import localdate, now
from pytest_django import DjangoDbBlocker

from accounts.access import sub_users
from accounts.database.ids import new_id
from accounts.database.isolation import (
    acting_as,
    acting_as_staff,
    acting_as_trainer,
    acting_as_worker,
)
from accounts.database.owned import owned_models
from accounts.models import PrivacySettings, User, Work
from conversations.calendars import feed
from conversations.models import Conversation, ConversationTopic, Message, PlanMark, Topic
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction, Decision
from ledger.verification import receipts
from ledger.verification.search import VerificationResult
from memory import manager, sharing
from memory.blocks import private_blocks
from memory.facts import blocked_slots
from memory.lessons import contribution
from memory.maintenance import lifecycle
from memory.models import (
    EmbeddingModel,
    LessonReport,
    Memory,
    MemoryBlock,
    PassageVector,
    TrustChange,
    VectorProgress,
)
from memory.notes import note_store
from personas import membership
from personas.models import Persona
from privacy.models import (
    Export,
    ExportPiece,
    Import,
    ImportedRow,
    ImportPiece,
    LegacyRow,
    Restore,
    RestoredLine,
    RestorePiece,
)
from tests.once import made_once, rolled_back
from tests.people import dispute, number_changes, said, tell
from webhooks import endpoints
from webhooks.models import Event, WebhookDelivery

OWNED = owned_models()
_SEEN_BY_THE_WORKER = (Work, Export, Restore, Import, WebhookDelivery)
each_table = pytest.mark.parametrize("model", OWNED, ids=lambda model: model._meta.db_table)


def fill_the_notebook_of(user: User) -> None:
    """At least one row in every table that belongs to people."""
    dispute(user)
    tell(user, "I live in Rome")
    tell(user, "I live in Paris")
    tell(user, "call me Nicky in this chat")
    said(user, "This one still waits to be read")
    with acting_as(user):
        talk = Conversation.objects.for_user(user.pk).earliest("started_at")
        topic = Topic.objects.create(user=user, name="Rome", key="rome")
        ConversationTopic.objects.create(
            user=user,
            conversation=talk,
            topic=topic,
            weight=1.0,
            messages=1,
            first_at=talk.started_at,
            last_at=talk.last_at,
        )
        PlanMark.objects.create(
            user=user,
            message=talk.messages.earliest("number"),
            place=0,
            day=localdate(),
            kind="done",
        )
        feed.make(user)
        _have_copies(user)
        entry = Contradiction.objects.for_user(user.pk).open().get(slot="location")
        resolve(entry, Answer("keep_new"), by=user)
        for text in ("Cycles to the office", "Cycles to the office every day"):
            note_store.write_by_hand(user.pk, text)
        first, second = Memory.objects.for_user(user.pk)
        for planned in ({"memory": first}, {"message": talk.messages.earliest("number")}):
            PlanMark.objects.create(user=user, place=0, day=localdate(), kind="done", **planned)
        lifecycle._merge([first, second], now())
        TrustChange.objects.create(
            user=user, memory=first, before=0.9, after=0.8, cause=TrustChange.Cause.DRIFT
        )
        lifecycle.measure(user.pk, now().date())
        manager.register_namespace(
            user,
            "my.books",
            "Books",
            {"properties": {"title": {}}},
            most=5,
            rolling=False,
            keep_days=None,
        )
        manager.allow(user, "shared.people", on=True)
        manager.write(user.pk, "shared.people", "john", {"name": "John"}, by=manager.By.OWNER)
        number_changes()
        blocked_slots.block_slot(user.pk, "vehicle")
        PrivacySettings.objects.create(user=user)
        sub_users.create(user, "u-1")
        _have_vectors(user, talk.messages.earliest("number"))
        shown = [fact.pk for fact in sharing.choosable(user.pk)]
        sharing.make(user.pk, "For the neighbours", shown, days=7)
        receipts.write(user.pk, receipts.Kind.FACT, entry.pk, {"facts": 1}, VerificationResult())
        _join_a_cohort(user)
        for _ in range(2):
            endpoint, _ = endpoints.register(user, "https://hooks.invalid/", [Event.ADDED])
            endpoints.send_test(endpoint)


def _have_vectors(user: User, message: Message) -> None:
    """One of a message, in the person's open block."""
    model, _ = EmbeddingModel.objects.get_or_create(
        name="words", dimensions=2, query_mean=b"", passage_mean=b""
    )
    PassageVector.objects.create(user=user, message=message, model=model, vector=[0.6, 0.8])
    VectorProgress.objects.create(user=user, model=model, complete_to=1)


def _have_copies(user: User) -> None:
    """Two that were made and two that were brought, in the person's open block."""
    gone = Export.State.CANCELLED
    Export.objects.create(user=user, parts=["memories"], state=gone)
    copy = Export.objects.create(user=user, parts=["profile"], state=gone)
    ExportPiece.objects.create(user=user, export=copy, number=0, data=b"PK")
    _, brought = (
        Restore.objects.create(
            user=user, version=2, copied_at=now(), rows={}, size=2, state=Restore.State.CANCELLED
        )
        for _ in range(2)
    )
    RestorePiece.objects.create(user=user, restore=brought, number=0, data=b"PK")
    _, taken = (
        Import.objects.create(user=user, source="mem0", size=2, state=Import.State.CANCELLED)
        for _ in range(2)
    )
    ImportPiece.objects.create(user=user, brought=taken, number=0, data=b"PK")
    ImportedRow.objects.create(user=user, brought=taken, memory=taken.pk)
    RestoredLine.objects.create(
        user=user, copied_at=now(), at=now(), by="talk", deed="noted", after="Rome"
    )
    LegacyRow.objects.create(
        user=user, source="memory.db", table="memories", kind="kept", original={"text": "Rome"}
    )


def _join_a_cohort(user: User) -> None:
    """In the person's open block."""
    persona, _ = Persona.objects.get_or_create(handle="baker_sales", title="Bakery, sales")
    membership.confirm(user.pk, persona)
    membership.propose(user.pk, "Bakery", "Purchasing")
    private_blocks.write(user, "human", "Likes short answers.", 0)
    MemoryBlock.objects.create(user=user, label="user_persona_profile", updated_at=now())
    text = "Ask for the list of orders first."
    lesson = contribution.contribute_lesson(user, persona, text, source="owner").lesson
    LessonReport.objects.create(user=user, lesson=lesson, kind=LessonReport.Kind.WRONG)


@pytest.fixture(scope="module")
def notebooks(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[User]]:
    """Alice's and Bob's, full."""
    with made_once(django_db_blocker):
        people = [User.objects.create_user(f"{name}@example.org") for name in ("alice", "bob")]
        for user in people:
            fill_the_notebook_of(user)
        yield people


@pytest.fixture
def db(notebooks: list[User], django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def alice(db: None, notebooks: list[User]) -> User:
    return notebooks[0]


@pytest.fixture
def bob(db: None, notebooks: list[User]) -> User:
    return notebooks[1]


def sql(statement: str, params: list[Any] | None = None) -> Any:
    """The first value of a query, or how many rows a command touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchone()[0] if cursor.description else cursor.rowcount


def count(model: type[models.Model]) -> int:
    return int(sql(f"select count(*) from {model._meta.db_table}"))


@each_table
@pytest.mark.usefixtures("db")
def test_a_query_without_any_filter_shows_only_ones_own_rows(
    model: type[models.Model], alice: User, bob: User, mira: User
) -> None:
    assert count(model) == 0
    with acting_as(mira):
        assert count(model) == 0
    for user in (alice, bob):
        with acting_as(user):
            owners = set(model._default_manager.values_list("user_id", flat=True))
            assert owners == {user.pk}
            assert sql(f"select count(distinct user_id) from {model._meta.db_table}") == 1


@each_table
@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    "deed", ["update {} set id = id where user_id = %s", "delete from {} where user_id = %s"]
)
def test_the_rows_of_somebody_else_can_be_neither_changed_nor_deleted(
    model: type[models.Model], deed: str, alice: User, bob: User
) -> None:
    with acting_as(alice):
        before = count(model)
    with acting_as(bob):
        assert sql(deed.format(model._meta.db_table), [alice.pk]) == 0
    with acting_as(alice):
        assert count(model) == before > 0


@each_table
@pytest.mark.usefixtures("db")
def test_nothing_can_be_written_in_somebody_elses_name(
    model: type[models.Model], alice: User, bob: User
) -> None:
    with acting_as(alice):
        row = model._default_manager.first()
    assert row is not None
    row.pk = new_id()
    row._state.adding = True
    with pytest.raises(ProgrammingError, match="row-level security"), acting_as(bob):
        row.save(force_insert=True)
    with (
        pytest.raises(DatabaseError, match="row-level security|only ever added to"),
        acting_as(bob),
    ):
        sql(f"update {model._meta.db_table} set user_id = %s", [alice.pk])


def references() -> list[tuple[str, str, str]]:
    """(table, column, parent) of each reference from one person's row to another of theirs."""
    tables = {model._meta.db_table: model for model in OWNED}
    return [
        (table, field.column, field.related_model._meta.db_table)
        for table, model in tables.items()
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model._meta.db_table in tables
    ]


@pytest.mark.parametrize(("table", "column", "parent"), references())
@pytest.mark.usefixtures("db")
def test_no_statement_ties_a_row_to_one_of_somebody_else(
    table: str, column: str, parent: str, alice: User, bob: User
) -> None:
    named = f"select {column} from {table} where {column} is not null"
    with acting_as(alice):
        Conversation.objects.create(user=alice)
        # One that no row names yet, where there is one: no key that is unique stands before.
        hers = sql(f"select id from {parent} order by id in ({named}) limit 1")
    with pytest.raises(IntegrityError, match="_owned"), acting_as(bob):
        chosen = f"select id from {table} order by {column} is null limit 1"
        assert sql(f"update {table} set {column} = %s where id in ({chosen})", [hers]) == 1
        sql("set constraints all immediate")


@each_table
@pytest.mark.usefixtures("db")
def test_the_worker_sees_what_waits_and_nothing_of_what_was_said(model: type[models.Model]) -> None:
    with acting_as_worker():
        assert (count(model) > 0) == (model in _SEEN_BY_THE_WORKER)


@each_table
@pytest.mark.usefixtures("db")
def test_the_desk_sees_that_something_is_disputed_and_the_trainer_what_was_decided(
    model: type[models.Model],
) -> None:
    with acting_as_staff():
        assert (count(model) > 0) == (model in (Contradiction, Export))
    with acting_as_trainer():
        assert (count(model) > 0) == (model is Decision)


@each_table
@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("role", [acting_as_staff, acting_as_trainer])
def test_a_reading_role_can_change_nothing(
    model: type[models.Model], role: Callable[[], AbstractContextManager[None]]
) -> None:
    with role():
        assert sql(f"update {model._meta.db_table} set id = id") == 0
        assert sql(f"delete from {model._meta.db_table}") == 0


@pytest.mark.usefixtures("db")
def test_row_security_switched_off_is_an_error_and_not_an_open_door() -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        sql("set local row_security = off")
        count(Message)
