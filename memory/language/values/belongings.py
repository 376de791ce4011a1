"""Readers for what belongs to somebody: animals, vehicles, possessions, relatives."""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon
from memory.language.values.lists import MAX_ITEMS, SEPARATOR
from memory.language.values.readers import STOP, Found, capitalise, phrase, words
from memory.language.values.unusable import NOTHING, UNFIT

_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|several|some|many|"
    r"lots of)"
)


_PET = lazy_pattern(
    rf"(?P<pet>{_COUNT}\s+(?:(?!so\b|but\b|no\b|for\b|with\b|to\b|of\b)[\w-]+\s+){{0,3}}?"
    r"(?P<kind>[\w-]+)"
    r"(?:\s*,?\s+(?:named|called|whose name is)\s+(?P<name>\w+(?:\s+and\s+(?-i:[A-Z])\w+)?)"
    r"|\s*,\s*(?P<names>(?-i:[A-Z])\w+(?:\s*,\s*(?-i:[A-Z])\w+)*,?\s+and\s+(?-i:[A-Z])\w+))?)\b",
    re.IGNORECASE,
)


def pets(text: str, start: int, end: int) -> list[Found]:
    """Animals of a list: "a dog named Rex and two cats"."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < MAX_ITEMS:
        item = _pet(text, at, end)
        if item is None and result:
            result.extend(animals(text, at, end)[:1])
        if item is None:
            break
        result.append(item)
        separator = SEPARATOR.match(text, item.end, end) or _N.match(text, item.end, end)
        if not separator:
            break
        at = separator.end()
    return result


_N = lazy_pattern(rf"\s+(?:n|'n'?|\+|plus)\s+(?={_COUNT}\s)", re.IGNORECASE)
# The "pigs" of "two guinea pigs".
_REST_OF_KIND = lazy_pattern(r"\s(?P<kind>[a-z]+)\b", re.IGNORECASE)


def _pet(text: str, at: int, end: int) -> Found | None:
    found = _PET.match(text, at, end)
    while found and found["kind"].lower() not in lexicon.PET_WORDS:
        # The lazy middle stopped too early ("a big brown dog"): ask for one word more.
        tokens = words(text, at, end)[:6]
        hit = next((w for w in tokens[1:] if w[0].lower() in lexicon.PET_WORDS), None)
        if hit is None or not re.match(_COUNT + r"\b", tokens[0][0], re.IGNORECASE):
            return None
        if _NO_PET.match(text, hit.end()):
            return None
        tail = re.compile(r"\s*,?\s+(?:named|called)\s+(\w+)").match(text, hit.end(), end)
        stop = tail.end() if tail else hit.end()
        between = {w[0].lower() for w in tokens if w.start() < hit.start()}
        return (
            None
            if (between & {"to", "for", "of", "with", "so", "but", "no"})
            or ("and" in between and "black" not in between)
            else Found(at, stop, text[at:stop])
        )
    if not found or _NO_PET.match(text, found.end("kind")):
        return None
    value = found["pet"]
    more = _REST_OF_KIND.match(text, found.end("kind"), end)
    if more and found.end() == found.end("kind") and more["kind"].lower() in lexicon.PET_WORDS:
        return Found(found.start(), more.end(), text[found.start() : more.end()])
    if found["names"]:  # "two cats, Mies and Aap"
        value = f"{text[found.start() : found.end('kind')]} named {found['names']}"
    return _with_names(text, Found(found.start("pet"), found.end("pet"), value), end)


_NAMED = lazy_pattern(r"\s+(?:named|called)\s+(?=\w)", re.IGNORECASE)
_ONE_MORE_NAME = lazy_pattern(
    r"\s*(?:,|,?\s+and)\s+(?P<name>[a-z]+)(?=\s*(?:$|[.,!?]))", re.IGNORECASE
)


def _with_names(text: str, pet: Found, end: int) -> Found:
    """Animals with all that they are called: "cats named salt and pepper"."""
    stop = pet.end
    if not _NAMED.search(pet.value):
        named = _NAMED.match(text, stop, end)
        name = next(iter(words(text, named.end(), end)), None) if named else None
        if name is None or name[0].lower() in _NO_PET_NAME:
            return pet
        stop = name.end()
    more = _ONE_MORE_NAME.match(text, stop, end)
    if more and more["name"].lower() not in _NO_PET_NAME | lexicon.OCCUPATIONS:
        stop = more.end()
    return pet if stop == pet.end else Found(pet.start, stop, f"{pet.value}{text[pet.end : stop]}")


_AS_PET = lazy_pattern(r"pet\s+(?P<kind>[a-z]+)\b", re.IGNORECASE)


def pet_of_any_kind(text: str, start: int, end: int) -> list[Found]:
    """An animal that is called a pet, whether or not it is one usually: "pet koi"."""
    found = _AS_PET.match(text, start, end)
    if not found or found["kind"].lower() in STOP:
        return []
    return [Found(*found.span(), found[0])]


def animals(text: str, start: int, end: int) -> list[Found]:
    """Animals without a number, of a list: "dogs and cats", "pet iguana"."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < MAX_ITEMS:
        tokens = words(text, at, end)[:4]
        hits = [n for n, word in enumerate(tokens) if word[0].lower() in lexicon.PET_WORDS]
        if not hits or (result and hits[0] > 1) or _NO_PET.match(text, tokens[hits[0]].end()):
            break
        last = hits[0]
        while last + 1 in hits:
            last += 1
        first = hits[0]
        begin = _with_breed(text, tokens[first].start(), start if result else 0)
        if first == 0 and hits[-1] - last == 2 and tokens[0][0].lower() == "pet":
            last = hits[-1]  # "pet beta fish"
        stop = tokens[last].end()
        result.append(_with_names(text, Found(begin, stop, text[begin:stop]), end))
        separator = SEPARATOR.match(text, result[-1].end, end)
        if not separator:
            break
        at = separator.end()
    return result


