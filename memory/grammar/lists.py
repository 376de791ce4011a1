"""Readers for many-valued slots: lists of things, languages, pets, relatives, wishes of style."""

from __future__ import annotations

import re

from memory.grammar import lexicon
from memory.grammar.readers import Found, Reader, phrase, words

MAX_ITEMS = 8

SEPARATOR = re.compile(
    r"(?:\s+(?:too|also|as well)(?=\s*,|\s+and\b))?\s*(?:,\s*(?:and\s+|or\s+|as well as\s+)?|"
    r"\s(?:and|or|as well as|&)"
    r"\s+|/\s*)"
    r"(?:also\s+|both\s+|some\s+)?",
    re.IGNORECASE,
)
DETERMINER = re.compile(
    r"(?:(?:really|very|mostly|all|both|any|some|a lot of|lots of|a bit of|a little(?: bit of)?|"
    r"a few|listening to|watching|the|a|an|(?:all\s+)?(?:kinds|sorts|types|forms|genres) of|"
    r"colou?r(?=\s+(?:red|blue|green|yellow|orange|purple|pink|black))|lots|tons of|plenty of|"
    r"going to see|going to|going out to|going|to go to|eating|drinking|how|seeing|doing|to|"
    r"just|when|about|my own|my|our|his|this|these|that|those)\s+)+(?=\w)",
    re.IGNORECASE,
)
# Pronouns and fillers that stand where a thing would: "I like it", "I love how you ...".
NOTHING = lexicon.word_set("""
you your u it its that this these those them him her his he she they we us me my mine our what how
when why who where if the there here one ones same being having getting everything anything
nothing something someone everyone people lot alot both all such to so much more most very thing
things stuff idea way ya too myself yourself each other another now not neither either know see
think say hear ask tell be talk chat sound life kind bit get waste living listening going
hobby hobbies hobbie funny nice sure sorry easy seems sounds cause especially
""")
_TOO_BARE = frozenset({"school", "college", "university", "degree", "my degree", "hard"})
UNFIT = re.compile(
    r"\b(?:hair|beard|eyes|skin|nails|legs|nose|teeth|single|married|divorced|adopt\w+|virgin|"
    r"sex\w*|porn\w*|nud(?:e|es|ity)|fuck\w*|dicks?|cock|pussy|boobs|tits|kill\w*|suicid\w*|"
    r"die|dying|bj|blow ?jobs?|hook ?ups?|my (?:kids?|child\w*|wife|husband|mom|mum|dad|mother|"
    r"father|sister|brother|son|daughter|parents|boyfriend|girlfriend|therapist|doctor))\b",
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
        sense = _SENSE_VERB.match(text, at, end) if result else None
        at = sense.end() if sense else at
        infinitive = text[start : start + 3].lower() == "to "
        item = _thing(text, at, end, infinitive=infinitive)
        if item is None or (result and not infinitive and _VERB_ITEM.match(item.value)):
            break
        result.append(item)
        separator = SEPARATOR.match(text, item.end, end)
        if not separator:
            break
        at = separator.end()
    return [item for item in result if not _REPLY_WORD.search(item.value)]


_SENSE_VERB = re.compile(
    r"(?:to\s+)?(?:watch|play|read|eat|drink|listen to)(?:ing)?\s+(?:the\s+|some\s+)?(?=\w{3})",
    re.IGNORECASE,
)
# A list of nouns does not go on with a verb: "I eat pizza and play video games".
_VERB_ITEM = re.compile(
    r"(?:read|burn|sleep|go|watch|play|drink|eat|work|make|do|take|have|get|run|walk|freeze|try|"
    r"use|hang|see|give|put|"
    r"think|say|stay|enjoy|love|like|hate|wish|want|need|am|feel|live|listen|ride|keep|always|"
    r"just|also|hope|wear)\b"
    r"(?!ing)",
    re.IGNORECASE,
)
_COMPOUND = re.compile(
    r"(?:mac(?:aroni)? (?:and|n|&) cheese|fish (?:and|n|&) chips|rock (?:and|n|&) roll|peanut "
    r"butter (?:and|&) jelly|"
    r"arts (?:and|&) crafts|ham (?:and|&) cheese|biscuits (?:and|&) gravy|guns (?:and|n|&) "
    r"roses|rick (?:and|&) morty|"
    r"tom (?:and|&) jerry|simon (?:and|&) garfunkel|steak (?:and|&) (?:eggs|fries)|chicken "
    r"(?:and|&) waffles|bacon (?:and|&) eggs|"
    r"cookies (?:and|n|&) cream|dungeons (?:and|&) dragons|law (?:and|&) order|pride (?:and|&) "
    r"prejudice|r ?& ?b|r (?:and|n) b)\b",
    re.IGNORECASE,
)


def _thing(text: str, at: int, end: int, *, infinitive: bool) -> Found | None:
    to = re.compile(r"to\s+(?:go\s+)?(?=\w)", re.IGNORECASE).match(text, at, end)
    determiner = None if to else DETERMINER.match(text, at, end)
    begin = to.end() if to else determiner.end() if determiner else at
    keep = frozenset({"of", "in"}) if text[begin : begin + 1].isupper() else frozenset({"of"})
    fixed = _COMPOUND.match(text, begin, end)
    if fixed:
        return Found(fixed.start(), fixed.end(), fixed[0])
    span = phrase(text, begin, end, 4, keep)
    if span is None:
        return None
    span = (span[0], _with_company(text, span, end))
    value = text[span[0] : span[1]]
    first = value.lower().split()[0]
    if (
        first in NOTHING
        or UNFIT.search(text[at : span[1] + 12])
        or not re.search(r"[^\W\d_]", value)
    ):
        return None
    if len(value) < 3 and not value.isupper():
        return None
    if to and re.match(r"go\s", to[0][3:] or "", re.IGNORECASE) is None and infinitive:
        return Found(to.start(), span[1], f"to {value}", 0.95)
    return Found(span[0], span[1], value)


# Heads that say nothing alone: "spending time", "hanging", "walks" want what follows.
_VAGUE = re.compile(
    r"(?:.*\s)?(?:time|hanging(?: out)?|playing(?: around)?|walks?|walking|talking|chatting|"
    r"sitting|"
    r"working(?: out)?|outdoors|dealing|looking|spend|hang(?: out)?|play|talk|work|walk|sit|be|"
    r"rides?|sound|smell|taste|collecting|taking care)$",
    re.IGNORECASE,
)
_PARTICLE = re.compile(r"\s+(?:out|outside|outdoors|up)\b(?!\s+of)", re.IGNORECASE)
_COMPANY = re.compile(
    r"\s+(?:alone\s+)?(?:with|in|on|at|of|by|for|about|to)\s+(?:(?:my|the|a|an|our|other)"
    r"\s+)*(?!it\b|you\b|that\b)"
    r"[^\W\d_][\w'-]*(?:\s+and\s+(?:my\s+)?(?:family|friends|dogs?|cats?|kids))?",
    re.IGNORECASE,
)


# One verb whose object starts with a word that lists leave out: "mowing my lawn".
_ALONE = re.compile(
    r"[a-z]+ing|walk|take|make|drive|ride|play with|mow|do|help|visit|wash|clean|watch|fix|use",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\s+(?:my(?: own)?|the|an?|our|other)\s+(?=\w)", re.IGNORECASE)


def _with_company(text: str, span: tuple[int, int], end: int) -> int:
    """Where a thing ends, its particle or company taken along: "time with my friends"."""
    stop = span[1]
    particle = _PARTICLE.match(text, stop, end)
    if particle and re.search(r"ing$|^\w+$", text[span[0] : stop]):
        stop = particle.end()
    article = _OBJECT.match(text, stop, end) if _ALONE.fullmatch(text, span[0], stop) else None
    taken = phrase(text, article.end(), end, 2) if article else None
    if taken:
        return taken[1]
    if not _VAGUE.fullmatch(text, span[0], stop):
        return stop
    company = _COMPANY.match(text, stop, end)
    return company.end() if company else stop


def nouns(text: str, start: int, end: int) -> list[Found]:
    """A list that ends where the person goes on to what they do: "jazz, and painting my room"."""
    found = things(text, start, end)
    return [item for n, item in enumerate(found) if not n or not _GERUND.match(item.value)]


_GERUND = re.compile(r"[a-z]{2,}ing\b", re.IGNORECASE)


def favourite(text: str, start: int, end: int) -> list[Found]:
    """The value of "my favourite colour is blue"; the kind is added by the family."""
    fixed = _COMPOUND.match(text, _after_determiner(text, start, end), end)
    if fixed:
        return [Found(fixed.start(), fixed.end(), fixed[0])]
    span = phrase(text, _after_determiner(text, start, end), end, 5, frozenset({"of", "the", "in"}))
    if span is None:
        return []
    value = text[span[0] : span[1]]
    if value.lower().split()[0] in NOTHING or UNFIT.search(value):
        return []
    return [Found(*span, value)]


def _after_determiner(text: str, start: int, end: int) -> int:
    found = re.compile(
        r"(?:(?:probably|definitely|by far|always|either|a|an|the|also|to|any|some)\s+)+",
        re.IGNORECASE,
    ).match(text, start, end)
    return found.end() if found else start


_QUALIFIER = re.compile(
    r"(?:(?:fluent|native|some|a bit of|a little(?: bit)?(?: of)?|basic|conversational|good|"
    r"decent|"
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
        separator = SEPARATOR.match(text, fluently.end() if fluently else word.end(), end)
        if not separator:
            break
        at = separator.end()
    return result


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
        if span is None or value.split()[0] in NOTHING or value in _TOO_BARE:
            return []
        return [Found(*span, text[span[0] : span[1]])]

    return read
