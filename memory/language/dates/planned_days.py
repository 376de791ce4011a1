"""What a text says of days to come, and which days a question about them means. Pure."""

import calendar
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memory.language.dates import year_inference
from memory.language.dates.calendar_expressions import NUMBER_WORD, NUMBERS, end_of_month
from memory.language.dates.sentence_dates import (
    SentenceDates,
    coming_weekday,
    read_sentence_dates,
)
from memory.language.queries.query_intent import split_sentences

_CLAUSE = re.compile(r"[,;]\s+(?:and |then )?|\s+(?:and|then|but)\s+")
# Of a weekday that may be any week's the next one is meant, or is one of them.
_A_WEEK = timedelta(7)
# What lasts longer names no days: "this year".
_LONGEST = timedelta(45)
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
_EACH = re.compile(
    r"\b(?:every|each)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:on\s+)(?:mon|tues|wednes|thurs|fri|satur|sun)days\b",
    re.IGNORECASE,
)
# What only wants something written, or says that nothing is planned.
_NO_PLAN = re.compile(
    r"\W*(?:please )?(?:give|write|draft|plan|suggest|translate|tell|help|show|find)\b"
    r"|\W*i wonder\b|\W*(?:nothing|no plans?)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"\b(?<!last )((?:mon|tues|wednes|thurs|fri|satur|sun)days?|tues?|weds?|thurs?|fri)\b",
    re.IGNORECASE,
)
_COMING = re.compile(
    rf"\b(?:next|coming|following) (?:(\d{{1,2}}|{NUMBER_WORD})(?: of)? )?(day|week|month)s\b"
    r"|\b(?:next|coming|following) (fortnight)\b"
    r"|\brest of (?:the|this) (week|month)\b",
    re.IGNORECASE,
)
_WEEKEND = re.compile(
    r"(?<!this )(?<!next )\b(?:(?:at|on|over|for|during) )?(?:the )?(?<!this )(?<!next )weekend\b",
    re.IGNORECASE,
)
# "This Friday" is the next one.
_THIS = re.compile(
    r"\bthis (?=(?:mon|tues?|weds?|wednes|thurs?|fri|satur|sun)(?:day)?\b)", re.IGNORECASE
)
# What names a day, or calls off what is planned for one, has one of these.
_MAY_NAME_A_DAY = re.compile(
    r"[0-9]|days?\b|tom+orr?ow|tmrw?\b|2mor|tonight|weekend|weeks?\b|months?\b|fortnight"
    r"|\b(?:mon|tues?|weds?|thurs?|fri|sat|sun)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)\b|cancel|called off|off now|happening|any ?more",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|or)\s+|\s*&\s*", re.IGNORECASE)