# Breeds of two words: the first says which shepherd, collie or retriever it is.
_BREED = lazy_pattern(
    r"\b(?:german|border|maine|golden|great|yorkshire|siberian|cocker|french|english|boston|irish|"
    r"scottish|australian|belgian|jack russell|saint|st|labrador|guinea|pot ?bellied|bearded|"
    r"basset|bull|pit|"
    r"american|shetland|russian|norwegian forest|tibetan|welsh|miniature|toy|standard|"
    r"blue heeler|hermit|"
    r"fighting|betta?|gold|leopard|crested|ball|exotic|tropical|saltwater|freshwater|persian|"
    r"siamese|rescue|farm|barn|race|show|therapy|service)\s+$",
    re.IGNORECASE,
)


def _with_breed(text: str, at: int, least: int) -> int:
    """Where an animal begins, the first word of its breed taken along: "german shepherd"."""
    found = _BREED.search(text, max(least, at - 20), at)
    return found.start() if found else at


def animals_owned(text: str, start: int, end: int) -> list[Found]:
    """The animal of "a dog owner" or "a crazy cat lady"."""
    word = next(iter(words(text, start, end)), None)
    return [Found(word.start(), word.end(), word[0])] if word else []


_NO_PET = lazy_pattern(
    r"(?:'s\b|\s+(?:eye|eyes|hair|print|costume|toys?|treats?|trainer|walker|groomer|food|shop|"
    r"store|show|shows|racing|ranch|person|people|lover|nap|business|"
    r"farm|lady|beds?|tree|leash|collar|bowl|cage|crate|litter|door|carrier|bone|sweater|"
    # on a plate
    r"sticks?|fillets?|tacos?|soup|stew|curry|sandwich(?:es)?|wings?|nuggets?|salad|pie|"
    r"noodles|chops?|and chips|(?:\w+\s+)?for\s+(?:dinner|lunch|breakfast|supper)|"
    r"(?:\w+\s+)?on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"(?:was|is|were)\s+(?:over|under)?cooked|"
    # in a picture, or a figure of speech
    r"as\s+(?:an?|the|my)\s+(?:background|wallpaper|screensaver|logo|profile|mascot|tattoo|cover)|"
    r"(?:on|in)\s+(?:an?|the|my|our)\s+(?:\w+\s+)?(?:shirt|t-shirt|walls?|paintings?|pictures?|"
    r"photos?|posters?|calendar|mug|socks|pajamas|stomach|throat|back(?!\s?yard|\s+(?:porch|"
    r"garden|patio|room|house|lot))|dreams?|story|book|game))\b)",
    re.IGNORECASE,
)


