"""Patterns about where somebody works, when no name of a firm announces itself.

"I work at Google" is read in :mod:`patterns.work.work`; here stand the many ways of naming a kind
of place or a place that is mentioned in passing: "the diner I work at", "my shift at the bank".
"""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, next_word, pattern
from memory.language.lexicons import lexicon
from memory.language.patterns.work import departments
from memory.language.values import readers

_WORKING = (
    r"(?:work(?:ing|ed)?|employed|intern(?:ing)?|volunteer(?:ing)?|clerk|cashier|"
    r"(?:wait(?:ing)?|bus(?:sing)?)"
    r"\s+tables|serve|serving|perform|edit|write|programming|model|coach|teach(?:ing)?|help out|"
    r"cook|cooking|"
    r"bartend(?:ing)?|slaving away|nurse|job|shift|career|position|internship|office job|acting|"
    r"act|drive|"
    r"week|day|hours|tech|accountant|guard|consultant|analyst|editor|assistant)"
)
_FORCES = (
    r"(?:the\s+)?(?:(?:u ?\.? ?s ?\.?|us|american|canadian|british|national|army|marine|united "
    r"states|"
    r"royal|israeli)\s+)*(?:army|navy|military|air force|marines|marine corps|coast guard|"
    r"reserves|"
    r"national guard|armed forces|peace corps)"
)
_FIELD = (
    r"(?:fast food|retail|construction|pharmaceuticals?|customer service|security|real estate|"
    r"health ?care|"
    r"hospitality|landscaping|it|sales|marketing|finance|insurance|advertising|accounting|"
    r"food service)"
)
_NOT_MINE = re.compile(
    r"\b(?:he|she|they|you|who|wife|husband|mom|mother|dad|father|brother|sister|friend|"
    r"boyfriend|girlfriend|"
    r"son|daughter|parents|uncle|aunt|cousin|used to|use to|want(?:ed)?|wish|hope|would|plan|"
    r"going to|"
    r"looking|trying|never|left|quit|lost|been fired|will|"
    r""
    r"apply|applied|interview|thinking)\b",
    re.IGNORECASE,
)


def _mine(match: re.Match[str]) -> bool:
    """Whether the person speaks about their own work, now."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 45) : match.start()])[-1]
    after = match.string[match.end() : match.end() + 40]
    return (
        not _NOT_MINE.search(before)
        and not _GIVEN_UP_JOB.search(before)
        and not _NO_MORE.match(after)
    )


# "I no longer volunteer at", "my last job was at a".
_GIVEN_UP_JOB = re.compile(
    r"\b(?:no longer|don'?t|do not|never|stopped|quit|last|former|previous|ex|old|first)[ -]"
    r"(?:\w+\s+)?$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"[^.?!,]{0,25}\bany ?(?:more|longer)\b", re.IGNORECASE)


def _mine_said(match: re.Match[str]) -> bool:
    """The same, with a first person in the words before."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.end()])[-1]
    own = _SELF.search(before) or (
        len(before.split()) < 5 and _BOTH.match(match.string, match.end())
    )
    return _mine(match) and bool(own)


_SELF = re.compile(r"\b(?:i|my|me)\b", re.IGNORECASE)
# "Between work at the bank and the kids, I am tired."
_BOTH = re.compile(
    r"[^.?!]{3,40}\band\b[^.?!]{2,25}?\bi(?:'m| am| have| never|'ve)\b", re.IGNORECASE
)


_FOR_PLEASURE = re.compile(
    r"\b(?:enjoy|love|like|hobb\w+|fun)\s+(?:act|perform|writ|cook|model|cod|programming)\w*\s",
    re.IGNORECASE,
)


def _is_work_of_mine(match: re.Match[str]) -> bool:
    """The same of a place, which is none of work where one only likes to act or to cook."""
    at = max(0, match.start() - 15)
    fond = _FOR_PLEASURE.search(match.string, at, match.end())
    unpaid = "volunteer and" in match.string[at : match.end()]
    others = _CHILDREN.search(match.string, 0, match.start())
    return _mine_said(match) and not (fond or unpaid or others) and departments.is_no_part(match)


_CHILDREN = re.compile(r"\b(?:kids|children|sons|daughters|brothers|sisters)\s+$", re.IGNORECASE)


def _no_mere_place(match: re.Match[str]) -> bool:
    """Whether what stands before "where I work" is more than a town: "from Oslo where I work"."""
    named = readers.before_relative(match.string, match.end(), match.end() + 60)
    if _WORK_WITH.match(match.string, match.end()):
        return any(readers.is_workplace(item.value) for item in named)
    bare = match[0].lower().split() in (["in"], ["from"])
    return not bare or any(readers.is_workplace(item.value) for item in named)


# "The guy I work with" is no firm.
_WORK_WITH = re.compile(r"[\w'& -]{2,60}?\swork\s+(?:\w+\s+)?with\b", re.IGNORECASE)


