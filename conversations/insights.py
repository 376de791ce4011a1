"""Statistics of a person's conversations and notes, counted in the database by owner.

Private conversations are neither counted nor named. Days are those of the person's clock. However
much there is, it is six reads at most, and one to find the time that fits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID

from django.utils.timezone import get_current_timezone, get_current_timezone_name, localtime

from conversations.models import Message
from conversations.topics import topic_store
from conversations.topics.topic_store import TopicFigures
from memory.core.statements import fetch_rows
from memory.language.text.token_count import count_tokens
from memory.manager import KeptCounts, first_day_of, memory_growth

Period = Literal["month", "year", "all"]
Unit = Literal["day", "week", "month", "year"]
# How many topics are named.
MOST_TOPICS = 10
_MONTH, _WEEKS = 30, 52
# Up to so many days the whole time is told by day, by week, by month; by year beyond.
_UNITS: tuple[tuple[int, Unit], ...] = ((60, "day"), (2 * 366, "week"), (10 * 366, "month"))
# From how many of the latest messages, and characters of them, it is read how long a token is.
_SAMPLE, _SAMPLE_LENGTH = 40, 20_000
_USUAL_LENGTH = 4.0


@dataclass(frozen=True)
class Span:
    """The period in stretches of one unit; `starts` are their first days."""

    period: Period
    unit: Unit
    starts: tuple[date, ...]
    at: datetime

    @property
    def since(self) -> datetime:
        """The first moment of the period."""
        return datetime.combine(self.starts[0], time(), get_current_timezone())

    def row(self, counts: Mapping[date, int]) -> tuple[int, ...]:
        """Return a number for each stretch, 0 where there is none."""
        return tuple(counts.get(start, 0) for start in self.starts)


@dataclass(frozen=True)
class MessageCounts:
    """Counts of messages, and of answers with and without notes.

    `stretches` count everything; by `weekdays` (from Monday) and `hours` only the person's own
    messages are counted: answers come when they are asked for.
    """

    stretches: tuple[int, ...]
    weekdays: tuple[int, ...]
    hours: tuple[int, ...]
    yours: int
    conversations: int
    answers: int
    answers_with_notes: int

    @property
    def answers_without_notes(self) -> int:
        """How many answers drew on nothing that was noted or said."""
        return self.answers - self.answers_with_notes

    @property
    def messages(self) -> int:
        """The number of messages of both sides."""
        return sum(self.stretches)


@dataclass(frozen=True)
class Cost:
    """What answers took: tokens put before the model, and those of all that had been said by then.

    The first is what the model's server counted, but for `estimated` answers, whose server does not
    count. The second is estimated from characters, at `characters` a token.
    """

    answers: int = 0
    estimated: int = 0
    put: int = 0
    whole: int = 0
    characters: float = _USUAL_LENGTH

    @property
    def saved(self) -> int:
        """How many tokens were left out; 0 while there is little to leave out."""
        return max(0, self.whole - self.put)

    @property
    def share(self) -> int:
        """The percentage of tokens saved; 0 when it cost more."""
        return int(100 * self.saved / self.whole) if self.whole else 0


@dataclass(frozen=True)
class Insights:
    """All statistics of a period."""

    span: Span
    said: MessageCounts
    topics: list[TopicFigures]
    kept: list[KeptCounts]
    cost: Cost

    @property
    def stretches(self) -> list[dict[str, Any]]:
        """Each stretch of time: how many messages it has, how much was known at its end."""
        return [
            {"start": kept.start, "messages": count, "facts": kept.facts, "notes": kept.notes}
            for kept, count in zip(self.kept, self.said.stretches, strict=True)
        ]

    @property
    def anything(self) -> bool:
        """Whether there is anything to show for this time."""
        return bool(self.said.messages or any(totals.facts or totals.notes for totals in self.kept))


def fitting_period(user_id: UUID, at: datetime) -> Period:
    """Return the period that shows what there is: the last month, all time, or the last year."""
    today = localtime(at).date()
    days = (today - _first_day(user_id, today)).days
    if days < _MONTH:
        return "month"
    return "all" if days <= 7 * _WEEKS else "year"


def read(user_id: UUID, period: Period, at: datetime) -> Insights:
    """Count it. Call it in the person's own block."""
    span = _span(user_id, period, at)
    since = None if period == "all" else span.since
    return Insights(
        span=span,
        said=_message_counts(user_id, span),
        topics=topic_store.statistics(user_id, since)[:MOST_TOPICS],
        kept=memory_growth(user_id, span.unit, span.starts, at),
        cost=_cost(user_id, span),
    )


# --- The time that is looked at ------------------------------------------------------------------

_FIRST_SQL = """
select least(
    (select min(said_at) from conversations_message where user_id = %(user)s),
    (select min(created_at) from memory_profilefact where user_id = %(user)s),
    (select min(created_at) from memory_memory where user_id = %(user)s))
"""


