"""The tool that tells what the person said is to come: their own words, by the days they name."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from uuid import UUID

from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Message
from conversations.tools import visibility
from conversations.tools.arguments import Time
from conversations.tools.tool import Arguments, Asking, Result, Tool, ToolRefused
from conversations.tools.visibility import Place, counted
from memory.language import content_stem_ids, find_planned_days, read_days_ahead

_MOST = 30
# How far ahead is looked where no day is named, and how long ago it may have been said.
AHEAD = timedelta(30)
_SAID_WITHIN = timedelta(400)
# So many of the newest messages that may name a day are read.
_READ = 400
# A message without any of these names no day (PostgreSQL's expressions).
_NAMES_A_DAY = (
    r"[0-9]|day\M|tomorrow|tonight|weekend|week\M|month\M|\m(mon|tues?|weds?|thurs?|fri)\M"
    r"|\m(january|february|march|april|may|june|july|august|september|october|november|december)\M"
)
# As much of the shorter of two sentences about the same day makes them one.
_THE_SAME = 0.5


class Upcoming(BaseModel):
    """A sentence of what was said, and the days from `first` to `last` that it names."""

    first: date
    last: date
    day: str
    text: str
    id: UUID
    said_at: datetime
    link: str
    conversation: Place


class AllUpcoming(Result):
    """What lies ahead, day by day."""

    since: date
    until: date
    found: list[Upcoming]

    def in_words(self) -> str:
        """'3 found'."""
        return counted(len(self.found), "found", "found")


class ToLookAhead(Arguments):
    """Which days to come."""

    when: Time = Field(
        "", description="'Friday', 'next week', 'in June'; leave it out for the next thirty days."
    )
    limit: int = Field(12, ge=1, le=_MOST, description="How many at most.")


def upcoming(asking: Asking, wanted: ToLookAhead) -> AllUpcoming:
    """What the person said of days to come, the nearest first."""
    asked_at = localtime(asking.asked_at)
    next_days = asked_at.date(), asked_at.date() + AHEAD
    days = read_days_ahead(wanted.when, asked_at) if wanted.when else next_days
    if days is None:
        raise ToolRefused(
            f"I cannot read {wanted.when!a} as days to come. Write 'Friday', 'next week' or "
            "'in June', or leave it out."
        )
    rows = visibility.messages(asking).filter(pk__in=may_name_a_day(asking))
    found = _each_once(_planned(asking, rows.order_by("-said_at"), days))
    found.sort(key=lambda one: (one.first, one.last, one.said_at))
    return AllUpcoming(since=days[0], until=days[1], found=found[: wanted.limit])


def may_name_a_day(asking: Asking) -> list[UUID]:
    """The newest messages of the person that may name a day to come, by their words."""
    rows = Message.objects.for_user(asking.user_id).filter(
        role=Message.Role.USER,
        author="",
        said_at__gt=asking.asked_at - _SAID_WITHIN,
        said_at__lte=asking.asked_at,
        content__iregex=_NAMES_A_DAY,
    )
    newest = rows.order_by("-said_at").values_list("pk", flat=True)[:_READ]
    return [pk for pk in newest if pk != asking.message_id]


def _planned(
    asking: Asking, messages: Iterable[Message], days: tuple[date, date]
) -> list[Upcoming]:
    """The sentences of theirs that name some of these days; what was corrected since is left out
    where its correction names a day.
    """
    found: list[Upcoming] = []
    corrected: set[UUID] = set()
    for message in messages:
        quote = visibility.quote(asking, message)
        named = find_planned_days(quote.text, localtime(message.said_at))
        if named and message.corrects_id:
            corrected.add(message.corrects_id)
        found += [
            Upcoming(
                first=one.days.first,
                last=one.days.last,
                day=one.days.in_words,
                text=one.sentence,
                **quote.model_dump(include={"id", "said_at", "link", "conversation"}),
            )
            for one in named
            if one.days.first <= days[1] and one.days.last >= days[0]
        ]
    return [one for one in found if one.id not in corrected]


def _each_once(found: Iterable[Upcoming]) -> list[Upcoming]:
    """Of what says the same of the same days, what was said last."""
    kept: list[Upcoming] = []
    for one in found:
        words = content_stem_ids(one.text)
        alike = (
            words & content_stem_ids(other.text)
            for other in kept
            if (other.first, other.last) == (one.first, one.last)
        )
        if not any(len(shared) > _THE_SAME * len(words) for shared in alike):
            kept.append(one)
    return kept


TOOLS = (
    Tool(
        name="get_upcoming_plans",
        purpose="Find what the person said of days to come: appointments, visits, deadlines. Use "
        "it for 'what is on this week?' or 'am I free on Friday?'.",
        arguments=ToLookAhead,
        run=upcoming,
    ),
)
