"""Reading start dates in text: "since 2019", "for three years", "moved in May".

A time is the start of a value only if it is in the same clause, with words for a beginning: "I live
in Leipzig and was in Paris in 2019" gives no start. The clock is not read.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.timezone import localtime

from memory.facts.day_precision import beginning_of_day
from memory.language.dates import asked_times, time_expressions
from memory.language.dates.time_expressions import Width
from memory.language.engine.sentences import sentence_around
from memory.language.lazy_pattern import compile_lazily
from memory.models import Precision

# A season has no precision of its own: it counts as a year that begins in its first month.
_OF_WIDTH = {
    # "Two weeks ago" and "last week" name no exact day.
    Width.WEEK: Precision.WEEK,
    Width.MONTH: Precision.MONTH,
    Width.SEASON: Precision.YEAR,
    Width.YEAR: Precision.YEAR,
}
_FINER = (Precision.YEAR, Precision.MONTH, Precision.WEEK, Precision.DAY)
# Where another clause begins, with its own subject, verb or time.
_ANOTHER_CLAUSE = compile_lazily(
    r"\s*[;:–—]\s*|,?\s+(?:and|but|so|while|whereas|because|although|though|when|where|which|who"
    r"|that|after|before|until|till|as)\s+(?=(?:also|now|then|just)?\s*(?:i|i'm|i've|i'd|we|we've"
    r"|we're|my|our|he|she|it|they|his|her|their|the|there|this|since|for|in|on|last|have|has|had"
    r"|am|is|are|was|were|been|do|did|went|got|took|met|saw|made|started|began|moved|joined|\w+ed"
    r"|works?|lives?|likes?|loves?)\b)|,?\s+(?:before|after) that\b|,\s+(?=(?:i|we|my|our|he|she"
    r"|it|they|his|her|their|where|which|who)\b)",
    re.IGNORECASE,
)
# A time in front of its clause: "Last summer, I moved"; this comma does not end the clause.
_FRONTED = compile_lazily(
    r"^\s*(?:(?:so|and|well|ok|okay),? )?(?:ever )?(?:since|in|on|last|this|from|as of|for|about"
    r"|around|early|late|\w+ \w+ ago)\b[^,]{0,30},\s+(?=(?:i|we)\b)",
    re.IGNORECASE,
)
# "From Monday to Friday" gives no start, "from Monday on" does.
_SINCE = (
    compile_lazily(r"\b(?:ever )?(?:since|as of|starting(?: in| on)?)\s+(?P<time>[\w ,.'-]{3,40})"),
    compile_lazily(r"\bfrom\s+(?P<time>[\w ,]{3,25}?)\s+(?:on|onwards?)\b"),
)
_ROUGHLY = compile_lazily(
    r"^(?:(?:about|around|roughly|approximately|at least|back in|sometime in|some time in|early|mid"
    r"|late|the (?:very )?(?:start|beginning|middle|end) of|in|on|the|this past|past)[ -]+)+"
)
_FOR = compile_lazily(
    r"\b(?:for|these|over)\s+(?:about |around |roughly |almost |nearly |over |more than |at least "
    r"|now |the (?:last|past) |some |exactly )*"
    r"(?P<count>\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fifteen|twenty|thirty|a couple of|a dozen) (?P<unit>day|week|month|year)s?\b(?! (?:ago|old))"
)
_HAS_LASTED = compile_lazily(r"\b(?:have|has|'ve|'s|ve) (?:\w+ ){0,3}?\w+|\b(?:am|'m|are|is|now)\b")
# Before the value; a plan ("I start there in May") is not a start.
_BEGAN = compile_lazily(
    r"\b(?:moved|relocated|settled|started|began|begun|joined|became|(?:'ve|have) become|turned"
    r"|took (?:me |us )?(?:up|on|over)|taken up|got|switched|changed|went|quit|adopted|bought"
    r"|married|wed|engaged|enrolled|signed (?:up|on)|hired|promoted|founded|opened|set up|picked up"
    r"|fell in love|discovered|gave up|stopped|left|transferred|retired)\b.*\0"
)
# After the value: "I work at Google, started in May".
_BEGAN_THERE = compile_lazily(r"\0.*\b(?:started|began|joined)\b")
_UNITS = {"year": 12, "month": 1}
_NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve".split(),
        range(1, 13),
        strict=True,
    )
) | {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "a couple of": 2, "a dozen": 12}


@dataclass(frozen=True)
class StartDate:
    """A start: first day of the stated time (middle day for a week), precision, and the words."""

    day: date
    exactly: Precision
    words: str

    @property
    def at(self) -> datetime:
        """Midnight at the start of `day`."""
        at = beginning_of_day(self.day)
        assert at is not None
        return at

    def is_better_than(self, day: date, exactly: str) -> bool:
        """Return whether this start is earlier or more precise than a known start."""
        known = Precision(exactly)
        if self.day < day:
            # "Since 2019" after "since March 2019" is the same start, less precise.
            return not self.holds(day)
        finer = _FINER.index(self.exactly) > _FINER.index(known)
        return finer and StartDate(day, known, "").holds(self.day)

    def holds(self, day: date) -> bool:
        """Return whether a day lies in the stated time."""
        if self.exactly == Precision.WEEK:
            return abs(day - self.day) <= timedelta(days=3)
        return self.day <= day <= self._last

    @property
    def _last(self) -> date:
        if self.exactly == Precision.MONTH:
            return (self.day.replace(day=1) + timedelta(31)).replace(day=1) - timedelta(1)
        if self.exactly == Precision.YEAR:
            # A season, which starts in a month other than January, lasts three months.
            ends = date(self.day.year, 12, 31)
            return ends if self.day.month == 1 else self.day + timedelta(91)
        return self.day


def precision_of(span: time_expressions.TimeSpan) -> Precision:
    """Return the precision of a time expression."""
    return _OF_WIDTH.get(span.width, Precision.DAY)


def read_start_date(text: str, start: int, end: int, said_at: datetime) -> StartDate | None:
    """Return the stated start of the value at `start` to `end` (characters), else None."""
    said_at = localtime(said_at)
    value_clause = clause(text, start, end)
    start_date = (
        _since(value_clause, said_at)
        or _lasted(value_clause, said_at.date())
        or _began(value_clause, said_at)
    )
    return start_date if start_date is not None and start_date.day <= said_at.date() else None


def start_date_of_words(words: str, said_at: datetime) -> StartDate | None:
    """Return the time named by the words after "since": "March", "last summer", "early 2019"."""
    plain = _ROUGHLY.sub("", words.strip().lower())
    for before in ("", "in ", "in the ", "on "):
        for span in time_expressions.find_stated_times(before + plain, localtime(said_at)):
            if (before + plain).startswith(span.words):
                return of_span(span, span.words.removeprefix(before))
    return None


# --- The clause of a value -----------------------------------------------------------------------


def clause(text: str, start: int, end: int) -> str:
    """Return the clause around a value in lower case, with a NUL in place of the value."""
    first, last = sentence_around(text, start, end)
    before = text[first:start].replace("’", "'")
    fronted = _FRONTED.match(before)
    index = fronted.end() if fronted else 0
    cuts = [
        match.end()
        for match in _ANOTHER_CLAUSE.finditer(before, index)
        if match.end() < len(before)
    ]
    if cuts:
        before = before[cuts[-1] :]
    behind = text[end:last].replace("’", "'")
    cut = _ANOTHER_CLAUSE.search(behind)
    return f"{before}\0{behind[: cut.start()] if cut else behind}".lower()


# --- Three ways to state a start -----------------------------------------------------------------


def _since(clause: str, said_at: datetime) -> StartDate | None:
    for pattern in _SINCE:
        for match in pattern.finditer(clause):
            start_date = start_date_of_words(match["time"], said_at)
            if start_date is not None:
                return start_date
    return None


def _lasted(clause: str, today: date) -> StartDate | None:
    """Read "I have lived here for three years"; "I lived there for three years" gives no start."""
    match = _FOR.search(clause)
    if match is None or not _HAS_LASTED.search(clause):
        return None
    count, unit = match["count"], match["unit"]
    number = int(count) if count.isdigit() else _NUMBERS[count]
    if unit == "day":
        return StartDate(today - timedelta(days=number), Precision.DAY, match[0])
    if unit == "week":
        return StartDate(today - timedelta(weeks=number), Precision.WEEK, match[0])
    year, month = divmod(today.year * 12 + today.month - 1 - number * _UNITS[unit], 12)
    if unit == "year":
        return StartDate(date(year, 1, 1), Precision.YEAR, match[0])
    return StartDate(date(year, month + 1, 1), Precision.MONTH, match[0])


def _began(clause: str, said_at: datetime) -> StartDate | None:
    """Read "I moved there last May": a verb of beginning and exactly one time in the clause."""
    if not _BEGAN.search(clause) and not _BEGAN_THERE.search(clause):
        return None
    spans = [
        span
        for span in time_expressions.find_stated_times(clause, said_at)
        if not asked_times.is_end_time(clause, span)
    ]
    return of_span(spans[0], spans[0].words) if len(spans) == 1 else None


def of_span(span: time_expressions.TimeSpan, words: str) -> StartDate:
    """Return a time expression as a start date."""
    words = time_expressions.capitalize_time_words(words)
    # For a week its middle day, which "two weeks ago" means.
    into = (span.last - span.first) // 2 if span.width is Width.WEEK else timedelta(0)
    return StartDate(span.first + into, precision_of(span), words[:80])
