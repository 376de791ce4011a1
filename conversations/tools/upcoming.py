"""The tool that tells what the person said is to come: their own words, by the days they name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Message, MessageQuerySet
from conversations.tools import visibility
from conversations.tools.arguments import Time
from conversations.tools.tool import Arguments, Asking, Result, Tool, ToolRefused
from conversations.tools.visibility import Place, counted
from memory.language import (
    PlannedDay,
    TextStanding,
    cancels,
    content_stem_ids,
    find_planned_days,
    read_days_ahead,
)
from memory.notes import edited_notes, taken_back

_MOST = 30
# How far ahead is looked where no day is named, and how long ago it may have been said.
AHEAD = timedelta(30)
_SAID_WITHIN = timedelta(400)
# So many of the newest messages that may name a day are read.
_READ = 250
# What names a day or calls something off has one of these (PostgreSQL's expressions).
_NAMES_A_DAY = (
    r"[0-9]|days?\M|tom+orr?ow|tmrw?\M|2mor|tonight|weekend|weeks?\M|months?\M|fortnight"
    r"|\m(mon|tues?|weds?|thurs?|fri|sat|sun)\M"
    r"|\m(january|february|march|april|may|june|july|august|september|october|november|december)\M"
    r"|cancel|called off|off now|happening|any ?more"
)
# With as much of its words in a later sentence about the same day it is told by that one.
_THE_SAME = 0.5
# A sentence that calls something off has this much of its words in what it calls off.
_CALLED_OFF = 0.5


class Upcoming(BaseModel):
    """A sentence of what was said, and the days from `first` to `last` that it names. `about`: what
    was said before, where this corrects it.
    """

    first: date
    last: date
    day: str
    text: str
    about: str
    id: UUID
    said_at: datetime
    link: str
    conversation: Place


class AllUpcoming(Result):
    """What lies ahead, day by day; `total` counts what is beyond the limit, too."""

    since: date
    until: date
    total: int
    found: list[Upcoming]

    def in_words(self) -> str:
        """'3 found'."""
        return counted(self.total, "found", "found")


class ToLookAhead(Arguments):
    """Which days to come."""

    when: Time = Field(
        "", description="'Friday', 'next week', 'in June'; leave it out for the next thirty days."
    )
    limit: int = Field(12, ge=1, le=_MOST, description="How many at most.")


@dataclass(frozen=True)
class _Told:
    """A message that may name a day, what it says of days to come as it holds now, and the stems of
    its words; `cancels`: it says that something is off.
    """

    message: Message
    text: str
    planned: list[PlannedDay]
    stems: set[int]
    cancels: bool

    @property
    def is_edited(self) -> bool:
        """Whether its owner put it right themselves."""
        return self.message.quoted_as == TextStanding.EDITED

    def is_corrected_by(self, other: "_Told", planned: PlannedDay) -> bool:
        """Whether a correction of the message is about these days: it shares most with them."""
        shared = [len(content_stem_ids(part.clause) & other.stems) for part in self.planned]
        mine = len(content_stem_ids(planned.clause) & other.stems)
        return len(self.planned) == 1 or mine == max(shared) > 0


def upcoming(asking: Asking, wanted: ToLookAhead) -> AllUpcoming:
    """What the person said of days to come, the nearest first."""
    asked_at = localtime(asking.asked_at)
    next_days = asked_at.date(), asked_at.date() + AHEAD
    days = read_days_ahead(wanted.when, asked_at) if wanted.when else next_days
    if days is None:
        raise ToolRefused(
            f"I cannot read {wanted.when!a} as days to come. Write 'Friday', 'next week', 'in June'"
            " or 2026-05-31, or leave it out."
        )
    rows = may_name_a_day(visibility.messages(asking), asking)
    told = [_told(asking, message) for message in _as_they_hold(asking.user_id, rows)]
    found = _each_once(_planned(asking, told, days))
    found.sort(key=lambda one: (one.first, one.last, one.said_at))
    return AllUpcoming(since=days[0], until=days[1], total=len(found), found=found[: wanted.limit])


def may_name_a_day(rows: MessageQuerySet, asking: Asking) -> list[Message]:
    """Of some messages the newest of the person that may name a day to come, by their words."""
    found = rows.filter(
        role=Message.Role.USER,
        author="",
        said_at__gt=asking.asked_at - _SAID_WITHIN,
        said_at__lte=asking.asked_at,
        content__iregex=_NAMES_A_DAY,
    )
    newest = found.select_related("conversation").order_by("-said_at")[:_READ]
    gone = taken_back(asking.user_id, [one.pk for one in newest])
    return [one for one in newest if one.pk not in {asking.message_id, *gone}]


def _as_they_hold(user_id: UUID, messages: list[Message]) -> list[Message]:
    """The messages, in the words of their notes where their owner changed those."""
    edited = edited_notes(user_id, [one.pk for one in messages])
    for one in messages:
        note = edited.get(one.pk, "")
        if note:
            one.content, one.stretches = note, []
            one.quoted_as = TextStanding.EDITED
    return messages


def _told(asking: Asking, message: Message) -> _Told:
    text = visibility.own_words(asking, message)
    planned = find_planned_days(text, localtime(message.said_at))
    return _Told(message, text, planned, content_stem_ids(text), cancels(text))


def _planned(asking: Asking, told: Sequence[_Told], days: tuple[date, date]) -> Iterator[Upcoming]:
    """The sentences of theirs that name some of these days, and hold."""
    by_id = {one.message.pk: one for one in told}
    corrections: dict[UUID, list[_Told]] = {}
    for one in told:
        if one.message.corrects_id:
            corrections.setdefault(one.message.corrects_id, []).append(one)
    for one in told:
        about = by_id.get(one.message.corrects_id) if one.message.corrects_id else None
        if about is not None and about.is_edited:
            continue
        for planned in one.planned:
            first = planned.within(*days)
            if first is None or _is_called_off(one, planned, told):
                continue
            # What its owner put right themselves needs no other correction.
            by = [] if one.is_edited else corrections.get(one.message.pk, [])
            by = [other for other in by if one.is_corrected_by(other, planned)]
            if any(other.planned for other in by):
                continue
            quote = visibility.quote(asking, one.message)
            yield Upcoming(
                first=first,
                last=first if planned.weekly else planned.days.last,
                day=f"every {first:%A}" if planned.weekly else planned.days.in_words,
                # A correction that names no day ("no, at four") stands behind what it corrects.
                text=" … ".join([planned.sentence, *(other.text for other in by)]),
                about=about.text if about is not None else "",
                **quote.model_dump(include={"id", "said_at", "link", "conversation"}),
            )


def _is_called_off(one: _Told, planned: PlannedDay, told: Sequence[_Told]) -> bool:
    """Whether a later message says that it is off, in words of which it has the most."""
    later = [
        other for other in told if other.cancels and other.message.said_at > one.message.said_at
    ]
    stems = content_stem_ids(planned.clause) if later else set()
    return any(
        len(stems & other.stems) >= max(1, _CALLED_OFF * (len(other.stems) - 1)) for other in later
    )


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