# After a name the sentence goes on with what its bearer is or does, or ends.
_AFTER_NAME = lazy_pattern(
    r"(?=\s*(?:$|[.,!?;])|\s+(?:and|who|is|[a-z]{2,}s|had|would|could|can|will|s)\b|'s\s)",
    re.IGNORECASE,
)
_NO_PET_NAME = (
    lexicon.NOT_NAMES
    | STOP
    | lexicon.OCCUPATIONS
    | lexicon.PET_WORDS
    | lexicon.KIN
    | lexicon.OWNED
    | lexicon.HAVEABLE
    | lexicon.WORKPLACES
    | lexicon.DWELLINGS
    | lexicon.VEHICLE_WORDS
    | lexicon.word_set("""
name age breed birthday vet size eye stomach tail fur hair poop pee litter food bed tree toy collar
leash bowl cage crate tank show park person lady lover owner walker trainer breeder sitter groomer
video business ate ran sat bit went got came slept knew fell left did thought made kept love like
help live bark bite run sleep eat walk play need want think make get keep say jump chew cry meow
look seem don scan nap race feeder diet door bone sweater rescue shelter vaccine surgery
appointment allergy costume picture photo story problem carrier brush medicine operation illness
death passing behavior behaviour personality color colour breath smell voice song book movie
""")
)
_NO_ENDING_OF_NAME = lazy_pattern(r"\w+(?:ing|ed|ly|self)", re.IGNORECASE)
# Several things are not spoken of with "is": "my cat venus is mean", "my cat toys".
_IS_ONE = lazy_pattern(r"\s+(?:is|was|has)\b", re.IGNORECASE)
# What only a being does, so that the word before it is no noun: "my cat venus sleeps".
_BEING_DOES = lazy_pattern(
    r"\s+(?:is|was|has|had|loves|likes|hates|keeps|gets|does|wants|eats|sleeps|would|can|will)\b",
    re.IGNORECASE,
)


PET_NAMES = lexicon.word_set("""
bella luna daisy max buddy rocky coco milo oreo simba nala shadow smokey pepper peanut boo fluffy
whiskers mittens patches duke lucky muffin bandit sparky rex fido rover biscuit gizmo snowball cleo
felix garfield tigger ziggy zeus apollo thor odin loki toby buster cody bailey cooper tucker teddy
winston gus ollie louie missy sassy bruno roxy dexter diesel hank marley moose otis rufus sadie
scooby snoopy toto waffles pickles mochi kiki bobo bubbles nemo dory
""")
"""What animals are called and nothing else is, or hardly."""


def _name_after_comma(text: str, start: int, end: int) -> list[Found]:
    """The name of an animal that stands apart: "feed my cat , bella"."""
    word = next(iter(words(text, start, end)), None)
    if word is None or not _APART.match(text, word.end(), end):
        return []
    known = word[0].lower() in lexicon.GIVEN_NAMES | PET_NAMES
    return [Found(*word.span(), capitalise(word[0]))] if known else []


_APART = lazy_pattern(r"\s*(?:$|[.,!])")


def pet_name(text: str, start: int, end: int) -> list[Found]:
    """The name of an animal in small letters: "jake" from "my dog jake", not the "bed" of a bed."""
    if text[max(0, start - 3) : start].rstrip().endswith(","):
        return _name_after_comma(text, start, end)
    word = next(iter(words(text, start, end)), None)
    if word is None or not _AFTER_NAME.match(text, word.end(), end):
        return []
    name = word[0].lower()
    if name in _NO_PET_NAME or name in _AUXILIARIES or not name.isalpha():
        return []
    if name not in lexicon.GIVEN_NAMES | PET_NAMES:
        told = _IS_ONE if name.endswith("s") else _BEING_DOES
        if _NO_ENDING_OF_NAME.fullmatch(name) or not told.match(text, word.end(), end):
            return []
    return [Found(*word.span(), capitalise(word[0]))]


