"""Readers take the value out of the text where a pattern has said that a value starts.

A reader gets the text and the stretch it may use and returns the values it found, each with its
span, its notebook form and how sure the reader is (0..1, multiplied into the confidence).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from memory.language.engine.clause_guards import names_a_speaker
from memory.language.engine.masking import MASK
from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon


@dataclass(frozen=True)
class Found:
    """A value at ``text[start:end]``, written as a person would write it in a notebook."""

    start: int
    end: int
    value: str
    sure: float = 1.0


Reader = Callable[[str, int, int], list[Found]]

MAX_VALUE = 80
"""Longest value in characters; longer ones are sentences, not values."""

_WORD = lazy_pattern(r"[^\W_](?:[\w'&+#/-]|\.(?=\w))*\+*|&|#\w+|\d+")
STOP = lexicon.word_set("""
and or but so because since while whilst when where which who that if as at in on for from with by
to
until till before after than then now too also though although right currently not no i my me we
you he she they it is are was were have has had do does did will would can could am im of just
only actually anymore lol haha these this last next today yesterday tomorrow btw part full
full-time part-time during again please thanks doing every here there instead about via per near
outside its your his her their our up down out what how why like unless a an myself basically
parked especially mostly hopefully preferably sometimes usually everyday daily alot often tonight
yes yeah ha hahaha xd each other lately anyway whenever very really always mainly somewhere ll til
til' thats ive dont cant ya u ugh wow hi hello hey however therefore once twice sure maybe
probably etc etcetera growing almost already ever yet should might must whose whom despite plus
except otherwise rather including such apart it's i'm that's he's she's there's don't
""")
# Words of chat that end a value but may also begin one: an "rn" is a nurse.
_CHAT = lexicon.word_set(
    "rn atm tho tbh ngl imo irl fr tbf asap lmao lmfao bc cuz coz cos wbu hbu wyd"
)
_NO_LONGER = lazy_pattern(r"any (?:more|longer)\b", re.IGNORECASE)
_SMALL = lexicon.word_set(
    "of the and de du la le del di da do van von der den y e on upon in at for"
)
_ACRONYMS = {
    word.lower(): word
    for word in (
        "IBM NASA UK US USA NYC LA SF DC UAE BMW SAP HP IT HR PR TV MIT UCLA NYU USC CERN UPS "
        "BBC CNN NC NJ NH NM KPMG PETA IKEA AMD ASML NHS EU McDonald's McDonalds eBay YouTube "
        "GitHub LinkedIn PayPal "
        "JPMorgan DeepMind OpenAI TikTok CEO CTO CFO VP PhD MBA BSc MSc BA MA ETH LSE FedEx "
        "NVIDIA"
    ).split()
}


def words(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The words from ``start`` on, up to the first punctuation, mask or 12 words."""
    result: list[re.Match[str]] = []
    at, end = start, min(end, len(text))
    while at < end and len(result) < 12:
        while at < end and text[at] == " ":
            at += 1
        found = _WORD.match(text, at, end)
        if not found:
            break
        result.append(found)
        at = found.end()
        if at < end and text[at] == "." and _is_abbreviation(found[0]):
            at += 1
    return result


def _is_abbreviation(word: str) -> bool:
    return (
        word.lower() in {"st", "dr", "mr", "mrs", "ms", "inc", "ltd", "jr", "sr", "mt", "ft"}
        or len(word) == 1
    )


def capitalise(value: str) -> str:
    """Notebook spelling of a name typed in lower case: "rio de janeiro" is "Rio de Janeiro"."""
    if value != value.lower():
        return value
    parts = value.split(" ")
    done = [
        _ACRONYMS.get(part)
        or (part if position and part in _SMALL else part[:1].upper() + part[1:])
        for position, part in enumerate(parts)
    ]
    return " ".join(done)


