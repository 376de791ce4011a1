"""Memories as pages show them: text, source, priority and trust."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.timezone import now

from accounts.support import formatting
from memory.core import scoring
from memory.language.origin import Origin
from memory.maintenance.lifecycle import Figures
from memory.models import Memory, Merge, ProfileFact
from memory.slots import SLOTS

Status = Memory.Status

MODES = {
    Memory.Mode.LOSSLESS: "in your words",
    Memory.Mode.COMPRESSED: "shortened",
    Memory.Mode.HYBRID: "shortened, names and numbers kept",
}
# Called "Detail", because facts are what the profile holds.
KIND = {
    Memory.Category.FACT: "Detail",
    Memory.Category.PREFERENCE: "Preference",
    Memory.Category.TOPIC: "Topic",
    Memory.Category.STYLE: "Style",
    Memory.Category.SUMMARY: "Summary",
}
KINDS = {
    Memory.Category.FACT: "Details",
    Memory.Category.PREFERENCE: "Preferences",
    Memory.Category.TOPIC: "Topics",
    Memory.Category.STYLE: "Style",
    Memory.Category.SUMMARY: "Summaries",
}
_ENDED = {
    Status.SUPERSEDED: "Replaced by a newer memory",
    Status.MERGED: "Merged with another memory",
    Status.RETIRED: "Removed to make room for newer memories",
    Status.WITHDRAWN: "Changed by the language model",
    Status.REMOVED: "Forgotten by you",
    Status.DECLINED: "You said no",
}
_ORIGINS = {
    Origin.TYPED: "",
    Origin.PASTED: "from text you pasted",
    Origin.TOOL: "from a tool's answer",
    Origin.ASSISTANT: "from what I said myself",
    Origin.IMPORTED: "imported",
    Origin.MODEL: "read by the language model",
}


@dataclass(frozen=True)
class NoteRow:
    """A row of the memories page."""

    memory: Memory
    content: str
    original: str
    kind: str
    trust_word: str
    stitches: int
    priority_words: str
    used_words: str
    said_words: str
    about_words: str
    mode_words: str
    origin_words: str
    source_words: str
    source_url: str
    ended_words: str
    successor: str
    successor_url: str

    @property
    def pk(self) -> UUID:
        """The id of the memory."""
        return self.memory.pk

    @property
    def sensitive(self) -> bool:
        """Whether the memory is sensitive, saved with consent."""
        return self.memory.is_sensitive

    @property
    def unchecked(self) -> bool:
        """Whether the memory is an unchecked claim: a rank, a permission, a rule, a credential."""
        return bool(self.memory.claim)

    @property
    def paused(self) -> bool:
        """Whether the user paused the memory."""
        return self.memory.status == Status.PAUSED

    @property
    def waiting(self) -> bool:
        """Whether the memory waits for approval."""
        return self.memory.status == Status.WAITING

    @property
    def why_waiting(self) -> str:
        """Why the memory waits for approval, as the end of a sentence."""
        if self.ends:
            return "it seems to have ended, so I’m asking first"
        if self.memory.written_by:
            return f"{self.memory.written_by} wrote it, so I’m asking first"
        if self.memory.origin != Origin.TYPED:
            return f"{self.origin_words}, so I’m asking first"
        if self.memory.trust < settings.MEMORY["promotion_trust"] - 1e-9:
            return "I’m not sure I understood, so I’m asking first"
        return "not in your profile yet"

    @property
    def replaces(self) -> str:
        """The text of the memory that approving this one replaces; '' for none."""
        return self.memory.replaces.content if self.memory.replaces else ""

    @property
    def ends(self) -> bool:
        """Whether approving the memory ends a fact."""
        return self.memory.ends_id is not None

    @property
    def may_be_never(self) -> bool:
        """Whether the user can block the memory's slot."""
        return bool(self.memory.slot)

    @property
    def slot_label(self) -> str:
        """The label of the memory's slot: 'Employer'; '' without a slot."""
        return SLOTS[self.memory.slot].label if self.memory.slot else ""

    @property
    def gone(self) -> bool:
        """Whether the memory is no longer in use."""
        return bool(self.ended_words)

    @property
    def returns(self) -> bool:
        """Whether the memory can be restored; a merged one only by undoing the merge."""
        return self.gone and self.memory.status != Status.MERGED

    @property
    def knot(self) -> str:
        """The name of the status icon; '' for an active memory that was used."""
        if self.gone:
            return "knot-slack"
        if self.paused:
            return "knot-paused"
        return "" if self.memory.uses else "knot-open"


@dataclass(frozen=True)
class WaitingGroup:
    """The waiting memories of one conversation; `conversation_id` is None for those without one."""

    conversation_id: UUID | None
    title: str
    url: str
    notes: list[NoteRow]


@dataclass(frozen=True)
class MergeRow:
    """A merge: the memory that was kept and those merged into it."""

    undo_url: str
    kept: str
    kept_url: str
    others: list[str]
    when: str


