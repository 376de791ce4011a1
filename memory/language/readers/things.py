"""Readers for what is liked and done: things, activities, favourites, and lists of them."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.activities import (
    BARE_VERBS,
    NOTHING,
    PEOPLE,
    POINTING,
    UNFIT,
    VERBS_TOO,
    activity,
    is_gerund,
)
from memory.language.readers.phrases import (
    DETERMINERS,
    MAX_CHARS,
    MAX_ITEMS,
    STOP,
    Value,
    is_word,
    longest_in,
    next_item,
    noun_phrase,
)

TITLES = load_lexicon("artists") | load_lexicon("shows") | load_lexicon("fixed_names")
"""Names of works, artists and fixed pairs in which a small word may stand."""
FOODS = load_lexicon("foods")

COLOURS = (
    "red|blue|green|yellow|orange|purple|pink|black|white|brown|gray|grey|teal|turquoise|violet|"
    "gold|"
    "silver|lavender|maroon|navy|magenta|indigo|beige|burgundy"
)
# How much or which kind, which is no part of the thing.
_LEAD = re.compile(
    rf"(?:(?:(?:a (?:lot|bit|few|couple|ton|little bit|cup|glass|bowl|slice|plate|piece)|lots|tons|"
    r"plenty|loads|cups|glasses|(?:all |many |different |various |some )*(?:kinds?|sorts?|types?|"
    r"genres?)|any kind) of|really|good|some|any|all|the|a|an|my|our|own|other|various|many|"
    r"different|certain|both|watching|listening to|eating|drinking|reading|wearing|seeing|to watch|"
    r"to eat|to drink|to listen to|to play|playing|to read|to wear|anything|everything|"
    rf"(?:the )?colours?(?= (?:light |dark |lime |navy |sky |hot )?(?:{COLOURS}) )) )*"
)
_VERB_NOW = load_lexicon("verbs_in_the_present")
_OF = frozenset({"of"})
_IN_NAME = frozenset({"of", "in", "the", "and", "on", "for", "to"})
_SORTS_OF_WORK = lexicon.word_set("band singer rapper group show movie film book game song series")
_OF_ANOTHER = lexicon.word_set(
    "book books movie movies film films show shows series song songs album character characters "
    "episode episodes lyrics plot idea tip tips advice help answer question"
)
_KEPT = (
    lexicon.PET_WORDS
    | frozenset(lexicon.OWN_VEHICLES)
    | lexicon.KIN
    | lexicon.word_set("friend friends buddy buddies fans followers boss coworkers wife husband")
)
_OWN = lexicon.OWNED | lexicon.HAVEABLE | lexicon.word_set(
    "job work career life bed town city neighborhood country state church school college room home "
    "house office body classes"
)  # fmt: skip


def things(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A list of things or activities: "hiking, chess and to cook"."""
    found: list[Value] = []
    begin = index
    infinitive = index < stop and tokens.words[index] == "to"
    while index < stop and len(found) < MAX_ITEMS:
        if found and not infinitive and tokens.words[index] in BARE_VERBS | _VERB_NOW | {"reminds"}:
            break
        if found and infinitive and tokens.words[index] in BARE_VERBS | VERBS_TOO:
            item = activity(tokens, index, stop)
            item = item and Value(item.first, item.stop, f"to {item.text}")
        else:
            item = thing(tokens, index, stop)
        if item is None or (found and _goes_on(tokens, item, stop)):
            break
        item = _with_its_noun(tokens, item, stop)
        if found and _has_two_objects(tokens, found[-1], item):
            item = _joined(tokens, found.pop(), item)
        found.append(item)
        index = next_item(tokens, item.stop, stop)
        if index == item.stop:
            break
    if found and _is_of_a_moment(tokens, begin, found):
        return []
    return [_of_its_kind(item, found[n : n + 2][-1]) for n, item in enumerate(found) if item.sure]


