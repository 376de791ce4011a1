"""What an import says about its owner, as the page about it shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime, now

from memory.web import NoteRow, note_row
from privacy.importing import deciding
from privacy.importing.deciding import OfferedNotes, OfferedSlot, OfferedValue
from privacy.models import Import

# The page shows so many memories, and values of a kind; the next come once these are answered.
SHOWN = 60


@dataclass(frozen=True)
class ValueRow:
    """A value that waits."""

    offered: OfferedValue

    @property
    def told(self) -> str:
        """How often it was said, and when: "3 messages, 2021 to 2023"."""
        count, days = len(self.offered.said), _span(self.offered.first_at, self.offered.last_at)
        return f"{count:,} message{'s' if count != 1 else ''}, {days}"

    @property
    def url(self) -> str:
        """Where it was said, '' where that is not known."""
        message = self.offered.memory.source_message
        return message.get_absolute_url() if message else ""


@dataclass(frozen=True)
class SlotCard:
    """One decision about a kind of fact."""

    offered: OfferedSlot

    @property
    def values(self) -> list[ValueRow]:
        """Its newest values, the newest first."""
        return [ValueRow(value) for value in self.offered.values[:SHOWN]]

    @property
    def keeps_past(self) -> bool:
        """Whether there are others that may be kept as earlier values."""
        return self.offered.has_past


@dataclass(frozen=True)
class NotesCard:
    """The memories of one conversation or month."""

    key: str
    title: str
    url: str
    notes: list[NoteRow]


def section(row: Import) -> dict[str, Any]:
    """All that waits from an import."""
    today, groups = now(), deciding.notes_of(row, SHOWN)
    return {
        "row": row,
        "waiting": deciding.waiting_of(row).count(),
        "slots": [SlotCard(offered) for offered in deciding.slots_of(row)],
        "groups": [_card(group, today) for group in groups],
    }


def _card(group: OfferedNotes, today: datetime) -> NotesCard:
    rows: Sequence[NoteRow] = [note_row(note, today) for note in group.notes]
    talk = group.notes[0].source_conversation
    if talk is not None:
        return NotesCard(group.key, rows[0].source_words, talk.get_absolute_url(), list(rows))
    title = f"{localtime(group.notes[0].said_at):%B %Y}"
    return NotesCard(group.key, title, "", list(rows))


def _span(first: datetime, last: datetime) -> str:
    years = [localtime(at).year for at in (first, last)]
    if years[0] == years[1]:
        months = [f"{localtime(at):%B}" for at in (first, last)]
        named = months[0] if months[0] == months[1] else f"{months[0]} to {months[1]}"
        return f"{named} {years[0]}"
    return f"{years[0]} to {years[1]}"