def phrase(
    text: str, start: int, end: int, most: int = 5, keep: frozenset[str] = frozenset()
) -> tuple[int, int] | None:
    """The span of a plain noun phrase: up to ``most`` words, ending before a stop word."""
    taken: list[re.Match[str]] = []
    for word in words(text, start, end):
        lower = word[0].lower()
        if (lower in STOP and not (taken and lower in keep)) or len(taken) == most:
            break
        if taken and (lower in _CHAT or _NO_LONGER.match(text, word.start())):
            break
        taken.append(word)
    while taken and taken[-1][0].lower() in keep | {"&"}:
        taken.pop()
    if not taken or taken[-1].end() - taken[0].start() > MAX_VALUE:
        return None
    return taken[0].start(), taken[-1].end()


def name_run(text: str, start: int, end: int, most: int = 5) -> tuple[int, int] | None:
    """The span of a run of capitalised words ("Bank of America"); None if it starts lower."""
    taken: list[re.Match[str]] = []
    tokens = words(text, start, end)
    for position, word in enumerate(tokens):
        following = tokens[position + 1][0] if position + 1 < len(tokens) else ""
        joins = word[0].lower() in {"of", "the", "&", "de", "du", "van", "von", "der", "la", "del"}
        capital = word[0][0].isupper() or (word[0][0].isdigit() and bool(taken))
        if len(taken) >= most or not (capital or (taken and joins and following[:1].isupper())):
            break
        if word[0] == "I":
            break
        taken.append(word)
    return (taken[0].start(), taken[-1].end()) if taken else None


def person(text: str, start: int, end: int) -> list[Found]:
    """A given name, perhaps with a surname, after words that announce a name ("my name is")."""
    return _person(text, start, end, announced=True)


def bare_person(text: str, start: int, end: int) -> list[Found]:
    """A name after a mere "I'm": only a known name, or a capital that nothing else explains."""
    return _person(text, start, end, announced=False)


def called(text: str, start: int, end: int) -> list[Found]:
    """What somebody wants to be called: a name, or a title with its capital ("Captain")."""
    found = person(text, start, end)
    if found:
        return found
    word = next(iter(words(text, start, end)), None)
    if word is None or not word[0][0].isupper() or word[0].lower() not in _TITLES:
        return []
    run = name_run(text, start, end, 2) or word.span()
    return [Found(*run, text[run[0] : run[1]])]


_TITLES = lexicon.OCCUPATIONS | lexicon.word_set(
    "boss chief doc sir madam lord lady king queen champ ace master mister miss mrs mr captain"
)
_AFTER_NAME = lexicon.word_set("and from but by here btw the a an who at in for not now so i nice")


def _person(text: str, start: int, end: int, *, announced: bool) -> list[Found]:
    tokens = words(text, start, end)
    if not tokens or not _may_be_name(tokens[0][0], announced=announced, shouted=text.isupper()):
        return []
    known = tokens[0][0].lower() in lexicon.GIVEN_NAMES
    taken = [tokens[0]]
    for word in tokens[1:3]:
        lower = word[0].lower()
        if (
            not word[0][0].isupper()
            or lower in lexicon.NOT_NAMES
            or lower in STOP
            or "'" in word[0]
        ):
            break
        taken.append(word)
    after = tokens[len(taken)][0].lower() if len(tokens) > len(taken) else ""
    if after and not (known and announced) and after not in _AFTER_NAME and after not in STOP:
        return []
    value = text[taken[0].start() : taken[-1].end()]
    return [Found(taken[0].start(), taken[-1].end(), capitalise(value), 1.0 if known else 0.85)]


def _may_be_name(word: str, *, announced: bool, shouted: bool) -> bool:
    lower = word.lower()
    if not re.fullmatch(r"[^\W\d_](?:[^\W\d_]|['-](?!s$))*", word) or len(word) > 30:
        return False
    if lower in lexicon.GIVEN_NAMES and (announced or lower not in lexicon.FIGURES):
        return announced or word[0].isupper() or lower not in lexicon.WORD_NAMES
    if lower in _NEVER_NAMES or len(word) == 1:
        return False
    return announced or (not shouted and word[0].isupper() and _sounds_like_a_name(lower))


