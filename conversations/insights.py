"""Statistics of a user's conversations and memories, computed in the database.

Private conversations are left out. Days are those of the user's time zone. At most six queries, and
one to choose the period.
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
# How many topics to list.
MOST_TOPICS = 10
_MONTH, _WEEKS = 30, 52
# The unit of the whole time by its length in days; longer: years.
_UNITS: tuple[tuple[int, Unit], ...] = ((60, "day"), (2 * 366, "week"), (10 * 366, "month"))
# How many of the latest messages, and how many characters of them, estimate the length of a token.
_SAMPLE, _SAMPLE_LENGTH = 40, 20_000
_USUAL_LENGTH = 4.0


@dataclass(frozen=True)
class Span:
    """The period, divided into units (days, weeks, …); `starts` are the first days of the units."""

    period: Period
    unit: Unit
    starts: tuple[date, ...]
    at: datetime

    @property
    def since(self) -> datetime:
        """The first moment of the period."""
        return datetime.combine(self.starts[0], time(), get_current_timezone())

    def row(self, counts: Mapping[date, int]) -> tuple[int, ...]:
        """Return the count of each unit, 0 where there is none."""
        return tuple(counts.get(start, 0) for start in self.starts)


@dataclass(frozen=True)
class MessageCounts:
    """Counts of messages, and of answers that used memories or not. `stretches` (per unit) count
    all messages; `weekdays` (from Monday) and `hours` only the user's.
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
        """How many answers used neither memories nor earlier messages."""
        return self.answers - self.answers_with_notes

    @property
    def messages(self) -> int:
        """The number of messages of the user and the assistant."""
        return sum(self.stretches)


@dataclass(frozen=True)
class Cost:
    """Input tokens of answers (`put`), and the tokens of all earlier messages (`whole`).

    `put` is counted by the model's server, except for the `estimated` answers. `whole` is estimated
    from characters, at `characters` per token.
    """

    answers: int = 0
    estimated: int = 0
    put: int = 0
    whole: int = 0
    characters: float = _USUAL_LENGTH

    @property
    def saved(self) -> int:
        """How many tokens were saved; 0 when the input was longer than the messages."""
        return max(0, self.whole - self.put)

    @property
    def share(self) -> int:
        """The percentage of tokens saved; 0 when the input was longer than the messages."""
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
        """Each unit of time: the number of messages, and of facts and memories at its end."""
        return [
            {"start": kept.start, "messages": count, "facts": kept.facts, "notes": kept.notes}
            for kept, count in zip(self.kept, self.said.stretches, strict=True)
        ]

    @property
    def anything(self) -> bool:
        """Whether the period has anything to show."""
        return bool(self.said.messages or any(totals.facts or totals.notes for totals in self.kept))


def fitting_period(user_id: UUID, at: datetime) -> Period:
    """Return the shortest useful period: the last month, all time, or the last year."""
    today = localtime(at).date()
    days = (today - _first_day(user_id, today)).days
    if days < _MONTH:
        return "month"
    return "all" if days <= 7 * _WEEKS else "year"


def read(user_id: UUID, period: Period, at: datetime) -> Insights:
    """Return the user's statistics; in the user's transaction (`acting_as`)."""
    span = _span(user_id, period, at)
    since = None if period == "all" else span.since
    return Insights(
        span=span,
        said=_message_counts(user_id, span),
        topics=topic_store.statistics(user_id, since)[:MOST_TOPICS],
        kept=memory_growth(user_id, span.unit, span.starts, at),
        cost=_cost(user_id, span),
    )


# --- The period ----------------------------------------------------------------------------------

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
        # Less than a month would be drawn as a few thick bars.
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


# Added to the first day of a unit, each gives a day of the next unit.
_AT_MOST: dict[Unit, timedelta] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


# --- Messages ------------------------------------------------------------------------------------

# One scan of the user's messages, grouped by unit, weekday and hour. Removed, failed, unfinished
# and private messages are left out.
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


# --- Tokens of answers ---------------------------------------------------------------------------

# All earlier messages that an answer could have used: of every conversation, but confidential
# messages only in their own.
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
    """Return the mean number of characters per token in the user's latest messages."""
    latest = Message.objects.for_user(user_id).exclude(content="").order_by("-said_at")
    return _length_in(list(latest.values_list("content", flat=True)[:_SAMPLE]))


def _length_in(texts: Sequence[str]) -> float:
    sample = "\n".join(texts)[:_SAMPLE_LENGTH]
    counted = count_tokens(sample)
    return len(sample) / counted if counted else _USUAL_LENGTH