def _has_two_objects(tokens: Tokens, deed: Value, item: Value) -> bool:
    """Whether a thing behind "and" is one more object of a deed: "painting walls and fences"."""
    own_object = is_gerund(tokens.words[deed.first]) and deed.stop > deed.first + 1
    return (
        own_object
        and tokens.words[deed.stop : item.first] in {("and",), ("or",)}
        and not (is_gerund(tokens.words[item.first]) or tokens.words[item.first] == "to")
    )


def _joined(tokens: Tokens, deed: Value, item: Value) -> Value:
    """A deed with both of its objects; too long for one value, with the first alone."""
    both = tokens.said(deed.first, item.stop)
    return Value(deed.first, item.stop, both if len(both) <= MAX_CHARS else deed.text, deed.sure)


_SUBJECTS = frozenset({"i", "you", "we", "he", "she", "it", "they"})
WELL_KNOWN = load_lexicon("well_known")
"""What everybody knows by "the" alone."""


_COLOURED = re.compile(rf"\b(?:{COLOURS})\b")


def _is_of_a_moment(tokens: Tokens, begin: int, found: list[Value]) -> bool:
    """Whether "the" things are those of a clause that follows: "the freedom it brings"."""
    after = tokens.words[found[-1].stop : found[-1].stop + 1]
    words = tokens.words[found[-1].first - 1 : found[-1].stop]
    named = set(words) & WELL_KNOWN or _COLOURED.search(" ".join(words))
    return "the" in tokens.words[begin : found[0].first] and bool(
        _SUBJECTS & set(after) and not named
    )


def _with_its_noun(tokens: Tokens, item: Value, stop: int) -> Value:
    """A thing whose last adjective waits, over a comma, for its noun: "a calm, cosy room"."""
    waiting = tokens.words[item.stop - 1] in _QUALITIES and tokens.words[
        item.stop : item.stop + 1
    ] == (",",)
    end = noun_phrase(tokens, item.stop + 1, stop, 3, _OF) if waiting else item.stop
    if not waiting or end == item.stop + 1 or tokens.words[item.stop + 1] in STOP | NOTHING:
        return item
    return Value(item.first, end, re.sub(r"\s+,", ",", tokens.said(item.first, end)), item.sure)


_QUALITIES = load_lexicon("qualities")


def _goes_on(tokens: Tokens, item: Value, stop: int) -> bool:
    """Whether more is said of an item: then it begins a new clause ("..., opera is boring")."""
    return item.stop < stop and tokens.words[item.stop] in {"is", "are", "was", "were"} | _VERB_NOW


