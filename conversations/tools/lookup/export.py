"""The tool that exports everything stored about the user."""

from datetime import date, datetime
from typing import Literal
from uuid import UUID

from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Conversation
from conversations.tools import visibility
from conversations.tools.lookup import talks
from conversations.tools.lookup.facts import KnownFact, as_known
from conversations.tools.lookup.statistics import links
from conversations.tools.lookup.talks import ListedTalk
from conversations.tools.tool import Arguments, Result, Tool, ToolContext
from conversations.tools.visibility import count_in_words
from ledger.history import timeline
from memory.models import ProfileFact

# How many items of each kind one export has.
_MOST_EXPORTED = 500
Part = Literal["profile", "notes", "timeline", "conversations"]


class ExportedNote(BaseModel):
    """A memory with its stored fields."""

    id: UUID
    text: str
    original: str
    category: str
    status: str
    trust: float
    claim: str
    origin: str
    said_at: datetime
    happened_on: date | None
    link: str


class ExportedStrand(BaseModel):
    """The history of one slot."""

    slot: str
    sentence: str


class Export(Result):
    """The user's stored data. `left_out`: by part, how many items are beyond the limit; the API
    returns all of them, page by page, at `more`.
    """

    exported_at: datetime
    profile: list[KnownFact] = Field(default_factory=list)
    notes: list[ExportedNote] = Field(default_factory=list)
    timeline: list[ExportedStrand] = Field(default_factory=list)
    conversations: list[ListedTalk] = Field(default_factory=list)
    private_conversations: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    more: dict[str, str] = Field(default_factory=dict)
    links: dict[str, str]

    def in_words(self) -> str:
        """Return the result in words: '12 facts, 30 memories, 5 conversations'."""
        kept = [
            (len(self.profile), "fact", "facts"),
            (len(self.notes), "memory", "memories"),
            (len(self.conversations), "conversation", "conversations"),
        ]
        return (
            ", ".join(
                count_in_words(count, singular, plural) for count, singular, plural in kept if count
            )
            or "nothing yet"
        )


class WhatToExport(Arguments):
    """Which parts to export."""

    parts: list[Part] = Field(
        default=["profile", "notes", "timeline", "conversations"],
        min_length=1,
        max_length=4,
        description="Parts to return; all of them by default.",
    )
    limit: int = Field(
        _MOST_EXPORTED, ge=1, le=_MOST_EXPORTED, description="Largest number of items of each part."
    )


def export(context: ToolContext, wanted: WhatToExport) -> Export:
    """Return the user's stored data that may be shown here, each part up to its limit."""
    made = Export(exported_at=context.asked_at, links=links())
    for part in dict.fromkeys(wanted.parts):
        total = _PARTS[part](context, wanted.limit, made)
        if total > wanted.limit:
            made.left_out[part] = total - wanted.limit
            made.more[part] = _MORE[part]
    return made


def _export_profile(context: ToolContext, limit: int, made: Export) -> int:
    rows = ProfileFact.objects.for_user(context.user_id).current()
    facts = rows.with_evidence().order_by("slot", "valid_from", "pk")[:limit]
    made.profile = [as_known(context, fact, ()) for fact in facts]
    return len(facts) if len(facts) < limit else rows.count()


def _export_notes(context: ToolContext, limit: int, made: Export) -> int:
    rows = visibility.notes(context).shown().order_by("-said_at", "-pk")
    notes = rows.defer("embedding", "terms")[:limit]
    made.notes = [
        ExportedNote(
            id=note.pk,
            text=note.content,
            original=note.original,
            category=note.category,
            status=note.status,
            trust=round(note.trust, 3),
            claim=note.claim,
            origin=note.origin,
            said_at=note.said_at,
            happened_on=note.happened_on,
            link=note.get_absolute_url(),
        )
        for note in notes
    ]
    return len(notes) if len(notes) < limit else rows.count()


def _export_timeline(context: ToolContext, limit: int, made: Export) -> int:
    histories = timeline.slot_histories(timeline.read(context.user_id))
    today = localtime(context.asked_at).date()
    made.timeline = [
        ExportedStrand(slot=strand.slot.key, sentence=strand.sentence(today))
        for strand in histories[:limit]
    ]
    return len(histories)


def _export_talks(context: ToolContext, limit: int, made: Export) -> int:
    rows = visibility.talks(context).order_by("-last_at", "-pk")
    made.conversations = [talks.listed(conversation) for conversation in rows[:limit]]
    all_talks = Conversation.objects.for_user(context.user_id).count()
    total = rows.count()
    made.private_conversations = all_talks - total
    return total


_PARTS = {
    "profile": _export_profile,
    "notes": _export_notes,
    "timeline": _export_timeline,
    "conversations": _export_talks,
}
_MORE = {
    "profile": "/api/v1/profile",
    "notes": "/api/v1/memories",
    "timeline": "/api/v1/timeline",
    "conversations": "/api/v1/conversations",
}


TOOLS = (
    Tool(
        name="memory_export",
        purpose="Give the person everything that is stored about them: facts, memories, "
        "timeline and the list of conversations. Use it only when they ask for all"
        " of it.",
        arguments=WhatToExport,
        run=export,
    ),
)