_RELATIVE = lazy_pattern(
    rf"(?P<who>(?:{_COUNT}\s+)?(?:(?:older|younger|elder|big|little|twin|step|half|baby|late|"
    r"eldest|oldest|youngest)[ -]?)?(?P<kin>[^\W\d_]+))"
    r"(?:'s name is|\s+is (?:called|named)|\s+(?:called|named)|,)?\s+(?P<name>[^\W\d_][\w-]+)",
    re.IGNORECASE,
)


_AUXILIARIES = frozenset({"will", "may"})
_AUXILIARY_NAMES = _AUXILIARIES | {"mark", "bill", "drew", "grant", "sue", "pat"}


def relative(text: str, start: int, end: int) -> list[Found]:
    """A relative with a name: "sister Anna" from "my sister's name is Anna"."""
    found = _RELATIVE.match(text, start, end)
    if not found or found["kin"].lower() not in lexicon.KIN:
        return []
    name = found["name"]
    announced = re.search(r"named|called|name", found[0][len(found["who"]) : -len(name)])
    known = name.lower() in lexicon.GIVEN_NAMES | _AUXILIARY_NAMES or name[0].isupper()
    if name.lower() in lexicon.NOT_NAMES or not (known or announced):
        return []
    told = name not in _AUXILIARIES and _AFTER_NAME.match(text, found.end(), end)
    if name in _AUXILIARY_NAMES and not announced and not told:
        return []  # "my mom will make coffee"
    return [Found(start, found.end(), f"{found['who']} {capitalise(name)}")]


def counted_relatives(text: str, start: int, end: int) -> list[Found]:
    """Relatives of a list: "three sisters and a brother"."""
    result: list[Found] = []
    at = start
    while len(result) < MAX_ITEMS:
        item = _counted_relative(text, at, end)
        if not item:
            break
        result.extend(item)
        separator = SEPARATOR.match(text, item[0].end, end) or _N.match(text, item[0].end, end)
        if not separator:
            break
        at = separator.end()
    return result


def _counted_relative(text: str, start: int, end: int) -> list[Found]:
    """Relatives by number: "two sisters", "a son"; one who is named by name: "son Anton"."""
    found = _COUNTED.match(text, start, end)
    if not found or found["kin"].lower() not in lexicon.KIN:
        return []
    name = found["name"]
    if name and name.lower() not in lexicon.NOT_NAMES:
        return [Found(*found.span(), f"{found['who']} {capitalise(name)}")]
    return [Found(found.start(), found.end("kin"), text[found.start() : found.end("kin")])]


_COUNTED = lazy_pattern(
    rf"{_COUNT}\s+(?P<who>(?:(?:older|younger|big|little|twin)\s+)?(?P<kin>[a-z]+))\b"
    r"(?:(?<!s)\s+(?:named|called)\s+(?P<name>[^\W\d_]+))?",
    re.IGNORECASE,
)


def own_vehicle(text: str, start: int, end: int) -> list[Found]:
    """What follows "my", up to the word for a vehicle: "black car", "ford focus"."""
    tokens = words(text, start, end)[:5]
    kinds = [n for n, word in enumerate(tokens) if word[0].lower() in lexicon.OWN_VEHICLES]
    if not kinds or (
        tokens[kinds[-1]].end() < end and text.startswith("'s", tokens[kinds[-1]].end())
    ):
        return []
    last = tokens[kinds[0]]
    if len(kinds) > 1 and kinds[1] == kinds[0] + 1:
        last = tokens[kinds[1]]
    before = {word[0].lower() for word in tokens[: kinds[0]]}
    if before & (NOT_BEFORE | _ANY_OTHER) or _OF_A_VEHICLE.match(text, last.end()):
        return []
    year = _YEAR.match(text, last.end(), end)
    stop = year.end() if year else last.end()
    return [Found(tokens[0].start(), stop, text[tokens[0].start() : stop])]


