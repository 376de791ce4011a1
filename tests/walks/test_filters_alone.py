"""The first wall by itself: without row security, the owner in each query keeps others' rows out.

test_leaks_without_filters takes the filters away and leaves row security. Here the
application's role is exempt from it for this file: a query that forgets its owner shows itself.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from pytest_django import DjangoDbBlocker

from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.models import User
from config.grants import as_owner
from config.processes import provisioning
from conversations.models import CalendarFeed, Message
from conversations.tools import registry
from memory.models import MemoryOperation, ProfileFact
from tests.people import Api, Talk
from tests.walks.leaks import counted, told_nothing
from tests.walks.test_doors import Door, alice, db, every_door, knock, opened, rows
from tests.walks.test_leaks import calls
from tests.walks.test_leaks_without_filters import outcome

__all__ = ["alice", "counted", "db", "opened", "rows"]


@pytest.fixture(scope="module", autouse=True)
def _without_row_security(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    with django_db_blocker.unblock():
        set_role("bypassrls")
    yield
    with django_db_blocker.unblock():
        set_role("nobypassrls")


def set_role(attribute: str) -> None:
    """Change the application's role; connections are made anew, so that no plan is a kept one."""
    with as_owner() as owner, owner.cursor() as cursor:
        cursor.execute(f"alter role {provisioning.APP_ROLE} {attribute}")
    connection.close()


def kept_of(user: User, but: type[Model] | None = None) -> dict[str, Any]:
    """How many rows each table has of a person, and what is in all of them."""
    kept = {}
    with connection.cursor() as cursor:
        # That somebody opened a page that she shared is written down for her.
        for model in set(owned.owned_models()) - {MemoryOperation, but}:
            table = model._meta.db_table
            cursor.execute(
                f"select count(*), md5(string_agg(t::text, ' ' order by id)) from {table} t "
                "where user_id = %s",
                [user.pk],
            )
            kept[table] = cursor.fetchone()
    return kept


def test_row_security_is_off_indeed(rows: dict[str, Any], alice: User, bob: User) -> None:
    with acting_as(bob):
        assert ProfileFact.objects.filter(user=alice).exists()
        assert Message.objects.filter(user=alice).exists()
        assert not ProfileFact.objects.for_user(bob.pk).exists()


@every_door
def test_no_door_shows_or_changes_what_is_anothers(
    door: Door, rows: dict[str, Any], alice: User, bob: User
) -> None:
    # The secret link of a calendar is for everybody who has it, and when it was used is kept.
    used = CalendarFeed if door.route.startswith("calendar/") else None
    before = kept_of(alice, used)
    response = knock(door, rows, bob)
    if door.row or door.stranger != 404:
        assert response.status_code == door.stranger
    told_nothing("doors", response)
    assert kept_of(alice, used) == before


@pytest.mark.parametrize("name", registry.tools())
def test_no_tool_does(name: str, rows: dict[str, Any], alice: User, bob: User) -> None:
    before = kept_of(alice)
    api = Api(bob)
    for call in calls(rows, alice)[name]:
        for more in ({}, {"confirm": True}):
            told = outcome(lambda: api.post(f"tools/{name}", call | more))  # noqa: B023
            told_nothing("tools", told)
    assert kept_of(alice) == before


def test_no_answer_is_made_of_anothers_rows(rows: dict[str, Any], alice: User, bob: User) -> None:
    before, talk, said = kept_of(alice), Talk(bob), ""
    for text in (
        "I live in Oslo and my dog is called Rex",
        "Where do I work?",
        "Where do I live?",
        "What is my dog called?",
        "When did I last mention Wilhelmina?",
        "How often did I mention Qwertzfirm?",
        "What do you know about me?",
        "What's coming up?",
        "No, Thistlewick",
        "forget where I work",
        "yes",
    ):
        # What he said himself may be repeated.
        said = f"{said} {text}"
        told_nothing("answers", talk.say(text).content, asked=said)
    assert kept_of(alice) == before
