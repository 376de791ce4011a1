"""Forgetting everything that was learned from one conversation only, and restoring it. The ids of
what was forgotten last are stored in the session only.
"""

from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase

from conversations.deletion import learned_only_there
from conversations.models import Conversation, Message
from memory import manager
from memory.models import Memory, ProfileFact
from memory.notes.note_store import pause_note

_KEY = "forgotten_at_once"
_STATES_BEFORE = (Memory.Status.ACTIVE, Memory.Status.PAUSED, Memory.Status.WAITING)
_CURRENT = ProfileFact.Status.CURRENT
_FORGOTTEN_STATES = (Memory.Status.REMOVED, Memory.Status.DECLINED)


@dataclass(frozen=True)
class ForgottenItems:
    """Ids of the retracted facts and memories; `paused`: memories that were paused before."""

    facts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    paused: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.facts) + len(self.notes)


def would_forget(conversation: Conversation) -> int:
    """Return how many facts and memories are known from this conversation only."""
    facts, notes = _known_from(conversation)
    return len(facts) + len(notes)


def forget(conversation: Conversation) -> ForgottenItems:
    """Retract the facts and memories learned from this conversation only; its messages stay."""
    facts, notes = _known_from(conversation)
    paused = [str(note.pk) for note in notes if note.status == Memory.Status.PAUSED]
    known: list[ProfileFact | Memory] = [*facts, *notes]
    for row in known:
        manager.retract(row)
    return ForgottenItems(
        [str(fact.pk) for fact in facts], [str(note.pk) for note in notes], paused
    )


def bring_back(user_id: UUID, forgotten: ForgottenItems) -> int:
    """Restore forgotten items; return how many. Skips those whose slot has another value by now."""
    back = 0
    for row in _rows_of(user_id, forgotten):
        try:
            manager.restore(row)
        except (manager.SlotTaken, manager.NotKept):
            continue
        back += 1
        if isinstance(row, Memory) and str(row.pk) in forgotten.paused:
            pause_note(row)
    return back


def count_still_forgotten(user_id: UUID, forgotten: ForgottenItems) -> int:
    """Return how many forgotten items were neither restored nor erased since."""
    return len(_rows_of(user_id, forgotten)) if forgotten else 0


def keep(session: SessionBase, conversation: Conversation, forgotten: ForgottenItems) -> None:
    """Store in the session what was forgotten last."""
    session[_KEY] = {"conversation": str(conversation.pk), **asdict(forgotten)}


def last_forgotten(session: SessionBase, conversation: Conversation) -> ForgottenItems:
    """Return what was forgotten last if learned in this conversation, else an empty value."""
    last: dict[str, Any] = session.get(_KEY, {})
    if last.get("conversation") != str(conversation.pk):
        return ForgottenItems()
    return ForgottenItems(last["facts"], last["notes"], last["paused"])


def _known_from(conversation: Conversation) -> tuple[list[ProfileFact], list[Memory]]:
    messages = Message.objects.of(conversation)
    learned = learned_only_there.only_from(conversation.user_id, messages)
    # Past facts of the profile's history stay, unless they were past when they were told.
    facts = [fact for fact in learned.facts if fact.status == _CURRENT or fact.was_over]
    return facts, [note for note in learned.notes if note.status in _STATES_BEFORE]


def _rows_of(user_id: UUID, forgotten: ForgottenItems) -> list[ProfileFact | Memory]:
    facts = ProfileFact.objects.for_user(user_id).filter(pk__in=forgotten.facts)
    notes = Memory.objects.for_user(user_id).filter(pk__in=forgotten.notes)
    return [
        *facts.filter(status=ProfileFact.Status.REMOVED).defer("embedding"),
        *notes.filter(status__in=_FORGOTTEN_STATES).defer("embedding", "terms"),
    ]
