"""Searching the audit log by kind, slot, author, day and text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from operator import and_
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.dateparse import parse_date

from accounts.models import AuditEvent
from ledger.models import READ_OTHERWISE
from memory.facts.day_precision import midnight
from memory.retrieval.note_search import clean_query
from memory.slots import SLOTS

By = AuditEvent.By
Action = AuditEvent.Action


@dataclass(frozen=True)
class LogQuery:
    """Filters of the log; both days are inclusive."""

    words: str = ""
    deed: str = ""
    slot: str = ""
    by: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "LogQuery":
        """Return the filters from the parameters of a URL; invalid values are ignored."""
        deed, slot, by = (given.get(name, "") for name in ("deed", "slot", "by"))
        return cls(
            words=clean_query(given.get("q", "")),
            deed=deed if deed in Action.values else "",
            slot=slot if slot in SLOTS else "",
            by=by if by in By.values else "",
            since=_day(given.get("since", "")),
            until=_day(given.get("until", "")),
        )

    @property
    def is_narrowed(self) -> bool:
        """Return whether any filter is set."""
        return self != LogQuery()

    def parameters(self) -> dict[str, str]:
        """Return the filters as parameters, without empty ones."""
        values = {
            "q": self.words,
            "deed": self.deed,
            "slot": self.slot,
            "by": self.by,
            "since": self.since.isoformat() if self.since else "",
            "until": self.until.isoformat() if self.until else "",
        }
        return {name: value for name, value in values.items() if value}

    def address(self, **more: object) -> str:
        """Return the filters as a query string."""
        return urlencode(self.parameters() | {name: str(v) for name, v in more.items() if v})


def find(user_id: UUID, query: LogQuery) -> QuerySet[AuditEvent]:
    """Return the matching log lines, newest first, without those that a language model's second
    reading of a message replaced.
    """
    rows = AuditEvent.objects.for_user(user_id).order_by("-at", "-pk")
    rows = rows.exclude(why=READ_OTHERWISE).exclude(_misread(user_id))
    exactly = {"deed": query.deed, "slot": query.slot, "by": query.by}
    rows = rows.filter(**{name: value for name, value in exactly.items() if value})
    if query.since is not None:
        rows = rows.filter(at__gte=midnight(query.since))
    if query.until is not None and query.until < date.max:
        rows = rows.filter(at__lt=midnight(query.until + timedelta(days=1)))
    if query.words:
        rows = rows.filter(reduce(and_, (_holds(word) for word in query.words.split())))
    return rows


def _misread(user_id: UUID) -> Q:
    """Return a filter for lines about misread facts, or about the end of a fact wrongly ended."""
    later = AuditEvent.objects.for_user(user_id).filter(
        why=READ_OTHERWISE, subject=OuterRef("subject"), at__gte=OuterRef("at")
    )
    ended = Q(deed=Action.ENDED) & Exists(later.filter(deed=Action.RESTORED))
    return ended | Exists(later.exclude(deed=Action.RESTORED))


def after(rows: QuerySet[AuditEvent], line: AuditEvent) -> QuerySet[AuditEvent]:
    """Return those of the rows that follow this line, in the order of `find`."""
    return rows.filter(Q(at__lt=line.at) | Q(at=line.at, pk__lt=line.pk))


def _holds(word: str) -> Q:
    return Q(before__icontains=word) | Q(after__icontains=word) | Q(why__icontains=word)


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None
