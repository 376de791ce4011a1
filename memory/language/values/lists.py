"""Readers for many-valued slots: lists of things, languages, pets, relatives, wishes of style."""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon, vocabulary
from memory.language.values.activity_bounds import GERUND, OF, deed, with_company
from memory.language.values.compound_names import TITLES, pair
from memory.language.values.readers import Found, Reader, phrase, words
from memory.language.values.unusable import NOTHING, UNFIT

MAX_ITEMS = 8

SEPARATOR = lazy_pattern(
    r"(?:\s+(?:too|also|as well)(?=\s*,|\s+and\b))?\s*(?:,\s*(?:and\s+|or\s+|as well as\s+)?|"
    r"\s(?:and|or|as well as|&)"
    r"\s+|/\s*)"
    r"(?:also\s+|both\s+|some\s+)?",
    re.IGNORECASE,
)
# What is watched for itself and not on a screen: "watching birds" is more than "birds".
LIVE = (
    r"\s+(?:(?:the|my|all|some|other|wild)\s+)*(?:birds?|animals?|wildlife|people|dogs?|cats?|fish|"
    r"deer|squirrels?|horses|sun ?sets?|sun ?rises?|stars|clouds|waves|whales|rain|snow|storms?|"
    r"kids|"
    r"children|butterflies|ducks|fireworks|plants|trees|leaves|ocean|sea|sky|world)\b"
)
DETERMINER = lazy_pattern(
    r"(?:(?:really|very|mostly|mainly|specifically|specially|literally|some\s+(?:good|nice)|"
    r"all|both|any|some|many|various|a lot of|lots of|a bit of|"
    r"a little(?: bit of)?|"
    rf"a few|loads of|listening to|watching(?!{LIVE})|the|a|an|(?:all\s+)?(?:(?:different|various|"
    rf"other)\s+)?(?:kinds?|sorts?|types?|forms?|"
    rf"genres?) of|"
    r"colou?rs?(?=\s+(?:light\s+|dark\s+|lime\s+|navy\s+|sky\s+|hot\s+|baby\s+)?(?:red|blue|"
    r"green|yellow|orange|purple|pink|black|white|brown|gr[ae]y|teal|turquoise|violet|gold|silver|"
    r"lavender|maroon|navy|magenta|indigo|beige|burgundy))|"
    r"an?\s+(?:nice\s+|good\s+|big\s+|hot\s+|cold\s+)?(?:cup|glass|bowl|slice|bottle|can|pint|"
    r"mug|plate)\s+of(?=\s+\w{3})|lots|tons of|plenty of|"
    r"(?:my\s+)?(?:fav\w*\s+)?(?:\w+\s)?(?:show|movie|film|book|band|game|song|series|singer|artist|"
    r"group)\s+(?:called|named)|(?:the\s+)?(?:band|singer|rapper)(?=\s+(?!is\b|are\b|in\b|and\b|camp\b|"
    r"practice\b|class\b|that\b|my\b|i\b|of\b|you\b|he\b|geek\b|who\b|we\b|called\b|with\b|on\b)\w)|"
    r"going to see|going to|going out to|going|to go to|(?:eating|drinking)(?!\s+(?:in|at|on|"
    r"out|with|outside|and|or)\b)|how|"
    r"seeing|doing|to|"
    r"just|when|about|my own|my fav\w*|my|our|his|this|these|that|those)\s+)+(?=\w)",
    re.IGNORECASE,
)
_TOO_BARE = frozenset({"school", "college", "university", "degree", "my degree", "hard"})
_REPLY_WORD = lazy_pattern(
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
        if item is None or (result and not infinitive and VERB_ITEM.match(item.value)):
            break
        if result and (item.value.lower() in _QUALITIES or _NO_ITEM.match(item.value)):
            break
        item = _stacked(text, item, end)
        result.append(_also_done(item) if result and infinitive else item)
        if not item.sure:
            break
        separator = SEPARATOR.match(text, item.end, end)
        if not separator or _NEW_SUBJECT.match(text, separator.start(), end):
            break
        at = separator.end()
    result = [
        item
        for item in result
        if item.sure and not _REPLY_WORD.search(item.value) and not _LEFT_OPEN.search(item.value)
    ]
    return [_of_its_kind(item, result[n : n + 2][-1]) for n, item in enumerate(result)]


# "Simple ones" tells nothing without what stands elsewhere; "especially" tells nothing at all.
_LEFT_OPEN = lazy_pattern(
    r"^(?:especially|specially|particularly)\b|(?<!loved )(?<!little )\bones$", re.IGNORECASE
)


def _of_its_kind(item: Found, following: Found) -> Found:
    """The first of "action and fantasy movies" with the noun that it waits for."""
    kind = _GENRES.fullmatch(following.value) if following is not item else None
    if not kind or item.value.lower() not in _GENRE_NAMES:
        return item
    return Found(item.start, item.end, f"{item.value} {kind['works']}", item.sure)


_GENRES = lazy_pattern(
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


# Something of which more is said: "hiking, cardio is so boring", "skating and fall is near".
_NEW_SUBJECT = lazy_pattern(
    r"\s*,\s*(?!and\b|or\b)(?:[\w'-]+\s+){1,5}?(?:is|are|was|were|makes?|sounds?|seems?|tastes?)\s"
    r"|\s+and\s+(?:[\w'-]+\s+){1,2}?(?:is|was)\s",
    re.IGNORECASE,
)


def _also_done(item: Found) -> Found:
    """The second verb of "to visit the city and shop", with the "to" that it leans on."""
    first, _, rest = item.value.lower().partition(" ")
    if first not in (_TO_THEIR_OBJECT if rest else _VERBS_AND_NOUNS):
        return item
    return Found(item.start, item.end, f"to {item.value}", item.sure)


_TO_THEIR_OBJECT = lexicon.word_set("ride drive walk train race paint chill")
_VERBS_AND_NOUNS = lexicon.word_set(
    "run dance walk shop hike camp travel party surf bike jog paint garden cycle craft exercise"
)


# Adjectives that a comma joins to the next: "a safe, inviting place" is one thing.
_QUALITIES = lexicon.word_set("""
safe warm cozy quiet calm cool nice big small little tiny huge large long short tall wide open deep
old new young fresh clean dirty soft hard hot cold spicy sweet sour salty crispy crunchy juicy rich
creamy dark bright light heavy loud slow fast simple easy fun funny silly cute fluffy furry fuzzy
beautiful pretty lovely gorgeous strong weak wild weird strange scary creepy bad good great
peaceful relaxing inviting friendly kind honest rainy sunny windy snowy breezy chilly lazy busy
cheap expensive fancy plain healthy unhealthy greasy fatty smooth rough thick thin dry wet
""")


_COLOURS = lexicon.word_set("""
red blue green yellow orange purple pink black white brown grey gray silver gold teal
""")


def _stacked(text: str, item: Found, end: int) -> Found:
    """A thing whose last adjective waits, over a comma, for its noun; itself if none does."""
    comma = _COMMA.match(text, item.end, end)
    mine = _MINE.search(text, max(0, item.start - 8), item.start)
    waiting = _QUALITIES | _COLOURS if mine else _QUALITIES
    if not comma or item.value.lower().split()[-1] not in waiting:
        return item
    rest = phrase(text, comma.end(), end, 3, frozenset({"of"}))
    if rest is None or text[rest[0] : rest[1]].lower().split()[0] in NOTHING:
        return item
    return Found(item.start, rest[1], re.sub(r"\s+,", ",", text[item.start : rest[1]]), item.sure)


_COMMA = lazy_pattern(
    r"\s*,\s*(?!and\b|or\b|but\b|i\b|so\b|my\b|it\b|you\b)(?=[a-z])", re.IGNORECASE
)


# What a list of likings does not go on with: a likeness, a manner, a count of animals.
_NO_ITEM = lazy_pattern(
    r"like\b|(?!(?:fami|jel|bel|li|ita|ear|chil|cur|sil|fri?l)ly\b)\w{3,}ly\s(?!enough\b)\w|"
    r"(?:\d+|two|three|four|five|six)\s\w",
    re.IGNORECASE,
)
_SENSE_VERB = lazy_pattern(
    r"(?:to\s+)?(?:watch|play|read|eat|drink|listen to)(?:ing)?\s+(?:the\s+|some\s+)?(?=\w{3})",
    re.IGNORECASE,
)
# A list of nouns does not go on with a verb: "I eat pizza and play video games".
VERB_ITEM = lazy_pattern(
    r"(?:read|burn|sleep|go|watch|play|drink|eat|work|make|do|take|have|get|run|walk|freeze|try|"
    r"use|hang|see|give|put|"
    r"think|say|stay|enjoy|love|like|hate|wish|want|need|am|feel|live|listen|ride|keep|always|"
    r"just|also|hope|wear|helps|keeps|makes|gives|gets|takes|brings|calms|relaxes|believe|know|"
    r"find|can|spend|plan|collect|study|teach|speak|\w+ed some|made|bought|got|had|reminds|"
    r"relaxes|calms|sounds|"
    r"seems|means|lets|allows)\b"
    r"(?!ing)",
    re.IGNORECASE,
)
_POINTING = lazy_pattern(
    r"\b(?:this|that|these|those)\s+(?:(?:kind|type|sort)s?\s+of\s+)?$", re.IGNORECASE
)


def _thing(text: str, at: int, end: int, *, infinitive: bool) -> Found | None:
    title = TITLES.match(text, at, end)
    if title:
        return Found(title.start(), title.end(), title[0])
    done = deed(text, at, end)
    if done:
        return (
            None
            if UNFIT.search(text, at, done[1])
            else Found(at, done[1], text[slice(*done)], 0.95)
        )
    to = _TO_DO.match(text, at, end)
    lead = to or DETERMINER.match(text, at, end)
    fixed = pair(text, lead.end() if lead else at, end)
    if fixed:
        return Found(fixed.start(), fixed.end(), fixed[0])
    return _phrase_of(text, at, end, lead, to_do=bool(to), infinitive=infinitive)


def _phrase_of(
    text: str, at: int, end: int, lead: re.Match[str] | None, *, to_do: bool, infinitive: bool
) -> Found | None:
    """A thing that no list knows: the words after ``lead``, which is "to" or a determiner."""
    determiner = None if to_do else lead
    span = _span_of_thing(text, lead.end() if lead else at, end, infinitive=to_do)
    if span is None or not _is_fit(text, at, span, determiner) or _leans(text, span, end):
        return None
    if determiner is not None and _MINE.search(determiner[0]):
        return _of_mine(text, span)
    value = text[slice(*span)]
    work = _WORK_TITLE.fullmatch(value) if _after_the(text, span[0]) else None
    if work:
        return Found(span[0] + work.start("title"), span[1], f"{work['title']} ({work['kind']})")
    telling = _A_GOOD.match(text, max(0, span[0] - 2), span[1]) or _THE_LAND.match(
        text, max(0, span[0] - 4), span[1]
    )
    if telling:
        return Found(telling.start(), span[1], text[telling.start() : span[1]])
    if lead and to_do and infinitive and not lead[0][3:].lower().startswith("go"):
        return Found(lead.start(), span[1], f"to {value}", 0.95)
    return Found(*span, value)


def _leans(text: str, span: tuple[int, int], end: int) -> bool:
    """Whether a phrase leans on a word elsewhere: "to cook them", "i really like the books"."""
    value = text[slice(*span)]
    of_another = _OF_ANOTHER.fullmatch(value) and _after_the(text, span[0])
    return bool(of_another or _OF_THEM.search(value) or _OF_IT.match(text, span[1], end))


def _after_the(text: str, at: int) -> bool:
    return text[max(0, at - 5) : at].lower().endswith(" the ")


_OF_THEM = lazy_pattern(r"\s(?:them|him|these|those|others)$", re.IGNORECASE)
# "A good party": that it is good is what is liked; and "the country" is land, "country" is music.
_THE_LAND = lazy_pattern(r"\bthe\s+country$", re.IGNORECASE)
_A_GOOD = lazy_pattern(r"\ba\s+(?:good|nice|great)\s+(?=\w)", re.IGNORECASE)
_OF_ANOTHER = lazy_pattern(
    r"(?:books?|movies?|films?|shows?|series|songs?|albums?|characters?|episodes?|lyrics|plot)",
    re.IGNORECASE,
)
# "The movie cars": of the two words, the second is liked.
_WORK_TITLE = lazy_pattern(
    r"(?P<kind>movie|film|show|series|book|novel|song)\s+"
    r"(?P<title>(?!(?:theat\w+|stores?|shops?|clubs?|business|industry|world|channels?|reviews?|"
    r"versions?|stars?|fairs?|genres?|nights?|scenes?|lyrics|called|named)\b)\w.*)",
    re.IGNORECASE,
)


def _span_of_thing(text: str, begin: int, end: int, *, infinitive: bool) -> tuple[int, int] | None:
    """A noun phrase with its company, without the words that say how much."""
    keep = frozenset({"of", "in"}) if text[begin : begin + 1].isupper() else OF
    span = phrase(text, begin, end, 4, keep)
    if span is None:
        return None
    if _OF_DOING.search(text, *span):  # "the creativity of trying new blends"
        span = phrase(text, begin, end, 6, keep) or span
    stop = with_company(text, span, end, infinitive=infinitive)
    told = _TOLD.search(text, span[0], stop)
    stop = told.start() if told else stop
    tail = _TAIL.search(text, span[0], stop) or _RATHER.search(text, span[0], stop)
    stop = tail.start() if tail else stop
    return span[0], _with_what_narrows(text, span[0], stop, end)


# What is liked less, or why: "cats over dogs", "music cause it calms".
_RATHER = lazy_pattern(
    r"(?<!ing)\s+(?:over|versus|vs|cause|cuz|seeing|being)(?:\s.*)?$", re.IGNORECASE
)
# "Strawberries with honey" are another dish than strawberries, "all music except country" is less
# than music.
_WITH_IT = lazy_pattern(
    rf"\s+with\s+(?:some\s+|lots of\s+|extra\s+|a lot of\s+)?(?={vocabulary.FOODS}\b)",
    re.IGNORECASE,
)
_EXCEPT = lazy_pattern(
    r"\s+(?:except(?:\s+for)?|but\s+not|other\s+than|apart\s+from|besides)\s+(?=[a-z])",
    re.IGNORECASE,
)
_FOOD_LAST = lazy_pattern(rf"(?:.*\s)?(?:{vocabulary.FOODS})", re.IGNORECASE)
# "Paintings big and small": both of them.
_OF_ALL_SIZES = lazy_pattern(
    r"(?<=\s)(?:big|large|great|old|young|short|good|rich|hot)\s+(?:and|or)\s+(?:small|little|new|old|"
    r"young|tall|bad|poor|cold)\b",
    re.IGNORECASE,
)


def _with_what_narrows(text: str, begin: int, stop: int, end: int) -> int:
    """Where a thing ends with the words after it that say which of its kind is meant."""
    last = text.rfind(" ", begin, stop) + 1
    sizes = _OF_ALL_SIZES.match(text, last, end) if last > begin else None
    if sizes:
        return sizes.end()
    dish = _WITH_IT.match(text, stop, end) if _FOOD_LAST.fullmatch(text, begin, stop) else None
    more = dish or _EXCEPT.match(text, stop)  # an exception is cut off as a clause of its own
    what = phrase(text, more.end(), len(text), 3) if more else None
    if what is not None and text[slice(*what)].lower().split()[0] not in NOTHING:
        return what[1]
    which = _WHICH.match(text, stop)
    return which.end() if which else stop


def _is_fit(text: str, at: int, span: tuple[int, int], determiner: re.Match[str] | None) -> bool:
    """Whether a phrase names something that one may like, and says by itself what it is."""
    value = text[slice(*span)]
    first, *rest = value.lower().split()
    qualified = first in _QUALITIES and rest and not set(rest) & NOTHING
    named = first not in NOTHING or qualified or _ALL_PEOPLE.match(text, span[0])
    if not named or UNFIT.search(text[at : span[1] + 12]):
        return False
    if not re.search(r"[^\W\d_]", value) or (len(value) < 3 and not value.isupper()):
        return False
    # "i love that song": the word that says which stands elsewhere
    pointing = determiner is not None and _POINTING.search(determiner[0])
    return not (pointing and len(value.split()) == 1)


# "I love people", and no more is said of which.
_ALL_PEOPLE = lazy_pattern(r"people\s*(?:$|[.!,]|and\b|too\b|lol\b)", re.IGNORECASE)
_OF_DOING = lazy_pattern(r"\sof\s+\w{2,}ing\b", re.IGNORECASE)
_OF_IT = lazy_pattern(r"\s+(?:of|about)\s+(?:it|them|that|this|those)\b", re.IGNORECASE)
_MINE = lazy_pattern(r"\b(?:my|our)(?:\s+own)?\s*$", re.IGNORECASE)
# Beings and vehicles of one's own: other patterns note them, and love for them is no taste.
_KEPT = (
    lexicon.PET_WORDS
    | frozenset(lexicon.OWN_VEHICLES)
    | lexicon.VEHICLE_WORDS
    | lexicon.KIN
    | lexicon.word_set("friend friends buddy buddies fans followers")
)
_OWN_THINGS = (
    lexicon.OWNED
    | lexicon.HAVEABLE
    | lexicon.word_set("""
job jobs work career life bed town city neighborhood neighbourhood country state church school
college room bedroom office classes class body home house coworker coworkers boss bosses neighbor
neighbors
neighbour neighbours roommate roommates teacher teachers students patients clients customers
""")
)


_OF_KIN = lazy_pattern(
    r"(?:mom|mum|mother|dad|father|brother|sister|aunt|uncle|cousin|grandma|grandpa|friend|"
    r"grandmother|grandfather)'?s\s+\w",
    re.IGNORECASE,
)


def _of_mine(text: str, span: tuple[int, int]) -> Found:
    """What is liked of one's own: "own garden", "coffee"; not sure at all of animals and people."""
    value = text[slice(*span)]
    last = value.lower().split()[-1]
    if _OF_KIN.match(value):  # "my mom's restaurant" is not one's own
        return Found(*span, value)
    if last in _KEPT or value.lower().split()[0] in _KEPT:
        return Found(*span, value, 0.0)
    return Found(*span, f"own {value}" if last in _OWN_THINGS else value)


_TO_DO = lazy_pattern(r"to\s+(?:go\s+)?(?=\w)", re.IGNORECASE)
# How much, which is no part of what is liked: "tea the most", "cooking a lot".
_TAIL = lazy_pattern(
    r"(?:\s+(?:the\s+most|the\s+best|the\s+least|most|a\s+lot|a\s+ton|a\s+bit|a\s+little|more|"
    r"better|best|good|much|greatly|immensely|deeply|omg|though|aswell|way\s+more|and\s+stuff|everywhere|quite|"
    r"(?:quite|very|so|really|pretty)\s+(?:much|often)))+$",
    re.IGNORECASE,
)
_OWN_WORD = r"(?!(?:i|you|and|but|so|we|it|because)\b)[\w'-]{1,24}\b"
# Which of its kind is meant: "the music that tells of ghosts".
_WHICH = lazy_pattern(
    r"\s+(?:that|which)\s+(?:is|are|has|have|talks?|tells?|deals?|smells?|tastes?|makes? you|"
    r"involves?|includes?)\s+"
    r"(?!so\b|my\b|very\b|why\b|what\b|how\b|where\b|it\b|the (?:best|worst)\b|great\b|good\b|"
    r"fun\b|cool\b|just\b|really\b|awesome\b|nice\b|always\b|pretty\b|too\b|to\b|me\b|about it\b)"
    rf"{_OWN_WORD}(?:\s+{_OWN_WORD}){{0,3}}"
    r"(?=\s*(?:$|[.,!?;]|and\b|but\b|so\b|because\b|i\b))",
    re.IGNORECASE,
)
# A verb of which the thing is the subject: what follows tells of it.
_TOLD = lazy_pattern(
    r"\s+(?:makes?|made|helps?|keeps|gets|gives|brings|sounds|seems|feels|looks|goes|relaxes|"
    r"calms|reminds|tastes|takes|comes|means|rocks|rules|gives?|scares?|frightens?|terrify|"
    r"terrifies|disgusts?|annoys?|bores?|"
    r"upsets?|creeps?|repulses?|irritates?|sucks?|stinks?|(?<=s )(?:run|play)|"
    r"(?<=[a-z]s )(?<!blues )(?:rock|rule))$"
    r"|\s+(?:lots of|tons of|a lot of|anything|everything|e?specially|specifically|either)(?:\s|$)"
    r"|\s+(?:makes|keeps|gives|brings|sounds|seems|reminds|relaxes|calms|scares?|sucks?|stinks?)\s",
    re.IGNORECASE,
)


def nouns(text: str, start: int, end: int) -> list[Found]:
    """A list that ends where the person goes on to what they do: "jazz, and painting my room"."""
    found = things(text, start, end)
    return [item for n, item in enumerate(found) if not n or not GERUND.match(item.value)]


_PASTIME_PHRASE = lazy_pattern(
    r"[a-z]+ing(?:\s+(?:in|on|at|by|near|around|with|my|the|an?|own|our|of|"
    r"to)){0,3}(?:\s+(?!and\b|or\b|"
    r"but\b|so\b|because\b|when\b|while\b|too\b|since\b|though\b|i\b|it\b|that\b|for\b|with\b|"
    r"in\b|during\b|"
    r"as\b|if\b|at\b|all\b|after\b)[\w'-]+){1,3}",
    re.IGNORECASE,
)


def pastime_phrase(text: str, start: int, end: int) -> list[Found]:
    """A verb that says little alone, with what follows it: "being at the beach"."""
    found = _PASTIME_PHRASE.match(text, start, end)
    if (
        not found
        or UNFIT.search(found[0])
        or found[0].lower().split()[-1] in NOTHING - {"myself", "people"}
    ):
        return []
    first = Found(found.start(), found.end(), found[0])
    also = _AROUND_BOTH.match(text, first.end, end) if _AMONG.match(first.value) else None
    return [Found(first.start, also.end(), text[first.start : also.end()])] if also else [first]


# "Being around children and dogs".
_AMONG = lazy_pattern(r"being\s+(?:around|with|near|by)\s", re.IGNORECASE)
_AROUND_BOTH = lazy_pattern(
    r"\s+and\s+(?:my\s+|the\s+)?[a-z]+(?=\s*(?:$|[.,!?]|too\b))", re.IGNORECASE
)


_QUALIFIER = lazy_pattern(
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
