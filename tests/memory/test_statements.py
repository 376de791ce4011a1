"""Statements that are planned once, alone and several at once."""

import pytest
from django.db import DatabaseError, transaction

from memory.core import statements

pytestmark = pytest.mark.django_db

DOUBLED = "select 2 * %(number)s::int"


def test_statements_that_are_sent_at_once_come_back_each_with_its_own_rows() -> None:
    with statements.statement_pipeline() as send:
        first, second = send(DOUBLED, {"number": 1}), send(DOUBLED, {"number": 2})
        assert second() == [(4,)]
    assert first() == [(2,)]


def test_one_that_fails_is_raised_as_an_error_of_the_database_and_undone() -> None:
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        statements.statement_pipeline() as send,
    ):
        send("select 1 / %(number)s::int", {"number": 0})()
    assert statements.fetch_rows(DOUBLED, {"number": 4}) == [(8,)]


def test_one_that_nobody_fetches_fails_all_the_same() -> None:
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        statements.statement_pipeline() as send,
    ):
        send("select 1 / %(number)s::int", {"number": 0})
