"""Operations that a language model calls while it answers, based on the message it answers."""

from dataclasses import dataclass, replace
from uuid import UUID

from conversations.learning.listening_runs import show_outcome
from conversations.learning.listening_stretch import told_in_confidence
from conversations.llm import trusting
from conversations.models import LearningOutcome, Message
from ledger.promotion import operations
from ledger.promotion.gates import gates_of
from memory.core.known_facts import KnownRecords
from memory.models import Memory, ProfileFact
from memory.operations.checks import check
from memory.operations.evidence import Evidence, KnownItem, SaidLine
from memory.operations.schema import Operation
from memory.slots import SLOTS

LINE = 1
"""The number of the message's line in a quote."""


@dataclass(frozen=True)
class Noted:
    """The result of an operation. refused: the rule that refused it, or ''. text: what was stored,
    '' if the information stays in its conversation. waits: whether the user must confirm.
    """

    refused: str = ""
    text: str = ""
    waits: bool = False


def note(message: Message, operation: Operation, target: UUID | None) -> Noted:
    """Check and carry out an operation in the user's transaction (`acting_as`); its outcomes belong
    to the message. `target` is the key of the fact or memory that it changes.
    """
    known = _known(message.user_id, target) if target else []
    confided = told_in_confidence(message)
    typed = not message.reading.foreign
    line = SaidLine(LINE, True, message.content, message.said_at, typed, confided=confided)
    named = operation.model_copy(update={"target": known[0].alias if known else ""})
    checked = check(named, Evidence([line], known), trusting.trust_in_model())
    if checked.refused:
        return Noted(refused=checked.refused)
    gates = gates_of(message.user_id, message.conversation.privacy)
    records = KnownRecords(message.user_id, SLOTS, notes=True)
    scope = replace(message.scope, allowed=gates.allowed, known=records)
    outcomes = list(operations.apply(scope, checked, message.content, gates))
    rows = [show_outcome(message, outcome) for outcome in outcomes]
    kept = [row for row in rows if row.kind != LearningOutcome.Kind.WITHHELD]
    if not kept:
        return Noted()
    waiting = {LearningOutcome.Kind.WAITING, LearningOutcome.Kind.CONFLICT}
    return Noted(text=_words(kept[-1]), waits=any(row.kind in waiting for row in kept))


def _known(user_id: UUID, key: UUID) -> list[KnownItem]:
    """Return the fact or memory of this key, as operations refer to it; [] if there is none."""
    fact = ProfileFact.objects.for_user(user_id).current().filter(pk=key).first()
    if fact is not None:
        by_hand = fact.source == ProfileFact.Source.MANUAL
        return [
            KnownItem(
                "f1", key, fact.sentence, fact.last_verified, fact.slot, fact.value, by_hand=by_hand
            )
        ]
    memory = Memory.objects.for_user(user_id).active().filter(pk=key).first()
    if memory is None:
        return []
    return [
        KnownItem(
            "n1", key, memory.content, memory.said_at, memory.slot, memory.value,
            original=memory.original,
        )
    ]  # fmt: skip


def _words(row: LearningOutcome) -> str:
    """Return the text of what an outcome is about."""
    if row.fact is not None:
        return row.fact.sentence
    if row.memory is not None:
        return row.memory.content
    return row.override.value if row.override is not None else row.slot
