"""Readers for what somebody does and learns: pastimes, fandom, schools, degrees."""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon
from memory.language.values.belongings import NOT_BEFORE
from memory.language.values.lists import DETERMINER
from memory.language.values.readers import Found, Reader, phrase, words
from memory.language.values.unusable import NOTHING, UNFIT

_VERBS = lazy_pattern(
    r"(?P<one>work out|lift weights|[a-z]+)(?:\s*(?:,|,?\s+and|,?\s+or)"
    r"\s+(?:i\s+)?(?P<two>[a-z]+)(?=\s*(?:$|[.,!]|(?:ha|haha|lol|too|a lot|alot|sometimes|"
    r"often)\b)))?",
    re.IGNORECASE,
)


_FISHES = lazy_pattern(r"fish", re.IGNORECASE)


def verbs(text: str, start: int, end: int) -> list[Found]:
    """Pastimes named by bare verbs: "cook and read"; who says "I fish" names no dish."""
    found = _VERBS.match(text, start, end)
    if not found:
        return []
    names = (
        ["one", "two"]
        if found["two"] and found["two"].lower() not in NOTHING | {"off"}
        else ["one"]
    )
    return [Found(*found.span(name), _FISHES.sub("fishing", found[name])) for name in names]


# Where what one makes is shown: "make videos for youtube" is no liking for watching it.
_SHOWN_ON = lazy_pattern(r"(?<=videos)\s+for\s+youtube\b", re.IGNORECASE)


def doing(text: str, start: int, end: int) -> list[Found]:
    """A pastime with its object: "write lyrics", "race cars"; the verb alone if nothing follows."""
    verb = next(iter(words(text, start, end)), None)
    if verb is None or verb[0].lower() in NOTHING:
        return []
    determiner = DETERMINER.match(text, verb.end() + 1, end)
    span = phrase(text, determiner.end() if determiner else verb.end(), end, 3, frozenset({"of"}))
    stop = span[1] if span else verb.end()
    shown = _SHOWN_ON.match(text, stop, end)
    stop = shown.end() if shown else stop
    value = text[verb.start() : stop]
    if UNFIT.search(value) or (span and text[span[0] : span[1]].lower().split()[0] in NOTHING):
        return []
    return [Found(verb.start(), stop, value)]


_NOT_PLAYED = lexicon.word_set(
    "with some around and for outside any games game hard out dead a at in on along stock role "
    "second first third professional professionally"
)


def named(pattern: str) -> Reader:
    """A reader for one of the things that are known by name."""
    compiled = lazy_pattern(rf"(?:{pattern})\b", re.IGNORECASE)

    def read(text: str, start: int, end: int) -> list[Found]:
        found = compiled.match(text, start, end)
        return [Found(found.start(), found.end(), found[0])] if found else []

    return read


def pastime(pattern: str) -> Reader:
    """A reader for one of the pastimes that are known by name."""
    compiled = lazy_pattern(pattern, re.IGNORECASE)

    def read(text: str, start: int, end: int) -> list[Found]:
        found = compiled.match(text, start, end)
        if not found or UNFIT.search(found[0]):
            return []
        begin, stop = found.start(), _with_its_object(text, found, end)
        lead = re.compile(r"(?:playing|watching)\s+(?:the\s+)?", re.IGNORECASE).match(found[0])
        begin += lead.end() if lead else 0
        first = text[begin : found.end()].lower().split()[0]
        if first in NOTHING or len(first) < 3 or first in _NOT_PLAYED:
            return []
        return [Found(begin, stop, text[begin:stop])]

    return read


_TAKES_OBJECT = lexicon.word_set(
    "reading writing singing drawing cooking baking painting hunting playing"
)
_MADE_FOR_IT = lazy_pattern(r"(?<=youtube)\s(?:videos?|vids|channels?)\b", re.IGNORECASE)


def _with_its_object(text: str, found: re.Match[str], end: int) -> int:
    """Where a pastime ends with what is read, written or made: "reading crime novels"."""
    made = _MADE_FOR_IT.match(text, found.end(), end)
    if made or found[0].lower() not in _TAKES_OBJECT:
        return made.end() if made else found.end()
    span = phrase(text, found.end(), end, 3, frozenset({"of"}))
    if span is None or text[slice(*span)].lower().split()[0] in NOTHING | _MANNERS:
        return found.end()
    return found.end() if UNFIT.search(text, *span) else span[1]


_MANNERS = lexicon.word_set("""
some lots tons together alone outside inside online outdoors well better more less club clubs
skills lessons class classes group sessions supplies
""")
_LOVER = lazy_pattern(
    r"(?P<thing>[\w-]+(?:\s[\w-]+)?)\s+(?:lover|eater|drinker|fan|buff|enthusiast|fanatic|nut|"
    r"junkie|addict|nerd|geek|"
    r"freak|person)\b(?!\s+me\b)",
    re.IGNORECASE,
)


_HOW_MUCH = lazy_pattern(
    r"(?:(?:huge|big|massive|major|fellow|total|real|avid|great|such|die hard|hardcore|biggest|"
    r"complete|true|crazy|lifelong|ordinary|simple|typical|proud)(?:\s+|$))+",
    re.IGNORECASE,
)


