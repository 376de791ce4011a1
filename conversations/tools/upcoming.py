"""The tool that tells what the person said is to come: their own words, by the days they name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Message, MessageQuerySet
from conversations.tools import visibility
from conversations.tools.arguments import Time
from conversations.tools.tool import Arguments, Result, Tool, ToolContext, ToolRefused
from conversations.tools.visibility import ConversationRef, count_in_words
from memory.language import (
    PlannedDay,
    TextStanding,
    cancels,
    content_stem_ids,
    find_planned_days,
    read_days_ahead,
)
from memory.notes import edited_notes, edited_notes_since, retracted_messages

_MOST = 30
# How far ahead is looked where no day is named, and how long ago it may have been said.
AHEAD = timedelta(30)
_SAID_WITHIN = timedelta(400)
# So many of the newest messages that name a day are read.
_READ = 250
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
    conversation: ConversationRef


class AllUpcoming(Result):
    """What lies ahead, day by day; `total` counts what is beyond the limit, too."""

    since: date
    until: date
    total: int
    found: list[Upcoming]

    def in_words(self) -> str:
        """'3 found'."""
        return count_in_words(self.total, "found", "found")


class UpcomingArguments(Arguments):
    """Which days to come."""

    when: Time = Field(
        "", description="'Friday', 'next week', 'in June'; leave it out for the next thirty days."
    )
    limit: int = Field(12, ge=1, le=_MOST, description="How many at most.")


@dataclass(frozen=True)
class _DatedMessage:
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

    def is_corrected_by(self, other: "_DatedMessage", planned: PlannedDay) -> bool:
        """Whether a correction of the message is about these days: it shares most with them."""
        shared = [len(content_stem_ids(part.clause) & other.stems) for part in self.planned]
        mine = len(content_stem_ids(planned.clause) & other.stems)
        return len(self.planned) == 1 or mine == max(shared) > 0


def upcoming(context: ToolContext, arguments: UpcomingArguments) -> AllUpcoming:
    """What the person said of days to come, the nearest first."""
    asked_at = localtime(context.asked_at)
    next_days = asked_at.date(), asked_at.date() + AHEAD
    days = read_days_ahead(arguments.when, asked_at) if arguments.when else next_days
    if days is None:
        raise ToolRefused(
            f"I cannot read {arguments.when!a} as days to come. Write 'Friday', 'next week',"
            " 'in June' or 2026-05-31, or leave it out."
        )
    rows = planning(visibility.messages(context), context)
    dated_messages = [
        _read_message(context, message) for message in _as_they_hold(context.user_id, rows)
    ]
    found = _each_once(_planned(context, dated_messages, days))
    found.sort(key=lambda plan: (plan.first, plan.last, plan.said_at))
    return AllUpcoming(
        since=days[0], until=days[1], total=len(found), found=found[: arguments.limit]
    )


def planning(rows: MessageQuerySet, context: ToolContext) -> list[Message]:
    """Of some messages those of the person that name a day to come, or are put right by one that
    does, the newest; without what was taken back.
    """
    own = rows.filter(
        role=Message.Role.USER,
        author="",
        said_at__gt=context.asked_at - _SAID_WITHIN,
        said_at__lte=context.asked_at,
    )
    # Days are those of the clock where it was said.
    since = localtime(context.asked_at).date() - timedelta(1)
    moved = edited_notes_since(context.user_id, since).values("source_message")
    names_a_day = Q(planned_until__gte=since) | Q(pk__in=moved)
    newest = _newest(own.filter(names_a_day))
    with_corrections = {one.pk: one for one in newest}
    corrected = [one.corrects_id for one in newest if one.corrects_id]
    for one in _newest(own.filter(Q(corrects__in=list(with_corrections)) | Q(pk__in=corrected))):
        with_corrections.setdefault(one.pk, one)
    gone = retracted_messages(context.user_id, list(with_corrections))
    return [one for pk, one in with_corrections.items() if pk not in {context.message_id, *gone}]


def _newest(rows: MessageQuerySet) -> list[Message]:
    return list(rows.select_related("conversation").order_by("-said_at")[:_READ])


def _as_they_hold(user_id: UUID, messages: list[Message]) -> list[Message]:
    """The messages, in the words of their notes where their owner changed those."""
    edited = edited_notes(user_id, [one.pk for one in messages])
    for message in messages:
        note = edited.get(message.pk, "")
        if note:
            message.content, message.stretches = note, []
            message.quoted_as = TextStanding.EDITED
    return messages


def _read_message(context: ToolContext, message: Message) -> _DatedMessage:
    text = visibility.own_words(context, message)
    planned = find_planned_days(text, localtime(message.said_at))
    return _DatedMessage(message, text, planned, content_stem_ids(text), cancels(text))


def _planned(
    context: ToolContext, dated_messages: Sequence[_DatedMessage], days: tuple[date, date]
) -> Iterator[Upcoming]:
    """The sentences of theirs that name some of these days, and hold."""
    by_id = {one.message.pk: one for one in dated_messages}
    corrections: dict[UUID, list[_DatedMessage]] = {}
    for dated in dated_messages:
        if dated.message.corrects_id:
            corrections.setdefault(dated.message.corrects_id, []).append(dated)
    for dated in dated_messages:
        about = by_id.get(dated.message.corrects_id) if dated.message.corrects_id else None
        if about is not None and about.is_edited:
            continue
        for planned in dated.planned:
            first = planned.within(*days)
            if first is None or _is_called_off(dated, planned, dated_messages):
                continue
            # What its owner put right themselves needs no other correction.
            by = [] if dated.is_edited else corrections.get(dated.message.pk, [])
            by = [other for other in by if dated.is_corrected_by(other, planned)]
            if any(other.planned for other in by):
                continue
            quote = visibility.quote(context, dated.message)
            yield Upcoming(
                first=first,
                last=first if planned.days.weekly else planned.days.last,
                day=f"every {first:%A}" if planned.days.weekly else planned.days.in_words,
                # A correction that names no day ("no, at four") stands behind what it corrects.
                text=" … ".join([planned.sentence, *(other.text for other in by)]),
                about=about.text if about is not None else "",
                **quote.model_dump(include={"id", "said_at", "link", "conversation"}),
            )


def _is_called_off(
    dated: _DatedMessage, planned: PlannedDay, dated_messages: Sequence[_DatedMessage]
) -> bool:
    """Whether a later message says that it is off, and shares most of its words with it."""
    later = [
        other
        for other in dated_messages
        if other.cancels and other.message.said_at > dated.message.said_at
    ]
    stems = content_stem_ids(planned.clause) if later else set()
    return any(
        len(stems & other.stems) >= max(1, _CALLED_OFF * (len(other.stems) - 1)) for other in later
    )


def _each_once(found: Iterable[Upcoming]) -> list[Upcoming]:
    """Of what says the same of the same days, what was said last."""
    plans: list[Upcoming] = []
    for plan in found:
        words = content_stem_ids(plan.text)
        alike = (
            words & content_stem_ids(other.text)
            for other in plans
            if (other.first, other.last) == (plan.first, plan.last)
        )
        if not any(len(shared) > _THE_SAME * len(words) for shared in alike):
            plans.append(plan)
    return plans


TOOLS = (
    Tool(
        name="get_upcoming_plans",
        purpose="Find what the person said of days to come: appointments, visits, deadlines. Use "
        "it for 'what is on this week?' or 'am I free on Friday?'.",
        arguments=UpcomingArguments,
        run=upcoming,
    ),
)
