"""Readers for what somebody does: "hiking", "to play chess with friends"."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.grammar.verbs import gerund
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.phrases import (
    MAX_CHARS,
    MAX_ITEMS,
    STOP,
    Value,
    is_word,
    longest_in,
    next_item,
    noun_phrase,
)

PASTIMES = load_lexicon("pastimes")
_NO_GERUND = load_lexicon("no_gerunds")
NOTHING = load_lexicon("names_nothing")
UNFIT = re.compile(
    r"\b(?:hair|beard|eyes|skin|nails|legs|nose|teeth|single|married|divorced|adopt\w+|virgin|"
    r"nigg\w*|fagg?\w*|retards?|sex\w*|porn\w*|nud(?:e|es|ity)|fuck\w*|dicks?|cock|pussy|boobs|"
    r"tits|kill\w*|suicid\w*|die|dying|bj|blow ?jobs?|hook ?ups?|my (?:kids?|child\w*|wife|husband|"
    r"mom|mum|dad|mother|father|sister|brother|son|daughter|parents|boyfriend|girlfriend|therapist|"
    r"doctor))\b",
    re.IGNORECASE,
)
PEOPLE = lexicon.KIN - lexicon.word_set("family kids children baby babies") | lexicon.word_set(
    "wife husband boyfriend girlfriend spouse fiance grandchildren nieces nephews boss"
)
BARE_VERBS = load_lexicon("verbs_of_doing")
VERBS_TOO = load_lexicon("verbs_and_nouns")
_ENDS_ACTIVITY = load_lexicon("ends_an_activity")
_TIMES = re.compile(
    r"(?:every|each|once|twice|after|before|during|this|last|next|most|right now|these days|all "
    r"the "
    r"time|all day|a lot|so much|very much|in general|the most|more than|rather|on (?:the "
    r")?(?:my )?"
    r"(?:weekends?|weekdays|\w+days?|days? off|vacation)|in (?:my|our|the) (?:\w+ )?(?:time|"
    r"mornings?|"
    r"evenings?|summers?|winters?|fall|spring|afternoons?|past)|in (?:summer|winter|spring|autumn)|"
    r"at (?:night|times|least|the moment|work|all)|for (?:fun|hours|work|school|class|a living|a "
    r"while|now|\w+ (?:years?|hours|months|days)|the)|since|some(?:times| day)|one day|\d) "
)
_ADVERBS = {("just",), ("simply",), ("really",), ("also",)}
_NO_ACTIVITY = NOTHING - lexicon.word_set("be talk chat see get having being getting going")
POINTING = frozenset({"this", "that", "these", "those", "such", "another"})
"""Words that point at what a value alone does not name."""
_HANGING = frozenset(
    "to in on at with for of the a an my our by from and about around some all his her your".split()
)


def is_gerund(word: str) -> bool:
    """Whether a word is an -ing form: "hiking", not "evening"."""
    return len(word) > 4 and word.endswith("ing") and word not in _NO_GERUND


def activity(tokens: Tokens, index: int, stop: int) -> Value | None:
    """What is done, with its object, place and company: "walking my dog in the woods"."""
    index += tokens.words[index : index + 1] in _ADVERBS
    if index >= stop or not is_word(tokens, index) or tokens.words[index] in _NO_ACTIVITY:
        return None
    end = index + 1
    while end < stop and end - index < 8 and is_word(tokens, end):
        if not _joins(tokens, index, end) and (
            tokens.words[end] in _ENDS_ACTIVITY or _TIMES.match(tokens.line, tokens.offset(end))
        ):
            break
        end += 1
    while end > index + 1 and tokens.words[end - 1] in _HANGING:
        end -= 1
    if end < stop and tokens.words[end] in {"is", "are", "was", "were"}:
        return None  # "making sure people | are safe"
    end = _without_kin(tokens, index, end)
    value = _as_deed_is_written(tokens.said(index, end))
    leans = {"them", "him", "her"} & set(tokens.words[index + 1 : index + 2])
    leans |= POINTING & set(tokens.words[index:end])
    if leans or len(value) > MAX_CHARS or UNFIT.search(value) or _LIGHT.fullmatch(value.lower()):
        return None
    return Value(index, end, value)


def _as_deed_is_written(value: str) -> str:
    """Within a sentence: "Drawing flowers-" at its beginning is "drawing flowers"."""
    verb, blank, rest = value.rstrip(" -").partition(" ")
    return f"{verb.lower() if is_gerund(verb.lower()) else verb}{blank}{rest}"


def _joins(tokens: Tokens, index: int, end: int) -> bool:
    """Whether "and" goes on inside: "with family and friends", "play and watch football"."""
    following = tokens.words[end + 1 : end + 2]
    two_verbs = end == index + 1 and bool(set(following) & (BARE_VERBS | VERBS_TOO))
    alone = end + 2 >= len(tokens.words) or tokens.words[end + 2] in _ENDS_ACTIVITY | {
        ".",
        ",",
        "!",
        "?",
    }
    return tokens.words[end] == "and" and (following in _COMPANY or (two_verbs and not alone))


def _without_kin(tokens: Tokens, index: int, end: int) -> int:
    """Where an activity ends without those who would tell of a partner or of children."""
    kin = (n for n in range(index + 1, end) if tokens.words[n] in PEOPLE | _CHILDREN)
    stop = next(kin, end)
    while index + 1 < stop < end and tokens.words[stop - 1] in _HANGING | _WHICH_KIN:
        stop -= 1
    return stop


_CHILDREN = frozenset({"kids", "children", "baby", "babies"})
_WHICH_KIN = frozenset({"newly", "two", "three", "own"})
_COMPANY = {("friends",), ("family",)}
# Verbs that say nothing without what they lead to.
_LIGHT = re.compile(
    r"(?:go(?:ing)?|mak(?:e|ing)|do(?:ing)?|get(?:ting)?|tak(?:e|ing)|hav(?:e|ing)|be(?:ing)?|"
    r"say(?:ing)?|know(?:ing)?|think(?:ing)?|try(?:ing)?|us(?:e|ing)|giv(?:e|ing)|put(?:ting)?|"
    r"keep(?:ing)?|feel(?:ing)?|tell(?:ing)?|ask(?:ing)?|see(?:ing)?|hear(?:ing)?|meet(?:ing)?)"
    r"(?: (?:to|it|out|up|in))?"
)


def activities(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What is done, of a list: "draw and paint horses"."""
    found: list[Value] = []
    while index < stop and len(found) < MAX_ITEMS:
        item = activity(tokens, index, stop)
        if item is None:
            break
        found.append(_as_deed(item, tokens.words[index]))
        index = next_item(tokens, item.stop, stop)
        if index == item.stop or not (
            is_gerund(tokens.words[index]) or tokens.words[index] in BARE_VERBS | VERBS_TOO
        ):
            break
    return found


