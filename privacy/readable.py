"""What a copy says to who opens it without a program: plain Markdown, a file a subject."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from uuid import UUID

from django.utils.timezone import localtime

from accounts.models import AuditEvent
from conversations.models import Message
from ledger.history.log_lines import DEEDS
from ledger.history.timeline import span_of
from ledger.models import Contradiction, Resolution
from memory.models import Memory, ProfileFact
from memory.slots import SLOTS

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


def files(user_id: UUID, chosen: Collection[str]) -> Iterator[tuple[str, Lines]]:
    """Each file with its lines, read while they are written; in the person's open block."""
    if "profile" in chosen:
        yield "profile.md", _profile(user_id)
    if "memories" in chosen:
        yield "memories.md", _memories(user_id)
    if "contradictions" in chosen:
        yield "contradictions.md", _contradictions(user_id)
    if "history" in chosen:
        yield "history.md", _history(user_id)
    if "conversations" in chosen:
        yield from _conversations(user_id)


def _profile(user_id: UUID) -> Lines:
    facts = ProfileFact.objects.for_user(user_id).order_by("slot", "valid_from", "pk")
    settled = Resolution.objects.filter(user_id=user_id, undone_at=None, until__isnull=False)
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
        told = ", ".join(
            part for part in (_moment(line.at), DEEDS[AuditEvent.Action(line.deed)], about) if part
        )
        yield f"- {told} ({line.why})\n" if line.why else f"- {told}\n"


def _conversations(user_id: UUID) -> Iterator[tuple[str, Lines]]:
    said = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    said = said.select_related("conversation").order_by("conversation_id", "number")
    said = said.only("role", "content", "said_at", "conversation__title")
    by_talk = groupby(said.iterator(_PIECE), lambda message: message.conversation)
    for number, (talk, messages) in enumerate(by_talk, 1):
        name = re.sub(r"[^\w-]+", "-", talk.title).strip("-")[:_NAME_LENGTH] or "conversation"
        yield f"conversations/{number:05}-{name}.md", conversation(talk.title, messages)


def conversation(
    title: str, messages: Iterable[Message], noted: Mapping[object, Sequence[str]] | None = None
) -> Lines:
    """Yield one conversation as Markdown; `noted` are lines below a message, by its key."""
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