# "My favorite car" may be anybody's.
_ANY_OTHER = lexicon.word_set("favorite favourite fave fav dream next")
_PARTS = (
    r"(?:seats?|stereos?|alarms?|tires?|insurance|loan|keys|payments?|wash|radio|battery|parts|"
    r"helmets?|covers?|accident|lock|crash|shop|repairs?|jacket|gloves|magazines?|mechanic|"
    r"salesman|dealer(?:ship)?)\b"
)
_OF_A_VEHICLE = lazy_pattern(rf"\s+{_PARTS}", re.IGNORECASE)
_YEAR = lazy_pattern(r"\s+(?:19|20)\d\d\b")
NOT_BEFORE = lexicon.word_set("""
in and or but to for with the a an of on at is are was were has have mom mother dad father wife
husband brother sister friend friends parents boyfriend girlfriend neighbor boss s son daughter moms
dads mothers fathers brothers sisters wifes husbands friends boyfriends girlfriends uncles aunts
grandmother grandfather grandma grandpa uncle aunt cousin kids family ex it that he she they i you
from when because who by my
""")


_OWNED = lexicon.OWNED | lexicon.HAVEABLE


TWO_WORDS = (
    r"(?:sewing|washing|coffee|espresso|slot|pinball|popcorn|karaoke) machines?|(?:record|cd|dvd|"
    r"mp3|blu-?ray) players?|hot tub|(?:pool|ping pong|poker|foosball|air hockey) table|"
    r"(?:lake|beach|vacation|tree|guest) house|air fryer|3d printer|golf clubs|comic books|"
    r"metal detector|rocking chair|grandfather clock|"
    r"(?:stamp|coin|record|doll|book|card|shoe|art) collection"
)
"""Things that only two words name."""
_PAIR = lazy_pattern(rf"\b(?:{TWO_WORDS})\b", re.IGNORECASE)


_BELONGING = lazy_pattern(
    r"(?:an?|the|my|our|some|own|of|lots?|new|also|only|just|few|bunch|couple|pair|ton|tons|"
    r"really|very|pretty|so|nice|cool|awesome|amazing|beautiful|lovely|gorgeous|sweet)\s+",
    re.IGNORECASE,
)


# "My computer class", "my music store job": what follows is what is meant.
_NAMES_ANOTHER = lazy_pattern(
    r"\s+(?:programming|science|degree|plans?|partners?|cards?|trips?|school|class(?:es)?|games?|engineering|course|skills|job|owner|"
    r"manager|teacher|shows?|series|plants?|seats?|stereos?|alarms?|insurance|accident|loan|"
    r"payments?|keys|wash|tires|covers?|lessons?|strings?|cushions?)\b",
    re.IGNORECASE,
)


_VERB_AFTER = lazy_pattern(r"\s+([a-z]{2,}[^s\W]s)\s+\w")
_COLLECTED = lazy_pattern(
    r"(?<=collection)\s+of\s+(?:(?:old|rare|antique|vintage|my|all|different)\s+)*[a-z]{3,}s\b",
    re.IGNORECASE,
)
# "A playstation 5", "a kindle 3".
_MODEL = lazy_pattern(
    r"\s+(?:\d{1,2}(?!\s+\w)|(?:pro|plus|max|mini)\b)(?:\s+(?:pro|plus|max|mini)\b)?", re.IGNORECASE
)


def belongings(text: str, start: int, end: int) -> list[Found]:
    """Owned things of a list: "a house and two guitars", determiners left out, numbers kept."""
    result: list[Found] = []
    at = start
    while at < end and len(result) < 3:
        determiner = _BELONGING.match(text, at, end)
        while determiner:
            at = determiner.end()
            determiner = _BELONGING.match(text, at, end)
        span = phrase(text, at, end, 4)
        if span is None:
            break
        value = text[span[0] : span[1]]
        parts = value.lower().split()
        if parts[0] in NOTHING or set(parts) & (NOT_BEFORE | lexicon.KIN | lexicon.PET_WORDS):
            break
        if set(parts) <= lexicon.NUMBER_WORDS.keys() or UNFIT.search(value) or len(value) < 3:
            break
        owned = [word.end() for word in words(text, *span) if word[0].lower() in _OWNED]
        owned += [pair.end() for pair in _PAIR.finditer(text, *span)]
        if owned and _NAMES_ANOTHER.match(text, owned[-1]):
            break
        verb = _VERB_AFTER.match(text, owned[0], span[1]) if owned else None
        if verb and verb[1].lower() not in _OWNED:
            owned = owned[:1]  # "my shop sells candles"
        if owned:  # "my suspenders chafe": nothing but a number belongs to it
            more = _MODEL.match(text, owned[-1], end) or _COLLECTED.match(text, owned[-1], end)
            span = span[0], more.end() if more else owned[-1]
        result.append(Found(*span, text[span[0] : span[1]]))
        separator = SEPARATOR.match(text, span[1], end)
        if not separator or not (
            _BELONGING.match(text, separator.end(), end) or _owned_next(text, separator.end(), end)
        ):
            break
        at = separator.end()
    return result