def _not_an_errand(match: re.Match[str]) -> bool:
    """Whether somebody comes home from a workplace, not from an errand or a bed there."""
    errand = match[0].lower().startswith(("home", "back")) and re.match(
        r"(?:\w+\s+)?(?:store|shop|hospital|clinic|restaurant|bank|salon|farm)\b",
        match.string[match.end() :],
    )
    return _mine(match) and not errand


_OVER = re.compile(r"\b(?:was|were|ago|used|when|years|retired|after)\b", re.IGNORECASE)


# A part of a firm that somebody runs.
_PART = r"(?:the|an?|our|my)\s+(?:[\w'-]+\s+){0,3}?(?:department|division)\b"
_WORK_IN = re.compile(r"work in\s+$", re.IGNORECASE)


_OWN_HOME = re.compile(
    r"(?:an?|my|our|the)\s+(?:own\s+|new\s+|nice\s+|big\s+|small\s+)*(?:\w+\s+)?"
    r"(?:(?<!nursing )(?<!funeral )(?<!retirement )(?<!group )home|ward|channel|website)\b",
    re.IGNORECASE,
)


def _is_no_part(match: re.Match[str]) -> bool:
    """Whether it is a place of work of its own, and not the department that one runs there."""
    if _OWN_HOME.match(match.string, match.end()):
        return False
    part = re.compile(_PART, re.IGNORECASE).match(match.string, match.end())
    told = _WORK_IN.search(match[0]) and departments.is_no_part(match)
    return part is None or bool(told)


_OWNING = re.compile(r"\b(?:own|opened|started|founder of|owner of|have|got)\s", re.IGNORECASE)


