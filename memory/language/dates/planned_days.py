"""What a text says of days to come, and which days a question about them means. Pure."""

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memory.language.dates import year_inference
from memory.language.dates.calendar_expressions import NUMBER_WORD, NUMBERS
from memory.language.dates.sentence_dates import SentenceDates, read_sentence_dates
from memory.language.queries.query_intent import split_sentences
from memory.language.queries.speech_acts import is_question_in_full

_CLAUSE = re.compile(r"[,;]\s+(?:and |then )?|\s+(?:and|then|but)\s+")
# Of a weekday that may be any week's the next one is meant, or is one of them.
_A_WEEK = timedelta(7)
# What lasts longer names no days: "this year".
_LONGEST = timedelta(45)
_COMING = re.compile(
    rf"\b(?:next|coming|following) (?:(\d{{1,2}}|{NUMBER_WORD})(?: of)? )?(day|week|month)s\b"
    r"|\brest of (?:the|this) (week|month)\b",
    re.IGNORECASE,
)
# "This Friday" is the next one.
_THIS = re.compile(
    r"\bthis (?=(?:mon|tues?|weds?|wednes|thurs?|fri|satur|sun)(?:day)?\b)", re.IGNORECASE
)
_WEEKDAY = re.compile(
    r"\b(?<!last )((?:mon|tues|wednes|thurs|fri|satur|sun)days?|tues?|weds?|thurs?|fri)\b",
    re.IGNORECASE,
)
_WEEKEND = re.compile(r"\b(?:at|on|over) the weekend\b", re.IGNORECASE)


@dataclass(frozen=True)
class PlannedDay:
    """A sentence and the days that it names, which lay ahead when it was said."""

    sentence: str
    days: SentenceDates


def find_planned_days(text: str, said_at: datetime) -> list[PlannedDay]:
    """What a text states of days that were to come when it was said, sentence by sentence; where a
    sentence names several, clause by clause. Days are reckoned in the time zone of `said_at`.
    """
    found: list[PlannedDay] = []
    for sentence in split_sentences(text):
        if is_question_in_full(sentence):
            continue
        read = read_sentence_dates(sentence, said_at)
        clauses = [sentence] if read else _CLAUSE.split(sentence)
        days = [_ahead(one, said_at) for one in clauses]
        found += [PlannedDay(sentence.strip(), one) for one in dict.fromkeys(days) if one]
    return found


def _ahead(clause: str, said_at: datetime) -> SentenceDates | None:
    """The days that a clause names, where it may be that something is planned for them."""
    days, today = read_sentence_dates(clause, said_at) or _weekday(clause, said_at), said_at.date()
    if days is None or not days.exactly or days.last - days.first > _LONGEST:
        return None
    if days.first <= today and year_inference.is_past(clause.lower().replace("’", "'")):
        return None
    too_late = days.is_a_guess and days.first - today > _A_WEEK
    return None if days.last < today or too_late else days


def _weekday(clause: str, said_at: datetime) -> SentenceDates | None:
    """The next such weekday, where a clause names one and no more: "dentist Friday 9am"."""
    named = {found[1][:3].lower() for found in _WEEKDAY.finditer(clause)}
    if len(named) != 1:
        return None
    weekday = next(name for name in calendar.day_name if name[:3].lower() in named)
    days = read_sentence_dates(f"on {weekday}", said_at)
    if days is None:
        return None
    # Said of a weekday in neither tense, it is read as the one before.
    shift = _A_WEEK if days.last < said_at.date() else timedelta(0)
    return replace(days, first=days.first + shift, last=days.last + shift, is_a_guess=True)


def read_days_ahead(words: str, asked_at: datetime) -> tuple[date, date] | None:
    """The first and the last of the days to come that some words mean ("Friday", "in June", "the
    next two weeks"); None where they name none, or only days that are over.
    """
    today = asked_at.date()
    words = _THIS.sub("", _WEEKEND.sub("this weekend", words))
    if coming := _COMING.search(words):
        return today, _end_of(coming, today)
    # The tense decides which Friday or June it is.
    told = (read_sentence_dates(f"it will be {said}{words}", asked_at) for said in ("", "on "))
    days = next((one for one in told if one is not None and one.last >= today), None)
    return None if days is None else (max(days.first, today), days.last)


def _end_of(coming: re.Match[str], today: date) -> date:
    """The last of "the next two weeks", or of "the rest of the month"."""
    count, unit, rest = coming.groups()
    if rest == "week":
        return today + timedelta(6 - today.weekday())
    if rest == "month":
        return _last_of_month(today)
    many = int(count) if (count or "").isdecimal() else NUMBERS.get((count or "few").lower(), 1)
    return today + timedelta(many * {"day": 1, "week": 7, "month": 30}[unit.lower()])


def _last_of_month(today: date) -> date:
    """The last day of a month."""
    return (today.replace(day=1) + timedelta(31)).replace(day=1) - timedelta(1)
