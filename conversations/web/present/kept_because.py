"""Why something is stored where it is, or not at all: the persistence gate's reason."""

from collections.abc import Collection

from conversations.learning import note_consent
from conversations.models import Conversation, LearningOutcome, Message
from memory.core.allowances import allowances_of
from memory.core.persistence_gate import (
    Allowances,
    KeepingPlace,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.language.safety.guard import holds_a_secret
from memory.notes.note_extraction import read_remarks
from memory.web.present.remedies import reason_of_kept

_READ_IN_PART = (
    "I looked for facts in the first {count:,} characters of this message. All of it is saved and "
    "searchable."
)
_NOT_READ = "I couldn’t look for facts in this message. It’s saved and searchable here."


def reading_notice(message: Message) -> str:
    """Return a notice about how much of a message was read; '' if all of it."""
    if message.read_up_to is None:
        return ""
    return _READ_IN_PART.format(count=message.read_up_to) if message.read_up_to else _NOT_READ


def allowed_for(outcomes: Collection[LearningOutcome]) -> Allowances:
    """Return the user's allowances; read only if one of the outcomes was withheld."""
    outcome = next(
        (outcome for outcome in outcomes if outcome.kind == LearningOutcome.Kind.WITHHELD), None
    )
    return allowances_of(outcome.user_id) if outcome else Allowances()


def of_note(
    outcome: LearningOutcome, allowed: Allowances, *, here_only: bool = False
) -> PersistenceReason | None:
    """Return the persistence gate's current reason for where an outcome is stored; None if the
    persistence gate does not decide about it.

    `here_only`: whether it holds in its conversation only.
    """
    kinds = LearningOutcome.Kind
    if outcome.kind == kinds.WITHHELD:
        decision = note_consent.decide_consent(outcome, allowed)
        # Withheld only because the user has not consented yet.
        return PersistenceReason.SENSITIVE if decision.kept else decision.reason
    if here_only:
        here = Allowances(private=_is_private(outcome.message))
        return decide_persistence(PersistenceRequest(RecordKind.FACT, here_only=True), here).reason
    if outcome.contradiction_id is not None:
        return None
    kept = outcome.memory or outcome.fact
    return reason_of_kept(kept) if kept else None


def of_message(message: Message, *, memory_on: bool) -> PersistenceReason | None:
    """Return the reason why nothing of a message is stored, if there is one. In a private
    conversation only for what is no simple fact, because a fact has its own chip.
    """
    if message.role != Message.Role.USER or message.state == Message.State.REMOVED:
        return None
    allowed = Allowances(memory_on=memory_on, private=_is_private(message))
    secret = holds_a_secret(message.content)
    decision = decide_persistence(PersistenceRequest(RecordKind.NOTE, secret=secret), allowed)
    if decision.place != KeepingPlace.NOWHERE or not (secret or _states_something(message)):
        return None
    return decision.reason


def _states_something(message: Message) -> bool:
    reading = message.reading
    if reading.only_asks or reading.asks_to_forget:
        return False
    return bool(reading.facts or read_remarks(reading, message.said_at))


def _is_private(message: Message) -> bool:
    return message.conversation.privacy == Conversation.Privacy.PRIVATE
