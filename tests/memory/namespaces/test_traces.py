"""Every operation on memory leaves a trace, whoever does it, and a turn is one trace."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils.html import strip_tags
from django.utils.timezone import now
from structlog.testing import capture_logs

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory import manager
from memory.core import tracing
from memory.core.tracing import OperationOutcome, OperationVerb
from memory.models import MemoryBlock, MemoryOperation
from memory.namespaces import tiers
from memory.web.present import activity
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


def test_an_answer_nobody_reads_to_its_end_hides_nothing_that_follows(alice: User) -> None:
    def pieces() -> Iterator[str]:
        with tracing.timed_operation(alice.pk, OperationVerb.MODEL, "model"):
            yield "It"
            yield " is."

    abandoned = pieces()
    next(abandoned)
    with acting_as(alice):
        MemoryBlock.objects.filter(user=alice).count()
    assert [one.namespace for one in operations(alice, verb=OperationVerb.READ)] == ["user.blocks"]
    abandoned.close()
    assert operations(alice, verb=OperationVerb.MODEL)


def test_the_operations_of_a_turn_share_the_id_of_its_message(alice: User) -> None:
    talk = Talk(alice)
    talk.say(SAID[0])
    talk.say(SAID[2])
    with acting_as(alice):
        asked = Message.objects.get(content=SAID[2])
    done = operations(alice, trace_id=asked.pk)
    assert {OperationVerb.LEARN, OperationVerb.RECALL} <= {OperationVerb(one.verb) for one in done}
    recalled = next(one for one in done if one.verb == OperationVerb.RECALL)
    assert recalled.outcome == OperationOutcome.OK
    assert recalled.statements > 0


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


def test_slow_operations_are_told_in_the_log_without_words(alice: User, settings: Any) -> None:
    settings.MEMORY = settings.MEMORY | {"slow_ms": 0.0}
    with capture_logs() as logs:
        tell(alice, SAID[0])
    slow = [line for line in logs if line["event"] == "slow_memory_operation"]
    assert slow
    assert not [line for line in slow if "Rome" in str(line) or "Adams" in str(line)]
    assert {"verb", "namespace", "milliseconds", "trace", "user_id"} <= set(slow[0])


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


def test_the_page_tells_what_was_done_and_lets_one_narrow_it(alice: User, as_alice: Client) -> None:
    Talk(alice).say(SAID[0])
    page = as_alice.get("/notebook/activity/").content.decode()
    assert "Learned from your message" in page
    assert "Rome" not in page.partition("<main")[2]
    narrowed = as_alice.get("/notebook/activity/?verb=forget").content.decode()
    assert "Nothing found" in narrowed


def test_repeated_reads_are_one_line_with_technical_details_folded(
    alice: User, as_alice: Client
) -> None:
    tell(alice, SAID[0])
    for address in ("profile", "memories", "profile"):
        as_alice.get(f"/notebook/{address}/")
    page = as_alice.get("/notebook/activity/").content.decode().partition("<main")[2]
    assert page.count("by you, on a page") == 1
    assert re.search(r"Read [^<]*your profile", page)
    unfolded = strip_tags(re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL))
    for word in ("tokens", "statement", " ms", "altitude", "operation"):
        assert word not in unfolded


def test_a_part_shows_its_entries_in_sentences_and_asks_before_it_removes_them(
    alice: User, as_alice: Client
) -> None:
    at = "/notebook/activity/shared.people/"
    assert as_alice.post(f"{at}allow/", {"on": "1"}).status_code == 302
    with acting_as(alice):
        john = {"name": "John", "relation": "work", "traits": ["blocks", "align"], "mentioned": 5}
        manager.write(alice.pk, "shared.people", "john", john, by=manager.By.SOFTWARE)
    page = as_alice.get(at).content.decode()
    assert "John is a work colleague who often blocks progress and needs coordination." in page
    asked = as_alice.post(f"{at}allow/", {"on": "0"}).content.decode()
    assert "1 entry will be deleted for good" in asked
    with acting_as(alice):
        assert manager.read(alice.pk, "shared.people", "john")
    as_alice.post(f"{at}allow/", {"on": "0", "sure": "1"})
    with acting_as(alice):
        assert manager.read(alice.pk, "shared.people", "john") is None


def test_one_entry_is_removed_from_its_page(alice: User, as_alice: Client) -> None:
    with acting_as(alice):
        manager.write(alice.pk, "shared.people", "jo", {"name": "Jo"}, by=manager.By.SOFTWARE)
    at = "/notebook/activity/shared.people/remove/"
    assert as_alice.post(at, {"key": "nobody"}).status_code == 404
    assert as_alice.post(at, {"key": "jo"}).status_code == 302
    with acting_as(alice):
        assert manager.read(alice.pk, "shared.people", "jo") is None


def test_what_began_in_one_minute_is_one_line_with_its_count() -> None:
    noon = now().replace(hour=12, minute=0, second=0)
    did = [("read", 0), ("learn", 10), ("recall", 40), ("read", 70), ("read", 130)]
    rows = [
        MemoryOperation(
            trace_id=uuid4(),
            verb=verb,
            namespace="user",
            door=MemoryOperation.Door.WORKER,
            outcome=MemoryOperation.Outcome.OK,
            at=noon + timedelta(seconds=after),
            duration_ms=2.0,
        )
        for verb, after in did
    ]
    shown = [(event.title, len(event.traces)) for event in activity.events(rows)]
    assert shown == [
        ("Learned from your message, and 2 more", 3),
        ("Read your memory, 2 times", 2),
    ]
