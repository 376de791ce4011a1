"""The second wall: PostgreSQL itself shows a row to its owner and to nobody else."""

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.db import DatabaseError, connection, transaction

from accounts.database.isolation import WrongPerson, acting_as, acting_as_worker
from accounts.models import ApiToken, AuditEvent, User
from config import grants
from conversations.models import Message
from tests.accounts.test_isolation_tables import OWNED, count, sql
from tests.accounts.walls import loose_ties, wall_report
from tests.people import said
from tests.serving import a_pool_of

# They are read before it is known whose request this is, so no policy can stand before them.
READ_BEFORE_ANYBODY_IS_KNOWN = {
    "account_emailaddress",
    "accounts_user_groups",
    "accounts_user_user_permissions",
    "django_admin_log",
}


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
    tables = [*OWNED, AuditEvent, ApiToken, UserSession]
    assert {model._meta.db_table for model in tables} == walled


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


# --- No row is tied to somebody else's ------------------------------------------------------------


@pytest.mark.django_db
def test_every_reference_between_walled_tables_names_the_owner_too() -> None:
    assert loose_ties() == []


@pytest.fixture
def a_loose_tie(transactional_db: None) -> Iterator[None]:
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute(
            "create table leaky (user_id uuid references accounts_user,"
            " about uuid references conversations_message (id));"
            "alter table leaky enable row level security"
        )
    yield
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("drop table leaky")


@pytest.mark.usefixtures("a_loose_tie")
def test_a_new_reference_without_the_owner_is_noticed() -> None:
    assert loose_ties() == ["leaky.about → conversations_message"]


# --- Only few files write facts ------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
MAY_WRITE = {
    "memory/facts/past_facts.py",
    "memory/deletion/erasing.py",
    "memory/facts/profile.py",
    "memory/facts/restored_facts.py",
    "memory/facts/revision.py",
    "memory/facts/succession.py",
    "memory/facts/validity.py",
    "memory/facts/fact_columns.py",
    "memory/facts/fact_writing.py",
    # Facts of an earlier store, made complete as those of a copy are.
    "privacy/legacy/settling.py",
}
ROOMS = (
    "config",
    "webhooks",
    "privacy",
    "conversations",
    "ledger",
    "memory",
    "personas",
    "accounts",
)
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


# --- One pool for everybody -----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_connections_that_many_share_show_each_person_their_own_rows_alone(
    alice: User, bob: User
) -> None:
    """More threads than connections, errors and roles of the house among them."""
    for user in (alice, bob):
        said(user, f"I am {user.name}")

    def visit(number: int) -> None:
        user = (alice, bob)[number % 2]
        with suppress(KeyError), acting_as(user):
            seen = set(Message.objects.values_list("user_id", flat=True))
            assert seen == {user.pk}
            assert who() == str(user.pk)
            if number % 5 == 0:
                raise KeyError
        if number % 7 == 0:
            with acting_as_worker():
                assert who() == ""
        assert who() == ""
        assert count(Message) == 0
        connection.close()

    with a_pool_of(3), ThreadPoolExecutor(16) as threads:
        for done in [threads.submit(visit, number) for number in range(200)]:
            done.result()
