"""The days that a sentence names, the planned days in a text, and days that are asked about.

The clock is not read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.language.classifiers.sentence_labels import label_probabilities
from memory.language.dates import tense
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.time_expressions import (
    IN_SENTENCES,
    RANGES,
    TIMES,
    WEEKDAYS_ALONE,
    TimeSpan,
    Width,
    find_times,
)
from memory.language.queries.query_intent import split_sentences

_A_WEEK = timedelta(7)
# From this probability on a question asks for a reminder.
_SURELY_A_WISH = 0.5
# Longer spans ("this year") do not name days.
_LONGEST = timedelta(45)
# A yearly date that passed less than this ago is over; otherwise the next one is meant.
_JUST_OVER = timedelta(60)
_MOVED = re.compile(
    r"\b(?:(?:re)?scheduled|moved|postponed|put (?:off|back)|pushed|bumped|delayed|shifted"
    r"|brought forward|changed|switched|re-?arranged|instead of|(?:is|are|it's) now)\b"
)
_NOT_THEN = re.compile(r"\b(?:instead of|rather than|not on|no longer on) (?:the )?$")
_MOVED_FROM = re.compile(rf"{_NOT_THEN.pattern}|\bfrom (?:the )?$")
_UNTIL = re.compile(r"\b(?:until|till?) (?:at least |about |around |the )*$")
# "I booked a table for 2 December", "we moved it to Friday".
_ARRANGED = re.compile(r"\b(?:for|until|till|to|by) (?:the |next )*$")
# "The bins usually go out on Monday"; "got a puppy on Saturday" is past, "got a meeting" is not.
_ANY_WEEK = re.compile(
    r"\b(?:every|each|usually|always|got (?:an?|my|our|the)|day (?:mornings|afternoons|evenings"
    r"|nights))\b|day (?:morning|afternoon|evening|night)s\b"
)


@dataclass(frozen=True)
class SentenceDates:
    """The days that a sentence names, from `first` to `last`.

    `exactly`: the words name exactly these days.
    """

    first: date
    last: date
    exactly: bool = True
    # An end: "until January" does not start anything.
    until: bool = False
    # Stated as first to last day, and not as a week or weekend.
    stretch: bool = False
    # A month without year that is over by then, or a weekday in a sentence without tense: "4 June"
    # may be any June, "chapel on Sunday" any Sunday.
    is_a_guess: bool = False
    # Repeats on the same weekday every week.
    weekly: bool = False

    @property
    def in_words(self) -> str:
        """The days in words: '7 May 2023', 'the weekend of 15 and 16 July 2023', '2022'."""
        return f"until {self._days}" if self.until else self._days

    @property
    def _days(self) -> str:
        first, last = self.first, self.last
        if first == last:
            return _day(first)
        same_month = f"{first:%B %Y}" == f"{last:%B %Y}"
        if first.day == 1 and (last + timedelta(1)).day == 1:
            if (first.month, last.month) == (1, 12) and first.year == last.year:
                return f"{first.year}"
            return f"{last:%B %Y}" if same_month else f"{first:%B %Y} to {last:%B %Y}"
        begun = f"{first.day}" if same_month else f"{first.day} {first:%B}"
        begun += "" if first.year == last.year else f" {first.year}"
        if last - first == timedelta(1) and not self.stretch:
            return f"the weekend of {begun} and {_day(last)}"
        return f"{'' if self.stretch else 'the week of '}{begun} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def read_sentence_dates(
    sentence: str, said_at: datetime, *, planned: bool = False
) -> SentenceDates | None:
    """Return the days that a sentence names, relative to the day of `said_at` in its time zone.

    None if it names no day or several different ones. `planned`: without tense, days are in the
    future.
    """
    today, text = said_at.date(), " ".join(sentence.lower().replace("’", "'").split())
    is_moved = _MOVED.search(text) is not None
    table = (*(() if is_moved else RANGES), *TIMES, *IN_SENTENCES)
    if planned or is_moved:
        table += WEEKDAYS_ALONE
    spans = _still_meant(text, find_times(table, text, today))
    spans = [span for span in spans if span.kind not in ("bare", "weekly")] or spans
    if any(span.kind == "date" and span.width is Width.DAY for span in spans):
        # "In three weeks, the 8th of April": the date is more precise.
        spans = [span for span in spans if span.kind == "date" or span.first <= today]
    ranges = [span for span in spans if span.kind == "range"]
    days = {span.first for span in spans if span.width is Width.DAY}
    if not spans or (len(days) > 1 and not ranges):
        return None
    span = min(ranges or spans, key=lambda span: span.last - span.first)
    clause = tense.clause_of(text, span.start, span.end, alone=span.repeats == "month")
    comes = _comes(text, clause, span, today, planned=planned)
    first, last = span.upcoming if comes and span.upcoming else (span.first, span.last)
    if span.repeats == "year":
        # A month without year is a guess, unless the coming one is nearer.
        guessed = last < today or (comes and today - span.last < first - today)
    else:
        any_week = span.kind in ("bare", "weekly") or _ANY_WEEK.search(text) is not None
        has_tense = tense.is_to_come(text) or tense.is_past(text)
        guessed = span.repeats != "" and not is_moved and (any_week or not has_tense)
    return SentenceDates(
        first,
        last,
        exactly=span.kind != "rough" and span.width is not Width.SEASON,
        until=not is_moved and _UNTIL.search(text[: span.named_at]) is not None,
        stretch=span.kind == "range",
        is_a_guess=guessed and span.kind != "range",
        weekly=span.kind == "weekly",
    )


def _still_meant(text: str, spans: Sequence[TimeSpan]) -> list[TimeSpan]:
    """Return the spans except replaced ones: Monday in "moved from Monday to Friday"."""
    moved = [match.end() for match in _MOVED.finditer(text)]
    over = _MOVED_FROM if moved else _NOT_THEN
    left = [span for span in spans if not over.search(text[: span.named_at])]
    return [span for span in left if moved and span.start >= moved[-1]] or left


def _comes(text: str, clause: str, span: TimeSpan, today: date, *, planned: bool) -> bool:
    """Return whether a span means the coming days that fit the words, not the latest.

    The tense of the clause decides; without tense a weekday is the coming one, a date the nearer
    one.
    """
    if span.upcoming is None or span.last >= today or span.words.startswith("since "):
        return False
    past = tense.is_past(clause)
    if span.width is Width.DAY and _ARRANGED.search(text[: span.named_at]):
        # "The party was moved to 3 November", said two weeks later, is past.
        return span.repeats != "year" or not past or today - span.first > _JUST_OVER
    if past or planned or tense.is_to_come(clause):
        return not past
    if span.repeats == "year" and span.kind != "range":
        return span.width is Width.DAY and span.upcoming[0] - today < today - span.first
    return span.width is Width.DAY or span.kind == "range"


# --- Planned days in a text ----------------------------------------------------------------------

_CLAUSE = re.compile(r"[,;]\s+(?:and |then )?|\s+(?:and|then|but)\s+")
# "Friday at 11. Oh wait, Saturday instead."
_TAKES_BACK = re.compile(
    r"\W*(?:(?:oh|ah|no|wait|sorry|actually|hang on|hold on|scratch that|correction|i mean)"
    r"(?:\s*[,.!:;-]+\s*|\s+(?=(?:no|wait|sorry|it'?s|make it|that'?s)\b)))+"
    r"|.*\binstead\b(?! of)",
    re.IGNORECASE,
)
_CANCELS = re.compile(
    r"\b(?<!not )(?<!n't )(?:cancell?ed|called off|off now)\b"
    r"|\b(?:is|are)(?:n't| not) happening\b|\bnot on any ?more\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever)\s+(?:been |being )?(?:cancel|called off)", re.IGNORECASE
)
# Requests for text, and statements that nothing is planned.
_NO_PLAN = re.compile(
    r"\W*(?:please )?(?:give|write|draft|plan|suggest|translate|tell|help|show|find)\b"
    r"|\W*i wonder\b|\W*(?:nothing|no plans?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PlannedDay:
    """A sentence and the days that it names, in the future when it was said."""

    sentence: str
    days: SentenceDates
    # The part of the sentence that names the days.
    clause: str = ""

    def within(self, first: date, last: date) -> date | None:
        """Return the earliest of its days from `first` to `last` (inclusive), else None."""
        begins = self.days.first
        if self.days.weekly and begins < first:
            begins += _A_WEEK * -((begins - first).days // _A_WEEK.days)
        ends = begins if self.days.weekly else self.days.last
        return begins if begins <= last and ends >= first else None


def find_planned_days(text: str, said_at: datetime) -> list[PlannedDay]:
    """Return the planned days that a text states, by sentence, or by clause if it names several.

    A sentence that corrects the one before it is returned together with it.
    """
    return _planned_in(split_sentences(text), said_at)


def _planned_in(sentences: Sequence[str], said_at: datetime) -> list[PlannedDay]:
    planned: list[tuple[int, PlannedDay]] = []
    for position, sentence in enumerate(sentences):
        if _NO_PLAN.match(sentence):
            continue
        days = _days_of(sentence, said_at)
        if days and sentence.endswith("?") and not _wishes_a_reminder(sentence):
            continue
        begins = position
        if days and position and _TAKES_BACK.match(sentence):
            begins = position - 1
            planned = [(index, day) for index, day in planned if index < begins]
        whole = " ".join(part.strip() for part in sentences[begins : position + 1])
        planned += [(position, PlannedDay(whole, dates, clause)) for dates, clause in days.items()]
    return [day for _, day in planned]


def _wishes_a_reminder(question: str) -> bool:
    """Return whether a question asks for a reminder: "Can you remind me to call on Thursday?"."""
    return label_probabilities("intent", question)["reminders"] >= _SURELY_A_WISH


def planned_until(sentences: Sequence[str], said_at: datetime) -> date | None:
    """Return the last planned day that the sentences name; None for no planned day.

    `date.max` for weekly days, or if a sentence calls something off. Sentences include their
    punctuation.
    """
    planned = _planned_in(sentences, said_at)
    if any(map(_calls_off, sentences)) or any(day.days.weekly for day in planned):
        return date.max
    return max((day.days.last for day in planned), default=None)


def cancels(text: str) -> bool:
    """Return whether a sentence of a text says that something is cancelled."""
    return any(map(_calls_off, split_sentences(text)))


def _calls_off(sentence: str) -> bool:
    denied = _DENIED.search(sentence) or sentence.rstrip().endswith("?")
    return bool(_CANCELS.search(sentence)) and not denied


def _days_of(sentence: str, said_at: datetime) -> dict[SentenceDates, str]:
    """Return the planned days that a sentence names, each with its clause."""
    whole = read_sentence_dates(sentence, said_at) is not None
    clauses = [sentence] if whole else _CLAUSE.split(sentence)
    return {days: part for part in clauses if (days := _ahead(part, said_at)) is not None}


def _ahead(clause: str, said_at: datetime) -> SentenceDates | None:
    """Return the days that a clause names if something may be planned for them, else None."""
    today = said_at.date()
    days = read_sentence_dates(clause, said_at, planned=True)
    if days is None or not days.exactly or days.last - days.first > _LONGEST or days.last < today:
        return None
    past = tense.is_past(clause.lower().replace("’", "'"))
    return None if past and (days.first <= today or days.is_a_guess) else days


def read_days_ahead(words: str, asked_at: datetime) -> tuple[date, date] | None:
    """Return the first and last coming day that words mean ("Friday", "in June", "until Friday").

    None if they name no day, or only past days.
    """
    words, today = " ".join(words.split()), asked_at.date()
    for before in ("", "from ", "on "):
        spans = find_asked_times(f"{before}{words}", asked_at, to_come=True)
        last = max((span.last for span in spans), default=date.min)
        if last >= today:
            return max(today, min(span.first for span in spans)), last
    return None
