"""The file of an export: a ZIP with JSON Lines for programs, and Markdown for people.

    README.md            the list of files
    manifest.json        format, version, time; the file, fields and number of rows of each table
    data/TABLE.jsonl     one row per line, in the order of keys
    readable/...         the same data as Markdown

Increase `VERSION` when a field changes its meaning or is removed. Rows are streamed one at a time,
so memory use is constant.
"""

import json
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import IO, Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.timezone import localtime

from accounts.models import AuditEvent
from conversations.models import Message
from ledger.history.log_lines import DEEDS
from ledger.history.timeline import span_of
from ledger.models import Contradiction, Resolution
from memory.models import Memory, ProfileFact
from memory.slots import SLOTS
from privacy import parts
from privacy.transfers import Tell

FORMAT = "throughline.export"
VERSION = 3
# Progress is reported after so many rows; `tell` may raise an exception to stop the writing.
_EVERY = 200
_README = """# Your copy

Made on {day}.

- `readable/` is for you: what I know, what was said and what changed, as plain text.
- `data/` is for programs: one file per table, one row per line (JSON Lines, UTF-8).
- `manifest.json` gives the format ({format}, version {version}), and for each table its file, the
  type of each field and the number of rows.

Ids link rows across tables: a message has the id of its conversation, and a fact the id of the
message it comes from.
"""


