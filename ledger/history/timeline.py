"""The values of each slot over time: periods, days of change, sentences.

Only `read` queries the database; the rest computes with days of the site's time zone. The first day
of a value counts, the day on which it ended does not.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.utils.timezone import localtime

from accounts.models import AuditEvent
from accounts.support import formatting
from ledger.models import Contradiction, Resolution
from memory.facts.validity import is_told_time
from memory.models import Precision, ProfileFact
from memory.slots import SLOTS, Slot

Status = ProfileFact.Status
_LASTED = (Status.CURRENT, Status.PAST)
_FACT = (
    "id slot many value status valid_from valid_to from_precision to_precision created_at "
    "updated_at replaces source_conversation source_message"
).split()
_ENTRY = "id slot old_fact new_fact status opened_at".split()
_ANSWER = "id contradiction method kept until since by_whom at reason".split()


@dataclass(frozen=True)
class History:
    """All facts and conflicts of a user, whatever their status."""

    facts: dict[UUID, ProfileFact]
    entries: dict[UUID, Contradiction]
    # The current resolution of each settled conflict, by the conflict's key.
    answers: dict[UUID, Resolution]
    # Why the software removed a fact, by the fact's key; '' if a user did.
    reasons: dict[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Span:
    """A value and the days on which it was true: from `first` to the day before `end`.

    If its start is unknown, `first` equals `end`, and it covers no day.
    """

    fact: ProfileFact
    first: date
    end: date | None
    begins_unknown: bool = False
    # Whether only the fact that it ended is known, not when.
    ends_unknown: bool = False
    # The last day, if the user stated that and not the day after.
    last: date | None = None

    @property
    def value(self) -> str:
        """Return the value."""
        return self.fact.value

    @property
    def is_current(self) -> bool:
        """Return whether the value is true now."""
        return self.end is None

    def words(self, today: date) -> str:
        """Return the period in words: 'since 2024', '2022 to 2024'."""
        if self.ends_unknown:
            return "some time ago"
        exactly, last = (self.fact.from_precision, self.fact.to_precision), self.last or self.end
        if self.begins_unknown and last is not None:
            return f"until {formatting.day_as_told(last, today, exactly[1])}"
        return period(self.first, last, today, exactly)

    def covers(self, day: date) -> bool:
        """Return whether the value was true at the end of a day."""
        return self.first <= day and (self.end is None or day < self.end)


@dataclass(frozen=True)
class Rival:
    """The challenger of a current value in an open conflict."""

    entry: Contradiction
    against: ProfileFact
    fact: ProfileFact

    @property
    def value(self) -> str:
        """Return the challenging value; in a contrary slot (likes, dislikes) with its verb."""
        if self.against.slot == self.fact.slot:
            return self.fact.value
        return formatting.lowered(self.fact.sentence)

    @property
    def since(self) -> date:
        """Return the day on which the conflict was opened."""
        return localtime(self.entry.opened_at).date()


@dataclass(frozen=True)
class SlotHistory:
    """The values of one slot, earliest first."""

    slot: Slot
    spans: list[Span]
    rivals: list[Rival]

    @property
    def label(self) -> str:
        """Return the slot's label; in the past tense if all its values have ended."""
        over = self.spans and not self.rivals and not any(span.is_current for span in self.spans)
        return self.slot.past_label if over else self.slot.label

    def on(self, day: date) -> list[Span]:
        """Return the values that were true on a day."""
        return [span for span in self.spans if span.covers(day)]

    def sentence(self, today: date) -> str:
        """Return e.g. 'Employer: Microsoft, 2022 to 2024; Google since 2024.'"""
        parts = [
            formatting.listed([span.value for span in alike])
            + f"{' ' if end is None else ', '}{when}"
            for (end, when), alike in groupby(
                self.spans, key=lambda span: (span.end, span.words(today))
            )
        ]
        parts += [f"not settled: {rival.value}" for rival in self.rivals]
        return f"{self.label}: {'; '.join(parts)}."


@dataclass(frozen=True)
class ChangesSince:
    """The differences between the profile on a day and today."""

    changed: int
    new: int
    open: int

    @property
    def words(self) -> str:
        """Return e.g. 'Since then: 4 facts changed, 2 are new, 1 is open.'"""
        parts = [
            _count(self.changed, "fact changed", "facts changed"),
            _count(self.new, "is new", "are new"),
            _count(self.open, "is open", "are open"),
        ]
        if not any((self.changed, self.new, self.open)):
            return "Nothing has changed since then."
        return f"Since then: {', '.join(part for part in parts if part)}."


