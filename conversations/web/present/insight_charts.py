"""Statistics as the insights page shows them: charts, tables, and sentences."""

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.insights import Cost, Insights, Span
from conversations.web.present import topics
from conversations.web.present.topics import TopicRow
from memory.manager import DayCounts
from memory.web.present.charts import Bars, Line, draw_bars, draw_line

PERIODS = {"month": "30 days", "year": "A year", "all": "All"}
# With fewer messages of the user, the chart of days and hours would be random.
ENOUGH_TO_TELL_WHEN = 20
_UNITS = {"day": "by day", "week": "by week", "month": "by month", "year": "by year"}
_NOW = {"day": "today", "week": "this week", "month": "this month", "year": "this year"}
_TIMES = {
    "month": "in the last 30 days",
    "year": "in the last year",
    "all": "since we first talked",
}


@dataclass(frozen=True)
class Table:
    """A chart's data as a table."""

    caption: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left_out: str = ""


@dataclass(frozen=True)
class ChartWithTable:
    """A chart and its table."""

    chart: Bars | Line
    table: Table


@dataclass(frozen=True)
class ComparedBar:
    """One of two bars for comparison; `share` is its length, 1..100."""

    name: str
    count: int
    share: int


@dataclass(frozen=True)
class View:
    """All charts of the page; None where there is too little data."""

    unit_words: str
    time_words: str
    messages: ChartWithTable | None
    weekdays: ChartWithTable | None
    hours: ChartWithTable | None
    when_words: str
    topics: list[TopicRow]
    facts: ChartWithTable | None
    notes: ChartWithTable | None
    cost: list[ComparedBar]
    cost_words: str
    answers: list[ComparedBar]
    answers_words: str


def view(insights: Insights) -> View:
    """Return the charts of all statistics."""
    span, activity = insights.span, insights.said
    enough = activity.yours >= ENOUGH_TO_TELL_WHEN
    return View(
        unit_words=_UNITS[span.unit],
        time_words=_TIMES[span.period],
        messages=_messages(insights) if activity.messages else None,
        weekdays=_weekdays(activity.weekdays) if enough else None,
        hours=_hours(activity.hours) if enough else None,
        when_words="" if enough else _when_words(activity.yours),
        topics=topics.rows(insights.topics),
        facts=_growth(insights, "Facts", [totals.facts for totals in insights.kept]),
        notes=_growth(insights, "Memories", [totals.notes for totals in insights.kept]),
        cost=_compared(
            ("sent to the model", insights.cost.put),
            ("everything we’d said", insights.cost.whole),
        ),
        cost_words=_cost_words(insights.cost),
        answers=_compared(
            ("with memory", activity.answers_with_notes),
            ("without memory", activity.answers_without_notes),
        ),
        answers_words=_answers_words(activity.answers, activity.answers_with_notes),
    )


# --- Charts --------------------------------------------------------------------------------------


def _messages(insights: Insights) -> ChartWithTable:
    span, counts = insights.span, insights.said.stretches
    names = list(map(_named(span), span.starts))
    ticks = [names[0], *names[len(names) // 2 : -1][:1], _NOW[span.unit]]
    lines = [(name, f"{count:,}") for name, count in zip(names, counts, strict=True) if count]
    left_out = f"Only {span.unit}s with messages are shown." if 0 in counts else ""
    table = Table(
        f"Messages {_UNITS[span.unit]}", (span.unit.capitalize(), "Messages"), lines, left_out
    )
    return ChartWithTable(draw_bars(counts, ticks), table)


def _weekdays(counts: Sequence[int]) -> ChartWithTable:
    lines = [(calendar.day_name[day], f"{count:,}") for day, count in enumerate(counts)]
    table = Table("Your messages by day of the week", ("Day", "Your messages"), lines)
    return ChartWithTable(draw_bars(counts, list(calendar.day_abbr)), table)


def _hours(counts: Sequence[int]) -> ChartWithTable:
    lines = [(f"{hour:02}:00", f"{count:,}") for hour, count in enumerate(counts) if count]
    left_out = "Only hours with messages are shown." if 0 in counts else ""
    table = Table("Your messages by hour of the day", ("From", "Your messages"), lines, left_out)
    return ChartWithTable(draw_bars(counts, ["00:00", "06:00", "12:00", "18:00", "24:00"]), table)


def _growth(insights: Insights, what: str, counts: Sequence[int]) -> ChartWithTable | None:
    if not any(counts) or len(counts) < 2:
        return None
    span, today = insights.span, _today(insights.span)
    moments = [DayCounts(start, count) for start, count in zip(span.starts, counts, strict=True)]
    line = draw_line(moments, today, "now")
    name = _named(span)
    lines = [
        (name(start), f"{count:,}")
        for position, (start, count) in enumerate(zip(span.starts, counts, strict=True))
        if position in (0, len(counts) - 1) or count != counts[position - 1]
    ]
    left_out = f"Only {span.unit}s with a change are shown."
    table = Table(
        f"{what} {_UNITS[span.unit]}",
        (span.unit.capitalize(), what),
        lines,
        left_out if len(lines) < len(counts) else "",
    )
    return ChartWithTable(line, table)


def _named(span: Span) -> Callable[[date], str]:
    today = _today(span)

    def name(start: date) -> str:
        if span.unit == "year":
            return str(start.year)
        if span.unit == "month":
            return f"{start:%B %Y}"
        return formatting.plain_date(start, today)

    return name


def _today(span: Span) -> date:
    return localtime(span.at).date()


def _when_words(yours: int) -> str:
    """Return how many messages are missing for the chart of days and hours, as a sentence."""
    so_far = f"{yours} so far" if yours else "none so far"
    return f"This chart appears once you’ve written {ENOUGH_TO_TELL_WHEN} messages ({so_far})."


# --- Comparison of two bars ----------------------------------------------------------------------


def _compared(*named: tuple[str, int]) -> list[ComparedBar]:
    most = max(count for _, count in named)
    return [
        ComparedBar(name, count, max(1, round(100 * count / most)) if count else 0)
        for name, count in named
        if most > 0
    ]


def _cost_words(cost: Cost) -> str:
    if not cost.answers:
        return ""
    if cost.saved > 0:
        return f"{cost.share}% fewer tokens: {cost.saved:,} saved in all."
    return (
        "Nothing saved yet: while our conversations are short, what I send with each question is "
        "longer than everything we’ve said."
    )


def _answers_words(answers: int, with_notes: int) -> str:
    if not answers:
        return ""
    share = round(100 * with_notes / answers)
    return f"{share}% of my answers used something I’d noted or you’d said."
