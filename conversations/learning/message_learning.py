"""Learning from each message exactly once; an error never breaks the turn."""

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
    """Learning from a message failed; its job stays in the queue."""


def _putting_off(question: Message) -> AbstractContextManager[None]:
    """Log any failure in the block and raise it as PutOff."""

    def put_off(error: Exception) -> None:
        if isinstance(error, PutOff):
            raise error
        kind = type(error).__name__
        log.error("learning_put_off", message=str(question.pk), error=kind, exc_info=error)
        raise PutOff from error

    return best_effort(put_off)


def learn_now(question: Message) -> None:
    """Learn from a message that was just stored, without waiting for the worker. Never raises:
    after an error the worker tries again.
    """
    read_ahead(question)
    with suppress(PutOff), _putting_off(question), acting_as(question.user_id):
        rows = Message.objects.for_user(question.user_id).select_related("user", "conversation")
        message = rows.filter(pk=question.pk).first()
        if message is not None:
            learn_here(message, make_findable)


def learn_here(question: Message, make_findable: Callable[[Message], None] = index) -> bool:
    """Learn before the answer is written, so that the answer can say what was noted.

    Call it in the user's transaction (`acting_as`). Raises PutOff on failure: the transaction is
    lost, the caller goes on in a new one, and the worker tries again. Returns False if surely
    nothing was noted. `question` must have its conversation and user loaded.
    """
    with _putting_off(question):
        if work.remove_in_transaction(question.user_id, KIND, question.pk):
            return _learn(question, make_findable)
    return True


def learn_of_import(message: Message) -> None:
    """Learn from an imported message in the user's transaction (`acting_as`), without a job of its
    own. Idempotent. Call `read_ahead` before for a long message.
    """
    _learn(message, make_findable)


def learn_from(claim: work.Claim) -> None:
    """Worker entry point: learn from one message in one transaction. A long message is read by the
    trained reader between two transactions.
    """
    message = _learn_claimed(claim, read=False)
    if message is not None:
        with work.keeping(claim):
            read_ahead(message)
        _learn_claimed(claim, read=True)


def _learn_claimed(claim: work.Claim, *, read: bool) -> Message | None:
    """Learn from the message and finish the job. Returns a long message that must be read first,
    unless `read` says that this was done; else None.
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
    """Read a long message with the trained reader (a local classifier) before a transaction needs
    the result.
    """
    if message.is_long:
        with scheduling.waiting():
            _ = message.reading


def _learn(message: Message, make_findable: Callable[[Message], None]) -> bool:
    """Learn from a message; return whether it tells anything. Idempotent. Messages sent while
    memory is off are marked as learned and never learned from later.
    """
    if message.learned_at is not None:
        return True
    with traced_turn(message.pk), traced_operation(message.user_id, OperationVerb.LEARN, "user"):
        return _learn_traced(message, make_findable)


def _learn_traced(message: Message, make_findable: Callable[[Message], None]) -> bool:
    notes, confided = _read(message, make_findable)
    # A message that was not read completely is confidential if it holds a secret.
    confided = confided or (bool(message.reading.unread) and holds_a_secret(message.content))
    message.learned_at, changed = now(), ["learned_at"]
    if confided or message.confidential:
        # Never set to False: the user may have made the message private in the meantime.
        message.confidential = True
        changed.append("confidential")
        hide_what_is_told(message.conversation, message)
    if read := annotate_message(message):
        changed += read
        hide_what_goes_no_further(message.conversation, message)
    message.save(update_fields=changed)
    # Imported conversations come by the thousand: no topics, lessons or embeddings are queued.
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
    """Learn from the message if memory is on; return its outcomes and whether it is confidential.
    With memory off nothing is learned, but a later answer must know what not to repeat.
    """
    if not indexing.is_findable(message):
        by_user = message.role == Message.Role.USER
        return [], by_user and is_confidential(message.reading)
    notes, confided = _take_notes(message) if _is_to_be_noted(message) else ([], False)
    make_findable(message)
    return notes, confided


def _is_to_be_noted(message: Message) -> bool:
    """Return whether the user wrote the message and did not erase what it says. Messages of private
    conversations count: their facts hold there only.
    """
    unsaid = message.confidential and message.conversation.privacy != Conversation.Privacy.PRIVATE
    return message.role == Message.Role.USER and not unsaid


def _take_notes(message: Message) -> tuple[list[LearningOutcome], bool]:
    """Create and return the outcomes of a message; and whether the message is confidential."""
    reading = message.reading
    reading.imported = message.is_imported
    if reading.is_unreadable:
        return [], True
    if reading.asks_to_forget:
        # A bare "Please keep that to yourself" is about the previous message.
        _keep_apart(message, said_before(message))
        return [], True
    if reading.orders_gravely:
        # The rest of a message with orders is not believed or quoted elsewhere either.
        return [], True
    if note_consent.leaves_it(message):
        meant = note_consent.number_meant(message)
        before = Message.objects.beside(message).filter(number=meant)
        _keep_apart(message, before.first())
    gates = gates_of(message.user_id, message.conversation.privacy)
    private = gates.allowed.private
    # An imported message answers no question and makes no request here.
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
    """Return the outcomes of a message that answers an open conflict or asks to note the previous
    message; [] for any other.
    """
    settled = None if private else _settle_what_was_asked(message)
    return [settled] if settled else note_consent.note_by_a_word(message)


def _keep_apart(message: Message, meant: Message | None) -> None:
    """Make `meant`, an earlier message that this one refers to, confidential."""
    if meant is not None and not meant.confidential:
        meant.confidential = True
        meant.save(update_fields=["confidential"])
        hide_the_title(message.conversation, meant)


def _is_private(outcome: LearningOutcome) -> bool:
    """Return whether an outcome is of a sensitive kind that stays in its conversation."""
    slot = outcome.slot or (outcome.memory.slot if outcome.memory else "")
    return outcome.kind == LearningOutcome.Kind.WITHHELD or (
        slot in SLOTS and SLOTS[slot].sensitive
    )


def _settle_what_was_asked(message: Message) -> LearningOutcome | None:
    """Settle an open conflict if the message answers one, and return the outcome; else None."""
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
    """Return the unsaved outcomes of the message without duplicates; [] for a bare "note that"."""
    if note_consent.says_to_note(message) and not message.is_imported:
        return []
    notes: dict[tuple[object, ...], LearningOutcome] = {}
    for outcome in message_outcomes.record_outcomes(message, gates):
        note = message_outcomes.as_row(message, outcome)
        notes.setdefault((note.kind, note.slot, note.fact_id, note.memory_id), note)
    return list(notes.values())
