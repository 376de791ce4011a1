"""Whose schooling is told, whether it is so now, and how it is written down.

The ways of telling it are in :mod:`memory.language.patterns.work.school`.
"""

from __future__ import annotations

import re

from memory.language.lexicons import lexicon
from memory.language.values import lists, pursuits
from memory.language.values.readers import Found

_SCHOOL = lists.short(4, "of", "in")


def named_school(text: str, start: int, end: int) -> list[Found]:
    """What follows "go to school at"; a mere region ("in Kentucky") is no school."""
    found = _SCHOOL(text, start, end)
    no_school = lexicon.PLACES | lexicon.MONTHS.keys()
    return [one for one in found if one.value.lower() not in no_school]


def mine(match: re.Match[str]) -> bool:
    """Whether nobody else is named before a school that is mentioned in passing."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 50) : match.start()])[-1]
    if re.fullmatch(r"since\s+", match[0], re.IGNORECASE):
        return False  # "no date since high school" tells when, not where one learns
    return not re.search(
        r"\b(?:sweet ?hearts?|trip|he|she|they|you|who|son|daughter|kids?|children|brother|"
        r"sister|mom|mother|dad|"
        r"father|wife|"
        r"husband|teacher|taught|want|wish|friend|girlfriend|boyfriend|cousin|"
        r"niece|nephew|"
        r"never|parents)\b",
        before,
        re.IGNORECASE,
    )


def my_schooling(match: re.Match[str]) -> bool:
    """Whether a school is the person's own: a first person before it, and nobody else."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 70) : match.start()])[-1]
    own = re.search(r"\b(?:i|my|me|we)\b|^[^.?!]{0,12}$", before, re.IGNORECASE)
    left = _LEFT_IT.search(match.string, max(0, match.start() - 30), match.end())
    return mine(match) and bool(own) and not (left or _NO_SCHOOL.search(before))


_NO_SCHOOL = re.compile(
    r"\b(?:work\w*|teach\w*|job|play\w*|game|watch\w*|live|professor|employed|move\w*|fan|concert|"
    r"visit\w*|if|like|love|root\w*|coach|appl(?:y|ied|ying|ications?)|reject\w*|turned\s+down|"
    r"wait-?listed|denied|interview\w*|tour(?:ed|ing)?)\b"
    r"|(?:\bnot|n't|\bdidnt|\bwasnt|\bnever|\bnearly|\balmost)\s+(?:\w+\s+)?(?:accepted|admitted|get|got)\b",
    re.IGNORECASE,
)


# "From UCLA to Berkeley": the first of the two was left.
CHANGED_SCHOOL = (
    r"(?:transferred|switched|moved|changed(?:\s+(?:schools?|colleges?|universit(?:y|ies)|unis?))?|"
    r"went)\s+(?:over\s+)?from\s+"
)
_TO_ANOTHER = re.compile(
    rf"{CHANGED_SCHOOL}(?:the\s+)?(?P<old>[^,.;]{{2,40}}?)\s+to\s+(?=\w)", re.IGNORECASE
)


def to_another(match: re.Match[str]) -> bool:
    """Whether the words from the match on lead from one school to another."""
    text = match.string
    told = _TO_ANOTHER.match(text, match.start())
    return bool(
        told
        and _is_school(pursuits.school(text, told.start("old"), told.end("old")))
        and _is_school(pursuits.school(text, told.end(), told.end() + 60))
    )


def _is_school(found: list[Found]) -> bool:
    """Whether a name ends as a school's does: not "Yale sweatshirts"."""
    words = found[0].value.lower().split() if found else []
    return bool(words) and (words[-1] in _SCHOOL_WORDS or "of" in words)


_SCHOOL_WORDS = pursuits.UNIVERSITIES | lexicon.word_set(
    "university college school institute academy state"
)


_LEFT_IT = re.compile(rf"{CHANGED_SCHOOL}$", re.IGNORECASE)


_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_FROM_A_SCHOOL = re.compile(r"\b(?:from|at|out of)\s", re.IGNORECASE)


def graduated(match: re.Match[str], value: str) -> str:
    """ "graduated from usc": the school alone would read as one that is attended now."""
    if not _FROM_A_SCHOOL.search(match[0]) or "graduated" not in match[0].lower():
        return value
    article = _ARTICLE_BEFORE.search(match[0])
    return f"graduated from {article[0] if article else ''}{value}"


_KIND_OF_DEGREE = re.compile(
    r"\b(?P<degree>degree|masters?|master's|bachelors?|bachelor's|ba|bs|phd|mba|doctorate|"
    r"diploma)s?\s+(?:degree\s+)?(?:is\s+|was\s+)?in\s+(?:an?\s+|the\s+)?$",
    re.IGNORECASE,
)


def degree_in(match: re.Match[str], value: str) -> str:
    """ "masters in botany": with the subject goes how far somebody got."""
    degree = _KIND_OF_DEGREE.search(match[0])
    return f"{degree['degree']} in {value}" if degree else value


def left(_match: re.Match[str], value: str) -> str:
    """ "Dropped out of college": what was left is told with it."""
    return f"dropped out of {value}" if value else "dropped out"


# Who saves for college or is ready for it does not attend it yet.
_SAVED_FOR = re.compile(
    r"\b(?:(?:sav(?:e|es|ed|ing)|pay(?:s|ing)?|money|apply(?:ing)?|prepar(?:e|ed|ing)|fund)\s+"
    r"(?:\w+\s+){0,3}?|(?:ready|excited|old enough|hope|hoping|waiting|too \w+)\s+)for\b",
    re.IGNORECASE,
)
# "I teach in high school", "I will be in law school", "before I dropped out".
_NO_LEARNING = re.compile(r"\b(?:work\w*|teach\w*|will be|gonna be|going to be)\s+$", re.IGNORECASE)
_GONE_FROM = re.compile(r"[^.?!]{0,30}\bdropped out\b", re.IGNORECASE)


def learns_there(match: re.Match[str]) -> bool:
    """Whether a school that is mentioned in passing is one the person goes or went to."""
    text, at = match.string, max(0, match.start() - 30)
    elsewhere = _SAVED_FOR.search(text, at, match.end()) or _NO_LEARNING.search(
        text, at, match.start()
    )
    return mine(match) and not elsewhere and not _GONE_FROM.match(text, match.end())


WAS = re.compile(
    r"\b(?:was|were|had|used to|did|went|back in|remember|since|after|when i|graduated|ago|"
    r"finished|if|will|next|soon|going to|going|before)\b",
    re.IGNORECASE,
)


def sentence(match: re.Match[str]) -> str:
    """The sentence a match stands in, as far as it is near."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.end()])[-1]
    return before + re.split(r"[.?!]", match.string[match.end() : match.end() + 60])[0]
