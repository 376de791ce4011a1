"""Patterns about working life as a whole: what somebody wants to become, and whether they work."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.values import jobs, readers

_SO = (
    r"(?:(?:really|just|also|always|still|do|am|have|do really|currently|only|someday|one day|"
    r"eventually|actually)\s+)*"
)
_WISH = (
    r"(?:want|(?<=always )wanted|wish|hope|hoping|hopes|plan|planning|aspire|aspiring|dream|"
    r"dreaming|would like|would love|'d like|'d love|"
    r"d like|d love|intend|would rather|aim|strive|trying|try|looking|ca not wait|can't wait|"
    r"can not wait|cannot wait|cant wait|"
    r"can t wait|about|able|going)"
)
_BECOME = (
    r"(?:to\s+)?(?:(?:someday|one day|eventually|maybe|also|just)\s+)*(?:be(?:come|ing)?|"
    r"becoming|work as|get a job as|grow up (?:and|to) be)\s+"
    r"(?:(?:an?|the|and)\s+)?(?!able\b|more\b|like\b|in\b|with\b|on\b|at\b|free\b|there\b|one\b|"
    r"my\b|your\b|his\b|better\b|good\b|happy\b|part\b)"
)
_STUDY = (
    r"(?:study(?:ing)?|train(?:ed|ing)?|in school|in college|going to school|went to school|go "
    r"to school|taking classes|"
    r"going to college|go to college|going to \w+ school|working|practicing|school)"
)


def _is_learning(match: re.Match[str]) -> bool:
    """Whether somebody learns a trade now; who "was trained to be a welder" has learnt it."""
    before = _sentence_before(match)
    if match[0].lower().startswith("trained") and not before.rstrip().lower().endswith("being"):
        return False
    return bool(re.search(r"\bi\b|\bmy\b|^[^.?!]{0,12}$", before, re.IGNORECASE))


_WORK_THERE = re.compile(
    r"\bwork(?:ing)?\s+(?P<how>(?:for|at|in|from)\s+(?:the\s+)?)$", re.IGNORECASE
)


def _working_there(match: re.Match[str], value: str) -> str:
    """ "Working for the zoo": the zoo alone is no goal."""
    work = _WORK_THERE.search(match[0])
    return f"working {work['how'].lower()}{value}" if work else value


# "I always wanted to be a pilot" may be over; "I have always wanted to" is not.
_WANTED = re.compile(r"i\s+always\s+wanted\b", re.IGNORECASE)

GOALS: tuple[Pattern, ...] = (
    pattern(
        "career_goal.want",
        "open",
        rf"(?:i\s*|i'm\s+|i m\s+)?{_SO}{_WISH}\s+(?:to\s+|of\s+|on\s+)*{_BECOME}",
        jobs.hoped_job,
        confidence=0.9,
        kind="statement",
        check=lambda m: not re.search(r"\b(?:about|able)\b", m[0]) and not _WANTED.match(m[0]),
    ),
    pattern(
        "career_goal.hoping",
        "given",
        rf"\b(?:hoping|aspiring|planning|dreaming|dream|hope|ambition|school|excited|wait|will)"
        rf"\s+(?:one day\s+)?(?:to\s+|of\s+)*{_BECOME}",
        jobs.hoped_job,
        trust=IMPLIED,
        kind="statement",
        confidence=0.75,
        check=lambda m: (
            not re.search(
                r"\b(?:he|she|you|they|son|daughter|brother|sister|kids?|friend|wife|husband)\b",
                _sentence_before(m),
                re.IGNORECASE,
            )
        ),
    ),
    pattern(
        "career_goal.when",
        "given",
        r"\bwhen\s+i\s+(?:am|become|grow up to be)\s+(?:an?\s+)?(?:famous\s+|rich\s+)?",
        jobs.hoped_job,
        trust=WEAK,
        kind="statement",
        confidence=0.7,
    ),
    pattern(
        "career_goal.want_later",
        "given",
        rf"(?:\bi|\band|\bnow|\bbut)\s+{_SO}{_WISH}\s+(?:to\s+|of\s+|"
        rf"on\s+)*(?:[\w -]{{1,30}}?\s(?:and|to)\s+)?{_BECOME}",
        jobs.hoped_job,
        trust=IMPLIED,
        kind="statement",
        confidence=0.8,
        check=lambda m: not re.search(r"\b(?:about|able|going|when i was|she|he|you)\b", m[0]),
    ),
    pattern(
        "career_goal.study",
        "given",
        rf"\b{_STUDY}\s+(?:to|for)\s+(?:be(?:come|ing)?)\s+(?:an?\s+)?",
        jobs.hoped_job,
        kind="statement",
        confidence=0.9,
        check=_is_learning,
    ),
    pattern(
        "career_goal.my_dream",
        "given",
        r"\b(?:my|an?|this|ultimate)\s+(?:[\w-]+\s+){0,2}?(?:dream(?:\s+job)?|goal|ambition|"
        r"plan|aspiration)s?(?:\s+in life)?\s+"
        r"(?:(?:is|was|of|has always been|has been|s)\s+)?(?:always\s+|being\s+|"
        r"of\s+)*(?:to\s+)?(?:be(?:come|ing)?\s+|becoming\s+)?(?:an?\s+)?",
        jobs.hoped_job,
        kind="statement",
        confidence=0.85,
        trust=IMPLIED,
    ),
    pattern(
        "career_goal.will_be",
        "open",
        r"(?:i\s*(?:'ll|will|am going to|'m going to|'m gonna|am gonna|ll)|(?:one day|someday|"
        r"soon)\s*,?\s*i\s*(?:'ll|will|am going to|ll))\s+"
        r"(?:(?:one day|someday|soon|eventually|also|probably|definitely)\s+)*(?:be(?:come)?|"
        r"be\s+working\s+as)\s+an?\s+(?:famous\s+|great\s+)?",
        jobs.job,
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "career_goal.wish_i_were",
        "given",
        r"\bi\s+(?:always\s+|really\s+|often\s+)?wish(?:ed)?\s+(?:that\s+)?i\s+(?:was|were|could\s+"
        r"(?:be(?:come)?|work\s+as))\s+an?\s+(?:famous\s+|professional\s+|real\s+|rich\s+)?",
        jobs.hoped_job,
        kind="statement",
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "career_goal.work_for",
        "given",
        r"\b(?:always wanted to|looking to|trying to|dream is to|goal is to|dream of|would "
        r"rather|hoping to)\s+"
        r"(?:get into|break into|work(?:ing)?\s+(?:for|at|in|from))\s+(?:the\s+)?",
        readers.any_org,
        kind="statement",
        trust=WEAK,
        confidence=0.75,
        shape=_working_there,
    ),
)


def _sentence_before(match: re.Match[str]) -> str:
    return re.split(r"[.?!]", match.string[max(0, match.start() - 80) : match.start()])[-1]


_STATUS = (
    r"(?:semi[- ])?(?:retired|unemployed|jobless|on disability|between jobs|in between jobs|"
    r"out of (?:work|a job)|"
    r"a (?:stay(?:ing)?[- ]at[- ]home|sahm|sah) ?\w*|a (?:house|home)(?:wife|husband|maker)|a "
    r"homemaker|"
    r"an? full[- ]time (?:mom|mother|mum|dad|parent)|on (?:maternity|paternity|parental|sick) "
    r"leave|a freelancer|a volunteer|"
    r"self[- ]employed|on unemployment|looking for (?:a (?:new )?job|work)|job hunting|on a "
    r"(?:sabbatical|gap year))\b"
)

STATUS: tuple[Pattern, ...] = (
    pattern(
        "employment_status.am",
        "be verb",
        r"(?:(?:been|now|currently|recently|just|fully|happily|actually|also|old and|still|on|"
        r"newly)\s+)*",
        readers.choice(_STATUS),
        modes="now",
        confidence=0.9,
        check=lambda m: (
            not re.match(
                r"(?:retired|unemployed) (?:from|my|the|and want)\b",
                m.string[m.end() :],
                re.IGNORECASE,
            )
        ),
    ),
    pattern(
        "employment_status.being",
        "given",
        r"\b(?:being|now that i am|since i am|because i am|as i am|and|i am on|after i)"
        r"\s+(?:on\s+)?(?:currently\s+|now\s+)?",
        readers.choice(r"(?:retired|unemployed|disability)\b"),
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: bool(re.search(r"being|i (?:am|$)|and|after", m[0])),
    ),
    pattern(
        "employment_status.disability",
        "given",
        r"\b(?:not work|unable to work|on|live off|collect)\s+(?:due to\s+|because "
        r"of\s+)?(?:my\s+|a\s+)?",
        readers.choice(r"disability\b"),
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, _v: "on disability",
    ),
)

PATTERNS: tuple[Pattern, ...] = (*GOALS, *STATUS)
