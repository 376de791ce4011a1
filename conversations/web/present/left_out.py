"""What an answer did not use because of the user's settings or open conflicts."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.text import capfirst

from accounts.support import formatting
from conversations.models import Conversation, Message
from ledger.models import Contradiction
from memory.models import Memory
from memory.slots import SLOTS

# How many open conflicts are listed one by one.
_MOST = 3
_PAUSED = ("memory that you paused", "memories that you paused")
_WAITING = ("memory waiting for you to confirm it", "memories waiting for you to confirm them")
_PRIVATE = ("private conversation", "private conversations")


@dataclass(frozen=True)
class LeftOut:
    """A reason, and the number of items left out; `url` leads to its setting, '' for none."""

    icon: str
    words: str
    url: str = ""


def left_out(answer: Message) -> list[LeftOut]:
    """Return what was deliberately left out of an answer; three queries."""
    status = Memory.Status
    notes = Memory.objects.for_user(answer.user_id).filter(created_at__lte=answer.said_at)
    counts = notes.aggregate(
        paused=Count("pk", filter=Q(status=status.PAUSED)),
        waiting=Count("pk", filter=Q(status=status.WAITING)),
    )
    conversations = Conversation.objects.for_user(answer.user_id).exclude(pk=answer.conversation_id)
    private = conversations.filter(
        privacy=Conversation.Privacy.PRIVATE, started_at__lte=answer.said_at
    ).count()
    page = reverse("memory:memories")
    entries = [
        ("pause", counts["paused"], _PAUSED, f"{page}?show=resting#list"),
        ("info", counts["waiting"], _WAITING, page),
        ("lock", private, _PRIVATE, ""),
    ]
    counted = [
        LeftOut(
            icon, capfirst(f"{formatting.number(count)} {singular if count == 1 else plural}"), url
        )
        for icon, count, (singular, plural), url in entries
        if count
    ]
    return [*_disputed(answer), *counted]


def _disputed(answer: Message) -> list[LeftOut]:
    """Return the disputed facts with open conflicts, one line per slot, or one line for many."""
    rows = Contradiction.objects.filter(user_id=answer.user_id, opened_at__lte=answer.said_at)
    rows = rows.open().order_by("opened_at")
    by_slot = {entry.slot: entry for entry in rows}
    if len(by_slot) > _MOST:
        words = (
            f"{capfirst(formatting.number(len(by_slot)))} facts in conflict, until you settle them"
        )
        return [LeftOut("fork", words, reverse("ledger:conflicts"))]
    return [
        LeftOut(
            "fork",
            f"{capfirst(SLOTS[slot].noun)}, until you choose which is right",
            entry.get_absolute_url(),
        )
        for slot, entry in by_slot.items()
    ]