def nouns(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A list that ends where the person goes on to what they do: "jazz, and painting my room"."""
    found = things(tokens, index, stop)
    return [
        item for n, item in enumerate(found) if not n or not is_gerund(tokens.words[item.first])
    ]


def thing(tokens: Tokens, index: int, stop: int) -> Value | None:
    """One thing or activity; None where nothing that can stand alone is named."""
    title = longest_in(tokens, index, stop, TITLES, 6)
    if title > index + 1 or (title > index and (title >= stop or not _is_noun(tokens, title))):
        return Value(index, title, tokens.said(index, title))
    if tokens.words[index] == "to" and index + 1 < stop:
        done = activity(tokens, index + 1, stop)
        return done and Value(index, done.stop, f"to {done.text}", done.sure)
    lead = _LEAD.match(tokens.line, tokens.offset(index))
    first = min(tokens.position(lead.end()), stop) if lead else index
    if first >= stop or (first > index and not _names_something(tokens, first)):
        return activity(tokens, index, stop) if is_gerund(tokens.words[index]) else None
    if is_gerund(tokens.words[first]) or _is_being(tokens, first, stop):
        return activity(tokens, first, stop)
    if (
        first > index
        and is_gerund(tokens.words[index])
        and _WATCHED & set(tokens.words[first : first + 3])
    ):
        return activity(tokens, index, stop)
    return _noun(tokens, index, first, stop)


# What is watched for itself and not on a screen: "watching birds" is more than "birds".
_WATCHED = lexicon.PET_WORDS | lexicon.word_set(
    "birds animals wildlife people deer squirrels sunsets sunrises stars clouds waves whales "
    "rain snow "
    "kids children butterflies ducks fireworks plants trees leaves ocean sea sky"
)
_AFTER_BEING = lexicon.word_set(
    "in at on near around with by outside outdoors alone active a an the"
)


def _is_being(tokens: Tokens, index: int, stop: int) -> bool:
    """Whether somebody likes being somewhere, or with somebody."""
    return (
        tokens.words[index] == "being"
        and index + 1 < stop
        and tokens.words[index + 1] in _AFTER_BEING
    )


def _names_something(tokens: Tokens, index: int) -> bool:
    return is_word(tokens, index) and tokens.words[index] not in STOP | NOTHING


def _is_noun(tokens: Tokens, index: int) -> bool:
    return is_word(tokens, index) and tokens.words[index] not in STOP | _VERB_NOW


def _noun(tokens: Tokens, index: int, first: int, stop: int) -> Value | None:
    if (
        tokens.words[first] in _SORTS_OF_WORK
        and longest_in(tokens, first + 1, stop, TITLES, 6) > first + 1
    ):
        first += 1  # "the band Low"
    title = longest_in(tokens, first, stop, TITLES, 6)
    end = max(_noun_end(tokens, first, stop), title)
    if end == first:
        return None
    value, words = tokens.said(first, end), tokens.words[first:end]
    mine = bool({"my", "our"} & set(tokens.words[index:first]))
    if mine and len(words) == 1 and words[0] in _OWN | {"boss"}:
        return Value(first, end, f"own {value}")
    anothers = len(words) == 1 and words[0] in _OF_ANOTHER and "the" in tokens.words[index:first]
    if anothers or (mine and words[-1] in _WORK) or not _is_fit(value, words):
        return None
    if mine and (words[-1] in _KEPT or words[0] in _KEPT):
        return Value(first, end, value, 0.0)
    if not mine:
        end = _with_clause(tokens, end, stop)
        value = tokens.said(first, end)
    return Value(first, end, f"own {value}" if mine and words[-1] in _OWN else value)


_WORK = frozenset({"job", "work", "career"})
_ME = frozenset({"me", "my", "i", "us", "our", "we", "you", "your"})


def _with_clause(tokens: Tokens, end: int, stop: int) -> int:
    """Where a thing ends with the short clause that says which: "stories that end well"."""
    if tokens.words[end : end + 1] not in {("that",), ("who",)}:
        return end
    last = end + 1
    while last < stop and is_word(tokens, last) and tokens.words[last] not in _CLAUSE_ENDS:
        last += 1
    told = set(tokens.words[end + 1 : last])
    short = 2 <= last - end - 1 <= 6 and tokens.words[end + 1] not in {"is", "was"} | _SUBJECTS
    return last if short and not told & (_ME | POINTING) else end


_CLAUSE_ENDS = frozenset("and but or because so since when while i".split())


def _noun_end(tokens: Tokens, first: int, stop: int) -> int:
    keep = _IN_NAME if tokens.is_capital(first) and first + 1 < stop else _OF
    end = noun_phrase(tokens, first, stop, 4, keep)
    while (
        first < end < stop
        and is_word(tokens, end)
        and tokens.is_capital(end - 1) > (end == first + 1)
    ):
        if not tokens.is_capital(end) or tokens.words[end] in STOP:
            break
        end += 1  # "the films of Iron | Man"
    for index in range(first + 1, end):
        if tokens.words[index] in _VERB_NOW:
            return index
    # "Strawberries with honey", "music except opera": another thing than the noun alone.
    if tokens.words[end : end + 1] == ("except",):
        more = noun_phrase(
            tokens, end + (2 if tokens.words[end + 1 : end + 2] == ("for",) else 1), stop, 3
        )
        return more if more > end + 1 else end
    if end > first and tokens.words[end - 1] in _WALKS and tokens.words[end : end + 1] in _ALONG:
        more = (
            noun_phrase(tokens, end + 2, stop, 3) if tokens.words[end + 1] in {"the", "a"} else end
        )
        return more if more > end + 2 else end
    if end > first and tokens.words[end : end + 1] == ("with",) and tokens.words[end - 1] in FOODS:
        more = noun_phrase(tokens, end + 1, stop, 3)
        return more if more > end + 1 else end
    return end


_WALKS = lexicon.word_set(
    "walk walks hike hikes run runs ride rides drive drives trip trips stroll"
)
_ALONG = {("on",), ("in",), ("along",), ("through",), ("by",), ("at",)}


def _is_fit(value: str, words: tuple[str, ...]) -> bool:
    """Whether a phrase names something that one may like, and says by itself what it is."""
    if words[0] in NOTHING and not (len(words) > 1 and words[0] in {"one", "funny", "nice"}):
        return False
    if len(words) == 1 and words[0] in lexicon.GIVEN_NAMES and value[0].isupper():
        return False  # who is loved is no taste
    called = len(words) > 1 and words[-1] in lexicon.GIVEN_NAMES and value[0].islower()
    if POINTING & set(words) or (called and value.rsplit(maxsplit=1)[-1][0].isupper()):
        return False  # "the thought, Nate": who is spoken to
    adverb = len(words) == 1 and words[0].endswith("ly") and words[0] not in _LY
    if (
        adverb
        or {words[0], words[-1]} & PEOPLE
        or words[-1] in {"ones", "thing", "things", "stuff", "one", "way"}
        or UNFIT.search(value)
    ):
        return False
    return bool(re.search(r"[^\W\d_]", value)) and (len(value) > 2 or value.isupper())


_LY = lexicon.word_set("family jelly belly lily italy holy curly fly reply supply")


def known_work(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A work or artist that is taken for nothing else."""
    end = longest_in(tokens, index, stop, _WORKS, 6)
    return [Value(index, end, tokens.said(index, end))] if end > index else []


_WORKS = load_lexicon("artists") | load_lexicon("shows")


# --- Kinds ---------------------------------------------------------------------------------------

_GENRES = re.compile(
    r"[\w-]+(?:\s[\w-]+)?\s(?P<works>movies?|films?|books?|novels?|shows?|music|songs?|games?|food|"
    r"stories|comics)",
    re.IGNORECASE,
)
_GENRE_NAMES = lexicon.phrases("""
action, scary, horror, fantasy, comedy, romantic, romance, funny, adventure, thriller, mystery,
crime, suspense, country, rock, pop, rap, classical, folk, indie, metal, italian, mexican, chinese,
thai, indian, japanese, korean, greek, french, video, board, card, comic, old, sci fi, science
fiction, historical, foreign, animated, fast, spicy, war
""")


def _of_its_kind(item: Value, following: Value) -> Value:
    """The first of "action and fantasy movies" with the noun that it waits for."""
    kind = _GENRES.fullmatch(following.text) if following is not item else None
    if not kind or item.text.lower() not in _GENRE_NAMES:
        return item
    return Value(item.first, item.stop, f"{item.text} {kind['works']}", item.sure)


def favourite(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What is named after "my favourite colours are": "blue, red and green"."""
    while index < stop and tokens.words[index] in DETERMINERS | {"to", "either", "when", "going"}:
        if tokens.words[index] == "the" and longest_in(tokens, index, stop, TITLES, 6) > index:
            break
        index += 1
    found: list[Value] = []
    while index < stop and len(found) < MAX_ITEMS:
        title = longest_in(tokens, index, stop, TITLES, 6)
        done = (
            activity(tokens, index, stop)
            if is_gerund(tokens.words[index]) and title == index
            else None
        )
        end = (
            done.stop
            if done
            else max(title, noun_phrase(tokens, index, stop, 5, _IN_NAME - {"and"}))
        )
        words = tokens.words[index:end]
        if end == index or words[0] in NOTHING or UNFIT.search(tokens.said(index, end)):
            break
        if found and (words[0] in BARE_VERBS or _goes_on(tokens, Value(index, end, ""), stop)):
            break
        found.append(Value(index, end, tokens.said(index, end)))
        index = next_item(tokens, end, stop)
        if index == end:
            break
    return found