_NEVER_NAMES = (
    lexicon.NOT_NAMES | lexicon.OCCUPATIONS | lexicon.LANGUAGES | STOP | frozenset(lexicon.MONTHS)
)


def _sounds_like_a_name(lower: str) -> bool:
    """Whether nothing else explains the capital: no place, no firm, no figure, no adjective."""
    if lower in lexicon.PLACES or lower in lexicon.KNOWN_ORGS or lower in lexicon.FIGURES:
        return False
    return not lower.endswith(("ing", "ed", "ful", "less", "ous", "ly", "able"))


_NOT_ORG = lexicon.word_set("""
home night nights noon work least most times once all first day days dawn lunch one two three four
five six seven eight nine ten eleven twelve weekends weekend height heights sea risk peace random
desk computer moment it them him everything something nothing someone living money fun free hours
pleasure myself yourself minimum cash food tips peanuts change people clients customers evening
morning christmas good vacation holiday dinner breakfast school children kids animals numbers hand
hands computers others company firm place
profit passion better ease war large speed length gunpoint pace scale
""")


def _is_no_org(value: str) -> bool:
    """Whether a lower-case phrase after "work at" is a time, a place at home or a manner."""
    first = value.split(maxsplit=1)[0]
    return not first[0].isalpha() or (
        value not in lexicon.KNOWN_ORGS and (first in _NOT_ORG or first in _STRANDED)
    )


# Verbs after a stranded preposition: "the shop I work at sells shoes".
_STRANDED = lexicon.word_set(
    "sells keeps has makes serves gets offers gives takes lets closes opens pays says does"
)


_ARTICLE = lazy_pattern(r"(?:the|a|an|my|our|some)\s+(?:local\s+)?", re.IGNORECASE)


def organisation(text: str, start: int, end: int) -> list[Found]:
    """A company or workplace: "Google", "Bank of America", "a hospital"."""
    run = name_run(text, start, end)
    if run:
        value = text[run[0] : run[1]]
        is_name = value.lower() not in _NOT_ORG | lexicon.MONTHS.keys()
        return [Found(*run, value)] if is_name else []
    article = _ARTICLE.match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 4)
    if span is None or (article is None and _is_no_org(text[span[0] : span[1]].lower())):
        return []
    value = text[span[0] : span[1]]
    span = _without_its_verb(text, span)
    if article is None:
        span = _firm_before_a_deed(text, span)
        return [_unannounced(text, span)]
    return _kind_of_workplace(text, article, span)


_DEED = lazy_pattern(r"\s+\w{3,}ing\b", re.IGNORECASE)