class ExactEncoder(DjangoJSONEncoder):
    """A JSON encoder that keeps microseconds, which Django's cuts to milliseconds."""

    def default(self, o: Any) -> Any:
        """Return a datetime as ISO text with microseconds; everything else as Django encodes it."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def write(file: IO[bytes], user_id: UUID, chosen: list[str], made_at: datetime, tell: Tell) -> None:
    """Write the chosen parts to a file, within `acting_as(user)`; `tell` gets the progress."""
    done = 0

    def counted(part: str, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        nonlocal done
        tell(part, done)
        for row in rows:
            yield row
            done += 1
            if done % _EVERY == 0:
                tell(part, done)

    tables: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        about = _README.format(day=f"{made_at:%-d %B %Y}", format=FORMAT, version=VERSION)
        archive.writestr("README.md", about)
        for part, table in parts.tables(chosen):
            name = f"data/{table}.jsonl"
            rows = counted(part.name, parts.rows(user_id, table))
            tables[table] = {
                "file": name,
                "rows": _write_rows(archive, name, rows),
                "fields": parts.describe(table),
            }
        for name, lines in readable_pages(user_id, chosen):
            with archive.open(f"readable/{name}", "w") as page:
                for line in lines:
                    page.write(line.encode())
            tell("", done)
        archive.writestr("manifest.json", _manifest(chosen, made_at, tables))


def total(user_id: UUID, chosen: list[str]) -> int:
    """Return how many rows the chosen parts have, within `acting_as(user)`."""
    return sum(parts.count(user_id, table) for _, table in parts.tables(chosen))


def _write_rows(archive: zipfile.ZipFile, name: str, rows: Iterator[dict[str, Any]]) -> int:
    written = 0
    with archive.open(name, "w") as file:
        for row in rows:
            line = json.dumps(row, cls=ExactEncoder, ensure_ascii=False)
            file.write(line.encode() + b"\n")
            written += 1
    return written


def _manifest(chosen: list[str], made_at: datetime, tables: dict[str, dict[str, Any]]) -> str:
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made_at.isoformat(),
        "parts": chosen,
        "tables": tables,
    }
    return json.dumps(manifest, indent=2)


# --- Markdown
# --------------------------------------------------------------------------------------

_PIECE = 500
_NAME_LENGTH = 60
_FACT, _NOTE, _CONFLICT = ProfileFact.Status, Memory.Status, Contradiction.Status
_FACT_STATUS = {
    _FACT.CURRENT: "true now",
    _FACT.CHALLENGER: "in conflict",
    _FACT.PAST: "no longer true",
    _FACT.SET_ASIDE: "set aside as not true",
    _FACT.REMOVED: "forgotten",
}
_NOTE_STATUS = {
    _NOTE.ACTIVE: "in use",
    _NOTE.WAITING: "waiting for you to confirm it",
    _NOTE.PAUSED: "paused",
    _NOTE.SUPERSEDED: "replaced by a newer memory",
    _NOTE.MERGED: "merged with another memory",
    _NOTE.RETIRED: "removed to make room for newer ones",
    _NOTE.WITHDRAWN: "changed by the language model",
    _NOTE.REMOVED: "forgotten",
    _NOTE.DECLINED: "declined",
}
_CONFLICT_STATUS = {
    _CONFLICT.OPEN: "open",
    _CONFLICT.RESOLVED: "settled",
    _CONFLICT.ACCEPTED: "both kept",
    _CONFLICT.DISMISSED: "both are fine",
}
Lines = Iterator[str]


def readable_pages(user_id: UUID, chosen: Collection[str]) -> Iterator[tuple[str, Lines]]:
    """Yield path and lines of each Markdown file, read lazily, within `acting_as(user)`."""
    pages = {
        "profile": _profile,
        "memories": _memories,
        "contradictions": _contradictions,
        "history": _history,
    }
    for part, page in pages.items():
        if part in chosen:
            yield f"{part}.md", page(user_id)
    if "conversations" in chosen:
        yield from _conversations(user_id)


def _profile(user_id: UUID) -> Lines:
    facts = ProfileFact.objects.for_user(user_id).order_by("slot", "valid_from", "pk")
    settled = Resolution.objects.filter(user_id=user_id, undone_at=None, until__isnull=False)
    settled = settled.exclude(by_whom=AuditEvent.By.RULE)
    until = dict(settled.values_list("contradiction__old_fact", "until"))
    yield "# Profile\n"
    for slot, held in groupby(facts.defer("embedding").iterator(_PIECE), lambda fact: fact.slot):
        yield f"\n## {SLOTS[slot].label if slot in SLOTS else slot}\n\n"
        for fact in held:
            status = _FACT_STATUS[_FACT(fact.status)]
            yield f"- {fact.value} ({status}{_span(fact, until.get(fact.pk))})\n"


def _span(fact: ProfileFact, until: date | None) -> str:
    held = span_of(fact, until)
    last = held.last or held.end
    since = "" if held.begins_unknown else f", since {held.first:%-d %B %Y}"
    return since + (f", until {last:%-d %B %Y}" if last and not held.ends_unknown else "")


def _memories(user_id: UUID) -> Lines:
    notes = Memory.objects.for_user(user_id).order_by("category", "said_at", "pk")
    notes = notes.defer("embedding", "terms")
    yield "# Memories\n"
    for category, held in groupby(notes.iterator(_PIECE), lambda note: note.category):
        yield f"\n## {Memory.Category(category).label}\n\n"
        for note in held:
            yield f"- {note.content} ({_day(note.said_at)}, {_NOTE_STATUS[_NOTE(note.status)]})\n"


def _contradictions(user_id: UUID) -> Lines:
    rows = Contradiction.objects.filter(user_id=user_id).select_related("old_fact", "new_fact")
    yield "# Conflicts\n\n"
    for entry in rows.order_by("pk").iterator(_PIECE):
        label = SLOTS[entry.slot].label if entry.slot in SLOTS else entry.slot
        sides = f"{entry.old_fact.value} or {entry.new_fact.value}"
        yield f"- {label}: {sides} ({_CONFLICT_STATUS[_CONFLICT(entry.status)]})\n"


def _history(user_id: UUID) -> Lines:
    yield "# History\n\n"
    for line in AuditEvent.objects.for_user(user_id).order_by("at", "pk").iterator(_PIECE):
        change = " → ".join(part for part in (line.before, line.after) if part)
        label = SLOTS[line.slot].label if line.slot in SLOTS else ""
        about = ": ".join(part for part in (label, change) if part)
        text = ", ".join(
            part for part in (_moment(line.at), DEEDS[AuditEvent.Action(line.deed)], about) if part
        )
        yield f"- {text} ({line.why})\n" if line.why else f"- {text}\n"


def _conversations(user_id: UUID) -> Iterator[tuple[str, Lines]]:
    said = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    said = said.select_related("conversation").order_by("conversation_id", "number")
    said = said.only("role", "content", "said_at", "conversation__title")
    by_talk = groupby(said.iterator(_PIECE), lambda message: message.conversation)
    for number, (talk, messages) in enumerate(by_talk, 1):
        name = re.sub(r"[^\w-]+", "-", talk.title).strip("-")[:_NAME_LENGTH] or "conversation"
        yield f"conversations/{number:05}-{name}.md", conversation_page(talk.title, messages)


def conversation_page(
    title: str, messages: Iterable[Message], noted: Mapping[object, Sequence[str]] | None = None
) -> Lines:
    """Yield one conversation as Markdown; `noted` maps message keys to lines shown below them."""
    yield f"# {title}\n"
    for message in messages:
        who = "You" if message.role == Message.Role.USER else "Throughline"
        yield f"\n**{who}**, {_moment(message.said_at)}\n\n{message.content}\n"
        if lines := (noted or {}).get(message.pk):
            yield "\n" + "".join(f"> {line}  \n" for line in lines)


def _day(at: datetime) -> str:
    return f"{localtime(at):%-d %B %Y}"


def _moment(at: datetime) -> str:
    return f"{localtime(at):%-d %B %Y, %H:%M}"