def _owned(match: re.Match[str], value: str) -> str:
    """ "My own company" is more than "company": who has it works for nobody else."""
    after = match.string[match.end() : match.end() + 8].lower()
    owned = _OWNING.search(match[0]) or re.match(r"(?:my|our) own\b", after)
    return f"own {value}" if owned and " " not in value else value


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "employer.work_place",
        "given",
        rf"\b{_WORKING}\s+(?!out\b)(?:(?!and\s+i\b|but\b|i\b|stay)[\w-]+\s+){{0,3}}?"
        r"(?:at|for|in|inside|from|with)\s+(?=(?:the|an?|my|our|this)\s)",
        readers.workplace_kind,
        trust=IMPLIED,
        confidence=0.8,
        check=_is_work_of_mine,
    ),
    pattern(
        "employer.off_work",
        "given",
        r"\b(?:off|home|back|break|busy|at|from|off of)\s+(?:of\s+|from\s+)?(?:work|my shift|my "
        r"job|the job)?\s*"
        r"(?:at|from|in|for)\s+(?=(?:the|an?|my)\s|[a-z])",
        readers.workplace_kind,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: (
            bool(re.search(r"\b(?:work|shift|job)\b", m[0], re.IGNORECASE)) and _mine(m)
        ),
    ),
    pattern(
        "employer.after_the_day",
        "given",
        r"\b(?:(?:long|busy|hard|rough|tough|double|night|day|late|crazy|slow|full|tiring|whole)\s+"
        r"(?:day|week|shift|night|hours?)(?:\s+of\s+work)?\s+(?:at|in)|(?:home|back|off|"
        r"break)\s+from)\s+the\s+"
        r"(?=(?:\w+\s+)?(?:factory|office|plant|mill|mine|warehouse|firm|station|lab|bakery|"
        r"diner|army|navy|"
        r"military|restaurant|store|shop|hospital|clinic|farm|bank|studio|salon)\b)",
        readers.workplace_kind,
        trust=WEAK,
        confidence=0.65,
        check=_not_an_errand,
    ),
    pattern(
        "employer.at_my",
        "given",
        r"\b(?:at|for|in)\s+(?:my|our)\s+(?=(?:\w+\s+)?(?:hospital|restaurant|store|shop|bank|"
        r"firm|clinic|salon|"
        r"bakery|factory|company|agency|diner|warehouse|mcdonalds?|office)\b)",
        readers.workplace_kind,
        trust=WEAK,
        confidence=0.65,
        check=_mine,
    ),
    pattern(
        "employer.forces_in_passing",
        "given",
        rf"\b(?:in|with|for|join(?:ed)?)\s+(?=the\s+)(?={_FORCES}\b)",
        readers.choice(_FORCES),
        trust=WEAK,
        confidence=0.65,
        check=lambda m: (
            _mine_said(m) and not _OVER.search(m.string[max(0, m.start() - 30) : m.end() + 20])
        ),
    ),
    pattern(
        "employer.where_i_work",
        "given",
        r"\b(?:the|an?|my|in|at|to|for|inside|from)\s+(?=[\w'& -]{2,30}?\s(?:(?:that|where|"
        r"which)\s+)?(?:i|we)\s+"
        r"(?:(?:currently|also|now|actually)\s+)?(?:work|am employed)\b)"
        r"(?:the\s+|an?\s+|my\s+)?(?!job\b|place\b|company i\b|people\b|one\b|"
        r"where\b|when\b|i\b|days?\b|hours?\b|that\b|work\b|time\b|reason\b|way\b)",
        readers.before_relative,
        trust=IMPLIED,
        confidence=0.8,
        check=_no_mere_place,
    ),
    pattern(
        "employer.forces",
        "be verb",
        rf"(?:(?:serve|serving|work|working|enlisted|deployed|stationed|soldier|joined|been|a "
        rf"\w+)\s+)*(?:in|for|with|by)?\s*"
        rf"(?=(?:the|u|us|american|canadian)\b)(?={_FORCES}\b)",
        readers.choice(_FORCES),
        modes="now",
        confidence=0.85,
        trust=IMPLIED,
    ),
    pattern(
        "employer.my_job_is_in",
        "my",
        r"my\s+(?:(?:part|full)[ -]time\s+|day\s+|current\s+|new\s+|main\s+|first\s+|second\s+|"
        r"night\s+|office\s+|real\s+|regular\s+)*(?:job|career|work|position|internship)"
        r"\s+(?:is\s+)?(?:at|in|"
        r"for|with)\s+"
        r"(?:the\s+|an?\s+|my\s+)?(?!life\b|mind\b|that\b|now\b|general\b|order\b|this\b)",
        readers.any_org,
        confidence=0.85,
    ),
    pattern(
        "employer.my_work",
        "given",
        r"\b(?:my|have an?|this|got an?)\s+(?=(?:[\w-]+\s+)?(?:marketing|accounting|sales|"
        r"nursing|teaching|barista|retail|"
        r"office|factory|"
        r"warehouse|restaurant|bartending|construction|engineering|waitress|bank|salesman|desk|"
        r"cashier|"
        r"fast food|it|tech|law|finance|security|software|construction|lab)\s+(?:job|career|"
        r"work|shift|position)\b)",
        readers.before_job,
        trust=IMPLIED,
        confidence=0.75,
        slot="job_title",
        check=_mine,
    ),
    pattern(
        "employer.work_field",
        "verb be",
        rf"work(?:ing)?\s+(?:in\s+(?:the\s+)?)?(?={_FIELD}\b)",
        readers.choice(_FIELD),
        modes="now",
        confidence=0.8,
        slot="industry",
    ),
    pattern(
        "employer.field",
        "verb be",
        r"(?:work(?:ing)?\s+)?(?:\w+\s+|"
        r"with\s+(?:\w+\s+){1,5})?in\s+(?:the\s+)?(?=[\w -]{2,30}?\s(?:field|industry|"
        r"business|sector)\b)",
        readers.before_field,
        modes="now",
        confidence=0.8,
        slot="industry",
    ),
    pattern(
        "employer.runs",
        "verb be",
        r"(?:(?:help\s+(?:to\s+)?)?(?:run|manage)|own|(?:have|got)(?=\s+my\s+own)|operate|opened|running|managing|"
        r"started|president of|owner of|ceo "
        r"of|head of|"
        r"(?:an?|the)\s+(?:president|owner|manager|ceo|director|founder|head)\s+of|work in)\s+"
        r"(?=(?:an?|my|our|the)\s)",
        readers.workplace_kind,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_is_no_part,
        shape=_owned,
    ),
    pattern(
        "employer.own_called",
        "verb be",
        r"(?:run|own|have|started|founded|opened|manage|operate|co-?founded|launched|running|"
        r"founder of|owner of|the\s+(?:owner|founder)\s+of)\s+"
        r"(?:my|our|an?)\s+(?:own\s+)?(?:[\w-]+\s+){0,2}?"
        r"(?:company|business|firm|start-?up|studio|agency|consultancy|bakery|restaurant|cafe|salon|"
        r"practice|label|brewery|shop|store)"
        r"(?:\s*[,:]\s*|\s+)(?:(?:it's\s+)?(?:called|named)\s+)?(?-i:(?=[A-Z]))"
        r"(?!(?:i|we|and|but|so|it|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)",
        readers.organisation,
        modes="now",
        confidence=0.85,
        check=lambda m: "," not in m[0] or next_word(m) not in lexicon.GIVEN_NAMES,
    ),
    pattern(
        "employer.runs_a_part",
        "verb be",
        r"(?:run|manage|lead|head|running|managing|leading|(?:the\s+)?(?:head|manager) of)\s+"
        rf"{_PART}\s+(?:at|for|of)\s+",
        readers.organisation,
        modes="now",
        trust=IMPLIED,
        confidence=0.85,
    ),
)
