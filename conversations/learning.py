"""Reading a message for what it says about the person, once, without ever costing a turn."""

import structlog
from django.db import transaction
from django.utils.timezone import now

from accounts import work
from accounts.isolation import acting_as
from conversations import search
from conversations.models import Message, Note
from ledger import promotion
from ledger.promotion import Kept, Opened, Overridden
from memory import extraction, guard, passages
from memory.profile import Reinforced, Stored
from memory.scope import Scope

log = structlog.get_logger(__name__)
KIND = "learn"


def learn_now(question: Message) -> None:
    """Learn while the person waits for the answer, so that the answer can say what was noted.

    Never raises: whatever goes wrong, the work stays written down and the worker tries again.
    """
    try:
        held = work.claim(question.user_id, KIND, question.pk)
        if held is not None:
            learn_from(held)
    except Exception as error:
        # Memory is additive: no failure in it may reach the turn.
        log.exception("learning_put_off", message=str(question.pk), error=type(error).__name__)


def learn_from(held: work.Claim) -> None:
    """Take note of what one message says. One transaction: all its notes, or none.

    Doing it twice is doing it once: a message that was read is struck off without reading.
    """
    with acting_as(held.user_id):
        if not work.still_holding(held):
            return
        message = Message.objects.for_user(held.user_id).filter(pk=held.subject).first()
        if message is not None and message.learned_at is None:
            if message.role == Message.Role.USER:
                message.confidential = _take_notes(message)
            _make_findable(message)
            message.learned_at = now()
            message.save(update_fields=["learned_at", "confidential"])
        work.finish(held)


def _take_notes(message: Message) -> bool:
    """Make the notes; returns whether the message must not be quoted in other conversations."""
    if guard.asks_to_forget(message.content):
        return True
    scope = Scope(message.user_id, message.conversation_id, message.pk, message.said_at)
    notes: dict[tuple[object, ...], Note] = {}
    for candidate in extraction.extract(message.content):
        outcome = promotion.consider(scope, candidate)
        if outcome is not None:
            note = _note(message, outcome)
            notes.setdefault((note.kind, note.slot, note.fact_id), note)
    Note.objects.bulk_create(notes.values())
    kept = any(note.kind == Note.Kind.KEPT for note in notes.values())
    return kept or guard.holds_a_secret(message.content)


def _make_findable(message: Message) -> None:
    """Index the message for recall. What cannot be indexed is still noted, only not found again."""
    try:
        with transaction.atomic():
            passages.index(search.said(message))
    except Exception as error:
        log.exception("not_indexed", message=str(message.pk), error=type(error).__name__)


def _note(message: Message, outcome: promotion.Outcome) -> Note:
    kind = Note.Kind
    made = Note(user_id=message.user_id, message=message)
    match outcome:
        case Stored(fact):
            made.kind, made.slot, made.fact = kind.STORED, fact.slot, fact
        case Reinforced(fact):
            made.kind, made.slot, made.fact = kind.REINFORCED, fact.slot, fact
        case Overridden(override):
            made.kind, made.slot, made.override = kind.OVERRIDE, override.slot, override
        case Opened(contradiction):
            made.kind, made.slot = kind.CONFLICT, contradiction.slot
            made.contradiction, made.fact = contradiction, contradiction.new_fact
        case Kept(slot):
            made.kind, made.slot = kind.KEPT, slot.key
    return made
