"""How a value is written in the notebook: the same thing, said of the person and not by them.

"Walking my dog" becomes "walking the dog", "sew" becomes "sewing", "truck" becomes "a truck",
"a cup of coffee" becomes "coffee". A value that says nothing once it stands alone ("pets",
"mine") is not written at all. Readers take values out of the text; only this module rewrites them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.language.grammar.verbs import gerund
from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import lexicon, load_lexicon, vocabulary

_FIRST_PERSON = compile_lazily(r"\b(?:mine|me|i|im|i'm|us|we)\b", re.IGNORECASE)
_PLURAL = (
    r"(?:friends|family|fam|kids|children|grandkids|grandchildren|parents|grandparents|relatives|"
    r"brothers|sisters|siblings|cousins|roommates|roomates|coworkers|mom|dad|mum)"
)
_WITH_MINE = compile_lazily(
    rf"\b(with|and|to|of|for|visit|visiting|see|seeing)\s+(?:my|our)\s+(?=(?:\w+\s+)?{_PLURAL}\b)",
    re.IGNORECASE,
)
_MINE = compile_lazily(
    r"\b(?:my|our)(?P<own>\s+own)?\s+(?P<many>(?=(?:\w+\s)?\w+[^s\W]s(?:$|\s(?:to|in|on|at|and|"
    r"play|run)\b)))?",
    re.IGNORECASE,
)
# What is so much one's own that "the" would make it anybody's: "eating in my house".
_MY_OWN = compile_lazily(
    r"\b(?:my|our)(?:\s+own)?\s+(?=(?:\w+\s+)?(?:house|home|apartment|weight|age|body|voice|"
    r"clothes|clothing|room|back|hands?|feet|nails|face|hair|name|birthday|privacy|feelings|money|"
    r"food|meals?|music)\b)",
    re.IGNORECASE,
)
_MY_FAVOURITES = compile_lazily(r"\b(?:my|our)\s+(fav\w*)\s+(?=(?:\w+\s+)?\w+s\b)", re.IGNORECASE)
_MY_FAVOURITE = compile_lazily(r"\b(?:my|our)\s+(fav\w*)\s+", re.IGNORECASE)
# "Playing my video games", of which there are many: not "the video games".
_PLAYED = compile_lazily(
    r"^((?:to )?(?:play(?:ing)?|watch(?:ing)?|read(?:ing)?|listen(?:ing)? to|collect(?:ing)?))"
    r"\s+(?:my|our)\s+(?=(?:\w+\s)?\w+[^s\W]s$)",
    re.IGNORECASE,
)
_LEADING_MINE = compile_lazily(r"^(?:my|our)\s+(?:own\s+)?", re.IGNORECASE)
_HELPING = compile_lazily(
    r"^(?:an?\s+)?(?:nice\s+|good\s+|big\s+|hot\s+|cold\s+)?(?:cups?|glass(?:es)?|bowls?|slices?|"
    r"bottles?|cans?|pieces?|pints?|mugs?|plates?)\s+of\s+(?=\w{3})",
    re.IGNORECASE,
)
_FOOD = compile_lazily(
    rf"(?:(?:{vocabulary.KINDS_OF_FOOD})\s+)?(?:{vocabulary.FOODS}|macaroni and cheese)",
    re.IGNORECASE,
)

# "6 eggs" for breakfast: eggs are liked.
_PORTIONS = compile_lazily(
    rf"^\d+\s+(?=(?:\w+\s){{0,3}}(?:{vocabulary.FOODS})$)",
    re.IGNORECASE,
)

# Verbs of which the bare form is no noun: they may be turned wherever they begin a value.
_PLAIN_VERBS = load_lexicon("plain_verbs")
# Verbs that are nouns as well: turned only where nothing but a deed is noted.
_DEEDS = _PLAIN_VERBS | load_lexicon("deeds")
# Deeds that have a name of their own beside the -ing form: "enjoys dance".
_ARTS = frozenset({"dance", "craft", "golf", "cosplay"})
# Verbs that say nothing without an object.
_BARREN = compile_lazily(
    r"(?:collecting|making|doing|going|getting|taking|helping|building|growing|spending|bringing|"
    r"buying|raising|meeting|training|wearing|creating|fixing|studying|watching|playing)"
    r"(?:\s+(?:also|too|often|lots|much))?",
    re.IGNORECASE,
)
_ADVERB = compile_lazily(
    r"(?:\s+(?:recently|lately|some times|also|too|alot|together|well|good|poorly|badly|"
    r"competitively|"
    r"professionally|regularly|occasionally|constantly|currently|along|around|all the time|"
    r"again|way|"
    r"all of the(?: time)?|at|with|for|of|from|by|about|the|an?|my|any|and|or))+$",
    re.IGNORECASE,
)

_GENERIC_PET = lexicon.word_set("pet pets critter critters breed breeds")
_PET_LEAD = compile_lazily(r"(?P<count>^|\b(?:an?|\w+)\s+)(?:pets?)\s+(?=[a-z])", re.IGNORECASE)
_ANY_VEHICLE = lexicon.word_set("vehicle vehicles ride rides car's")
_CAR_BEFORE_MAKER = compile_lazily(
    r"^(?:my\s+)?(?:cars?|trucks?|vehicles?)\s+(?!stereo\b)(?=[a-z])", re.IGNORECASE
)
_KINDS_OF_VEHICLE = frozenset(lexicon.OWN_VEHICLES) | lexicon.word_set(
    "car truck van bike jeep suv"
)
_ARTICLE_OR_COUNT = compile_lazily(
    r"(?:an?|the|my|one|two|three|four|five|six|some|several|\d+|old|new)\b", re.IGNORECASE
)


def normalized_value(slot: str, value: str) -> str:
    """The value as it is written down for a slot; empty if it says nothing by itself."""
    rewrite = _BY_SLOT.get(slot)
    return " ".join(rewrite(value).split()) if rewrite else value


_WAY_OF_EATING = compile_lazily(
    r"(?:my\s+)?(?:vegan|vegetarian|pescatarian|keto|paleo|kosher|halal|raw food|plant[- ]based|"
    r"low[- ]carb|mediterranean|gluten[- ]free)\s+(?:diet|lifestyle)"
    r"|(?:only )?(?:kosher|halal) (?:foods?|meals?)",
    re.IGNORECASE,
)


def place_of(slot: str, value: str) -> str:
    """The slot in which a value belongs: what is eaten is liked, what is driven is a vehicle."""
    if slot in {"interests", "likes"} and _WAY_OF_EATING.fullmatch(value):
        return "diet"
    if slot == "interests" and _FOOD.fullmatch(_HELPING.sub("", value)):
        return "likes"
    if slot == "possessions" and _CAR_BEFORE_MAKER.match(value):
        return "vehicle"
    return slot


_NAMED_AFTER = compile_lazily(
    r"(?:rap|dance|party|game|fish|garden|golf)\s+"
    r"(?:music|songs?|shows?|videos?|class(?:es)?|lessons|clubs?|festivals?|tanks?)",
    re.IGNORECASE,
)


# "Go (favourite game)": the name of one, unless what is done is the favourite.
_A_NAME = compile_lazily(
    r".+ \(favourite (?!(?:\w+ )*(?:thing|hobby|pastime|sport|activity|exercise|workout)\b)[^)]+\)"
)


def _turned(value: str, verbs: frozenset[str]) -> str:
    """A value whose first word is a verb of the list, in the -ing form."""
    first, space, rest = value.partition(" ")
    named = _NAMED_AFTER.fullmatch(value) or _A_NAME.fullmatch(value) or rest.startswith("of ")
    if first.lower() not in verbs or named:
        return value  # "rap music" is no rapping, "game of thrones" no gaming
    return f"{gerund(first.lower())}{space}{rest}"


def _owner_replacement(mine: re.Match[str]) -> str:
    if mine["many"] is not None:
        return ""
    leads = mine["own"] and mine.string[: mine.start()].strip().endswith("ing")
    return "a " if leads else "own " if mine["own"] else "the "


def _not_mine(value: str) -> str:
    """The value without "my": "with parents", "walking the dog"; empty if "mine" stays."""
    value = _WITH_MINE.sub(r"\1 ", _LEADING_MINE.sub("", value))
    value = _MY_FAVOURITE.sub(r"a \1 ", _MY_FAVOURITES.sub(r"\1 ", value))
    value = _MINE.sub(_owner_replacement, _MY_OWN.sub("own ", _PLAYED.sub(r"\1 ", value)))
    return "" if _FIRST_PERSON.search(value) or value.endswith(" own") else value


# What tells nothing once it stands alone, and what is no thing at all but how one is.
_EMPTY = compile_lazily(
    r"(?:(?:the|own|some|two|three|\d+|few|many|other|such|young|fast|green|good|same)\s+)*"
    r"(?:things?|together|to keep|stuff|ones?|team|others|something|watchin|watching|some|"
    r"(?:\w+ )?team|mood|season|feeling|idea|subjects?|to come|\w+ly enough|looking|to look|"
    r"selling|bringing|making|getting|buying|giving|using|putting|keeping"
    r"|fact|rest|way|happens|over|now|back|long|mt|coverage|original|\d+ of them|"
    r"(?:over|under) \d.*|"
    r"(?:\w+ )?(?:current|own|new|all[- ]time)? ?fave?s?|"
    r"tak(?:e|ing)(?: (?:on (?:\w+ )?walks?|to \w+|for \w+|everywhere))?|"
    r"to (?:visit|go|get|do|make|have|try|take|bring|help|spend|drive around)|\d+ (?:bottles|"
    r"cans|cups|packs|glasses|pieces|slices|bowls|times))"
    r"|(?:pretty|really|very|so|too|quite|kind of)\s+\w+",
    re.IGNORECASE,
)
# Whom somebody votes for is a private matter, not a taste.
_POLITICS = compile_lazily(
    r"\b(?:trump|biden|obama|clinton|hillary|bernie|sanders|bush|putin|merkel|thatcher)\b",
    re.IGNORECASE,
)
_RUN_ON = compile_lazily(
    r"(?:^|\s+)(?:\w+\s+)?(?:say|says|said|think|thinks|tell|tells)(?:\s+\w+)?$", re.IGNORECASE
)


_OF_A_FAVOURITE = compile_lazily(
    r"(?<=\w )(?:my|our|the)\s+fav\w*\s+(?:band|artist|singer|author|group|director|show|"
    r"series)\s+(?=\w)",
    re.IGNORECASE,
)


# In a list it must stay plain what is excepted: "music (except opera) and pancakes".
_BUT_FOR = compile_lazily(
    r"\s+(?:except(?:\s+for)?|but\s+not|other\s+than|apart\s+from|besides)\s+([^()]+)$",
    re.IGNORECASE,
)
_ITSELF = compile_lazily(r"(?<=\w) (?:itself|themselves)$|^besides .+")
# That it is liked is said already: "tasty vanilla ice cream", "fav chocolate".
_RELISHED = compile_lazily(
    r"^(?:(?:(?:really|very|so|super)\s+)?(?:tasty|yummy|delicious|awesome|amazing|beloved|"
    r"favou?rite|fave?)\s+)+"
    r"(?=[a-z]{3})(?!(?:and|or|but|food|foods|meal|meals|things?)\b)",
    re.IGNORECASE,
)


def _taste(value: str) -> str:
    """What is liked or disliked."""
    value = _TO_DOING.sub("", _OF_A_FAVOURITE.sub("", _RELISHED.sub("", value)))
    value = _ITSELF.sub("", _HELPING.sub("", _RUN_ON.sub("", _not_mine(value))))
    value = _BUT_FOR.sub(r" (except \1)", value)
    value = _COLOUR_WORD.sub("", _PORTIONS.sub("", value))
    value = _ADVERB.sub("", value) if _DEED.match(value) else value
    if _EMPTY.fullmatch(value.split(" (")[0]) or _POLITICS.search(value):
        return ""
    return _turned(value, _PLAIN_VERBS) if " " in value or value in _PLAIN_VERBS else value


_TO_DOING = compile_lazily(
    r"^to\s+(?=\w{3,}ing\b)(?!bring|sing|swing|string|spring|cling|fling|ring)"
)
_COLOUR_WORD = compile_lazily(
    r"(?<=red|lue|een|low|nge|ple|ink|ack|ite|own|rey|ray|eal)\s+colou?rs?$", re.IGNORECASE
)
_DEED = compile_lazily(r"(?:to\s+\w+|(?:\w+\s)?\w{2,}ing)\s", re.IGNORECASE)
_HOW_MUCH = compile_lazily(r"(?<=\w)\s+(?:a lot of|lots of|tons of|plenty of|some|lots)\s+(?=\w)")


def _interest(value: str) -> str:
    """What somebody enjoys doing, as a deed that has its object."""
    value = _HELPING.sub("", _HOW_MUCH.sub(" ", _ADVERB.sub("", _not_mine(value))))
    value = value if value.lower() in _ARTS else _turned(value, _DEEDS)
    return "" if _BARREN.fullmatch(value) or _EMPTY.fullmatch(value) else value


# How somebody finds what they have or are, which is no part of it: "two really cool dogs".
_PRAISE = compile_lazily(
    r"^(?P<count>(?:an?|the|one|two|three|four|five|six|some|several|\d+)\s+)?"
    r"(?:(?:really|very|pretty|super|so|totally|absolutely)\s+)*"
    r"(?:cool|sweet|nice|awesome|amazing|great(?!\s+(?:dane|pyrenees))|good|wonderful|lovely|"
    r"adorable|cute|beautiful|fantastic|gorgeous|perfect|proud|decent|excellent)(?:\s*,)?\s+(?=\w)"
    r"|^(?P<how>(?:an?|the|one|two|three|\d+)\s+)?(?:(?:really|very|super|so|totally)\s+)+(?=\w)",
    re.IGNORECASE,
)


def _unpraised(value: str) -> str:
    """The value without praise, its article put right: "an old dog" of "a lovely old dog"."""
    praise = _PRAISE.match(value)
    if praise is None:
        return value
    bare, count = value[praise.end() :], praise["count"] or praise["how"] or ""
    return _with_article(bare) if count.strip().lower() in {"a", "an"} else f"{count}{bare}"


def _pet(value: str) -> str:
    """An animal by its kind: "iguana" of "pet iguana"; nothing for "pets"."""
    value = _unpraised(value)
    value = _LEADING_MINE.sub("", _PET_LEAD.sub(lambda m: m["count"], value))
    value = re.sub(r"^\d+\s+(?=\d+\s)", "", value)  # "2 3 goats": the last number counts
    return "" if re.sub(r"^an?\s+", "", value.lower()) in _GENERIC_PET else value


def _possession(value: str) -> str:
    """A thing without praise; a "super computer" is one."""
    named = len(value.split()) == 2 and value.lower().startswith("super ")
    return value if named else _unpraised(value)


def _vehicle(value: str) -> str:
    """What somebody drives, with its article: "a truck"; nothing for "vehicle"."""
    value = _unpraised(value)
    value = _LEADING_MINE.sub("", _CAR_BEFORE_MAKER.sub("", value))
    words = value.lower().split()
    if not words or value.lower() in _ANY_VEHICLE:
        return ""
    kind = words[-2] if len(words) > 1 and words[-1].isdigit() else words[-1]
    alone = kind in _KINDS_OF_VEHICLE and not kind.endswith("s")
    return _with_article(value) if alone and not _ARTICLE_OR_COUNT.match(value) else value


_AGENT = compile_lazily(r"\w{3}(?:er|or|ist|ian)$")


def _goal(value: str) -> str:
    """What somebody wants to be: "a teacher"."""
    value = _LEADING_MINE.sub("", value)
    last = value.lower().split()[-1] if value else ""
    alone = (last in lexicon.OCCUPATIONS or _AGENT.search(last)) and not _ARTICLE_OR_COUNT.match(
        value
    )
    named = value.islower() and not value.startswith("working ")
    return _with_article(value) if alone and named else value


def _with_article(value: str) -> str:
    return f"{'an' if value[0].lower() in 'aeiou' else 'a'} {value}"


def _home(value: str) -> str:
    """Where and with whom somebody lives: "with parents"; alone is no place."""
    if value.lower() in {"alone", "by myself", "on my own"}:
        return ""
    return re.sub(r"\b(?:my|our)\s+", "", value, flags=re.IGNORECASE)


def _employer(value: str) -> str:
    return "" if value.lower() in {"a", "an", "the"} else value


def _diet(value: str) -> str:
    value = re.sub(r"(?:(?<=vegan)|(?<=arian))s$", "", re.sub(r"\s+any$", "", value))
    return "organic food" if value.lower() in {"organically", "organic"} else value


def _skill(value: str) -> str:
    return re.sub(r"\s+degrees?$", "", value)


_A_LEARNER = compile_lazily(
    r"\b(?:student|freshman|sophomore|junior|senior) (?:at|in)\b", re.IGNORECASE
)


_AND_WHAT_ELSE = compile_lazily(
    r"\s+and\s+(?:work|live|have|am|love|like|play|i|my|just|also)\b.*$"
)


def _study(value: str) -> str:
    value = _AND_WHAT_ELSE.sub("", value)
    if not _A_LEARNER.search(value):
        value = re.sub(r"(?<=\w)\s+(?:at|in) (?:\w+ )?(?:school|college|university)$", "", value)
    return re.sub(r"\s+(?:an?|\w+|few)\s+(?:years?|months?|weeks?|days?)\s+ago$", "", value)


def _engaged(value: str) -> str:
    return re.sub(r"^got\s+", "", value, flags=re.IGNORECASE)


_BY_SLOT: dict[str, Callable[[str], str]] = {
    "likes": _taste,
    "dislikes": _taste,
    "interests": _interest,
    "pets": _pet,
    "vehicle": _vehicle,
    "possessions": _possession,
    "job_title": _unpraised,
    "industry": lambda value: "IT" if value == "it" else value,
    "career_goal": _goal,
    "home": _home,
    "employer": _employer,
    "diet": _diet,
    "expertise": _skill,
    "education": _study,
    "relationships": _engaged,
}
