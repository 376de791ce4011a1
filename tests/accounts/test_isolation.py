"""The second wall: PostgreSQL itself shows a row to its owner and to nobody else."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress

import pytest
from allauth.usersessions.models import UserSession
from django.db import DatabaseError, connection, transaction

from accounts.database.isolation import WrongPerson, acting_as, acting_as_worker
from accounts.models import ApiToken, AuditEvent, User
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


@pytest.mark.django_db
def test_every_reference_between_walled_tables_names_the_owner_too() -> None:
    assert loose_ties() == []


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
