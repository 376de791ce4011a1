"""The wall by membership: members of a group read its rows, and only a row's owner writes it."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.db import ProgrammingError, connection

from accounts.database.isolation import (
    acting_as,
    acting_as_worker,
    readable_by_members,
    row_security,
)
from accounts.models import User
from config import grants
from tests.accounts.test_isolation_tables import sql

TABLES = """
    create table trial_membership (user_id uuid, group_id uuid);
    create table trial_lesson (user_id uuid, group_id uuid, text text);
"""
WALLS = [
    row_security("trial_membership"),
    row_security("trial_lesson"),
    readable_by_members("trial_lesson", "group_id", "trial_membership"),
]


@pytest.fixture
def group(transactional_db: None) -> Iterator[UUID]:
    """A group without members, behind walls of its own."""
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute(TABLES + "".join(wall.sql for wall in WALLS))
    yield uuid4()
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("".join(wall.reverse_sql for wall in reversed(WALLS)))
        cursor.execute("drop table trial_lesson, trial_membership")


def join(user: User, group: UUID) -> None:
    with acting_as(user):
        sql("insert into trial_membership values (%s, %s)", [user.pk, group])


def write(user: User, group: UUID | None, text: str) -> None:
    with acting_as(user):
        sql("insert into trial_lesson values (%s, %s, %s)", [user.pk, group, text])


def read_by(user: User) -> str:
    with acting_as(user):
        return str(
            sql("select coalesce(string_agg(text, ', ' order by text), '') from trial_lesson")
        )


def test_members_read_what_is_in_their_group_and_a_stranger_does_not(
    alice: User, bob: User, mira: User, group: UUID
) -> None:
    write(alice, group, "for the group")
    write(alice, None, "for nobody")
    write(alice, uuid4(), "for others")
    join(bob, group)
    assert read_by(alice) == "for nobody, for others, for the group"
    assert read_by(bob) == "for the group"
    assert read_by(mira) == ""
    assert sql("select count(*) from trial_lesson") == 0
    with acting_as_worker():
        assert sql("select count(*) from trial_lesson") == 0


def test_who_leaves_the_group_reads_it_no_more(alice: User, bob: User, group: UUID) -> None:
    write(alice, group, "for the group")
    join(bob, group)
    with acting_as(bob):
        sql("delete from trial_membership where user_id = %s", [bob.pk])
    assert read_by(bob) == ""


@pytest.mark.parametrize(
    "deed", ["update trial_lesson set text = 'mine'", "delete from trial_lesson"]
)
def test_only_its_owner_changes_a_row(alice: User, bob: User, group: UUID, deed: str) -> None:
    write(alice, group, "for the group")
    join(bob, group)
    with acting_as(bob):
        assert sql(deed) == 0
    assert read_by(bob) == "for the group"
    with acting_as(alice):
        assert sql(deed) == 1


def test_a_member_writes_in_nobody_elses_name(alice: User, bob: User, group: UUID) -> None:
    join(bob, group)
    with pytest.raises(ProgrammingError, match="row-level security"), acting_as(bob):
        sql("insert into trial_lesson values (%s, %s, 'hers')", [alice.pk, group])