def _span(user_id: UUID, period: Period, at: datetime) -> Span:
    today = localtime(at).date()
    unit: Unit
    if period == "month":
        first, unit = today - timedelta(days=_MONTH - 1), "day"
    elif period == "year":
        first, unit = today - timedelta(weeks=_WEEKS), "week"
    else:
        # Less than a month would be drawn as few thick bars.
        first = min(_first_day(user_id, today), today - timedelta(days=_MONTH - 1))
        days = (today - first).days
        unit = next((unit for most, unit in _UNITS if days <= most), "year")
    return Span(period, unit, tuple(_starts(first, today, unit)), at)


def _first_day(user_id: UUID, today: date) -> date:
    ((first,),) = fetch_rows(_FIRST_SQL, {"user": user_id})
    return localtime(first).date() if first else today


def _starts(first: date, today: date, unit: Unit) -> list[date]:
    start = first_day_of(unit, first)
    starts = []
    while start <= today:
        starts.append(start)
        start = first_day_of(unit, start + _AT_MOST[unit])
    return starts


# From the first day of a stretch this leads into the next one.
_AT_MOST: dict[Unit, timedelta] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


# --- What was said -------------------------------------------------------------------------------

# One reading of the person's messages, counted three ways at once. What was taken out, what failed,
# what is still being written and what is private is not counted.
_MESSAGES_SQL = """
select start, weekday, hour, count(*), count(*) filter (where yours),
       count(distinct conversation_id), count(*) filter (where answered),
       count(*) filter (where answered and drew_on_notes)
from (
    select date_trunc(%(unit)s, local)::date as start,
           extract(isodow from local)::int as weekday, extract(hour from local)::int as hour,
           conversation_id, role = 'user' as yours,
           role = 'assistant' and author = '' as answered,
           jsonb_array_length(recalled) > 0 as drew_on_notes
    from (
        select conversation_id, role, author, recalled, said_at at time zone %(zone)s as local
        from conversations_message
        where user_id = %(user)s and said_at between %(since)s and %(at)s
          and state in ('done', 'cut', 'stopped')
          and conversation_id not in (
              select id from conversations_conversation
              where user_id = %(user)s and privacy = 'private')) m) n
group by grouping sets ((start), (weekday), (hour), ())
"""


def _message_counts(user_id: UUID, span: Span) -> MessageCounts:
    stretches: dict[date, int] = {}
    weekdays, hours = [0] * 7, [0] * 24
    whole = (0,) * 5
    for start, weekday, hour, *counts in fetch_rows(_MESSAGES_SQL, _values(user_id, span)):
        if start is not None:
            stretches[start] = counts[0]
        elif weekday is not None:
            weekdays[weekday - 1] = counts[1]
        elif hour is not None:
            hours[hour] = counts[1]
        else:
            whole = tuple(counts)
    return MessageCounts(span.row(stretches), tuple(weekdays), tuple(hours), *whole[1:])


def _values(user_id: UUID, span: Span) -> dict[str, Any]:
    zone = get_current_timezone_name()
    return _moments(user_id, span) | {"unit": span.unit, "zone": zone}


def _moments(user_id: UUID, span: Span) -> dict[str, Any]:
    return {"user": user_id, "since": span.since, "at": span.at}


# --- What answers took ---------------------------------------------------------------------------

# All that had been said by then: everywhere, as far as an answer here could know of it. What is
# confidential counts in its own conversation only.
_COST_SQL = """
select count(*), count(*) filter (where tokens_estimated),
       coalesce(sum(tokens_in), 0)::bigint, coalesce(sum(before), 0)::bigint
from (
    select tokens_in, tokens_estimated, said_at,
           coalesce(sum(length(content)) filter (where not confidential) over earlier, 0)
           + coalesce(sum(length(content)) filter (where confidential) over earlier_here, 0)
           as before
    from conversations_message
    where user_id = %(user)s and state <> 'removed'
      and conversation_id not in (
          select id from conversations_conversation
          where user_id = %(user)s and privacy = 'private')
    window earlier as (
               order by said_at, number, id rows between unbounded preceding and 1 preceding),
           earlier_here as (
               partition by conversation_id order by said_at, number, id
               rows between unbounded preceding and 1 preceding)) m
where tokens_in is not null and said_at between %(since)s and %(at)s
"""


def _cost(user_id: UUID, span: Span) -> Cost:
    ((answers, estimated, put, characters),) = fetch_rows(_COST_SQL, _moments(user_id, span))
    if not answers:
        return Cost()
    length = _length_of_a_token(user_id)
    return Cost(answers, estimated, put, round(characters / length), round(length, 2))


def _length_of_a_token(user_id: UUID) -> float:
    """Return the mean length of a token in characters in the person's latest messages."""
    latest = Message.objects.for_user(user_id).exclude(content="").order_by("-said_at")
    return _length_in(list(latest.values_list("content", flat=True)[:_SAMPLE]))


def _length_in(texts: Sequence[str]) -> float:
    sample = "\n".join(texts)[:_SAMPLE_LENGTH]
    counted = count_tokens(sample)
    return len(sample) / counted if counted else _USUAL_LENGTH
