"""Export of the audit log as CSV or JSON, streamed, and safe to open in a spreadsheet.

Increase `VERSION` when a name in `FIELDS` changes its meaning or is removed.
"""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent
from ledger.history import log_lines, log_search
from ledger.history.log_lines import Line
from ledger.history.log_search import LogQuery

SCHEMA = "throughline.audit"
VERSION = 1
FIELDS = (
    "at",
    "deed",
    "by",
    "slot",
    "sentence",
    "before",
    "after",
    "why",
    "conversation",
    "conversation_title",
    "message",
    "subject",
    "erased_at",
    "id",
)
PIECE = 500
# Characters at the start of a cell that spreadsheets take for a formula, also full-width ones.
_FORMULA = "=+-@＝＋－＠\t\r\n"


def response(user_id: UUID, query: LogQuery, kind: str) -> StreamingHttpResponse:
    """Return the selected log lines as a file of kind 'csv' or 'json'."""
    make, content_type = _KINDS[kind]
    sent = StreamingHttpResponse(_carry(make(user_id, query)), content_type=content_type)
    sent["Content-Disposition"] = f'attachment; filename="history-{localtime(now()):%F}.{kind}"'
    sent["Cache-Control"] = "no-store"
    return sent


def as_dict(line: Line) -> dict[str, object]:
    """Return a log line as a dict with the keys of `FIELDS`."""
    event = line.event
    return {
        "at": _moment(event.at),
        "deed": event.deed,
        "by": event.by,
        "slot": event.slot,
        "sentence": line.sentence,
        "before": event.before,
        "after": event.after,
        "why": event.why,
        "conversation": _text(event.conversation),
        "conversation_title": line.title,
        "message": _text(event.message),
        "subject": _text(event.subject),
        "erased_at": _moment(event.redacted_at) if event.redacted_at else None,
        "id": str(event.pk),
    }


def harmless(value: object) -> str:
    """Return a cell that spreadsheets do not evaluate: a formula gets a leading apostrophe."""
    text = "" if value is None else str(value)
    begins = text[:1] in _FORMULA or text.lstrip()[:1] in _FORMULA
    return f"'{text}" if text and begins else text


def _csv(user_id: UUID, query: LogQuery) -> Iterator[str]:
    yield _row(["schema", *FIELDS])
    for piece in _pieces(user_id, query):
        for line in piece:
            values = as_dict(line)
            cells = [harmless(values[name]) for name in FIELDS]
            yield _row([f"{SCHEMA}/{VERSION}", *cells])


def _row(cells: list[str]) -> str:
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL).writerow(cells)
    return written.getvalue()


def _json(user_id: UUID, query: LogQuery) -> Iterator[str]:
    head = {
        "schema": SCHEMA,
        "version": VERSION,
        "exported_at": _moment(now()),
        "filters": query.parameters(),
    }
    yield json.dumps(head, ensure_ascii=False).removesuffix("}") + ', "lines": ['
    between = "\n"
    for piece in _pieces(user_id, query):
        for line in piece:
            yield between + json.dumps(as_dict(line), ensure_ascii=False)
            between = ",\n"
    yield "\n]}\n"


def _pieces(user_id: UUID, query: LogQuery) -> Iterator[list[Line]]:
    """Yield the lines in pieces, each read in its own short transaction, so that slow clients hold
    none open. New lines only appear before the first piece.
    """
    last: AuditEvent | None = None
    while True:
        with acting_as(user_id):
            rows = log_search.find(user_id, query)
            events = list((log_search.after(rows, last) if last else rows)[:PIECE])
            piece = log_lines.lines_from(user_id, events)
        if events:
            yield piece
        if len(events) < PIECE:
            return
        last = events[-1]


async def _carry(pieces: Iterator[str]) -> AsyncIterator[str]:
    while (text := await sync_to_async(_some)(pieces)) is not None:
        yield text


def _some(pieces: Iterator[str]) -> str | None:
    """Return the next chunk of text for the response; None at the end."""
    taken, length = [], 0
    for text in pieces:
        taken.append(text)
        length += len(text)
        if length > 65536:
            break
    return "".join(taken) if taken else None


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _text(key: UUID | None) -> str | None:
    return str(key) if key else None


_KINDS: dict[str, tuple[Callable[[UUID, LogQuery], Iterator[str]], str]] = {
    "csv": (_csv, "text/csv; charset=utf-8"),
    "json": (_json, "application/json"),
}
