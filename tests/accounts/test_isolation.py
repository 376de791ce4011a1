"""The second wall: PostgreSQL itself shows a row to its owner and to nobody else."""

import ast
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, ProgrammingError, connection, models, transaction
from django.utils.timezone import now

from accounts.ids import new_id
from accounts.isolation import (
    WrongPerson,
    acting_as,
    acting_as_staff,
    acting_as_trainer,
    acting_as_worker,
    wall_report,
)
from accounts.models import AuditEvent, PrivacySettings, User, Work
from config import grants
from conversations.models import Conversation, ConversationTopic, Message, Note, Topic
from ledger.models import Contradiction, Decision, Resolution
from ledger.resolution import Answer, resolve
from memory import blocked, lifecycle, memories, sharing
from memory.models import (
    BlockedSlot,
    Memory,
    Mention,
    Merge,
    MergedMemory,
    Override,
    Passage,
    ProfileFact,
    ProfileShare,
    Quality,
    SharedFact,
    TrustChange,
)
from tests.people import dispute, said, tell

OWNED: list[type[models.Model]] = [
    Conversation,
    Message,
    Note,
    Topic,
    ConversationTopic,
    ProfileFact,
    Mention,
    Override,
    Passage,
    Contradiction,
    Resolution,
    Decision,
    Work,
    Memory,
    Merge,
    MergedMemory,
    TrustChange,
    Quality,
    BlockedSlot,
    PrivacySettings,
    AuditEvent,
    ProfileShare,
    SharedFact,
]
each_table = pytest.mark.parametrize("model", OWNED, ids=lambda model: model._meta.db_table)

# They are read before it is known whose request this is, so no policy can stand before them.
READ_BEFORE_ANYBODY_IS_KNOWN = {
    "account_emailaddress",
    "accounts_user_groups",
    "accounts_user_user_permissions",
    "django_admin_log",
    "knox_authtoken",
}


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
        entry = Contradiction.objects.for_user(user.pk).open().get(slot="location")
        resolve(entry, Answer("keep_new"), by=user)
        for text in ("Cycles to the office", "Cycles to the office every day"):
            memories.write_by_hand(user.pk, text)
        first, second = Memory.objects.for_user(user.pk)
        lifecycle._merge([first, second], now())
        lifecycle.measure(user.pk, now().date())
        blocked.block(user.pk, "vehicle")
        PrivacySettings.objects.create(user=user)
        shown = [fact.pk for fact in sharing.choosable(user.pk)]
        sharing.make(user.pk, "For the neighbours", shown, days=7)


@pytest.fixture
def notebooks(alice: User, bob: User) -> None:
    fill_the_notebook_of(alice)
    fill_the_notebook_of(bob)


