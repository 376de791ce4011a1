"""Readers for what is liked and done: things, activities, favourites, and lists of them."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.grammar.verbs import gerund
from memory.language.lexicons import entries, lexicon
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

TITLES = entries("artists") | entries("shows") | entries("fixed_names")
"""Names of works, artists and fixed pairs in which a small word may stand."""
PASTIMES = entries("pastimes")
FOODS = entries("foods")

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
_NO_GERUND = lexicon.word_set("""
thing things something anything everything nothing morning evening spring king ring string sling
wedding pudding ceiling clothing darling wrestling pudding bling swing being stuffing
dressing icing lightning wing boxing icing
""")
_VERB_NOW = lexicon.word_set("""
makes made helps keeps reminds gross gets gives brings sounds seems looks tastes rocks rules sucks
scares goes
comes means relaxes calms feels takes
""")
_NOTHING = lexicon.word_set("""
you your u it its that this these those them him her his he she they we us me mine our what how when
why who where if there here one ones same being having getting everything anything nothing something
someone everyone lot both such to so much more most very thing things stuff genres kinds types sorts
many place colour idea way too myself yourself each other another theirs yours hers ours along now
not neither either know see think say hear ask tell be talk chat sound life kind bit get waste been
never truly honestly living going hobby hobbies funny nice sure sorry easy seems sounds especially
even fact rest feeling look looks job work company day days time times moment world people weather
traffic music's dearly
""")
_UNFIT = re.compile(
    r"\b(?:hair|beard|eyes|skin|nails|legs|nose|teeth|single|married|divorced|adopt\w+|virgin|"
    r"nigg\w*|fagg?\w*|retards?|sex\w*|porn\w*|nud(?:e|es|ity)|fuck\w*|dicks?|cock|pussy|boobs|"
    r"tits|kill\w*|suicid\w*|die|dying|bj|blow ?jobs?|hook ?ups?|my (?:kids?|child\w*|wife|husband|"
    r"mom|mum|dad|mother|father|sister|brother|son|daughter|parents|boyfriend|girlfriend|therapist|"
    r"doctor))\b",
    re.IGNORECASE,
)
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


def things(said: Tokens, at: int, stop: int) -> list[Value]:
    """A list of things or activities: "hiking, chess and to cook"."""
    found: list[Value] = []
    infinitive = at < stop and said.words[at] == "to"
    while at < stop and len(found) < MAX_ITEMS:
        if found and not infinitive and said.words[at] in _BARE_VERBS | _VERB_NOW | {"reminds"}:
            break
        if found and infinitive and said.words[at] in _BARE_VERBS | _VERBS_TOO:
            item = activity(said, at, stop)
            item = item and Value(item.first, item.stop, f"to {item.text}")
        else:
            item = thing(said, at, stop)
        if item is None or (found and _goes_on(said, item, stop)):
            break
        item = _with_its_noun(said, item, stop)
        found.append(item)
        at = next_item(said, item.stop, stop)
        if at == item.stop:
            break
    return [_of_its_kind(item, found[n : n + 2][-1]) for n, item in enumerate(found) if item.sure]


def _with_its_noun(said: Tokens, item: Value, stop: int) -> Value:
    """A thing whose last adjective waits, over a comma, for its noun: "a calm, cosy room"."""
    waiting = said.words[item.stop - 1] in _QUALITIES and said.words[item.stop : item.stop + 1] == (
        ",",
    )
    end = noun_phrase(said, item.stop + 1, stop, 3, _OF) if waiting else item.stop
    if not waiting or end == item.stop + 1 or said.words[item.stop + 1] in STOP | _NOTHING:
        return item
    return Value(item.first, end, re.sub(r"\s+,", ",", said.said(item.first, end)), item.sure)


_QUALITIES = lexicon.word_set("""
safe warm cozy cosy quiet calm cool nice big small little tiny huge large long short tall wide
deep old
new young fresh clean soft hard hot cold spicy sweet sour salty crispy crunchy juicy rich creamy
dark
bright light heavy loud slow fast simple easy fun funny silly cute fluffy furry fuzzy beautiful
pretty
lovely gorgeous strong weak wild weird scary creepy peaceful relaxing friendly kind honest rainy
sunny
windy snowy lazy busy cheap expensive fancy plain healthy smooth thick thin red blue green black
white
""")


def _goes_on(said: Tokens, item: Value, stop: int) -> bool:
    """Whether more is said of an item: then it begins a new clause ("..., opera is boring")."""
    return item.stop < stop and said.words[item.stop] in {"is", "are", "was", "were"} | _VERB_NOW


def nouns(said: Tokens, at: int, stop: int) -> list[Value]:
    """A list that ends where the person goes on to what they do: "jazz, and painting my room"."""
    found = things(said, at, stop)
    return [item for n, item in enumerate(found) if not n or not is_gerund(said.words[item.first])]


def thing(said: Tokens, at: int, stop: int) -> Value | None:
    """One thing or activity; None where nothing that can stand alone is named."""
    title = longest_in(said, at, stop, TITLES, 6)
    if title > at + 1 or (title > at and (title >= stop or not _is_noun(said, title))):
        return Value(at, title, said.said(at, title))
    if said.words[at] == "to" and at + 1 < stop:
        done = activity(said, at + 1, stop)
        return done and Value(at, done.stop, f"to {done.text}", done.sure)
    lead = _LEAD.match(said.line, said.offset(at))
    first = min(said.position(lead.end()), stop) if lead else at
    if first >= stop or (first > at and not _names_something(said, first)):
        return activity(said, at, stop) if is_gerund(said.words[at]) else None
    if is_gerund(said.words[first]) or _is_being(said, first, stop):
        return activity(said, first, stop)
    if first > at and is_gerund(said.words[at]) and _WATCHED & set(said.words[first : first + 3]):
        return activity(said, at, stop)
    return _noun(said, at, first, stop)


# What is watched for itself and not on a screen: "watching birds" is more than "birds".
_WATCHED = lexicon.PET_WORDS | lexicon.word_set(
    "birds animals wildlife people deer squirrels sunsets sunrises stars clouds waves whales "
    "rain snow "
    "kids children butterflies ducks fireworks plants trees leaves ocean sea sky"
)
_AFTER_BEING = lexicon.word_set(
    "in at on near around with by outside outdoors alone active a an the"
)


def _is_being(said: Tokens, at: int, stop: int) -> bool:
    """Whether somebody likes being somewhere, or with somebody."""
    return said.words[at] == "being" and at + 1 < stop and said.words[at + 1] in _AFTER_BEING


def _names_something(said: Tokens, at: int) -> bool:
    return is_word(said, at) and said.words[at] not in STOP | _NOTHING


def _is_noun(said: Tokens, at: int) -> bool:
    return is_word(said, at) and said.words[at] not in STOP | _VERB_NOW


def _noun(said: Tokens, at: int, first: int, stop: int) -> Value | None:
    if (
        said.words[first] in _SORTS_OF_WORK
        and longest_in(said, first + 1, stop, TITLES, 6) > first + 1
    ):
        first += 1  # "the band Low"
    title = longest_in(said, first, stop, TITLES, 6)
    end = max(_noun_end(said, first, stop), title)
    if end == first:
        return None
    value, words = said.said(first, end), said.words[first:end]
    mine = bool({"my", "our"} & set(said.words[at:first]))
    if mine and len(words) == 1 and words[0] in _OWN | {"boss"}:
        return Value(first, end, f"own {value}")
    pointing = first == at and words[0] in {"this", "that", "these", "those"}
    if pointing or not _is_fit(value, words):
        return None
    if len(words) == 1 and words[0] in _OF_ANOTHER and "the" in said.words[at:first]:
        return None
    if mine and (words[-1] in _KEPT or words[0] in _KEPT):
        return Value(first, end, value, 0.0)
    return Value(first, end, f"own {value}" if mine and words[-1] in _OWN else value)


def _noun_end(said: Tokens, first: int, stop: int) -> int:
    keep = _IN_NAME if said.is_capital(first) and first + 1 < stop else _OF
    end = noun_phrase(said, first, stop, 4, keep)
    for at in range(first + 1, end):
        if said.words[at] in _VERB_NOW:
            return at
    # "Strawberries with honey", "music except opera": another thing than the noun alone.
    if said.words[end : end + 1] == ("except",):
        more = noun_phrase(
            said, end + (2 if said.words[end + 1 : end + 2] == ("for",) else 1), stop, 3
        )
        return more if more > end + 1 else end
    if end > first and said.words[end : end + 1] == ("with",) and said.words[end - 1] in FOODS:
        more = noun_phrase(said, end + 1, stop, 3)
        return more if more > end + 1 else end
    return end


def _is_fit(value: str, words: tuple[str, ...]) -> bool:
    """Whether a phrase names something that one may like, and says by itself what it is."""
    if words[0] in _NOTHING and not (len(words) > 1 and words[0] in {"one", "funny", "nice"}):
        return False
    if len(words) == 1 and words[0] in lexicon.GIVEN_NAMES and value[0].isupper():
        return False  # who is loved is no taste
    adverb = len(words) == 1 and words[0].endswith("ly") and words[0] not in _LY
    if (
        adverb
        or {words[0], words[-1]} & _PEOPLE
        or words[-1] in {"ones", "thing", "things", "stuff", "one", "way"}
        or _UNFIT.search(value)
    ):
        return False
    return bool(re.search(r"[^\W\d_]", value)) and (len(value) > 2 or value.isupper())


_LY = lexicon.word_set("family jelly belly lily italy holy curly fly reply supply")
_PEOPLE = lexicon.KIN - lexicon.word_set("family kids children baby babies") | lexicon.word_set(
    "wife husband boyfriend girlfriend spouse fiance grandchildren nieces nephews boss"
)


# --- Activities ----------------------------------------------------------------------------------

_BARE_VERBS = lexicon.word_set("""
go watch play eat drink make do take have get see give put think say stay enjoy love like hate wish
want need feel live listen ride keep hope wear know find spend collect study teach speak try use
hang
read write sing draw cook bake swim sew knit build grow visit explore feed sit talk help learn meet
relax be
""")
_VERBS_TOO = lexicon.word_set("""
run dance walk shop hike camp travel party surf bike jog paint garden cycle craft exercise sleep
fish
hunt ski skate climb drive work sail golf bowl race train photograph volunteer
""")
_ENDS_ACTIVITY = lexicon.word_set("""
and or but because so when while if since though although that which who where until unless than i
you he she we they is are was were am has have had do does did will would can could should lol haha
too also especially mostly anymore everyday daily sometimes often lately however please yes no
usually never always makes helps keeps gets it whenever as lots though either instead well much
""")
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
_NO_ACTIVITY = _NOTHING - lexicon.word_set("be talk chat see get having being getting going")
_HANGING = frozenset(
    "to in on at with for of the a an my our by from and about around some all his her your".split()
)


def is_gerund(word: str) -> bool:
    """Whether a word is an -ing form: "hiking", not "evening"."""
    return len(word) > 4 and word.endswith("ing") and word not in _NO_GERUND


def activity(said: Tokens, at: int, stop: int) -> Value | None:
    """What is done, with its object, place and company: "walking my dog in the woods"."""
    if at >= stop or not is_word(said, at) or said.words[at] in _NO_ACTIVITY:
        return None
    end = at + 1
    while end < stop and end - at < 8 and is_word(said, end):
        if not _joins(said, at, end) and (
            said.words[end] in _ENDS_ACTIVITY or _TIMES.match(said.line, said.offset(end))
        ):
            break
        end += 1
    while end > at + 1 and said.words[end - 1] in _HANGING:
        end -= 1
    end = _without_kin(said, at, end)
    value = said.said(at, end)
    leans = {"them", "him", "her", "that", "this"} & set(said.words[at + 1 : at + 2])
    if leans or len(value) > MAX_CHARS or _UNFIT.search(value) or _LIGHT.fullmatch(value.lower()):
        return None
    return Value(at, end, value)


def _joins(said: Tokens, at: int, end: int) -> bool:
    """Whether "and" goes on inside: "with family and friends", "play and watch football"."""
    following = said.words[end + 1 : end + 2]
    two_verbs = end == at + 1 and bool(set(following) & (_BARE_VERBS | _VERBS_TOO))
    alone = end + 2 >= len(said.words) or said.words[end + 2] in _ENDS_ACTIVITY | {
        ".",
        ",",
        "!",
        "?",
    }
    return said.words[end] == "and" and (following in _COMPANY or (two_verbs and not alone))


def _without_kin(said: Tokens, at: int, end: int) -> int:
    """Where an activity ends without those who would tell of a partner or of children."""
    kin = (n for n in range(at + 1, end) if said.words[n] in _PEOPLE | _CHILDREN)
    stop = next(kin, end)
    while at + 1 < stop < end and said.words[stop - 1] in _HANGING | _WHICH_KIN:
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


def activities(said: Tokens, at: int, stop: int) -> list[Value]:
    """What is done, of a list: "draw and paint horses"."""
    found: list[Value] = []
    while at < stop and len(found) < MAX_ITEMS:
        item = activity(said, at, stop)
        if item is None:
            break
        found.append(_as_deed(item, said.words[at]))
        at = next_item(said, item.stop, stop)
        if at == item.stop or not (
            is_gerund(said.words[at]) or said.words[at] in _BARE_VERBS | _VERBS_TOO
        ):
            break
    return found


def _as_deed(item: Value, verb: str) -> Value:
    """An activity by its -ing form: "fishing" of "I fish", who names no dish."""
    if verb not in _BARE_VERBS | _VERBS_TOO:
        return item
    rest = item.text[len(verb) :]
    return Value(item.first, item.stop, f"{gerund(verb)}{rest}", item.sure)


def pastime(said: Tokens, at: int, stop: int) -> list[Value]:
    """One of the pastimes that are known by name."""
    end = longest_in(said, at, stop, PASTIMES, 4)
    if end == at:
        return []
    done = activity(said, at, stop) if said.words[at] in _WITH_OBJECT else None
    end = max(end, done.stop if done else end)
    if end < stop and is_word(said, end) and said.words[end] not in STOP | _ENDS_ACTIVITY:
        return []  # "a cosplay dog"
    return [Value(at, end, said.said(at, end))]


_WITH_OBJECT = lexicon.word_set(
    "reading writing singing drawing cooking baking painting hunting playing"
)


def dish(said: Tokens, at: int, stop: int) -> list[Value]:
    """One of the dishes and drinks on the list, with the adjectives before it."""
    end = longest_in(said, at, stop, FOODS, 4)
    return [Value(at, end, said.said(at, end))] if end > at else []


def known_work(said: Tokens, at: int, stop: int) -> list[Value]:
    """A work or artist that is taken for nothing else."""
    end = longest_in(said, at, stop, _WORKS, 6)
    return [Value(at, end, said.said(at, end))] if end > at else []


_WORKS = entries("artists") | entries("shows")


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


def favourite(said: Tokens, at: int, stop: int) -> list[Value]:
    """What is named after "my favourite colours are": "blue, red and green"."""
    while at < stop and said.words[at] in DETERMINERS | {"to", "either", "when", "going"}:
        if said.words[at] == "the" and longest_in(said, at, stop, TITLES, 6) > at:
            break
        at += 1
    found: list[Value] = []
    while at < stop and len(found) < MAX_ITEMS:
        title = longest_in(said, at, stop, TITLES, 6)
        done = activity(said, at, stop) if is_gerund(said.words[at]) and title == at else None
        end = done.stop if done else max(title, noun_phrase(said, at, stop, 5, _IN_NAME - {"and"}))
        words = said.words[at:end]
        if end == at or words[0] in _NOTHING or _UNFIT.search(said.said(at, end)):
            break
        if found and (words[0] in _BARE_VERBS or _goes_on(said, Value(at, end, ""), stop)):
            break
        found.append(Value(at, end, said.said(at, end)))
        at = next_item(said, end, stop)
        if at == end:
            break
    return found


def topic(said: Tokens, at: int, stop: int) -> list[Value]:
    """What "it", "that" or "them" takes up: the thing that was last named or asked about."""
    named = getattr(said.topic, "values", ())
    if at >= stop or said.words[at] not in _PRONOUNS:
        return []
    return [Value(at, at + 1, value.text, span=value.span) for value in named]


_PRONOUNS = frozenset(
    {"it", "that", "them", "those", "these", "this", "they", "both", "one", "which"}
)


def topic_liked(said: Tokens, at: int, stop: int) -> list[Value]:
    """What was asked about with "do you like": the "I do" that answers stands for it."""
    return _of_topic(said, at, stop, "like")


def topic_kept(said: Tokens, at: int, stop: int) -> list[Value]:
    """The animals that were named or asked about: "do you have cats? I have two"."""
    return [
        value
        for value in _of_topic(said, at, stop, "have", "said", "like")
        if value.text.lower().split()[-1] in lexicon.PET_WORDS
    ]


def topic_workplace(said: Tokens, at: int, stop: int) -> list[Value]:
    """The workplace that was just named: "not even the zoo, I work there"."""
    return [
        value
        for value in _of_topic(said, at, stop, "said", "like")[:1]
        if value.text.lower() in lexicon.KNOWN_ORGS
        or value.text.lower().split()[-1] in lexicon.WORKPLACES
    ]


def _of_topic(said: Tokens, at: int, stop: int, *about: str) -> list[Value]:
    """The topic of one of these kinds, where the clause ends here."""
    if at < stop or getattr(said.topic, "about", "") not in about:
        return []
    values = getattr(said.topic, "values", ())
    return [Value(at, at, value.text, span=value.span) for value in values]


def favourite_of_topic(said: Tokens, at: int, stop: int) -> list[Value]:
    """What "mine is" names after "what is your favourite colour"."""
    kind = getattr(said.topic, "kind", "")
    if getattr(said.topic, "about", "") != "favourite":
        return []
    return [
        Value(one.first, one.stop, f"{one.text} (favourite {kind})")
        for one in favourite(said, at, stop)
    ]


def going(said: Tokens, at: int, stop: int) -> list[Value]:
    """What one goes and does: "go hiking", "go to concerts"."""
    lead = at
    while lead < stop and said.words[lead] in {"the", "a", "an", "to", "lots", "of", "my", "out"}:
        lead += 1
    end = noun_phrase(said, lead, stop, 3)
    if end == lead:
        return []
    if is_gerund(said.words[lead]):
        done = activity(said, lead, stop)
        return [done] if done else []
    hits = [n for n in range(lead, end) if said.words[n] in _GOES_TO]
    return [Value(lead, hits[-1] + 1, said.said(lead, hits[-1] + 1))] if hits else []


_GOES_TO = lexicon.word_set("""
movies movie gym beach lake zoo park museum museums concerts concert theater shows games festivals
bars clubs library mall casino church mountains woods river pool aquarium opera ballet races parties
conventions raves bingo karaoke camping swim dance shop hike fish surf ski bowl run jog
""")


def collecting(said: Tokens, at: int, stop: int) -> list[Value]:
    """What somebody collects, as a deed: "collecting stamps"."""
    if at >= stop or said.words[at] not in {"collect", "collecting", "collects"}:
        return []
    found = activity(said, at, stop)
    return [found] if found and found.stop > at + 1 else []


def foods_avoided(said: Tokens, at: int, stop: int) -> list[Value]:
    """What is not eaten, of a list: "peanuts and gluten"."""
    found: list[Value] = []
    while at < stop and len(found) < MAX_ITEMS:
        end = noun_phrase(said, at, stop, 3)
        foods = {" ".join(said.words[n:end]) for n in range(at, end)} & _EATEN
        plural = {word.removesuffix("s") for word in said.words[at:end]} & _EATEN
        if end == at or not (foods or plural):
            break
        found.append(Value(at, end, said.said(at, end)))
        at = next_item(said, end, stop)
        if at == end:
            break
    return found


_EATEN = FOODS | entries("not_eaten")


def not_food(said: Tokens, at: int, stop: int) -> list[Value]:
    """What somebody is allergic to that is no food: "penicillin", "bee stings"."""
    first = at
    if foods_avoided(said, at, stop):
        return []
    end = noun_phrase(said, first, stop, 3)
    return [Value(first, end, said.said(first, end))] if end > first else []


_COLOUR_SAID = re.compile(
    rf"\b(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS})\b", re.IGNORECASE
)


def colour_before(said: Tokens, at: int, stop: int) -> list[Value]:
    """The colour that was named last: "my glasses are blue, my favourite colour"."""
    here = said.spans[min(at, len(said.spans)) - 1][1]
    named = [*_COLOUR_SAID.finditer(said.text, max(0, here - 90), here)]
    return [Value(at, at, named[-1][0], span=named[-1].span())] if named else []


def colour(said: Tokens, at: int, stop: int) -> list[Value]:
    """A colour, of a list: "lime green and purple"."""
    found: list[Value] = []
    while at < stop:
        named = _COLOUR_WORDS.match(said.line, said.offset(at), said.offset(stop))
        if not named:
            break
        end = said.position(named.end())
        found.append(Value(at, end, said.said(at, end)))
        at = next_item(said, end, stop)
        if at == end:
            break
    return found


_COLOUR_WORDS = re.compile(rf"(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS}) ")
