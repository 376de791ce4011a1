"""The one door to what is remembered: what an answer may use, in the order in which it counts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.context import turn_context
from memory.context.turn_context import AtHand, Talk
from memory.facts import revision
from memory.facts.revision import SlotTaken
from memory.models import Memory, Mention, Override, ProfileFact
from memory.notes import note_store
from memory.notes.note_store import NotKept
from memory.scope import Scope
from memory.slots import opposites, same_value
from memory.statements import Send

__all__ = [
    "NotKept",
    "Recall",
    "SlotTaken",
    "bring_back",
    "earlier_conversations",
    "end",
    "keep_everywhere",
    "recall",
    "recall_later",
    "take_back",
]


@dataclass(frozen=True)
class Recall:
    """What is known about a person as one conversation may see it.

    Precedence: an override of this conversation, then the profile; of a slot with many values an
    override is one more. A value with a challenger is
    disputed: nothing may be claimed about it.
    """

    overrides: dict[str, list[Override]]
    facts: dict[str, list[ProfileFact]]
    challengers: dict[str, list[ProfileFact]]
    talk: Talk = field(default_factory=Talk)

    def is_disputed(self, slot: str) -> bool:
        """Whether two values for this slot wait to be settled."""
        return any(self.rivals(fact) for fact in self.facts.get(slot, ()))

    def rivals(self, fact: ProfileFact) -> list[ProfileFact]:
        """What stands against this fact: another value of its slot, or the contrary of its own."""
        if not self.challengers:
            return []
        if not fact.many:
            return self.challengers.get(fact.slot, [])
        return [
            rival
            for slot in opposites(fact.slot)
            for rival in self.challengers.get(slot, ())
            if same_value(slot, rival.value, fact.value)
        ]

    def gives_way(self, fact: ProfileFact) -> bool:
        """Whether this conversation has a value of its own in place of this fact."""
        return not fact.many and fact.slot in self.overrides

    def all_facts(self) -> Iterator[ProfileFact]:
        """Every current fact, disputed or not."""
        for facts in self.facts.values():
            yield from facts


def recall(scope: Scope, *, newest: int = 0) -> Recall:
    """What may be used in this conversation, and what was said in it before this message.

    Of what its summary does not tell, the `newest` messages are read.

    One statement, by owner; in the person's open block.
    """
    return _recall(turn_context.read(scope, newest))


def recall_later(scope: Scope, send: Send, *, newest: int = 0) -> Callable[[], Recall]:
    """The same of a read that is sent with others, see `statements.at_once`."""
    found = turn_context.read_later(scope, newest, send)
    return lambda: _recall(found())


def _recall(found: AtHand) -> Recall:
    facts: dict[str, list[ProfileFact]] = {}
    challengers: dict[str, list[ProfileFact]] = {}
    for fact in found.facts:
        side = facts if fact.status == ProfileFact.Status.CURRENT else challengers
        side.setdefault(fact.slot, []).append(fact)
    overrides: dict[str, list[Override]] = {}
    for override in found.overrides:
        overrides.setdefault(override.slot, []).append(override)
    return Recall(overrides, facts, challengers, found.talk)


def earlier_conversations(user_id: UUID, fact_ids: Iterable[UUID], but: UUID) -> set[UUID]:
    """The other conversations in which these facts were said."""
    mentions = Mention.objects.filter(user_id=user_id, fact_id__in=list(fact_ids))
    others = mentions.exclude(conversation_id=but).values_list("conversation_id", flat=True)
    return set(others.distinct())


def take_back(kept: ProfileFact | Memory) -> None:
    """The person takes a fact or a note back; repeating it changes nothing.

    Of what is over, only what was so when it was noted: the rest ended, and keeps its years.
    """
    if isinstance(kept, Memory):
        note_store.remove(kept)
    elif kept.status in (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST):
        revision.retract(kept)


def undo(made: ProfileFact | Memory) -> None:
    """It is taken back as if it had not been made: what gave way to it is in use again."""
    if isinstance(made, Memory):
        note_store.remove(made)
        note_store.give_back(made)
    elif made.narrowed_from is not None:
        revision.take_back_finer(made)
    else:
        take_back(made)


def end(fact: ProfileFact, at: datetime, why: str = "") -> None:
    """A current fact is over since `at`; it stays in the history."""
    revision.close(fact, at, why)


def keep_everywhere(override: Override) -> ProfileFact:
    """Keep for every conversation what held in one. Raises SlotTaken when the slot has a value."""
    return revision.widen(override)


def bring_back(kept: ProfileFact | Memory) -> None:
    """Undo that. Raises SlotTaken, or NotKept for a note, when something is in its place by now."""
    if isinstance(kept, Memory):
        note_store.bring_back(kept)
    elif kept.status == ProfileFact.Status.REMOVED:
        revision.bring_back(kept)