def sql(statement: str, params: list[Any] | None = None) -> Any:
    """The first value of a query, or how many rows a command touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchone()[0] if cursor.description else cursor.rowcount


def count(model: type[models.Model]) -> int:
    return int(sql(f"select count(*) from {model._meta.db_table}"))


@each_table
@pytest.mark.usefixtures("notebooks")
def test_a_query_without_any_filter_shows_only_ones_own_rows(
    model: type[models.Model], alice: User, bob: User
) -> None:
    for user in (alice, bob):
        with acting_as(user):
            owners = set(model._default_manager.values_list("user_id", flat=True))
            assert owners == {user.pk}
            assert sql(f"select count(distinct user_id) from {model._meta.db_table}") == 1


@each_table
@pytest.mark.usefixtures("notebooks")
def test_nothing_set_sees_nothing(model: type[models.Model]) -> None:
    assert count(model) == 0
    assert not model._default_manager.exists()


@each_table
@pytest.mark.usefixtures("notebooks")
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
@pytest.mark.usefixtures("notebooks")
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


# --- Roles of the house --------------------------------------------------------------------------


@each_table
@pytest.mark.usefixtures("notebooks")
def test_the_worker_sees_what_waits_and_nothing_of_what_was_said(model: type[models.Model]) -> None:
    with acting_as_worker():
        assert (count(model) > 0) == (model is Work)


@each_table
@pytest.mark.usefixtures("notebooks")
def test_the_desk_sees_that_something_is_disputed_and_the_trainer_what_was_decided(
    model: type[models.Model],
) -> None:
    with acting_as_staff():
        assert (count(model) > 0) == (model is Contradiction)
    with acting_as_trainer():
        assert (count(model) > 0) == (model is Decision)


@each_table
@pytest.mark.usefixtures("notebooks")
@pytest.mark.parametrize("role", [acting_as_staff, acting_as_trainer])
def test_a_reading_role_can_change_nothing(
    model: type[models.Model], role: Callable[[], AbstractContextManager[None]]
) -> None:
    with role():
        assert sql(f"update {model._meta.db_table} set id = id") == 0
        assert sql(f"delete from {model._meta.db_table}") == 0


@each_table
@pytest.mark.usefixtures("notebooks")
def test_staff_are_no_exception(model: type[models.Model], mira: User) -> None:
    with acting_as(mira):
        assert count(model) == 0


# --- The block -----------------------------------------------------------------------------------


def who() -> str:
    return str(sql("select coalesce(current_setting('app.user_id', true), '')"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ends", ["well", "with an error"])
def test_the_setting_does_not_outlive_its_transaction(alice: User, ends: str) -> None:
    said(alice, "Hello there")
    problem = pytest.raises(KeyError) if ends != "well" else nullcontext()
    with problem, acting_as(alice):
        assert who() == str(alice.pk)
        if ends != "well":
            raise KeyError
    assert who() == ""
    assert count(Message) == 0


@pytest.mark.django_db(transaction=True)
def test_blocks_for_the_same_person_join(alice: User) -> None:
    said(alice, "Hello there")
    with acting_as(alice):
        with acting_as(alice.pk):
            assert count(Message) == 1
        assert who() == str(alice.pk)
        assert count(Message) == 1


def somebody_else(kind: str, bob: User) -> AbstractContextManager[None]:
    return {"bob": acting_as(bob), "worker": acting_as_worker()}[kind]


@pytest.mark.parametrize("kind", ["bob", "worker"])
def test_a_block_for_another_inside_is_refused_and_harms_nothing(
    alice: User, bob: User, kind: str
) -> None:
    said(alice, "Hello there")
    with acting_as(alice):
        with pytest.raises(WrongPerson), somebody_else(kind, bob):
            pytest.fail("The inner block was entered.")
        assert who() == str(alice.pk)
        assert count(Message) == 1


# --- The wall is whole ---------------------------------------------------------------------------


def unwalled() -> set[str]:
    return {
        row["table"]
        for row in wall_report()
        if not (row["enabled"] and row["forced"] and row["policies"])
    }


@pytest.mark.django_db
def test_every_table_that_names_a_person_stands_behind_the_wall() -> None:
    assert unwalled() == READ_BEFORE_ANYBODY_IS_KNOWN
    walled = {row["table"] for row in wall_report()} - READ_BEFORE_ANYBODY_IS_KNOWN
    assert {model._meta.db_table for model in OWNED} <= walled


@pytest.fixture
def a_table_without_a_policy(transactional_db: None) -> Iterator[str]:
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("create table leaky (user_id uuid references accounts_user)")
    yield "leaky"
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("drop table leaky")


def test_a_new_table_without_a_policy_is_noticed(a_table_without_a_policy: str) -> None:
    assert unwalled() - READ_BEFORE_ANYBODY_IS_KNOWN == {a_table_without_a_policy}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "attempt",
    [
        "set role postgres",
        "set session authorization postgres",
        "alter role throughline bypassrls",
        "alter role throughline superuser",
        "alter table conversations_message disable row level security",
        "alter table conversations_message no force row level security",
        "drop policy conversations_message_owner on conversations_message",
        "create policy open on conversations_message using (true)",
        "create function all_of_it() returns int language sql security definer as 'select 1'",
        "copy (select 1) to program 'true'",
    ],
)
def test_the_application_cannot_climb_over_the_wall(attempt: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        sql(attempt)


@pytest.mark.usefixtures("notebooks")
def test_row_security_switched_off_is_an_error_and_not_an_open_door() -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        sql("set local row_security = off")
        count(Message)


# --- Only few files write facts ------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
MAY_WRITE = {
    "memory/erasing.py",
    "memory/profile.py",
    "memory/revision.py",
    "memory/spans.py",
    "memory/writing.py",
}
ROOMS = ("config", "conversations", "ledger", "memory", "personas", "accounts")
WRITING = {
    "create", "bulk_create", "update", "bulk_update", "delete",
    "get_or_create", "update_or_create", "save",
}  # fmt: skip
OF_A_FACT = {"value", "value_key", "status", "trust", "confidence", "valid_from", "valid_to"}
FACTS = ("fact", "facts", "challenger", "existing", "known")


def is_a_fact(expression: str) -> bool:
    return "ProfileFact.objects" in expression or expression.rpartition(".")[2] in FACTS


def writes_to_facts(source: str) -> list[str]:
    """The statements of a source file that make, change or delete a ProfileFact."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in WRITING and is_a_fact(ast.unparse(node.func.value)):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "ProfileFact":
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [
                ast.unparse(node)
                for target in targets
                if isinstance(target, ast.Attribute)
                and target.attr in OF_A_FACT
                and is_a_fact(ast.unparse(target.value))
            ]
    return found


@pytest.mark.parametrize(
    "source",
    [
        "ProfileFact.objects.create(slot='name')",
        "ProfileFact.objects.for_user(1).current().update(value='x')",
        "ProfileFact.objects.filter(slot='name').delete()",
        "ProfileFact(slot='name').save()",
        "fact.value = 'x'",
        "note.fact.status = 'removed'",
        "entry.challenger.trust += 0.1",
        "fact.save()",
    ],
)
def test_a_write_to_a_fact_is_recognised(source: str) -> None:
    assert writes_to_facts(source)


def test_nothing_but_memorys_own_few_files_writes_facts() -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    }
    writers = {name for name, source in sources.items() if writes_to_facts(source)}
    assert writers == MAY_WRITE