_UNTIL = re.compile(r"\W*(?:until|till|up to|before|by) ", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d")


@dataclass(frozen=True)
class PlannedDay:
    """A sentence and the days that it names, which lay ahead when it was said; `weekly`: and the
    same weekday of each week from then on.
    """

    sentence: str
    days: SentenceDates
    weekly: bool = False
    # The part of the sentence that names them.
    clause: str = ""

    def within(self, first: date, last: date) -> date | None:
        """The first of its days from one day to another, both included; None where none is."""
        begins = self.days.first
        if self.weekly and begins < first:
            begins += _A_WEEK * -((begins - first).days // _A_WEEK.days)
        ends = begins if self.weekly else self.days.last
        return begins if begins <= last and ends >= first else None


def find_planned_days(text: str, said_at: datetime) -> list[PlannedDay]:
    """What a text states of days that were to come when it was said, sentence by sentence; where a
    sentence names several, clause by clause. What the next sentence takes back is told with that
    one. Days are reckoned in the time zone of `said_at`.
    """
    return _planned_in(split_sentences(text), said_at)


def _planned_in(sentences: Sequence[str], said_at: datetime) -> list[PlannedDay]:
    found: list[tuple[int, PlannedDay]] = []
    for position, sentence in enumerate(sentences):
        if sentence.endswith("?") or _NO_PLAN.match(sentence):
            continue
        days = _days_of(sentence, said_at)
        begins = position
        if days and position and _TAKES_BACK.match(sentence):
            begins = position - 1
            found = [(index, day) for index, day in found if index < begins]
        told = " ".join(one.strip() for one in sentences[begins : position + 1])
        weekly = _EACH.search(sentence) is not None
        found += [
            (position, PlannedDay(told, dates, weekly and dates.is_a_guess, clause))
            for dates, clause in days.items()
        ]
    return [day for _, day in found]


def planned_until(sentences: Sequence[str], said_at: datetime) -> date | None:
    """The last of the days to come that the sentences of a text name, each with its mark;
    `date.max` for what is each week or calls something off, None for what names no day to come.
    """
    if not any(map(_MAY_NAME_A_DAY.search, sentences)):
        return None
    planned = _planned_in(sentences, said_at)
    if any(map(_calls_off, sentences)) or any(day.weekly for day in planned):
        return date.max
    return max((day.days.last for day in planned), default=None)


def cancels(text: str) -> bool:
    """Whether a sentence of a text says that something is off."""
    return any(map(_calls_off, split_sentences(text)))


def _calls_off(sentence: str) -> bool:
    denied = _DENIED.search(sentence) or sentence.rstrip().endswith("?")
    return bool(_CANCELS.search(sentence)) and not denied


def _days_of(sentence: str, said_at: datetime) -> dict[SentenceDates, str]:
    """The days that a sentence names, each with the part of it that does."""
    whole = read_sentence_dates(sentence, said_at) is not None
    clauses = [sentence] if whole else _CLAUSE.split(sentence)
    return {days: part for part in clauses if (days := _ahead(part, said_at)) is not None}


def _ahead(clause: str, said_at: datetime) -> SentenceDates | None:
    """The days that a clause names, where it may be that something is planned for them."""
    today = said_at.date()
    days = read_sentence_dates(clause, said_at) or _weekday(clause, today)
    if days is None or not days.exactly or days.last - days.first > _LONGEST:
        return None
    past = year_inference.is_past(clause.lower().replace("’", "'"))
    if past and (days.first <= today or days.is_a_guess):
        return None
    if days.last < today and days.is_a_guess:
        # A month without its year, which would lie behind: the next one is planned for.
        days = _a_year_on(days)
    any_week = days.is_a_guess and not re.search(r"\d", clause) and days.first == days.last
    too_late = any_week and days.first - today > _A_WEEK
    return None if days.last < today or too_late else days


def _a_year_on(days: SentenceDates) -> SentenceDates:
    first, last = days.first, days.last
    with suppress(ValueError):
        return replace(
            days,
            first=first.replace(year=first.year + 1),
            last=last.replace(year=last.year + 1),
        )
    return days


def _weekday(clause: str, today: date) -> SentenceDates | None:
    """The next such weekday, where a clause names one and no more: "dentist Friday 9am"."""
    named = {match[1][:3].lower() for match in _WEEKDAY.finditer(clause)}
    if len(named) != 1:
        return None
    day = coming_weekday(
        next(name.lower() for name in calendar.day_name if name[:3].lower() in named), today
    )
    return SentenceDates(day, day, is_a_guess=True)


def read_days_ahead(words: str, asked_at: datetime) -> tuple[date, date] | None:
    """The first and the last of the days to come that some words mean ("Friday", "in June", "the
    next two weeks", "until Friday"); None where they name none, or only days that are over.
    """
    words, today = " ".join(words.split()), asked_at.date()
    if _ISO.match(words):
        return _iso_days(words, today)
    parts = _AND.split(words)
    several = [read_days_ahead(one, asked_at) for one in parts] if len(parts) > 1 else []
    known = [one for one in several if one is not None]
    if known and len(known) == len(several):
        return min(first for first, _ in known), max(last for _, last in known)
    words = _THIS.sub("", _WEEKEND.sub("this weekend", words))
    if coming := _COMING.search(words):
        return today, _end_of(coming, today)
    until = _UNTIL.match(words)
    words = words[until.end() :] if until else words
    # The tense decides which Friday or June it is.
    readings = (
        read_sentence_dates(f"it will be {preposition}{words}", asked_at)
        for preposition in ("", "on ")
    )
    days = next((dates for dates in readings if dates is not None and dates.last >= today), None)
    if days is None:
        return None
    return today if until else max(days.first, today), days.last


def _iso_days(words: str, today: date) -> tuple[date, date] | None:
    """Of "2026-12-10", or "2026-12-10 to 2026-12-16"."""
    first, _, last = words.partition(" to ")
    with suppress(ValueError):
        days = date.fromisoformat(first.strip()), date.fromisoformat((last or first).strip())
        return days if today <= days[1] and days[0] <= days[1] else None
    return None


def _end_of(coming: re.Match[str], today: date) -> date:
    """The last of "the next two weeks", or of "the rest of the month"."""
    count, unit, fortnight, rest = coming.groups()
    if fortnight:
        return today + 2 * _A_WEEK
    if rest == "week":
        return today + timedelta(6 - today.weekday())
    if rest == "month":
        return end_of_month(today)
    many = int(count) if (count or "").isdecimal() else NUMBERS.get((count or "few").lower(), 1)
    return today + timedelta(many * {"day": 1, "week": 7, "month": 30}[unit.lower()])