def read(user_id: UUID) -> History:
    """Return the history of a user within `acting_as(user)`, in four queries."""
    facts = ProfileFact.objects.for_user(user_id).only(*_FACT)
    entries = Contradiction.objects.filter(user_id=user_id).only(*_ENTRY)
    answers = Resolution.objects.filter(user_id=user_id, undone_at__isnull=True).only(*_ANSWER)
    removals = AuditEvent.objects.for_user(user_id).filter(deed=AuditEvent.Action.REMOVED)
    return History(
        {fact.pk: fact for fact in facts.order_by("valid_from", "created_at")},
        {entry.pk: entry for entry in entries.order_by("opened_at")},
        {answer.contradiction_id: answer for answer in answers},
        {
            event.subject: event.why if event.by == AuditEvent.By.HOUSE else ""
            for event in removals.only("subject", "why", "by").order_by("at")
            if event.subject
        },
    )


def slot_histories(history: History) -> list[SlotHistory]:
    """Return the slots with values, in the order of the profile."""
    spans: dict[str, list[Span]] = defaultdict(list)
    # A rule settles with the day before the change, which the user did not state.
    last_days = {
        history.entries[answer.contradiction_id].old_fact_id: answer.until
        for answer in history.answers.values()
        if answer.by_whom != AuditEvent.By.RULE
    }
    for fact in history.facts.values():
        if fact.status in _LASTED:
            spans[fact.slot].append(span_of(fact, last_days.get(fact.pk)))
    for slot_spans in spans.values():
        slot_spans.sort(
            key=lambda span: (not span.ends_unknown, span.first, not span.begins_unknown)
        )
    rivals: dict[str, list[Rival]] = defaultdict(list)
    for entry in history.entries.values():
        if entry.is_open:
            against, fact = history.facts[entry.old_fact_id], history.facts[entry.new_fact_id]
            rivals[against.slot].append(Rival(entry, against, fact))
    return [
        SlotHistory(slot, spans[key], rivals[key])
        for key, slot in SLOTS.items()
        if key in spans or key in rivals
    ]


def days_of_change(histories: Iterable[SlotHistory]) -> list[date]:
    """Return the days on which a shown value started or ended, earliest first."""
    spans = [span for strand in histories for span in strand.spans if span.first != span.end]
    ends = {span.end for span in spans if span.end is not None}
    return sorted({span.first for span in spans} | ends)


def changes_since(histories: Sequence[SlotHistory], day: date, today: date) -> ChangesSince:
    """Return the differences between the values on a day and today."""
    changed = new = 0
    for strand in histories:
        then = {span.value for span in strand.on(day)}
        current = {span.value for span in strand.on(today)}
        ended, begun = len(then - current), len(current - then)
        replaced = 0 if strand.slot.many else min(ended, begun)
        changed += ended
        new += begun - replaced
    return ChangesSince(changed, new, sum(len(strand.rivals) for strand in histories))


def period(
    first: date, end: date | None, today: date, exactly: tuple[str, str] = ("day", "day")
) -> str:
    """Return 'since 2024', '2022 to 2024', 'March to May 2024', '4 to 9 November', '4 November'.

    `exactly` is the precision of start and end: 'since March', 'March to 4 May'.
    """
    begun = formatting.day_as_told(first, today, exactly[0])
    last = formatting.day_as_told(end or today, today, exactly[1])
    if end is None:
        begun = f"{first.year}" if first.year < today.year else begun
        return f"since {'today' if first == today and exactly[0] == 'day' else begun}"
    if first.year != end.year:
        return f"{first.year} to {end.year}"
    if first == end:
        return last
    if "year" in exactly:
        return f"{first.year}"
    if first.month == end.month:
        return (
            formatting.day_as_told(first, today, "month")
            if "month" in exactly
            else f"{first.day} to {last}"
        )
    return f"{f'{first:%B}' if exactly[0] == 'month' else f'{first.day} {first:%B}'} to {last}"


def span_of(fact: ProfileFact, until: date | None = None) -> Span:
    """Return the days of a fact; `until` is its last day, if a conflict was settled with one."""
    ended = fact.valid_to
    if ended is None:
        return Span(fact, _day(fact.valid_from), None)
    open_ended = fact.begins_unknown
    first = _day(ended if open_ended else fact.valid_from)
    end, unknown = _day(ended), open_ended and not is_told_time(ended)
    is_last = until == end - timedelta(1) and fact.to_precision == Precision.DAY
    return Span(fact, first, end, open_ended, unknown, until if is_last else None)


def _day(at: datetime) -> date:
    return localtime(at).date()


def _count(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}" if count else ""
