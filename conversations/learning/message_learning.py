"""Learning from a message once, without ever costing a turn."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

import structlog
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.support.best_effort import best_effort
from conversations import scheduling
from conversations.learning import (
    embedding,
    indexing,
    lesson_derivation,
    message_outcomes,
    note_consent,
    open_questions,
    role_discovery,
)
from conversations.learning.indexing import index, make_findable
from conversations.messages import annotate_message
from conversations.models import Conversation, LearningOutcome, Message
from conversations.privacy import (
    hide_the_title,
    hide_what_goes_no_further,
    hide_what_is_told,
    said_before,
)
from conversations.topics import topic_detection
from ledger.conflicts import typed_answers
from ledger.conflicts.resolution import AlreadySettled, resolve
from ledger.promotion.gates import Gates, gates_of
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.core.tracing import OperationVerb, traced_operation, traced_turn
from memory.language.message_provenance import is_confidential
from memory.language.safety.guard import holds_a_secret
from memory.slots import SLOTS

log = structlog.get_logger(__name__)
KIND = "learn"


class PutOff(Exception):
    """A message could not be learned from now; its work stays in the queue."""


def _putting_off(question: Message) -> AbstractContextManager[None]:
    """Log a failure of memory and raise it as PutOff: no other exception leaves the block."""

    def put_off(error: Exception) -> None:
        if isinstance(error, PutOff):
            raise error
        kind = type(error).__name__
        log.error("learning_put_off", message=str(question.pk), error=kind, exc_info=error)
        raise PutOff from error

    return best_effort(put_off)


def learn_now(question: Message) -> None:
    """Learn from a message that was just kept, without waiting for the worker.

    Never raises: whatever goes wrong, the work stays written down and the worker tries again.
    """
    read_ahead(question)
    with suppress(PutOff), _putting_off(question), acting_as(question.user_id):
        rows = Message.objects.for_user(question.user_id).select_related("user", "conversation")
        message = rows.filter(pk=question.pk).first()
        if message is not None:
            learn_here(message, make_findable)


def learn_here(question: Message, make_findable: Callable[[Message], None] = index) -> bool:
    """Learn while the person waits for the answer, so that the answer can say what was noted.

    Call it inside the caller's transaction (`acting_as`). Raises PutOff where it fails: that
    transaction is lost, the caller goes on in a new one, and the worker tries again. False where it
    is known that nothing was noted. The question comes with its conversation and its person.
    """
    with _putting_off(question):
        if work.remove_in_transaction(question.user_id, KIND, question.pk):
            return _learn(question, make_findable)
    return True


def learn_of_import(message: Message) -> None:
    """Learn from an imported message in its person's open block, without work of its own.

    Doing it twice is doing it once. A long message is to be read ahead.
    """
    _learn(message, make_findable)


def learn_from(claim: work.Claim) -> None:
    """Worker entry point: take note of what one message says. One transaction: all its notes, or
    none. A long message is read between two.
    """
    message = _learn_claimed(claim, read=False)
    if message is not None:
        with work.keeping(claim):
            read_ahead(message)
        _learn_claimed(claim, read=True)


def _learn_claimed(claim: work.Claim, *, read: bool) -> Message | None:
    """Learn from the message and finish the work; return a long message that has to be read first,
    unless that was done.
    """
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        rows = Message.objects.for_user(claim.user_id).select_related("user", "conversation")
        message = rows.filter(pk=claim.subject).first()
        if message is not None:
            if message.is_long and not read:
                return message
            _learn(message, make_findable)
        work.finish(claim)
        return None


def read_ahead(message: Message) -> None:
    """Read a long message before a transaction begins in which it is asked for."""
    if message.is_long:
        with scheduling.waiting():
            _ = message.reading


def _learn(message: Message, make_findable: Callable[[Message], None]) -> bool:
    """Learn from a message; return whether it tells anything.

    Doing it twice is doing it once: a message that was read is passed over. What is said while
    memory is off is passed over too: it is not made up for later.
    """
    if message.learned_at is not None:
        return True
    with traced_turn(message.pk), traced_operation(message.user_id, OperationVerb.LEARN, "user"):
        return _learn_traced(message, make_findable)


def _learn_traced(message: Message, make_findable: Callable[[Message], None]) -> bool:
    notes, confided = _read(message, make_findable)
    # What was not read is quoted nowhere else; a secret in it is not even found from there.
    confided = confided or (bool(message.reading.unread) and holds_a_secret(message.content))
    message.learned_at, changed = now(), ["learned_at"]
    if confided or message.confidential:
        # Never the other way: its owner may have made it private meanwhile.
        message.confidential = True
        changed.append("confidential")
        hide_what_is_told(message.conversation, message)
    if read := annotate_message(message):
        changed += read
        hide_what_goes_no_further(message.conversation, message)
    message.save(update_fields=changed)
    # Thousands of imported conversations at once are no reason to ask a model for their topics.
    by_owner_here = message.role == Message.Role.USER and not message.is_imported
    if by_owner_here and indexing.is_findable(message):
        later = [
            lesson_derivation.due_for_members(message.conversation),
            topic_detection.due_when_grown(message),
            embedding.due(message.user_id),
        ]
        work.enqueue_all(message.user, [item for item in later if item is not None])
    return bool(notes)


def _read(
    message: Message, make_findable: Callable[[Message], None]
) -> tuple[list[LearningOutcome], bool]:
    """Learn from it, where memory is on: its notes, and whether it must not be quoted in other
    conversations.

    With memory off nothing is learned, but a later answer must know what not to repeat.
    """
    if not indexing.is_findable(message):
        by_user = message.role == Message.Role.USER
        return [], by_user and is_confidential(message.reading)
    notes, confided = _take_notes(message) if _is_to_be_noted(message) else ([], False)
    make_findable(message)
    return notes, confided


def _is_to_be_noted(message: Message) -> bool:
    """Return whether the person said it and has not erased since what it says. A private
    conversation is still read for what holds in it alone.
    """
    unsaid = message.confidential and message.conversation.privacy != Conversation.Privacy.PRIVATE
    return message.role == Message.Role.USER and not unsaid


def _take_notes(message: Message) -> tuple[list[LearningOutcome], bool]:
    """Make the notes; and whether the message must not be quoted in other conversations."""
    reading = message.reading
    reading.imported = message.is_imported
    if reading.is_unreadable:
        return [], True
    if reading.asks_to_forget:
        # A bare "Please keep that to yourself" is about what was said right before it.
        _keep_apart(message, said_before(message))
        return [], True
    if reading.orders_gravely:
        # Whatever it says beside the orders is not believed either, nor quoted elsewhere.
        return [], True
    if note_consent.leaves_it(message):
        meant = note_consent.number_meant(message)
        before = Message.objects.beside(message).filter(number=meant)
        _keep_apart(message, before.first())
    gates = gates_of(message.user_id, message.conversation.privacy)
    private = gates.allowed.private
    # What was said elsewhere answers nothing that is asked here, and is no wish to this assistant.
    notes = [] if message.is_imported else _noted_by_a_word(message, private=private)
    notes = notes or _notes_on(message, gates)
    if (
        not message.is_imported
        and decide_persistence(PersistenceRequest(RecordKind.ROLE), gates.allowed).kept
    ):
        notes += role_discovery.ask_about_role(message, reading)
    LearningOutcome.objects.bulk_create(notes)
    kept = any(_is_private(outcome) for outcome in notes)
    return notes, private or kept or bool(reading.private) or reading.holds_a_secret


def _noted_by_a_word(message: Message, *, private: bool) -> list[LearningOutcome]:
    """Return the outcomes that the owner settles or asks for with this message; none otherwise."""
    settled = None if private else _settle_what_was_asked(message)
    return [settled] if settled else note_consent.note_by_a_word(message)


def _keep_apart(message: Message, meant: Message | None) -> None:
    """Make the messages meant by this one, said before it, confidential."""
    if meant is not None and not meant.confidential:
        meant.confidential = True
        meant.save(update_fields=["confidential"])
        hide_the_title(message.conversation, meant)


def _is_private(outcome: LearningOutcome) -> bool:
    """Return whether the outcome is of a kind that stays in its conversation."""
    slot = outcome.slot or (outcome.memory.slot if outcome.memory else "")
    return outcome.kind == LearningOutcome.Kind.WITHHELD or (
        slot in SLOTS and SLOTS[slot].sensitive
    )


def _settle_what_was_asked(message: Message) -> LearningOutcome | None:
    """Take the message as the answer to an open question about two values, where it is one."""
    if message.pasted:
        return None
    waiting, said_before = open_questions.before(message)
    answered = typed_answers.read(message.content, waiting, message.said_at, said_before)
    if answered is None:
        return None
    entry, answer = answered
    try:
        resolve(entry, answer, by=message.user, reason="You answered in the conversation.")
    except AlreadySettled:
        return None
    return LearningOutcome(
        user_id=message.user_id,
        message=message,
        kind=LearningOutcome.Kind.SETTLED,
        slot=entry.slot,
        contradiction=entry,
    )


def _notes_on(message: Message, gates: Gates) -> list[LearningOutcome]:
    """Return the unsaved outcomes of the message, each once; "note that" itself gives none."""
    if note_consent.says_to_note(message) and not message.is_imported:
        return []
    notes: dict[tuple[object, ...], LearningOutcome] = {}
    for outcome in message_outcomes.record_outcomes(message, gates):
        note = message_outcomes.as_row(message, outcome)
        notes.setdefault((note.kind, note.slot, note.fact_id, note.memory_id), note)
    return list(notes.values())