def before_lover(text: str, start: int, end: int) -> list[Found]:
    """What stands before "lover" or "fan": "dog" from "a dog lover"."""
    found = _LOVER.match(text, start, end)
    if not found or found["thing"].lower().split()[0] in NOTHING | lexicon.NOT_NAMES | NOT_BEFORE:
        return []
    lead = _HOW_MUCH.match(found["thing"])
    begin = found.start("thing") + (lead.end() if lead else 0)
    value = text[begin : found.end("thing")]
    many = f"{value}s" if value.lower().split()[-1:] in _COUNTED else value
    return [Found(begin, found.end("thing"), many)] if value else []


# What a lover of it loves in the plural: an "animal lover" loves animals.
_COUNTED = [
    [one]
    for one in (lexicon.PET_WORDS - {"fish"})
    | frozenset(lexicon.OWN_VEHICLES)
    | lexicon.word_set("animal book movie film plant flower game comic train plane gun beach kid")
    if not one.endswith("s")
]


def dropped(text: str, start: int, end: int) -> list[Found]:
    """What somebody dropped out of: "college", "high school"."""
    span = phrase(text, start, end, 4, frozenset({"of"}))
    return [Found(*span, text[span[0] : span[1]])] if span else []


_SCHOOL_LEAD = lazy_pattern(r"(?:(?:the|an?|my|our|local|this|here)\s+)+", re.IGNORECASE)


UNIVERSITIES = lexicon.word_set("""
mit stanford harvard yale ucla nyu princeton usc umass bu michigan berkeley oxford cambridge
cornell columbia brown duke auburn penn lsu caltech dartmouth purdue byu tcu smu ucsd ucsb ucf usf
fsu fiu asu osu msu psu unc uconn uva vcu georgetown rutgers temple drexel vassar juilliard eton
clemson baylor tulane emory vanderbilt tufts gonzaga villanova marquette syracuse unlv utep utsa
uga uab lse ucl eth epfl delft leiden sorbonne heidelberg uppsala mcgill ubc unsw rmit iit nus
tsinghua
""")
"""Universities that people name by one word."""
_SCHOOL_HEAD = UNIVERSITIES | lexicon.word_set(
    "university college school institute academy highschool state u uc"
)


def school(text: str, start: int, end: int) -> list[Found]:
    """A school with a name or a level: "high school", "the University of Michigan"."""
    lead = _SCHOOL_LEAD.match(text, start, end)
    span = phrase(text, lead.end() if lead else start, end, 5, frozenset({"of"}))
    if span is None:
        return []
    value = text[span[0] : span[1]]
    parts = value.lower().split()
    heads = [n for n, part in enumerate(parts) if part in _SCHOOL_HEAD]
    if (
        not heads
        or parts == ["school"]
        or (parts == ["michigan"] and text[:start].rstrip().lower().endswith("in"))
        or parts[-1] in {"teacher", "bus", "principal", "play", "counselor", "area"}
    ):
        return []
    return [Found(*span, value)]


_STUDENT = lazy_pattern(
    r"(?P<all>(?:(?:full|part)[- ]?time\s+)?(?:(?P<what>[\w-]+(?:\s[\w-]+){0,2}?)\s+)?"
    r"(?:student|freshman|sophomore|"
    r"undergrad(?:uate)?|(?:high school|college) (?:senior|junior)|grader|"
    r"(?:senior|junior)(?= (?:in|at) (?:high school|college|\w+ university|uni))))\b",
    re.IGNORECASE,
)


def student(text: str, start: int, end: int) -> list[Found]:
    """What sort of student: "art student", or "student" alone."""
    found = _STUDENT.match(text, start, end)
    if not found:
        return []
    what = set((found["what"] or "").lower().split())
    if what & (NOTHING | NOT_BEFORE | {"good", "bad", "great", "new"}):
        return []
    stop = _to_its_school(text, found.end(), end)
    return [Found(found.start("all"), stop, text[found.start("all") : stop])]


_AT_SCHOOL = lazy_pattern(r"\s+(?:at|from|of|in)\s+(?:the\s+)?(?=\w)", re.IGNORECASE)
# "A student at the moment", "of life", "in my class": no school and no subject.
_NO_SCHOOL = lexicon.word_set("""
moment time home heart night work present least first last age all life school need debt love class
training fact general person town order country usa us uk mine
""")


def _to_its_school(text: str, at: int, end: int) -> int:
    """Where a student ends, the school or the subject taken along: "student at michigan state"."""
    lead = _AT_SCHOOL.match(text, at, end)
    span = phrase(text, lead.end(), end, 4, frozenset({"of"})) if lead else None
    if lead is None or span is None:
        return at
    parts = text[span[0] : span[1]].lower().split()
    named_in = " in " not in lead[0].lower() or not _is_region(parts)
    if parts in (["high", "school"], ["college"]):
        return span[1]
    fit = named_in and not set(parts) & (_NO_SCHOOL | NOTHING | NOT_BEFORE)
    return span[1] if fit and parts[0].isalpha() else at


def _is_region(parts: list[str]) -> bool:
    return parts[0] in lexicon.PLACES or " ".join(parts[:2]) in lexicon.PLACES


_DEGREE = lazy_pattern(r"(?P<what>[\w]+(?:\s[\w]+){0,2}?)\s+(?:degree|diploma)\b", re.IGNORECASE)


def before_degree(text: str, start: int, end: int) -> list[Found]:
    """The subject of a degree: "computer science" of "my computer science degree"."""
    found = _DEGREE.match(text, start, end)
    if not found or set(found["what"].lower().split()) & (NOTHING | NOT_BEFORE):
        return []
    return [Found(found.start("what"), found.end(), found[0])]
