"""Whether two sentences give one thing of one person two days, times, prices or counts. Pure.

Only where both name the same thing and each gives one value of the kind: "the exam is on the 9th"
beside "my exam on the 12th". A sentence that says of itself that it moves or puts right the other
is a change, and no contradiction.
"""

import re
from collections.abc import Callable

from memory.language import amendments
from memory.language.dates import sentence_dates
from memory.language.text import terms

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?P<{}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH.format('month')}\b"
    rf"|\b{_MONTH.format('month_before')} (?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?\b"
    r"|\bthe (?P<day_alone>\d{1,2})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:at|from|by) (?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\b(?! ?(?:%|euro|pound|dollar))"
    r"|\b(?P<hour_alone>\d{1,2})[:.](?P<minute_alone>\d\d)\b"
    r"|\b(?P<hour_named>\d{1,2}) ?(?:am|pm|o'?clock)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"[£$€] ?(?P<amount>\d[\d,]*(?:\.\d\d)?)|\b(?P<amount_before>\d[\d,]*(?:\.\d\d)?) ?"
    r"(?:pounds|quid|euros?|dollars|bucks)\b",
    re.IGNORECASE,
)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_A_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_COUNT = re.compile(
    rf"\b(?:have|has|got|keep|own|'ve)\s+(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+"
    r"(?:(?:big|small|little|grown|lovely|old|young)\s+)?(?P<what>[a-z-]{3,})",
    re.IGNORECASE,
)
# A word behind an article, or before what is said of a thing.
_NOUN = re.compile(
    r"\b(?:my|our|the|an?|his|her|of|for) (?P<noun>[a-z-]+(?: [a-z-]+)?)"
    r"|(?P<noun_before>[a-z-]{3,})(?:'s| is| are| was| starts?| begins?| meets?| leaves?|"
    r" costs?| on| at) ",
    re.IGNORECASE,
)
# Words that say nothing of which thing it is.
_OF_ANYTHING = frozenset(
    """appointment booked meeting start starts starting begin begins moved date day time birthday
    party trip call get got going mark down until till today tomorrow week month year
    morning evening afternoon night euro euros pound pounds quid dollar dollars""".split()
)


def rival(new: str, old: str) -> bool:
    """Whether both tell of one thing and give it two values of one kind."""
    if not (_A_NUMBER.search(new) and _A_NUMBER.search(old)):
        return False
    if sentence_dates.is_rescheduling(new) or amendments.is_explicit_correction(new):
        return False
    if _counts(new, old):
        return True
    things = _things(new) & _things(old)
    return bool(things) and any(_differ(read(new), read(old)) for read in (_days, _times, _prices))


def _things(text: str) -> set[int]:
    """What a sentence speaks of: nouns, as far as the words around them tell."""
    named = (
        word
        for found in _NOUN.finditer(text)
        for word in terms.content_words(found["noun"] or found["noun_before"])
    )
    return {terms.stem_id(word) for word in named if word not in _OF_ANYTHING}


def _differ(new: set[tuple[int, ...]], old: set[tuple[int, ...]]) -> bool:
    """Whether each gives one value, and they are not the same, nor one a part of the other."""
    if len(new) != 1 or len(old) != 1:
        return False
    (one,), (other,) = new, old
    return any(a != b for a, b in zip(one, other, strict=True) if 0 not in (a, b))


def _read(
    pattern: re.Pattern[str], value: Callable[[re.Match[str]], tuple[int, ...]]
) -> Callable[[str], set[tuple[int, ...]]]:
    return lambda text: {value(found) for found in pattern.finditer(text)}


def _day(found: re.Match[str]) -> tuple[int, ...]:
    """The day and the month; 0 for a month that is not told."""
    month = found["month"] or found["month_before"]
    number = _MONTHS.index(month[:3].lower()) + 1 if month else 0
    return int(found["day"] or found["day_behind"] or found["day_alone"]), number


def _time(found: re.Match[str]) -> tuple[int, ...]:
    """Minutes from twelve, by a clock of twelve hours; one more, so that none is 0."""
    hour = int(found["hour"] or found["hour_alone"] or found["hour_named"])
    minute = int(found["minute"] or found["minute_alone"] or 0)
    return ((hour % 12) * 60 + minute + 1,)


def _price(found: re.Match[str]) -> tuple[int, ...]:
    """In hundredths."""
    return (round(float((found["amount"] or found["amount_before"]).replace(",", "")) * 100),)


_days, _times, _prices = _read(_DAY, _day), _read(_TIME, _time), _read(_PRICE, _price)


def _counts(new: str, old: str) -> bool:
    """Whether somebody has two different numbers of the same: "three hens", "five hens"."""
    told = [
        {terms.stem_id(found["what"].lower()): _as_number(found["count"]) for found in them}
        for them in (_COUNT.finditer(new), _COUNT.finditer(old))
    ]
    return any(told[0][what] != told[1][what] for what in told[0].keys() & told[1].keys())


def _as_number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.index(word.lower()) + 1