def _firm_before_a_deed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The "amazon" of "amazon packing boxes": a firm that is known ends where a deed begins."""
    deed = _DEED.search(text, *span)
    known = deed and text[span[0] : deed.start()].lower() in lexicon.KNOWN_ORGS
    return (span[0], deed.start()) if deed and known else span


_BRANDS = lexicon.KNOWN_ORGS | lexicon.word_set("mcdonalds mcdonald walmart")


def _unannounced(text: str, span: tuple[int, int]) -> Found:
    """A firm in small letters, or a kind of workplace whose article is left out."""
    value = text[span[0] : span[1]]
    if value in lexicon.KNOWN_ORGS:
        return Found(*span, capitalise(value), 0.95)
    last = value.lower().split()[-1]
    plain = last not in _BRANDS and "'" not in value and len(value.split()) < 3
    kind = last in lexicon.WORKPLACES and plain
    return Found(*span, value if kind else capitalise(value), 0.85)


_OFFICE_OF = lazy_pattern(r"\s+(?:offices?|headquarters|hq|branch|campus|building|site)$")


def _firm_of(start: int, value: str) -> list[Found]:
    """The firm whose office is named: "ibm" of "ibm office"."""
    firm = _OFFICE_OF.sub("", value.lower())
    named = firm != value.lower() and firm in lexicon.KNOWN_ORGS
    return [Found(start, start + len(firm), capitalise(firm))] if named else []


def _kind_of_workplace(text: str, article: re.Match[str], span: tuple[int, int]) -> list[Found]:
    """A workplace without a name: "a hospital" keeps its article, "my hospital" does not."""
    value = text[span[0] : span[1]]
    own = article[0].lower().startswith(("my", "our", "some"))
    if value[0].isupper() and not own:
        return [Found(*span, value)]
    firm_of = _firm_of(span[0], value)
    if firm_of:
        return firm_of
    last = value.lower().split()[-1]
    if last not in lexicon.WORKPLACES and last.rstrip("s") not in lexicon.WORKPLACES:
        return []
    begin = span[0] if own else article.start()
    return [Found(begin, span[1], text[begin : span[1]], 0.85)]


def known_firm(text: str, start: int, end: int) -> list[Found]:
    """A firm that is known by name, however spelled, or a kind of workplace with its article."""
    tokens = words(text, start, end)[:4]
    for most in range(len(tokens), 0, -1):
        value = text[tokens[0].start() : tokens[most - 1].end()]
        if value.lower() in lexicon.KNOWN_ORGS:
            return [Found(tokens[0].start(), tokens[most - 1].end(), capitalise(value))]
    article = re.compile(r"(?:the|an?)\s+(?:local\s+)?", re.IGNORECASE).match(text, start, end)
    if not article:
        return []
    found = organisation(text, start, end)
    return [one for one in found if one.value.lower() not in _NOT_WORKED_AT]


def firm(text: str, start: int, end: int) -> list[Found]:
    """A firm known by name that stands alone: not the "Google" of "Google Docs"."""
    found = known_firm(text, start, end)
    if not found or not re.match(r"[^\W_]", found[0].value) or _ARTICLE.match(text, start, end):
        return []
    after = next(iter(words(text, found[0].end, end)), None)
    alone = (
        after is None or after[0].lower() in STOP | _AFTER_FIRM or not text[after.start()].isalpha()
    )
    return found if alone else []


def firm_before_now(text: str, start: int, end: int) -> list[Found]:
    """The "IBM" of "IBM, now at Oracle"; in a shop one may only be."""
    return [
        one
        for one in known_firm(text, start, end)
        if one.value.lower() not in lexicon.OUTLETS
        and (now := _NOW_AT.match(text, one.end))
        and (now["next"][0].isupper() or now["next"] in lexicon.KNOWN_ORGS)
    ]


_NOW_AT = lazy_pattern(
    r"\s*,?\s+(?:but\s+|and\s+)?now\s+(?:i'?m\s+|i\s+am\s+)?(?:at|with)\s+(?P<next>\w+)",
    re.IGNORECASE,
)
_AFTER_FIRM = lexicon.word_set("two three four five six for recently earlier first one some months")

_NOT_WORKED_AT = frozenset(
    {
        "a school",
        "a college",
        "a university",
        "the gym",
        "a gym",
        "the zoo",
        "the mall",
        "the market",
        "a church",
    }
)


_NO_WORKPLACE = lexicon.word_set("""
moment time times weekend weekends same end distance pace desk computer height level rate loss
while lot bit living few different good better long year years month months week weeks day days
hour hours night nights morning evening hurry team group cubicle cube suit city town country
small-town world future past beach house home apartment room basement garage garden yard holidays
summer winter spring fall way ways reason purpose cause career raise promotion degree paycheck
salary wage boss man woman guy lady friend relative family dad mom mother father uncle aunt
brother sister husband wife people kids children students clients customers patients company best
worst fun pleasure speed minute field industry sector business environment setting variety job
profit dream goal project projects thing things half
""")


# Several firms may sit in one building: it is nobody's employer.
_HOUSE = lazy_pattern(
    r"(?:(?:the|an?|our|my|this)\s+)?(?:[\w'-]+\s+){0,3}?buildings?\b"
    r"(?=\s*(?:$|[.,;:!?)\u2592]|(?:in|on|at|of|by|near|and|but|where|which|next|opposite|with)\b))",
    re.IGNORECASE,
)
_CALLED = lazy_pattern(r"(?:[\w'-]+ ){1,3}(?:called|named) ", re.IGNORECASE)


def any_workplace(text: str, start: int, end: int) -> list[Found]:
    """Whatever somebody says they work at, with its article: "a golf course"."""
    article = re.compile(r"(?:an?|the)\s+(?:local\s+)?", re.IGNORECASE).match(text, start, end)
    # "A surf shop called Salt & Wax" is longer than a kind alone.
    most = 7 if article and _CALLED.match(text, article.end(), end) else 4
    span = phrase(text, article.end(), end, most) if article else None
    if article is None or span is None or _HOUSE.match(text, start, end):
        return []
    span = _without_its_verb(text, span)
    named = text[slice(*span)].lower()
    if set(named.split()) & _NO_WORKPLACE or _firm_of(span[0], named):
        return []
    if not re.match(r"[^\W\d_]{3}", text[span[0] : span[1]]):
        return []
    doing = re.compile(r"\s+\w{3,}ing\b").search(text, span[0], span[1])
    span = (span[0], doing.start() if doing else span[1])
    return [Found(article.start(), span[1], text[article.start() : span[1]], 0.8)]


def workplace(text: str, start: int, end: int) -> list[Found]:
    """A kind of workplace after "in": "a hospital"; never a bare name, which may be a city."""
    return [
        f
        for f in organisation(text, start, end)
        if re.match(r"(?:an?|the)\s", f.value, re.IGNORECASE)
    ]


def workplace_kind(text: str, start: int, end: int) -> list[Found]:
    """A kind of workplace, article left out: "campus library", "nursing home", "law firm"."""
    if _HOUSE.match(text, start, end):
        return []
    article = re.compile(
        r"(?:(?:the|an?|my|our|this|own|local|little|small|large|big|huge|near|nearby|busy)\s+)+",
        re.IGNORECASE,
    ).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 4)
    if span is None:
        return []
    taken = words(text, span[0], span[1])
    for most in range(len(taken), 0, -1):
        word = taken[most - 1][0].lower()
        if word not in lexicon.WORKPLACES and word.rstrip("s") in lexicon.WORKPLACES:
            # Many of a kind are whom somebody works for in general, and no employer.
            return []
        if word in lexicon.WORKPLACES:
            stop = taken[most - 1].end()
            value = text[span[0] : stop]
            return _firm_of(span[0], value) or [Found(span[0], stop, value)]
    value = text[span[0] : span[1]]
    known = value.lower() in lexicon.KNOWN_ORGS or (value[0].isupper() and value != value.upper())
    return [Found(*span, capitalise(value))] if known else []


_RELATIVE = lazy_pattern(
    r"(?P<place>[\w'& -]{2,30}?)\s+(?:(?:that|where|which)\s+)?(?:i|we)\s+(?:\w+\s+)?(?:work|"
    r"employed|live)\b",
    re.IGNORECASE,
)
_NO_PLACE_WORD = lexicon.word_set(
    "i we job people days hours time thing reason way that where which who when and is are love "
    "like because since so while although until "
    "it my you they but if am was do in on at now then up grew from did does have life work "
    "place one day here there all do "
    "tells everyone everybody friends "
    "know goes go says sings reads said can could should would will how"
)


def before_relative(text: str, start: int, end: int) -> list[Found]:
    """What stands before "where I work": "campus library"."""
    found = _RELATIVE.match(text, start, end)
    if not found or set(found["place"].lower().split()) & _NO_PLACE_WORD:
        return []
    if names_a_speaker(found["place"]):
        return []  # "my mother joked that I live in Narnia"
    return [Found(*found.span("place"), found["place"])]


def is_workplace(named: str) -> bool:
    """Whether a name or a kind of place is known as one where people work."""
    value = named.lower()
    return value in lexicon.KNOWN_ORGS or value.split()[-1] in lexicon.WORKPLACES


def before(words_after: str, most: int = 3) -> Reader:
    """A reader for up to ``most`` words that stand before one of ``words_after``."""
    compiled = lazy_pattern(
        rf"(?P<thing>[\w'&-]+(?:\s[\w'&-]+){{0,{most - 1}}}?)\s+(?:{words_after})\b", re.IGNORECASE
    )

    def read(text: str, start: int, end: int) -> list[Found]:
        found = compiled.match(text, start, end)
        if not found or set(found["thing"].lower().split()) & _NO_PLACE_WORD:
            return []
        return [Found(*found.span("thing"), found["thing"])]

    return read


before_job = before("job|career|work|shift|position")
before_weather = before(
    "heat|sun|sunshine|weather|cold|humidity|winters?|summers?|snow|rain|traffic|nights|evenings|"
    "air|countryside",
    2,
)
before_field = before("field|industry|business|sector")


def is_job_word(value: str) -> bool:
    """Whether a phrase ends in an occupation."""
    parts = value.lower().split()
    return bool(parts) and parts[-1] in lexicon.OCCUPATIONS


def _without_its_verb(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A place without what it does: the "bakery" of "bakery opens at six"."""
    for place, verb in pairwise(words(text, *span)):
        known = place[0].lower() in lexicon.WORKPLACES
        if known and _DOES.fullmatch(verb[0]) and verb[0].lower() not in lexicon.WORKPLACES:
            return span[0], place.end()
    return span


