"""Whether an answer about what was said is right, wrong or silent, by its words and its days."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Verdict = Literal["right", "wrong", "silent"]
# A list is right from this share of its things on.
ENOUGH_OF_A_LIST = 0.5


@dataclass(frozen=True)
class JudgedQuestion:
    """A question, and what its answer must hold: any of the words, the day, or the number."""

    kind: str
    text: str
    items: tuple[str, ...] = ()
    days: tuple[date, date] | None = None
    number: int | None = None


@dataclass(frozen=True)
class Judgement:
    """How a question was answered: the verdict, and how many things the answer rests on."""

    kind: str
    verdict: Verdict
    sources: int
    share: float = 0.0


_SILENT = re.compile(
    r"^(?:I have no note about that|I cannot answer that|I do not know|I found nothing)"
)
_NUMBERS = dict(
    zip(
        "no never once twice one two three four five six seven eight nine ten".split(),
        [0, 0, 1, 2, *range(1, 11)],
        strict=True,
    )
)


def judge(asked: JudgedQuestion, text: str, sources: int) -> Judgement:
    """Hold an answer against the truth."""
    share = 0.0
    if asked.items:
        held = [_holds(text, item) for item in asked.items]
        share = sum(held) / len(held)
        enough = ENOUGH_OF_A_LIST if asked.kind == "list" else 1 / len(held)
        right = share >= enough
    elif asked.days is not None:
        right = _fits(told(text), asked.days)
    else:
        right = _first_number(text) == asked.number
    silent = _SILENT.match(text) is not None
    if silent and asked.number == 0:
        right = True
    verdict: Verdict = "right" if right else "silent" if silent else "wrong"
    return Judgement(asked.kind, verdict, sources, share)


def _holds(text: str, item: str) -> bool:
    """Whether every word of an item stands in the answer, in whatever number."""
    there = {_bare(word) for word in re.findall(r"[\w']+", text.lower())}
    wanted = [_bare(word) for word in re.findall(r"[\w']+", item.lower()) if word not in _SMALL]
    return bool(wanted) and all(word in there for word in wanted)


_SMALL = frozenset("a an the her his my their of to in and she he they i".split())


def _bare(word: str) -> str:
    return re.sub(r"(?:'s|s'|ies|es|s|ing|ed|y)$", "", word) if len(word) > 3 else word


def _first_number(text: str) -> int | None:
    words = "|".join(_NUMBERS)
    match = re.search(rf"\b(\d+|{words})\b", text.lower())
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else _NUMBERS[match[1]]


def _fits(days: tuple[date, date] | None, gold: tuple[date, date]) -> bool:
    """Whether an answer's days touch the true ones, and are told no more loosely."""
    if days is None:
        return False
    touch = days[0] <= gold[1] and gold[0] <= days[1]
    return touch and days[1] - days[0] <= gold[1] - gold[0]


_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_ANY_MONTH = rf"({'|'.join(_MONTHS)})"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def told(text: str) -> tuple[date, date] | None:
    """The first days that a text names in full: '7 May 2023', 'The week before 9 June 2023'."""
    plain = text.lower().replace(",", "")
    plain = re.sub(rf"{_ANY_MONTH} (\d{{1,2}}) ((?:19|20)\d\d)", r"\2 \1 \3", plain)
    day = rf"(\d{{1,2}}) {_ANY_MONTH} ((?:19|20)\d\d)"
    forms: tuple[tuple[str, Callable[[re.Match[str]], tuple[date, date]]], ...] = (
        (rf"(\d{{1,2}})(?: {_ANY_MONTH})? (?:to|and) {day}", _between),
        (rf"(two weekends|\w+) before {day}", _before),
        (rf"the week of {day}", lambda f: (_date(f, 1), _date(f, 1) + timedelta(6))),
        (day, lambda f: (_date(f, 1), _date(f, 1))),
        (rf"{_ANY_MONTH} ((?:19|20)\d\d)", _month),
        (r"\b((?:19|20)\d\d)\b", lambda f: (date(int(f[1]), 1, 1), date(int(f[1]), 12, 31))),
    )
    found = [
        (match.start(), position, read(match))
        for position, (form, read) in enumerate(forms)
        if (match := re.search(form, plain))
    ]
    return min(found)[2] if found else None


def _date(match: re.Match[str], first: int) -> date:
    year, month = int(match[first + 2]), _MONTHS.index(match[first + 1]) + 1
    return date(year, month, min(int(match[first]), monthrange(year, month)[1]))


def _between(match: re.Match[str]) -> tuple[date, date]:
    end = _date(match, 3)
    month = _MONTHS.index(match[2]) + 1 if match[2] else end.month
    year = end.year - (month > end.month)
    return date(year, month, int(match[1])), end


def _before(match: re.Match[str]) -> tuple[date, date]:
    """'The Sunday before 25 May 2023' is 21 May; a weekend has two days, a week seven."""
    end, unit = _date(match, 2), match[1]
    if unit in _WEEKDAYS:
        back = (end.weekday() - _WEEKDAYS.index(unit) - 1) % 7 + 1
        return end - timedelta(back), end - timedelta(back)
    if unit in ("weekend", "two weekends"):
        saturday = end - timedelta((end.weekday() - 5 - 1) % 7 + 1 + 7 * (unit != "weekend"))
        return saturday, saturday + timedelta(1)
    if unit == "day":
        return end - timedelta(1), end - timedelta(1)
    return end - timedelta(7), end - timedelta(1)


def _month(match: re.Match[str]) -> tuple[date, date]:
    year, month = int(match[2]), _MONTHS.index(match[1]) + 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])
