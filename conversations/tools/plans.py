"""A user's plans: sentences that name coming days, without superseded ones.

A plan has no row. Plans are read from messages, from memories written by hand, and from accepted
memories of pasted text; the user's changes are stored as `PlanMark`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from uuid import UUID, uuid5

from django.db.models import Q
from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Message, MessageQuerySet, PlanMark
from conversations.tools import plan_marks, visibility
from conversations.tools.plan_marks import Marks
from conversations.tools.tool import ToolContext
from conversations.tools.visibility import ConversationRef
from memory.language.dates.clock_times import read_clock_time
from memory.language.dates.planned_days import (
    PlannedDay,
    SentenceDates,
    cancels,
    find_planned_days,
)
from memory.language.message_provenance import TextStanding
from memory.language.origin import Origin
from memory.language.text.dedup import content_stem_ids
from memory.models import Memory
from memory.notes.message_notes import (
    edited_notes,
    edited_notes_since,
    retracted_messages,
    superseded_messages,
)
from memory.slots import PRIVATE_SLOTS

TimeOfDay = time
# How far back and ahead plans are shown.
BACK, AHEAD = timedelta(30), timedelta(400)
# How long ago the message may have been sent.
_SAID_WITHIN = timedelta(400)
# How many of the newest messages with a day, and of the newest memories, are read.
_READ, _READ_NOTES = 250, 40
# A sentence with a larger share of its words in a later one about the same day is a duplicate.
_DUPLICATE_SHARE = 0.5
# Least share of the words of a cancellation that its plan must contain.
_CALLED_OFF = 0.5
_WEEK = timedelta(7)
# A longer period is no plan, see `find_planned_days`.
_LONGEST = timedelta(46)


class Plan(BaseModel):
    """A plan: a sentence and the days from `first` to `last` that it names, or to which it was
    snoozed. about: the earlier message that the sentence corrects. id: of the message or memory.
    """

    first: date
    last: date
    day: str
    text: str
    about: str
    id: UUID
    said_at: datetime
    link: str
    conversation: ConversationRef | None

    # For pages, calendars and the API only.
    key: UUID = Field(exclude=True)
    place: int = Field(exclude=True)
    planned_for: date = Field(exclude=True)
    is_note: bool = Field(exclude=True)
    weekly: bool = Field(exclude=True)
    snoozed: bool = Field(exclude=True)
    done: bool = Field(exclude=True)
    # When it was said or last marked.
    changed_at: datetime = Field(exclude=True)
    # The time of day in figures, if the plan is for one day.
    time: TimeOfDay | None = Field(exclude=True)


@dataclass(frozen=True)
class _Source:
    """A message or memory that may name a day. text: its current text. planned: the days. stems: of
    its words. cancels: whether it cancels something.
    """

    of: Message | Memory
    text: str
    planned: list[PlannedDay]
    stems: set[int]
    cancels: bool

    @property
    def is_edited(self) -> bool:
        """Whether the user wrote or edited it by hand."""
        return isinstance(self.of, Memory) or self.of.quoted_as == TextStanding.EDITED

    @property
    def corrects(self) -> UUID | None:
        """The id of the message that this message corrects; None if none."""
        return None if isinstance(self.of, Memory) else self.of.corrects_id

    def is_corrected_by(self, other: "_Source", planned: PlannedDay) -> bool:
        """Return whether `other`, a correction, is about the planned days: of all plans of this
        source, these share most words with it.
        """
        shared = [len(content_stem_ids(part.clause) & other.stems) for part in self.planned]
        overlap = len(content_stem_ids(planned.clause) & other.stems)
        return len(self.planned) == 1 or overlap == max(shared) > 0


@dataclass(frozen=True)
class _Planned:
    """A plan in force, its number in the source, and the text that it corrects."""

    source: _Source
    place: int
    day: PlannedDay
    text: str
    about: str
    time: TimeOfDay | None

    @property
    def days(self) -> tuple[date, date] | int:
        """The key by which two plans are equal: the days, or the weekday of a weekly plan."""
        days = self.day.days
        return days.first.weekday() if days.weekly else _first_and_last(self.day)


# --- Finding plans -------------------------------------------------------------------------------


def plans_between(
    context: ToolContext, first: date, last: date, *, done_too: bool = False
) -> list[Plan]:
    """Return the plans from `first` to `last`, nearest first; of a weekly one the next open
    date.
    """
    today = localtime(context.asked_at).date()
    marks = plan_marks.standing(context.user_id, first - _LONGEST)
    rows = _planning(visibility.messages(context), context, first, marks)
    messages = _with_edits(context.user_id, rows)
    sources = [_read(message, visibility.own_words(context, message)) for message in messages]
    sources += [_read(note, note.content) for note in _kept_notes(context, first, marks)]
    plans = [
        _plan(planned, day, mark)
        for planned in _without_duplicates(_holding(sources))
        for day, mark in _days_in(planned, marks, (first, last), today)
        if done_too or mark is None or mark.kind == PlanMark.Kind.SNOOZED
    ]
    return sorted(plans, key=lambda plan: (plan.first, plan.last, plan.said_at))


def find_plan(context: ToolContext, key: UUID) -> Plan | None:
    """Return the recent or coming plan with this key; None if there is none."""
    today = localtime(context.asked_at).date()
    plans = plans_between(context, today - BACK, today + AHEAD, done_too=True)
    return next((plan for plan in plans if plan.key == key), None)


def planning(rows: MessageQuerySet, context: ToolContext) -> list[Message]:
    """Return the user's newest messages that name a coming day or are corrected by one that does;
    without retracted messages.
    """
    return _planning(rows, context, localtime(context.asked_at).date(), {})


def _planning(
    rows: MessageQuerySet, context: ToolContext, first: date, marks: Marks
) -> list[Message]:
    own = rows.filter(
        role=Message.Role.USER,
        author="",
        said_at__gt=context.asked_at - _SAID_WITHIN,
        said_at__lte=context.asked_at,
    )
    # The day may differ by one in the time zone where the message was sent.
    since = first - timedelta(1)
    moved = edited_notes_since(context.user_id, since).values("source_message")
    names_a_day = (
        Q(planned_until__gte=since) | Q(pk__in=moved) | Q(pk__in=plan_marks.put_off(marks))
    )
    newest = _newest(own.filter(names_a_day))
    with_corrections = {message.pk: message for message in newest}
    corrected = [message.corrects_id for message in newest if message.corrects_id]
    for message in _newest(
        own.filter(Q(corrects__in=list(with_corrections)) | Q(pk__in=corrected))
    ):
        with_corrections.setdefault(message.pk, message)
    replaced = superseded_messages(context.user_id, list(with_corrections))
    # The message that replaces a plan may name its day only in its memory.
    if unread := set(replaced) - set(with_corrections):
        with_corrections |= {message.pk: message for message in _newest(own.filter(pk__in=unread))}
    for later, earlier in replaced.items():
        if later in with_corrections:
            with_corrections[later].corrects_id = earlier
    retracted = retracted_messages(context.user_id, list(with_corrections))
    return [
        message
        for pk, message in with_corrections.items()
        if pk not in {context.message_id, *retracted}
    ]


def _newest(rows: MessageQuerySet) -> list[Message]:
    return list(rows.select_related("conversation").order_by("-said_at")[:_READ])


def _with_edits(user_id: UUID, messages: list[Message]) -> list[Message]:
    """Return the messages, with the text of their memory if the user has edited that."""
    edited = edited_notes(user_id, [message.pk for message in messages])
    for message in messages:
        note = edited.get(message.pk, "")
        # A memory has no final punctuation.
        if note and note != message.content.rstrip(" .!"):
            message.content, message.stretches = note, []
            message.quoted_as = TextStanding.EDITED
    return messages


def _kept_notes(context: ToolContext, first: date, marks: Marks) -> list[Memory]:
    """Return the newest memories that may name a coming day and that no quotable message states:
    written by hand, made from pasted text and accepted, or sensitive and saved with consent.
    """
    rows = (
        visibility.notes(context)
        .active()
        .filter(
            Q(happened_on=None) | Q(happened_on__gte=first) | Q(pk__in=plan_marks.put_off(marks)),
            Q(source=Memory.Source.MANUAL, source_message=None)
            | Q(origin=Origin.PASTED)
            | Q(slot__in=PRIVATE_SLOTS),
            claim="",
        )
    )
    return list(rows.defer("embedding", "terms").order_by("-said_at")[:_READ_NOTES])


def _read(of: Message | Memory, text: str) -> _Source:
    planned = find_planned_days(text, localtime(of.said_at))
    if not planned and isinstance(of, Memory) and of.origin == Origin.PASTED:
        # The day is stored with the memory but not named in its text.
        day = of.happened_on
        if day is not None and day >= localtime(of.said_at).date():
            planned = [PlannedDay(text, SentenceDates(day, day), text)]
    return _Source(of, text, planned, content_stem_ids(text), cancels(text))


# --- Plans in force ------------------------------------------------------------------------------


def _holding(sources: Sequence[_Source]) -> Iterator[_Planned]:
    """Yield the plans that are neither cancelled nor corrected."""
    by_id = {source.of.pk: source for source in sources}
    corrections: dict[UUID, list[_Source]] = {}
    for source in sources:
        if source.corrects:
            corrections.setdefault(source.corrects, []).append(source)
    for source in sources:
        about = by_id.get(source.corrects) if source.corrects else None
        if about is not None and about.is_edited:
            continue
        for place, planned in enumerate(_moved(source, about) if about else source.planned):
            if _is_called_off(source, planned, sources):
                continue
            # A text that the user has edited needs no other correction.
            by = [] if source.is_edited else corrections.get(source.of.pk, [])
            by = [other for other in by if source.is_corrected_by(other, planned)]
            if any(other.planned for other in by):
                continue
            # A correction without a day ("no, at four") is appended to the plan.
            text = " … ".join([planned.sentence, *(other.text for other in by)])
            texts = [planned.clause, *(other.text for other in by)]
            if about is not None:
                # A correction of the day only keeps the time.
                texts.insert(0, about.text)
            at = next((at for part in reversed(texts) if (at := read_clock_time(part))), None)
            before = about.text if about is not None else ""
            yield _Planned(source, place, planned, text, before, at)


def _moved(source: _Source, about: _Source) -> list[PlannedDay]:
    """Return the days of a correction without those that it corrects. "The 12th, not the 11th"
    refers to the month in which the 11th was planned.
    """
    left = {_first_and_last(day) for day in about.planned}
    for first, _ in sorted(left):
        said_at = localtime(source.of.said_at)
        before = said_at.replace(year=first.year, month=first.month, day=first.day) - timedelta(1)
        read = find_planned_days(source.text, before)
        days = [day for day in read if _first_and_last(day) not in left]
        if days and len(days) < len(read):
            return days
    return source.planned


def _first_and_last(planned: PlannedDay) -> tuple[date, date]:
    return planned.days.first, planned.days.last


def _is_called_off(source: _Source, planned: PlannedDay, sources: Sequence[_Source]) -> bool:
    """Return whether a later message cancels the plan and shares most words with it."""
    later = [other for other in sources if other.cancels and other.of.said_at > source.of.said_at]
    stems = content_stem_ids(planned.clause) if later else set()
    return any(
        len(stems & other.stems) >= max(1, _CALLED_OFF * (len(other.stems) - 1)) for other in later
    )


def _without_duplicates(planned: Iterable[_Planned]) -> list[_Planned]:
    """Return the plans without duplicates; of plans with the same text and days the last stays."""
    plans: list[_Planned] = []
    for plan in planned:
        words = content_stem_ids(plan.text)
        alike = (words & content_stem_ids(other.text) for other in plans if other.days == plan.days)
        if not any(len(shared) > _DUPLICATE_SHARE * len(words) for shared in alike):
            plans.append(plan)
    return plans


# --- Days of a plan ------------------------------------------------------------------------------


def _days_in(
    planned: _Planned, marks: Marks, between: tuple[date, date], today: date
) -> Iterator[tuple[date, PlanMark | None]]:
    """Yield the days of a plan within `between`, each with its mark: days snoozed to or done, and
    the first day without a mark.
    """
    first, last = between
    marked = marks.get((planned.source.of.pk, planned.place), {})
    days = planned.day.days
    for day, mark in marked.items():
        fits = (day - days.first) % _WEEK == timedelta(0) if days.weekly else day == days.first
        ends = day if days.weekly else days.last
        within = first <= mark.until <= last if mark.until else day <= last and ends >= first
        if fits and within:
            yield day, mark
    # Unmarked past dates of a weekly plan are skipped.
    day_in = planned.day.within(max(first, today) if days.weekly else first, last)
    while day_in is not None and day_in in marked:
        day_in = planned.day.within(day_in + _WEEK, last) if days.weekly else None
    if day_in is not None:
        yield day_in, None


def _plan(planned: _Planned, day: date, mark: PlanMark | None) -> Plan:
    of, days = planned.source.of, planned.day.days
    put_off_to = mark.until if mark is not None else None
    on = replace(days, first=day, last=day) if days.weekly else days
    words = f"every {day:%A}" if days.weekly else days.in_words
    if put_off_to is not None:
        words = f"{replace(days, first=put_off_to, last=put_off_to).in_words}, put off from {words}"
    return Plan(
        first=put_off_to or on.first,
        last=put_off_to or on.last,
        day=words,
        text=planned.text,
        about=planned.about,
        id=of.pk,
        said_at=of.said_at,
        link=of.get_absolute_url(),
        conversation=None if isinstance(of, Memory) else visibility.place(of.conversation),
        key=uuid5(of.pk, f"{planned.place} {day}"),
        place=planned.place,
        planned_for=day,
        is_note=isinstance(of, Memory),
        weekly=days.weekly,
        snoozed=put_off_to is not None,
        done=mark is not None and mark.kind == PlanMark.Kind.DONE,
        changed_at=of.said_at if mark is None else mark.at,
        time=planned.time if on.first == on.last and put_off_to is None else None,
    )