def _as_deed(item: Value, verb: str) -> Value:
    """An activity by its -ing form: "fishing" of "I fish", who names no dish."""
    if verb not in BARE_VERBS | VERBS_TOO:
        return item
    rest = item.text[len(verb) :]
    return Value(item.first, item.stop, f"{gerund(verb)}{rest}", item.sure)


def pastime(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """One of the pastimes that are known by name."""
    end = longest_in(tokens, index, stop, PASTIMES, 4)
    if end == index or (
        tokens.words[index] in _LED and tokens.words[end : end + 1] in _AT_SOMETHING
    ):
        return []
    done = activity(tokens, index, stop) if tokens.words[index] in _WITH_OBJECT else None
    end = max(end, done.stop if done else end)
    if end < stop and is_word(tokens, end) and tokens.words[end] not in STOP | _ENDS_ACTIVITY:
        return []  # "a cosplay dog"
    return [Value(index, end, tokens.said(index, end))]


# "Running for office", "running my own shop": no sport.
_LED = frozenset({"running", "racing", "sailing", "fighting"})
_AT_SOMETHING = {("for",), ("my",), ("our",), ("a",), ("late",), ("out",), ("into",), ("around",)}
_WITH_OBJECT = lexicon.word_set(
    "reading writing singing drawing cooking baking painting hunting playing"
)


def activity_phrase(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What one goes and does: "go hiking", "go to concerts"."""
    lead = index
    while lead < stop and tokens.words[lead] in {"the", "a", "an", "to", "lots", "of", "my", "out"}:
        lead += 1
    end = noun_phrase(tokens, lead, stop, 3)
    if end == lead:
        return []
    if is_gerund(tokens.words[lead]):
        done = activity(tokens, lead, stop)
        return [done] if done else []
    hits = [n for n in range(lead, end) if tokens.words[n] in _GOES_TO]
    return [Value(lead, hits[-1] + 1, tokens.said(lead, hits[-1] + 1))] if hits else []


_GOES_TO = load_lexicon("gone_to")


def collecting(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What somebody collects, as a deed: "collecting stamps"."""
    if index >= stop or tokens.words[index] not in {"collect", "collecting", "collects"}:
        return []
    value = activity(tokens, index, stop)
    return [value] if value and value.stop > index + 1 else []
