"""Forgetting everything: nothing that was said or learned stays, in no table and no column."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string
from django.utils.timezone import now
from structlog.testing import capture_logs

from accounts import work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, PrivacySettings, SubUser, User, Work
from conversations.deletion import erase_all
from conversations.learning import message_learning
from conversations.tools import registry
from conversations.turns import answer_writer, turn
from ledger.history import log_lines
from ledger.models import Erasure
from memory.models import (
    BlockedSlot,
    ChangeCounter,
    Memory,
    MemoryChange,
    MemoryOperation,
    NamespaceConsent,
    ProfileFact,
    RegisteredNamespace,
)
from memory.notes import note_store
from tests.accounts.test_isolation_tables import OWNED, count, fill_the_notebook_of
from tests.fakes.model_server import Serve, normal
from tests.ledger.erasing import RARE
from tests.people import Talk, said, tables_with, together
from webhooks.models import WebhookEndpoint

pytestmark = pytest.mark.django_db
# What somebody chose stays; `outlives_forgetting` says why.
LOGS = {MemoryChange, MemoryOperation}
CHOICES = {
    PrivacySettings,
    BlockedSlot,
    NamespaceConsent,
    RegisteredNamespace,
    WebhookEndpoint,
}
STAYS = CHOICES | {ChangeCounter, Erasure, SubUser} | LOGS
EVERYTHING = "forget everything about me"


def rows_of(user: User) -> dict[str, list[str]]:
    """All that every table that belongs to people holds of this person, as text."""
    found = {}
    with acting_as(user), connection.cursor() as cursor:
        # To look is an operation too.
        for model in set(OWNED) - {MemoryOperation}:
            cursor.execute(f"select t::text from {model._meta.db_table} t order by t.id")
            found[model._meta.db_table] = [row for (row,) in cursor.fetchall()]
    return found


def test_no_table_of_theirs_has_a_row_but_choices_and_the_log(alice: User) -> None:
    fill_the_notebook_of(alice)
    with acting_as(alice):
        assert all(count(model) for model in OWNED)
    erase_all.forget_everything(alice)
    with acting_as(alice):
        assert {model for model in OWNED if count(model)} == STAYS


def test_the_logs_of_operations_and_changes_begin_anew(alice: User) -> None:
    fill_the_notebook_of(alice)
    begun = now()
    erase_all.forget_everything(alice)
    with acting_as(alice):
        assert not MemoryOperation.objects.filter(at__lt=begun).exists()
        assert [change.kind for change in MemoryChange.objects.all()] == ["cleared"]


def test_of_somebody_else_not_a_letter_changes(alice: User, bob: User) -> None:
    for user in (alice, bob):
        fill_the_notebook_of(user)
    before = rows_of(bob)
    erase_all.forget_everything(alice)
    assert rows_of(bob) == before


def test_the_log_keeps_when_and_what_kind_and_says_that_all_was_forgotten(alice: User) -> None:
    fill_the_notebook_of(alice)
    shape = ("pk", "at", "deed", "by", "slot", "subject")
    with acting_as(alice):
        before = list(AuditEvent.objects.order_by("at", "pk").values_list(*shape))
    receipt = erase_all.forget_everything(alice)
    assert receipt.line is not None
    with acting_as(alice):
        after = AuditEvent.objects.order_by("at", "pk")
        assert list(after.values_list(*shape))[:-1] == before
        last = after.last()
        assert last == receipt.line
        told = {Action.FORGOTTEN, Action.ALLOWED, Action.BLOCKED, Action.UNBLOCKED}
        assert not after.exclude(deed__in=told).exclude(before="", after="", why="").exists()
        assert after.filter(deed=Action.BLOCKED, redacted_at=None).exists()
        (line,) = log_lines.lines_from(alice.pk, [last])
    assert line.sentence == "You deleted everything"
    assert line.reason == f"Deleted: {receipt.gone.in_words()}."


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_being_written_writes_nothing_back(alice: User, serve: Serve) -> None:
    serve(normal(f"{RARE} is a place to work at"))
    exchange = turn.begin(alice, None, f"I work at {RARE}")
    writing = turn.fill(alice.pk, exchange.answer.pk)
    next(writing)
    together(lambda: erase_all.forget_everything(alice))
    rest = list(writing)
    assert not any(isinstance(event, answer_writer.FinishedAnswer) for event in rest)
    assert tables_with(alice, RARE) == set()
    assert left(alice) == set()


def left(user: User) -> set[str]:
    with acting_as(user):
        return {model.__name__ for model in OWNED if model not in STAYS and count(model)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by_hand", [False, True])
def test_whoever_is_just_noting_something_is_waited_for(
    alice: User, monkeypatch: pytest.MonkeyPatch, by_hand: bool
) -> None:
    question = said(alice, f"I work at {RARE}")
    noted, go_on = threading.Event(), threading.Event()

    def slow(_: object) -> bool:
        noted.set()
        go_on.wait(5)
        return False

    def write() -> None:
        with acting_as(alice):
            note_store.write_by_hand(alice.pk, f"Sails with {RARE}")

    if by_hand:
        monkeypatch.setattr(note_store, "_is_full", slow)
    else:
        monkeypatch.setattr(message_learning, "make_findable", slow)

    def forget() -> erase_all.Receipt:
        assert noted.wait(5)
        threading.Timer(0.2, go_on.set).start()
        return erase_all.forget_everything(alice)

    deed = write if by_hand else lambda: message_learning.learn_now(question)
    _, receipt = together(deed, forget)
    assert receipt.gone.notes if by_hand else receipt.gone.facts
    assert left(alice) == set()
    assert tables_with(alice, RARE) == set()


@pytest.mark.django_db(transaction=True)
def test_of_two_windows_one_forgets_and_the_other_finds_nothing(alice: User) -> None:
    fill_the_notebook_of(alice)
    receipts = together(*[lambda: erase_all.forget_everything(alice)] * 2)
    assert sorted(one.line is None for one in receipts) == [False, True]
    assert left(alice) == set()


@pytest.mark.parametrize("kind", sorted(settings.WORK_HANDLERS))
def test_a_worker_with_a_task_for_what_is_gone_ends_quietly(alice: User, kind: str) -> None:
    exchange = turn.begin(alice, None, "I live in Rome")
    subjects = {
        "answer": exchange.answer.pk,
        "learn": exchange.question.pk,
        "tend": alice.pk,
    }
    subject = subjects.get(kind, exchange.question.conversation_id)
    with acting_as(alice):
        Work.objects.filter(kind=kind).delete()
        work.enqueue(alice, kind, subject)
    held = work.claim(alice.pk, kind, subject)
    assert held is not None
    erase_all.forget_everything(alice)
    with capture_logs() as logged:
        import_string(settings.WORK_HANDLERS[kind])(held)
    assert not [line for line in logged if line["log_level"] in ("error", "critical")]
    assert left(alice) == set()


@pytest.mark.parametrize("memory_on", [True, False])
def test_in_a_conversation_the_page_is_named_and_nothing_goes(
    alice: User, talk: Callable[..., Talk], memory_on: bool
) -> None:
    talk().say("I live in Rome")
    User.objects.filter(pk=alice.pk).update(memory_on=memory_on)
    before = state(alice)
    for text in (EVERYTHING, "wipe my memory"):
        answer = talk().say(text)
        assert "(/account/forget-everything/)" in answer.content
        assert answer.steps == []
    assert state(alice) == before


def state(user: User) -> tuple[Any, ...]:
    with acting_as(user):
        facts = list(ProfileFact.objects.values_list("value", "status"))
        return facts, Memory.objects.count(), AuditEvent.objects.count()


def test_no_tool_forgets_everything() -> None:
    assert len(registry.tools()) > 12
    for name, tool in registry.tools().items():
        assert erase_all.CONFIRMATION not in f"{name.replace('_', ' ')} {tool.purpose}".lower()
