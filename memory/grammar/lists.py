"""Readers for many-valued slots: lists of things, languages, pets, relatives, wishes of style."""

from __future__ import annotations

import re

from memory.grammar import lexicon
from memory.grammar.readers import Found, Reader, capitalise, phrase, words

MAX_ITEMS = 8

_SEPARATOR = re.compile(
    r"\s*(?:,\s*(?:and\s+|or\s+|as well as\s+)?|\s(?:and|or|as well as|&)"
    r"\s+|/\s*)"
    r"(?:also\s+|both\s+|some\s+)?",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"(?:(?:really|very|mostly|all|both|any|some|a lot of|lots of|a bit of|a little(?: bit of)?|"
    r"a few|listening to|watching|the|a|an|all kinds of|all sorts of)\s+)+(?=\w)",
    re.IGNORECASE,
)
# Pronouns and fillers that stand where a thing would: "I like it", "I love how you ...".
_NOTHING = lexicon.word_set("""
you your u it its that this these those them him her his he she they we us me my mine our what how
when why who where if the there here one ones same being having getting everything anything
nothing something someone everyone people lot alot both all such to so much more most very thing
things stuff idea way ya too myself yourself each other another now not neither either know see
think say hear ask tell be talk chat sound life kind bit get waste living listening going looking
working helping doing making hobby hobbies
""")
_TOO_BARE = frozenset({"school", "college", "university", "degree", "my degree", "hard"})
_UNFIT = re.compile(
    r"\b(?:sex\w*|porn\w*|nud(?:e|es|ity)|fuck\w*|dicks?|cock|pussy|boobs|tits|kill\w*|suicid\w*|"
    r"die|dying|bj|blow ?jobs?|hook ?ups?|my (?:kids?|child\w*|wife|husband|mom|mum|dad|mother|"
    r"father|family|sister|brother|son|daughter|parents|boyfriend|girlfriend|therapist|doctor))\b",
    re.IGNORECASE,
)
_REPLY_WORD = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|bullet points?|"
    r"emojis?|code samples|examples?|step[- ]by[- ]step|tone|metric units|citations)\b",
    re.IGNORECASE,
)


def things(text: str, start: int, end: int) -> list[Found]:
    """A list of liked things: "hiking, chess and to cook"; items of at most five words."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < MAX_ITEMS:
        item = _thing(text, at, end, infinitive=text[start : start + 3].lower() == "to ")
        if item is None:
            break
        result.append(item)
        separator = _SEPARATOR.match(text, item.end, end)
        if not separator:
            break
        at = separator.end()
    return [item for item in result if not _REPLY_WORD.search(item.value)]


def _thing(text: str, at: int, end: int, *, infinitive: bool) -> Found | None:
    to = re.compile(r"to\s+(?:go\s+)?(?=\w)", re.IGNORECASE).match(text, at, end)
    determiner = None if to else _DETERMINER.match(text, at, end)
    begin = to.end() if to else determiner.end() if determiner else at
    keep = frozenset({"of", "in"}) if text[begin : begin + 1].isupper() else frozenset({"of"})
    span = phrase(text, begin, end, 4, keep)
    if span is None:
        return None
    value = text[span[0] : span[1]]
    first = value.lower().split()[0]
    if (
        first in _NOTHING
        or _UNFIT.search(text[at : span[1] + 12])
        or not re.search(r"[^\W\d_]", value)
    ):
        return None
    if len(value) < 3 and not value.isupper():
        return None
    if to and re.match(r"go\s", to[0][3:] or "", re.IGNORECASE) is None and infinitive:
        return Found(to.start(), span[1], f"to {value}", 0.95)
    return Found(span[0], span[1], value)


def favourite(text: str, start: int, end: int) -> list[Found]:
    """The value of "my favourite colour is blue"; the kind is added by the family."""
    span = phrase(text, _after_determiner(text, start, end), end, 5, frozenset({"of", "the", "in"}))
    if span is None:
        return []
    value = text[span[0] : span[1]]
    if value.lower().split()[0] in _NOTHING or _UNFIT.search(value):
        return []
    return [Found(*span, value)]


def _after_determiner(text: str, start: int, end: int) -> int:
    found = re.compile(
        r"(?:probably|definitely|by far|always|either|a|an)\s+", re.IGNORECASE
    ).match(text, start, end)
    return found.end() if found else start


_QUALIFIER = re.compile(
    r"(?:(?:fluent|native|some|a bit of|a little(?: bit)?(?: of)?|basic|conversational|good|decent|"
    r"broken|both|mostly|only|in|also|bad|perfect|intermediate|my native|mainly)\s+)*",
    re.IGNORECASE,
)


def languages(text: str, start: int, end: int) -> list[Found]:
    """Known languages of a list: "German, English and some French"."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < MAX_ITEMS:
        qualifier = _QUALIFIER.match(text, at, end)
        at = qualifier.end() if qualifier else at
        word = next(iter(words(text, at, end)), None)
        if word is None or word[0].lower() not in lexicon.LANGUAGES:
            break
        result.append(Found(word.start(), word.end(), word[0].capitalize()))
        fluently = re.compile(r"\s+(?:fluently|natively|well)\b", re.IGNORECASE).match(
            text, word.end(), end
        )
        separator = _SEPARATOR.match(text, fluently.end() if fluently else word.end(), end)
        if not separator:
            break
        at = separator.end()
    return result


