"""Operations on a user's memory in plain words, by day and by turn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.timezone import localtime

from accounts.support import formatting
from memory.core.tracing import trace_name
from memory.models import MemoryOperation
from memory.namespaces.registry import NAMESPACES
from memory.web.present import charts
from memory.web.present.charts import Bars

Verb, Outcome, Door = MemoryOperation.Verb, MemoryOperation.Outcome, MemoryOperation.Door

# Names of parts of memory that are not namespaces.
_PLACES = {
    "user": "your memory",
    "user.passages": "our conversations",
    "namespaces": "what other apps saved",
    "model": "the language model",
    "everything": "everything",
}
_DEEDS = {
    Verb.READ: "Read {place}",
    Verb.WRITE: "Saved to {place}",
    Verb.QUERY: "Searched {place}",
    Verb.REMOVE: "Removed from {place}",
    Verb.RECALL: "Looked up what to use in an answer",
    Verb.LEARN: "Learned from your message",
    Verb.REVISE: "Changed {place}",
    Verb.FORGET: "Deleted {place}",
    Verb.MAINTAIN: "Tidied up your memories",
    Verb.MODEL: "Asked the language model",
}
_DOORS = {
    Door.PAGE: "by you, on a page",
    Door.API: "by another app",
    Door.MODEL: "by the assistant",
    Door.WORKER: "in the background",
    Door.COMMAND: "by this site’s own tasks",
}
# The choices of the filters.
_VERBS = {
    Verb.READ: "Read",
    Verb.WRITE: "Saved",
    Verb.QUERY: "Searched",
    Verb.REMOVE: "Removed",
    Verb.RECALL: "Looked up for an answer",
    Verb.LEARN: "Learned from a message",
    Verb.REVISE: "Changed",
    Verb.FORGET: "Deleted",
    Verb.MAINTAIN: "Tidied up",
    Verb.MODEL: "Asked the language model",
}
_OUTCOMES = {
    Outcome.OK: "Done",
    Outcome.NOTHING: "Nothing found",
    Outcome.HELD: "Kept for only two hours",
    Outcome.CONFLICT: "Changed in the meantime",
    Outcome.REFUSED: "Refused",
    Outcome.FAILED: "Failed",
}
_READS = (Verb.READ, Verb.QUERY, Verb.RECALL, Verb.MODEL)
_AS_USUAL = (Outcome.OK, Outcome.NOTHING)
# The verbs by importance for the title of a trace.
_TELLING = (
    Verb.FORGET,
    Verb.REVISE,
    Verb.REMOVE,
    Verb.LEARN,
    Verb.RECALL,
    Verb.MAINTAIN,
    Verb.MODEL,
    Verb.WRITE,
    Verb.QUERY,
    Verb.READ,
)


@dataclass(frozen=True)
class OperationLine:
    """One operation on memory in words."""

    deed: str
    outcome: str
    took: str
    row: MemoryOperation


@dataclass(frozen=True)
class Trace:
    """The operations of one request or turn, titled by the most important one.

    `unusual` is the outcome, '' for the usual ones; `lines` are in order of time.
    """

    name: str
    title: str
    at: datetime
    day: date
    time: str
    door: str
    took: str
    unusual: str
    lines: list[OperationLine]

    @property
    def reads_for_page(self) -> bool:
        """Whether the trace only reads, for a page of the user."""
        by_page = self.lines[0].row.door == Door.PAGE
        return by_page and all(line.row.verb in (Verb.READ, Verb.QUERY) for line in self.lines)


@dataclass(frozen=True)
class Event:
    """One or more adjacent traces shown as one line."""

    title: str
    traces: list[Trace]

    @property
    def latest(self) -> Trace:
        """The latest trace, whose time and actor are shown."""
        return self.traces[0]

    @property
    def day(self) -> date:
        """The day of the traces."""
        return self.latest.day

    @property
    def deeds(self) -> list[str]:
        """The actions of all traces, without duplicates."""
        return [*dict.fromkeys(line.deed for each in self.traces for line in each.lines)]


@dataclass(frozen=True)
class ActivityOverview:
    """The counts and the chart above the list of the activity page."""

    reads: int
    changes: int
    failures: int
    operations: int
    tokens_saved: int
    slow: int
    days: int
    chart: Bars | None
    table: list[tuple[str, int]]


def place_of(namespace: str) -> str:
    """Return the name of a namespace for use within a sentence."""
    known = NAMESPACES.get(namespace)
    if known is None:
        return _PLACES.get(namespace, namespace)
    if known.own:
        return known.purpose[:1].lower() + known.purpose[1:]
    return f"“{known.purpose}”"


def places() -> list[tuple[str, str]]:
    """Return the namespaces to filter by, as (name, label)."""
    named = [(name, namespace.purpose) for name, namespace in NAMESPACES.items()]
    return [*((name, place[:1].upper() + place[1:]) for name, place in _PLACES.items()), *named]


@dataclass(frozen=True)
class ActivityFilter:
    """A filter of the activity page, with its choices."""

    name: str
    label: str
    anything: str
    choices: list[tuple[str, str]]
    chosen: str


def sifts(chosen: Mapping[str, str]) -> list[ActivityFilter]:
    """Return all filters with the current choices."""
    doors = [(door.value, label.capitalize()) for door, label in _DOORS.items()]
    ways: list[tuple[str, str, str, list[tuple[str, str]]]] = [
        ("verb", "What", "Everything", list(_VERBS.items())),
        ("namespace", "Part", "All parts", places()),
        ("door", "By", "Anyone", doors),
        ("outcome", "Result", "Any", list(_OUTCOMES.items())),
    ]
    return [ActivityFilter(*way, chosen.get(way[0], "")) for way in ways]


def by_trace(rows: Iterable[MemoryOperation]) -> list[list[MemoryOperation]]:
    """Return the operations grouped by trace, in order."""
    traces: dict[UUID, list[MemoryOperation]] = {}
    for row in rows:
        traces.setdefault(row.trace_id, []).append(row)
    return list(traces.values())


def events(rows: Iterable[MemoryOperation]) -> list[Event]:
    """Return the traces as events, in the order of the rows.

    Adjacent traces of a day are one event if they have the same title, only read for pages, or
    began in the same minute.
    """
    traces = [trace(operations) for operations in by_trace(rows)]
    alike = [_event(list(run)) for _, run in groupby(traces, _group_key)]
    return [_of_one_minute(list(run)) for _, run in groupby(alike, _minute_key)]


def _group_key(each: Trace) -> tuple[object, ...]:
    title = "" if each.reads_for_page else each.title
    return (each.day, each.door, each.unusual, title)


def _event(traces: list[Trace]) -> Event:
    first = traces[0]
    if first.reads_for_page:
        return Event("You opened your notebook", traces)
    times = f", {len(traces)} times" if len(traces) > 1 else ""
    return Event(first.title + times, traces)


def _minute_key(event: Event) -> tuple[object, ...]:
    latest = event.latest
    return (latest.day, latest.time, latest.door, latest.unusual)


def _of_one_minute(alike: list[Event]) -> Event:
    """Merge events of one minute: the most important title, and the number of other traces."""
    if len(alike) == 1:
        return alike[0]
    traces = [each for event in alike for each in event.traces]
    telling = min(traces, key=lambda each: min(_rank(line.row) for line in each.lines))
    return Event(f"{telling.title}, and {len(traces) - 1} more", traces)


def _rank(row: MemoryOperation) -> int:
    return _TELLING.index(Verb(row.verb))


def trace(rows: Sequence[MemoryOperation]) -> Trace:
    """Return the operations of one trace in words."""
    in_time = sorted(rows, key=lambda row: row.at)
    at = in_time[0].at
    worst = {row.outcome for row in rows} - set(_AS_USUAL)
    return Trace(
        name=trace_name(in_time[0].trace_id),
        title=_deed(min(rows, key=_rank)),
        at=at,
        day=localtime(at).date(),
        time=f"{localtime(at):%H:%M}",
        door=_DOORS[Door(in_time[0].door)],
        took=_took(sum(row.duration_ms for row in rows)),
        unusual=formatting.listed(
            [_OUTCOMES[Outcome(outcome)].lower() for outcome in sorted(worst)]
        ),
        lines=[
            OperationLine(_deed(row), _OUTCOMES[Outcome(row.outcome)], _took(row.duration_ms), row)
            for row in in_time
        ],
    )


def glance(
    rows: QuerySet[MemoryOperation], today: date, days: int, slow_ms: float
) -> ActivityOverview:
    """Return counts and operations per day up to today, without reads by the user's pages."""
    rows = rows.exclude(door=Door.PAGE, verb__in=(Verb.READ, Verb.QUERY))
    sums: dict[str, Any] = rows.aggregate(
        all=Count("pk"),
        reads=Count("pk", Q(verb__in=_READS)),
        failures=Count("pk", ~Q(outcome__in=_AS_USUAL)),
        saved=Sum("tokens_saved"),
        slow=Count("pk", Q(duration_ms__gt=slow_ms)),
    )
    counted = dict(
        rows.annotate(day=TruncDate("at"))
        .values("day")
        .annotate(count=Count("pk"))
        .values_list("day", "count")
    )
    dates = [today - timedelta(days=before) for before in reversed(range(days))]
    counts = [counted.get(day, 0) for day in dates]
    ticks = [formatting.plain_date(dates[0], today), "today"]
    chart = charts.draw_bars(counts, ticks) if any(counts) else None
    named = [formatting.plain_date(day, today) for day in dates]
    table = list(zip(named, counts, strict=True))
    return ActivityOverview(
        reads=sums["reads"],
        changes=sums["all"] - sums["reads"],
        failures=sums["failures"],
        operations=sums["all"],
        tokens_saved=sums["saved"] or 0,
        slow=sums["slow"],
        days=days,
        chart=chart,
        table=table,
    )


def _deed(row: MemoryOperation) -> str:
    return _DEEDS[Verb(row.verb)].format(place=place_of(row.namespace))


def _took(milliseconds: float) -> str:
    if milliseconds < 1:
        return "less than 1 ms"
    return f"{milliseconds:,.0f} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:,.0f} s"