_DOES = lazy_pattern(r"(?!(?:sales|services|systems|supplies|foods|goods)$)[a-z]{2,}[^s]s")


def any_org(text: str, start: int, end: int) -> list[Found]:
    """Whatever is named where only a workplace can be named."""
    span = phrase(text, start, end, 3)
    if span is None:
        return []
    span = _without_its_verb(text, span)
    value = text[span[0] : span[1]]
    value = re.sub(
        r"\s+(?:(?:hired|team|staff|crew)$|(?:keeps|is|has|makes|pays|takes|lets|gives|was)\b.*)",
        "",
        value,
    )
    if _is_no_org(value.lower()) or value.lower() in lexicon.NOT_NAMES:
        return []
    return [
        Found(
            span[0],
            span[0] + len(value),
            capitalise(value) if value in lexicon.KNOWN_ORGS else value,
        )
    ]


def industry(text: str, start: int, end: int) -> list[Found]:
    """A known field of work."""
    tokens = words(text, start, end)
    for most in (3, 2, 1):
        if len(tokens) >= most:
            value = text[tokens[0].start() : tokens[most - 1].end()]
            after = tokens[most][0].lower() if len(tokens) > most else "and"
            if value.lower() in lexicon.INDUSTRIES and value != "it" and after in STOP:
                return [Found(tokens[0].start(), tokens[most - 1].end(), value)]
    return []


def choice(pattern: str) -> Reader:
    """A reader for a closed set: the value is what the pattern matches right here."""
    compiled = lazy_pattern(pattern, re.IGNORECASE)

    def read(text: str, start: int, end: int) -> list[Found]:
        found = compiled.match(text, start, end)
        return [Found(found.start(), found.end(), found[0])] if found else []

    return read


def has_mask(text: str, found: Found) -> bool:
    """Whether a value touches hidden text."""
    return MASK in text[found.start : found.end]