_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|several|some|many|"
    r"lots of)"
)
_PET = re.compile(
    rf"(?P<pet>{_COUNT}\s+(?:[\w-]+\s+){{0,3}}?(?P<kind>[\w-]+)"
    r"(?:\s*,?\s+(?:named|called|whose name is)\s+(?P<name>\w+(?:\s+and\s+(?-i:[A-Z])\w+)?))?)\b",
    re.IGNORECASE,
)


def pets(text: str, start: int, end: int) -> list[Found]:
    """Animals of a list: "a dog named Rex and two cats"."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < MAX_ITEMS:
        item = _pet(text, at, end)
        if item is None:
            break
        result.append(item)
        separator = _SEPARATOR.match(text, item.end, end)
        if not separator:
            break
        at = separator.end()
    return result


def _pet(text: str, at: int, end: int) -> Found | None:
    found = _PET.match(text, at, end)
    while found and found["kind"].lower() not in lexicon.PET_WORDS:
        # The lazy middle stopped too early ("a big brown dog"): ask for one word more.
        tokens = words(text, at, end)[:6]
        hit = next((w for w in tokens[1:] if w[0].lower() in lexicon.PET_WORDS), None)
        if hit is None or not re.match(_COUNT + r"\b", tokens[0][0], re.IGNORECASE):
            return None
        tail = re.compile(r"\s*,?\s+(?:named|called)\s+(\w+)").match(text, hit.end(), end)
        stop = tail.end() if tail else hit.end()
        between = {w[0].lower() for w in tokens if w.start() < hit.start()}
        return (
            None if between & {"to", "for", "of", "with", "and"} else Found(at, stop, text[at:stop])
        )
    return Found(found.start("pet"), found.end("pet"), found["pet"]) if found else None


_RELATIVE = re.compile(
    rf"(?P<who>(?:{_COUNT}\s+)?(?:(?:older|younger|elder|big|little|twin|step|half|baby|late|"
    r"eldest|oldest|youngest)[ -]?)?(?P<kin>[^\W\d_]+))"
    r"(?:'s name is|\s+is (?:called|named)|\s+(?:called|named)|,)?\s+(?P<name>[^\W\d_][\w-]+)",
    re.IGNORECASE,
)


def relative(text: str, start: int, end: int) -> list[Found]:
    """A relative with a name: "sister Anna" from "my sister's name is Anna"."""
    found = _RELATIVE.match(text, start, end)
    if not found or found["kin"].lower() not in lexicon.KIN:
        return []
    name = found["name"]
    announced = re.search(r"named|called|name", found[0][len(found["who"]) : -len(name)])
    known = name.lower() in lexicon.GIVEN_NAMES or name[0].isupper()
    if name.lower() in lexicon.NOT_NAMES or not (known or announced):
        return []
    return [Found(start, found.end(), f"{found['who']} {capitalise(name)}")]


def counted_relatives(text: str, start: int, end: int) -> list[Found]:
    """Relatives without names: "two sisters", "a son"."""
    found = re.compile(
        rf"{_COUNT}\s+(?:(?:older|younger|big|little|twin)\s+)?(?P<kin>[a-z]+)\b", re.IGNORECASE
    ).match(text, start, end)
    if not found or found["kin"].lower() not in lexicon.KIN:
        return []
    return [Found(found.start(), found.end(), found[0])]


def vehicle(text: str, start: int, end: int) -> list[Found]:
    """Something to drive: it must name a maker or a kind of vehicle."""
    article = re.compile(r"(?:an?|the|my|our)\s+", re.IGNORECASE).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5)
    if span is None:
        return []
    value = text[span[0] : span[1]]
    tokens = value.lower().replace("-", " ").split()
    if not set(tokens) & lexicon.VEHICLE_WORDS:
        return []
    begin = article.start() if article and article[0].lower().startswith("a") else span[0]
    return [Found(begin, span[1], text[begin : span[1]])]


def anything(
    most: int = 10,
    stops: str = r"[.!?;\n\u2592]|\b(?:because|but|if|when|since|so "
    r"that)\b",
) -> Reader:
    """A reader for free text: up to ``most`` words before a stop."""
    stop = re.compile(stops, re.IGNORECASE)

    def read(text: str, start: int, end: int) -> list[Found]:
        limit = stop.search(text, start, min(end, start + 160))
        value = text[start : limit.start() if limit else min(end, start + 160)].rstrip(" ,")
        tokens = value.split()
        if not tokens or len(tokens) > most or tokens[0].lower() in {"not", "to", "it", "that"}:
            return []
        return [Found(start, start + len(value), value)]

    return read


def short(most: int = 5, *more: str) -> Reader:
    """A reader for a plain noun phrase of at most ``most`` words."""
    keep = frozenset(more)

    def read(text: str, start: int, end: int) -> list[Found]:
        article = re.compile(r"(?:an?|the)\s+", re.IGNORECASE).match(text, start, end)
        span = phrase(text, article.end() if article else start, end, most, keep)
        value = text[span[0] : span[1]].lower() if span else ""
        if span is None or value.split()[0] in _NOTHING or value in _TOO_BARE:
            return []
        return [Found(*span, text[span[0] : span[1]])]

    return read
