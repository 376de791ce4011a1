"""Patterns about work that is told by what one does, or in passing: "I fix cars for a living".

Where a job or a firm names itself, it is read in :mod:`patterns.work.work`; kinds of workplaces
are read in :mod:`memory.language.patterns.work.workplaces`.
"""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, Pattern, pattern
from memory.language.values import jobs, normalization, pursuits, readers
from memory.language.values.readers import Found

# Verbs that name no trade: "work for a living", "what I do for a living".
_NO_DEED = (
    r"(?!(?:do|does|doing|work|working|be|am|have|having|get|getting|go|going|need|want|like|love|"
    r"enjoy|hate|use|try|live|living|know|think|say|guess|it|that|this|hustle|struggle|\w+ed)\b)"
)


def _in_ing(value: str) -> str:
    """ "Fix cars" as a trade is written: "fixing cars"."""
    first, *rest = value.split(" ")
    if not first.endswith("ing") or len(first) < 6:
        first = normalization.gerund(first)
    return " ".join([first, *rest])


def _trade(_match: re.Match[str], value: str) -> str:
    return _in_ing(value)


def _job_first(text: str, start: int, end: int) -> list[Found]:
    """The occupation that a stretch begins with, whatever it goes on with: "lawyer pays well"."""
    article = _ARTICLE.match(text, start, end)
    tokens = readers.words(text, article.end() if article else start, end)[:4]
    for most in range(len(tokens), 0, -1):
        value = text[tokens[0].start() : tokens[most - 1].end()]
        if jobs.is_job(value) and not set(value.lower().split()) & readers.STOP:
            return [Found(tokens[0].start(), tokens[most - 1].end(), value)]
    return []


_ARTICLE = re.compile(r"an?\s+", re.IGNORECASE)


# Trades that are named by what is done, and who does it.
_BY_DEED = {
    "nursing": "nurse", "teaching": "teacher", "accounting": "accountant", "acting": "actor",
    "cooking": "cook", "welding": "welder", "plumbing": "plumber", "farming": "farmer",
    "tutoring": "tutor", "bartending": "bartender", "waitressing": "waitress", "banking": "banker",
    "baking": "baker", "engineering": "engineer", "consulting": "consultant",
    "journalism": "journalist", "carpentry": "carpenter", "nannying": "nanny",
    "programming": "programmer", "editing": "editor", "lawyering": "lawyer",
    "translating": "translator", "photography": "photographer", "policing": "police officer",
}  # fmt: skip
_CHANGE = (
    r"(?:switched|moved|went|gone|changed|transitioned|retrained|shifted)\s+"
    r"(?:over\s+|jobs\s+|careers?\s+)?from\s+"
)
_DEED_TO_DEED = re.compile(
    rf"{_CHANGE}(?P<old>[a-z]+)\s+(?:in)?to\s+(?P<new>[a-z]+)\b"
    r"(?!\s+(?:as\s+a\s+hobby|at\s+home|for\s+fun|\w+ing\b))",
    re.IGNORECASE,
)


def _between_deeds(match: re.Match[str]) -> bool:
    """Whether the words from the match on lead from one trade to another."""
    found = _DEED_TO_DEED.match(match.string, match.start())
    return bool(found and {found["old"].lower(), found["new"].lower()} <= _BY_DEED.keys())


def _who_does_it(_match: re.Match[str], value: str) -> str:
    return _BY_DEED[value.lower()]


_ONE_DEED = readers.choice(rf"(?:{'|'.join(_BY_DEED)})\b")
# "Previously a chef, now a baker".
_NOW_ANOTHER = re.compile(
    r"[^.?!]{2,40}?\b(?P<now>now|today|these\s+days)\s+(?:i'?m\s+)?(?:an?\s+)?\w", re.IGNORECASE
)
_WAS_ONE = re.compile(
    r"(?:^|[.?!\n]|\bi(?:'m|\s+am|\s+was)?)\W*(?:(?:i|was|once|an?|i'm)\s+)*"
    r"(?:previously|formerly|former|ex|once|used\s+to\s+be|was)\b[^.?!]{2,50}$",
    re.IGNORECASE,
)


def _job_before_now(text: str, start: int, end: int) -> list[Found]:
    """The "chef" of "previously a chef, now a baker"."""
    now = _NOW_ANOTHER.match(text, start)
    return _job_first(text, start, now.start("now")) if now else []


def _was_another(match: re.Match[str]) -> bool:
    """Whether the sentence began with what the person was before."""
    return bool(_WAS_ONE.search(match.string, max(0, match.start() - 80), match.start()))


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "job_title.after_name",
        "be",
        r"(?-i:(?=[A-Z]))[^\W\d_]+(?:\s(?-i:[A-Z])[^\W\d_]+)?\s*,\s+(?=an?\s)",
        _job_first,
        modes="now",
        confidence=0.85,
    ),
    pattern(
        "job_title.deed_to_deed",
        "verb",
        rf"{_CHANGE}[a-z]+\s+(?:in)?to\s+",
        _ONE_DEED,
        kind="transition",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_between_deeds,
        shape=_who_does_it,
    ),
    pattern(
        "job_title.from_deed",
        "verb",
        _CHANGE,
        _ONE_DEED,
        kind="past",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_between_deeds,
        shape=_who_does_it,
    ),
    pattern(
        "job_title.before_now",
        "open",
        r"(?:(?:previously|formerly|once|used\s+to\s+be)\s+(?=an?\s)|former\s+|ex[- ])",
        _job_before_now,
        kind="past",
    ),
    pattern(
        "job_title.now_another",
        "any",
        r"\b(?:now|today|these\s+days)\s+(?:i'?m\s+)?(?:an?\s+)?(?=[a-z])",
        jobs.job,
        kind="transition",
        confidence=0.85,
        check=_was_another,
    ),
    pattern(
        "job_title.my_job_is_to",
        "my",
        r"my\s+(?:day\s+|main\s+|current\s+)?job\s+is\s+(?:just\s+|mostly\s+|basically\s+)?to\s+"
        rf"{_NO_DEED}",
        pursuits.doing,
        trust=IMPLIED,
        confidence=0.75,
        shape=_trade,
    ),
)
