"""The one door to what is remembered: what an answer may use, in the order in which it counts."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from memory.context.recall import Recall, recall, recall_later
from memory.facts import revision
from memory.facts.revision import SlotTaken
from memory.models import Memory, Mention, Override, ProfileFact
from memory.notes import note_store
from memory.notes.note_store import NotKept

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
    "rewrite",
    "take_back",
]


def earlier_conversations(user_id: UUID, fact_ids: Iterable[UUID], but: UUID) -> set[UUID]:
    """The other conversations in which these facts were said."""
    mentions = Mention.objects.filter(user_id=user_id, fact_id__in=list(fact_ids))
    others = mentions.exclude(conversation_id=but).values_list("conversation_id", flat=True)
    return set(others.distinct())


def rewrite(kept: ProfileFact | Memory, value: str) -> None:
    """The person puts a fact or a note differently: what it said before stays in the history.

    Raises SlotTaken, or NotKept for a note, when that may not be or is there already.
    """
    if isinstance(kept, Memory):
        note_store.rewrite(kept, value)
    else:
        revision.rewrite(kept, value)


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
