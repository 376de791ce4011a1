"""Patterns about who somebody is: names, pronouns, age, birthday."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, Pattern, pattern
from memory.language.lexicons import lexicon
from memory.language.values import jobs, readers

_IS = r"(?:\s+is|'s|\s+s|:)\s+(?:actually\s+|now\s+|currently\s+|still\s+|probably\s+|just\s+)?"
_PRONOUNS = (
    r"(?:she|he|they|it|ze|xe)\s?/\s?(?:her|him|them|its|zir|xem|they|she|he)"
    r"(?:\s?/\s?(?:hers|his|theirs|they|she|he|them))?"
)


_GREETS = re.compile(r"\W*(?:(?:hi|hello|hey|good \w+)\b(?: there| again)?\W*)?")


def _introduces(match: re.Match[str]) -> bool:
    """Whether "it's X" opens a sentence, or goes on about a name: else it may be of a town."""
    start = max(0, match.start() - 80)
    before = re.split(r"[.?!]", match.string[start : match.start()])[-1].lower()
    return bool(_GREETS.fullmatch(before) or re.search(r"\b(?:names?|called)\b", before))


_A_NAME_BEFORE = re.compile(
    r"\b(?:call(?:ing|s)?\s+me|(?:name|named)(?:\s+is|'s)?|i'?m|i\s+am)\s+"
    r"(?P<name>[^\W\d_]{2,20})(?:\s*[,.;]|\s+(?:but|and))[^.?!]{0,25}$",
    re.IGNORECASE,
)


def prefers_a_name(match: re.Match[str]) -> bool:
    """Whether "prefer" is followed by a name: "Don't call me Nick, I prefer Nicky".

    After "call me" any name will do, after one's own a known one or one that begins like it.
    """
    before = _A_NAME_BEFORE.search(match.string, max(0, match.start() - 70), match.start())
    found = readers.person(match.string, match.end(), match.end() + 40) if before else []
    if not before or not found or not found[0].value[0].isupper():
        return False
    called, name = "call" in before[0].lower(), found[0].value.lower()
    known = name in lexicon.GIVEN_NAMES - lexicon.WORD_NAMES - lexicon.FIGURES
    return called or known or name[:2] == before["name"][:2].lower()


_OF_MINE = re.compile(
    r"\b(?:i'?m|i\s+am|my\s+name(?:\s+is|'s)|name'?s|this\s+is|pronouns)\s+[\w' ]{1,30}\W*$",
    re.IGNORECASE,
)


def _own_pronouns(match: re.Match[str]) -> bool:
    """Whether "she/her" stands alone as a person says it of themselves: "she/her here"."""
    if _HERE.match(match.string, match.start()):
        return True
    return bool(_OF_MINE.search(match.string, max(0, match.start() - 50), match.start()))


_HERE = re.compile(rf"{_PRONOUNS}\s+(?:here|please)\b", re.IGNORECASE)


NAMES: tuple[Pattern, ...] = (
    pattern(
        "name.my_name_is",
        "my",
        rf"my\s+(?:(?:full|first|real|given|legal|official|new|married|proper)\s+)*name{_IS}",
        readers.person,
        confidence=0.95,
    ),
    pattern(
        "name.my_name_is_not",
        "my",
        r"my\s+(?:full |first |real )?name(?:\s+is not|\s+isn't|'?s not|"
        r"\s+is no longer|'?s no longer)\s+",
        readers.person,
        kind="denial",
    ),
    pattern(
        "name.my_name_was",
        "my",
        r"my\s+name\s+(?:was|used to be)\s+",
        readers.person,
        kind="past",
    ),
    pattern(
        "name.changed",
        "verb",
        r"changed\s+my\s+name\s+(?:from\s+\w+\s+)?to\s+",
        readers.person,
        kind="transition",
        modes="now",
    ),
    pattern(
        "name.named_me",
        "my",
        r"my\s+(?:parents|mom|mother|dad)\s+named\s+me\s+",
        readers.person,
    ),
    pattern(
        "name.name_s",
        "open",
        r"(?:(?:the|my)\s+)?name(?:'?s|\s+is)\s+(?:is\s+)?",
        readers.person,
    ),
    pattern("name.i_am", "be", r"(?=\w)", readers.bare_person, confidence=0.85),
    pattern(
        "name.this_is",
        "open",
        r"(?:this is|it is|it's)\s+(?=\w+\s*$|\w+\s+(?:here|from|"
        r"again))",
        readers.bare_person,
        trust=IMPLIED,
        confidence=0.7,
        check=_introduces,
    ),
    pattern(
        "preferred_name.call_me",
        "open",
        r"(?:(?:so|and|but|also|please|just|you can|you may|you should|feel free to|"
        r"(?:can|could|would|will) you(?: please)?|i want you to|i'd like you to|"
        r"i would like you to|i prefer (?:that )?you)\s+)*(?:call|address)\s+me\s+(?:as\s+)?"
        r"(?:just\s+)?",
        readers.called,
        confidence=0.95,
    ),
    pattern(
        "preferred_name.not_call_me",
        "open",
        r"(?:please\s+)?(?:don't|do not|stop|never)\s+call(?:ing)?\s+me\s+",
        readers.person,
        kind="denial",
    ),
    pattern(
        "preferred_name.others_call_me",
        "open",
        r"(?:everyone|everybody|people|(?:my|all my|most of my)?\s?(?:friends|colleagues)|"
        r"most people|they|folks)"
        r"\s+(?:just\s+|usually\s+|all\s+)?calls?\s+me\s+",
        readers.called,
    ),
    pattern(
        "preferred_name.go_by",
        "verb",
        r"(?:go\s+by|answer\s+to|prefer\s+to\s+be\s+called|"
        r"like\s+to\s+be\s+called)"
        r"\s+(?:the\s+name\s+)?(?:of\s+)?",
        readers.called,
    ),
    pattern(
        "preferred_name.prefers",
        "verb",
        r"(?:much\s+)?prefer\s+(?:just\s+)?(?-i:(?=[A-Z]))",
        readers.person,
        modes="now",
        check=prefers_a_name,
    ),
    pattern(
        "preferred_name.wish",
        "open",
        r"i(?:'d| would)?\s+(?:like|prefer|want|love|rather)\s+(?:to\s+)?be\s+called\s+",
        readers.called,
    ),
    pattern("preferred_name.called", "be", r"(?:called|known as)\s+", readers.called),
    pattern(
        "preferred_name.nickname",
        "my",
        rf"my\s+(?:nick\s?name|preferred name){_IS}",
        readers.called,
    ),
    pattern(
        "pronouns.my",
        "my",
        r"my\s+(?:preferred\s+)?pronouns(?:\s+are|:|\s+is)\s+",
        readers.choice(_PRONOUNS),
    ),
    pattern("pronouns.am", "be", r"(?:a\s+)?(?=\w+\s?/)", readers.choice(_PRONOUNS)),
    pattern(
        "pronouns.here",
        "open",
        rf"(?={_PRONOUNS}(?:\s+(?:here|please|pronouns)\b|\s*$|\s*[).,!]))",
        readers.choice(_PRONOUNS),
        confidence=0.85,
        trust=IMPLIED,
        check=_own_pronouns,
    ),
    pattern("pronouns.open", "open", r"pronouns(?:\s+are|:)\s+", readers.choice(_PRONOUNS)),
    pattern(
        "pronouns.use",
        "verb",
        r"(?:use|go\s+by|prefer)\s+(?:the\s+pronouns\s+)?",
        readers.choice(_PRONOUNS),
    ),
)


def _speaks_as_one(match: re.Match[str]) -> bool:
    """Whether "like a 25 year old" is said by one: "acts like a 5 year old" is not."""
    if match[0].lower().startswith("like"):
        return bool(re.match(r"[\d\w -]{5,20}\blike me\b", match.string[match.end() :]))
    after = re.split(r"[.?!]", match.string[match.end() :])[0]
    return bool(re.search(r"\b(?:i|my|me)\b", after, re.IGNORECASE)) and not re.search(
        r"\b(?:was|were|had|used|would)\b", after, re.IGNORECASE
    )


_MY_DAY = r"my\s+(?:birthday|bday|b-day|birth\s?date)"

AGES: tuple[Pattern, ...] = (
    pattern("age.i_am", "be", r"(?:only\s+|almost\s+)?(?=\w)", jobs.age, modes="now"),
    pattern(
        "age.after_name",
        "any",
        r"\b(?:i'?m|i am|name(?:'?s| is)|this is)\s+[^\W\d_]+\s*,\s*(?=\d\d\b)",
        jobs.age,
        confidence=0.8,
        trust=IMPLIED,
    ),
    pattern(
        "age.years_old_person",
        "be",
        r"(?:just\s+|only\s+)?an?\s+(?:\w+\s+)?(?=\d\d[ -]+years?[ -]+old\b)",
        jobs.age,
        modes="now",
    ),
    pattern(
        "age.as_one",
        "given",
        r"\b(?:as|like|being)\s+an?\s+(?=\d\d[ -]+years?[ -]+old\b)",
        jobs.age,
        trust=IMPLIED,
        confidence=0.75,
        check=_speaks_as_one,
    ),
    pattern(
        "age.person_here",
        "open",
        r"(?=\d\d[ -]+years?[ -]+old\s+(?:[\w-]+\s+){0,2}?(?:here|from)\b)",
        jobs.age,
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "age.at_it",
        "open",
        r"at (?:age\s+|the\s+age\s+of\s+)?(?=\d\d\s*,?\s+i\s+(?:am|still|take|have|can|feel|do)\b)",
        jobs.plain_age,
        trust=IMPLIED,
        confidence=0.7,
    ),
    pattern("age.my_age", "my", rf"my\s+age{_IS}", jobs.age),
    pattern(
        "age.turned",
        "verb",
        r"(?:turned|hit)\s+(?:the big\s+)?",
        jobs.age,
        kind="transition",
        modes="now",
    ),
    pattern(
        "birthday.my",
        "my",
        rf"my\s+(?:birthday|bday|b-day|date of birth|"
        rf"birth\s?date){_IS}(?:always\s+)?(?:on\s+)?",
        jobs.date,
    ),
    pattern("birthday.my_month", "my", rf"{_MY_DAY}{_IS}in\s+", jobs.month, confidence=0.8),
    pattern(
        "birthday.is_not",
        "my",
        rf"{_MY_DAY}\s*(?:isn'?t|is\s+not|'s\s+not)\s+(?:actually\s+)?(?:on|in)\s+",
        jobs.day_or_month,
        kind="denial",
    ),
    pattern(
        "birthday.it_is",
        "open",
        r"(?:it's|it\s+is|its)\s+(?:actually\s+)?(?:on|in)\s+",
        jobs.day_or_month,
        check=lambda m: bool(
            re.search(rf"\b{_MY_DAY}[^?]{{0,50}}$", m.string[: m.start()][-90:], re.IGNORECASE)
        ),
    ),
    pattern(
        "birthday.born",
        "be verb",
        r"(?:was\s+)?born\s+(?:in\s+[\w ]{1,30}?\s+)?(?=on|the|"
        r"\d|\w+\s\d)",
        jobs.date,
        kind="statement",
        modes="now past",
    ),
)


PATTERNS: tuple[Pattern, ...] = (*NAMES, *AGES)