def _owned_next(text: str, at: int, end: int) -> bool:
    """Whether the next word of "my garden and greenhouse" is an owned thing by itself."""
    word = next(iter(words(text, at, end)), None)
    return word is not None and word[0].lower() in _OWNED


def known_belongings(text: str, start: int, end: int) -> list[Found]:
    """The same where only what is commonly owned is meant: "a few favourites" is not."""
    found = belongings(text, start, end)
    return [
        one for one in found if set(one.value.lower().split()) & _OWNED or _PAIR.search(one.value)
    ]


_PICK_UP = lazy_pattern(r"(?<=pick)\s+up(?:\s+truck)?\b", re.IGNORECASE)
# Nobody owns the bus that they ride.
_RIDDEN = lazy_pattern(
    r"\brid(?:e|ing)\s+(?:the\s+|a\s+|my\s+)?(?:\w+\s+)?(?:bus|train|subway)\b", re.IGNORECASE
)
# After these nothing belongs to the vehicle but its number: "a black car that i'm proud of".
_ENOUGH = lazy_pattern(r"\b(?:cars?|trucks?|vans?|motorcycles?)\s+(?!named\b|called\b)(?=[a-z])")


_STANDING = lazy_pattern(
    r"\s+(?:sitting|standing|parked|waiting|rusting|collecting)\b", re.IGNORECASE
)
# "A new car seat" is no car.
_PART_OF_A_CAR = lazy_pattern(
    rf"\b(?:car|truck|van|(?:motor)?bike|motorcycle|scooter)\s+{_PARTS}", re.IGNORECASE
)


def vehicle(text: str, start: int, end: int) -> list[Found]:
    """Something to drive: it must name a maker or a kind of vehicle."""
    article = re.compile(
        r"(?:(?:an?|the|my|our|mine|this|around|only|just|old|really|in|bunch of|couple of|few|"
        r"lots? of|pimped out|souped up|beat up|(?:cool|nice|big|old|new|fast|small|little|red|"
        r"blue) ,)\s+)+",
        re.IGNORECASE,
    ).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5)
    if span is None:
        return []
    standing = _STANDING.search(text, *span)
    span = span[0], standing.start() if standing else span[1]
    up = _PICK_UP.match(text, span[1], end)
    span = span[0], up.end() if up else span[1]
    if _RIDDEN.search(text, max(0, start - 8), span[1]):
        return []
    enough = _ENOUGH.search(text, *span)
    beyond = text[enough.end() : span[1]].lower().split() if enough else []
    if enough and not lexicon.VEHICLE_WORDS & set(beyond):
        span = span[0], enough.end() - 1
    value = text[span[0] : span[1]]
    tokens = value.lower().replace("-", " ").split()
    hits = [n for n, token in enumerate(tokens) if token in lexicon.VEHICLE_WORDS]
    driven = re.compile(r"drive\s+an?\s+$", re.IGNORECASE).search(text[max(0, start - 8) : span[0]])
    if (
        driven
        and not hits
        and not set(tokens) & {"lot", "hard", "bit", "while", "forklift", "town"}
        and len(tokens) < 4
    ):
        hits = [len(tokens)]
    if not hits or set(tokens[: hits[0]]) & (NOT_BEFORE | lexicon.KIN):
        return []
    part = _PART_OF_A_CAR.search(text, span[0], min(end, span[1] + 12))
    if part and part.start() < span[1]:
        return []
    begin = article.start() if article and article[0].lower().startswith("a") else span[0]
    return [Found(begin, span[1], re.sub(r"\s+,", ",", text[begin : span[1]]))]
