"""Every operation on memory leaves a trace, whoever does it, and a turn is one trace."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils.timezone import now
from structlog.testing import capture_logs

from accounts.database.isolation import acting_as
from accounts.models import User
from memory import manager
from memory.core import tracing
from memory.core.tracing import OperationOutcome, OperationVerb
from memory.models import MemoryOperation
from memory.namespaces import tiers
from tests.people import Talk, tell

SAID = ("My name is Alice Adams and I live in Rome.", "I work at Google.", "Where do I live?")


@contextmanager
def counting_statements() -> Iterator[Counter[str]]:
    """An ear of the test's own at the database: statements that name a table of memory."""
    heard: Counter[str] = Counter()

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if any(f"{table}" in sql.replace('"', " ").split() for table in tracing.TRACED_TABLES):
            heard["statements"] += 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        yield heard


def operations(user: User, **which: Any) -> list[MemoryOperation]:
    with acting_as(user):
        return list(MemoryOperation.objects.filter(user=user, **which).order_by("at", "pk"))


def test_every_statement_on_memory_is_in_a_trace(alice: User, as_alice: Client) -> None:
    tell(alice, *SAID[:1])
    before = sum(one.statements for one in operations(alice))
    with counting_statements() as heard:
        as_alice.get("/notebook/profile/")
        as_alice.get("/notebook/memories/")
        as_alice.get("/notebook/timeline/")
        Talk(alice).say(SAID[1])
        with acting_as(alice):
            manager.query(alice.pk, "user.facts")
    traced = sum(one.statements for one in operations(alice)) - before
    assert heard["statements"] > 20
    # Those that are sent at once, past Django, are traced as well, and the test does not hear them.
    assert traced >= heard["statements"]


@pytest.mark.django_db(transaction=True)
def test_an_operation_that_fails_leaves_its_trace_though_its_work_is_undone(alice: User) -> None:
    with pytest.raises(DatabaseError), acting_as(alice):
        with tracing.traced_operation(alice.pk, OperationVerb.REVISE, "user.facts"):
            with connection.cursor() as cursor:
                cursor.execute("select 1 / 0")
    assert [one.outcome for one in operations(alice, verb=OperationVerb.REVISE)] == [
        OperationOutcome.FAILED
    ]


def test_traces_that_cannot_be_saved_take_nothing_along(alice: User) -> None:
    """As on a full disk, where reading still works."""
    with capture_logs() as logs, acting_as(alice):
        with connection.cursor() as cursor:
            cursor.execute("set transaction read only")
        manager.query(alice.pk, "user.facts")
    assert [line["event"] for line in logs] == ["trace_lost"]


def test_traces_hold_ids_and_figures_and_nothing_that_was_said(alice: User) -> None:
    talk = Talk(alice)
    for words in SAID:
        talk.say(words)
    with acting_as(alice), connection.cursor() as cursor:
        cursor.execute("select string_agg(t::text, ' ') from memory_memoryoperation t")
        told = cursor.fetchone()[0]
    assert not [word for word in ("Rome", "Alice", "Adams", "Google", "live") if word in told]


def test_traces_are_gone_after_their_days(alice: User, settings: Any) -> None:
    tell(alice, SAID[0])
    assert operations(alice)
    settings.MEMORY = settings.MEMORY | {"traces_days": 0}
    begun = now()
    with acting_as(alice):
        tiers.end_logs(alice.pk)
    assert not operations(alice, at__lt=begun)


def test_one_entry_is_removed_from_its_page(alice: User, as_alice: Client) -> None:
    with acting_as(alice):
        manager.write(alice.pk, "shared.people", "jo", {"name": "Jo"}, by=manager.By.SOFTWARE)
    at = "/notebook/activity/shared.people/remove/"
    assert as_alice.post(at, {"key": "nobody"}).status_code == 404
    assert as_alice.post(at, {"key": "jo"}).status_code == 302
    with acting_as(alice):
        assert manager.read(alice.pk, "shared.people", "jo") is None