@dataclass(frozen=True)
class QualityRow:
    """A quality figure; `url` lists what it counts, '' for a count of zero."""

    count: int
    words: str
    url: str


def note_row(memory: Memory, today: datetime | None = None) -> NoteRow:
    """Return a memory as a row; join its source and successor for lists."""
    today = today or now()
    trust = scoring.trust_in_words(memory.trust)
    successor = memory.superseded_by if memory.status in _ENDED else None
    return NoteRow(
        memory=memory,
        content=_sentence(memory.content),
        original=memory.original if memory.original != memory.content else "",
        kind=KIND[Memory.Category(memory.category)],
        trust_word=trust.word,
        stitches=trust.stitches,
        priority_words=_priority(memory),
        used_words=_used(memory, today),
        said_words=formatting.day(memory.said_at, today),
        about_words=memory.about_day,
        mode_words=_mode(memory),
        origin_words="" if memory.written_by else _ORIGINS[Origin(memory.origin)],
        source_words=_source(memory),
        source_url=_source_url(memory),
        ended_words=_ENDED.get(Status(memory.status), ""),
        successor=successor.content if successor else "",
        successor_url=successor.get_absolute_url() if successor else "",
    )


def waiting(notes: Iterable[Memory]) -> list[WaitingGroup]:
    """Return the waiting memories by conversation; they must be ordered by conversation."""
    today = now()
    groups = []
    for _, same in groupby(notes, key=lambda note: note.source_conversation_id):
        rows = [note_row(note, today) for note in same]
        first = rows[0].memory
        conversation = first.source_conversation
        groups.append(
            WaitingGroup(
                conversation_id=first.source_conversation_id,
                title=rows[0].source_words,
                url=conversation.get_absolute_url() if conversation else "",
                notes=rows,
            )
        )
    return groups


def merge_row(merge: Merge, today: datetime) -> MergeRow:
    """Return a merge as a row; join and prefetch its memories for lists."""
    return MergeRow(
        undo_url=reverse("memory:memory_undo_merge", args=[merge.pk]),
        kept=merge.kept.content,
        kept_url=merge.kept.get_absolute_url(),
        others=[other.content for other in merge.merged.all()],
        when=formatting.day(merge.made_at, today),
    )


def fold_row(fact: ProfileFact, into: ProfileFact, today: datetime) -> MergeRow:
    """Return a duplicate fact that was set aside as a row, with the fact that remains."""
    return MergeRow(
        undo_url=reverse("memory:restore", args=[fact.pk]),
        kept=into.sentence,
        kept_url=into.get_absolute_url(),
        others=[fact.sentence],
        when=formatting.day(fact.valid_to or fact.updated_at, today),
    )


def quality(figures: Figures) -> list[QualityRow]:
    """Return the quality figures in words, each with a link to what it counts."""
    here = reverse("memory:memories")
    days = settings.MEMORY["stale_days"]
    rows = [
        (figures.duplicates, "say almost the same as another", f"{here}?show=duplicates#list"),
        (figures.stale, f"not mentioned or used for {days} days", f"{here}?show=stale#list"),
        (figures.junk, "too short to be useful", f"{here}?show=junk#list"),
        (figures.disputed, "in an open conflict", reverse("ledger:conflicts")),
        (figures.never_used, "not used yet", f"{here}?show=never-used#list"),
    ]
    return [QualityRow(count, label, url if count else "") for count, label, url in rows]


def _sentence(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _priority(memory: Memory) -> str:
    """Return the priority in words; '' for normal."""
    if memory.status == Status.PAUSED:
        return "Paused by you"
    usual = memory.priority == Memory.Priority.NORMAL
    words = "" if usual else str(memory.get_priority_display())
    faded = "faded" if memory.faded_at else ""
    return ", ".join(filter(None, (words, faded))).capitalize()


def _used(memory: Memory, today: datetime) -> str:
    if memory.last_used_at is None:
        return "not used yet"
    return f"used {formatting.ago(memory.last_used_at, today)}"


def _mode(memory: Memory) -> str:
    """Return how the text was shortened; '' if the original is shown beside it."""
    made = memory.original or memory.value
    if memory.mode == Memory.Mode.LOSSLESS and made and made.lower() != memory.content.lower():
        return "" if memory.original else "in my words"
    return MODES[Memory.Mode(memory.mode)]


def _source(memory: Memory) -> str:
    if memory.source_conversation is not None:
        return memory.source_conversation.name or "A conversation"
    if memory.source == Memory.Source.MANUAL:
        return "You wrote this"
    if memory.written_by:
        return f"{memory.written_by} wrote this"
    return "No conversation"


def _source_url(memory: Memory) -> str:
    if memory.source_message is not None:
        return memory.source_message.get_absolute_url()
    if memory.source_conversation is not None:
        return memory.source_conversation.get_absolute_url()
    return ""
