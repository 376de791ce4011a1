"""What kind of thing a question asks for, and whether a sentence tells one.

"How old is Max?" is answered by a number of years and seldom by the word "old"; "where" by a place.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from memory.language import (
    is_ordinary_word,
    load_lexicon,
    split_words,
    stem_id,
)

_NUMBER = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_YEARS = (
    r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen)"
)
_AGE = re.compile(
    rf"\b(?:is|are|was|turn\w*|aged?|be|both|shes|hes|theyre|\w+['’](?:s|re)) (?:both |only |just"
    rf" |nearly |almost |now )*{_YEARS}\b(?! ?(?:o'?clock|am\b|pm\b|euros?|pounds?|dollars?|%))"
    rf"|\b{_YEARS} years? old|\b\w+,? \({_YEARS}\)|\bborn\b",
    re.IGNORECASE,
)
_DIET = re.compile(
    r"allerg|vegetarian|vegan|gluten|lactose|intoleran|\bceliac|\bcoeliac"
    r"|\b(?:eats?|hates?|loves?|likes?|(?:can'?t|can ?not|doesn'?t|does not) (?:have|eat))\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[£€$]|\b\d+(?:[.,]\d+)? ?(?:euros?|pounds?|dollars?|quid|eur|usd)\b", re.IGNORECASE
)
_JOB = re.compile(
    r"\b(?:works?|working|employed|runs?|(?:is|was|as|'s) (?:an?|the) (?:\w+ ){0,2}\w+)\b",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:cho[os]\w*|decid\w+|pick\w*|opt\w* for|(?:go|went) with)\b", re.IGNORECASE
)
_NAMED_PLACE = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Tt]o|[Ff]rom|[Nn]ear|[Tt]hrough|[Vv]isit\w*|[Ss]aw) (?:the )?[A-Z]"
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|by|behind|under|next door|here|there|home|abroad|street|road)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i|we|my|our|i'm|we're)\b", re.IGNORECASE)
# A name within a sentence, or somebody of the family.
_SOMEBODY = re.compile(r"(?<=[\w,'’] )[A-Z][\w'-]+")
_HELD_BEFORE = re.compile(
    r"\b(?:used to|old|former\w*|ex|previous\w*|before|earlier|from|was|were|had|\w+ed)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"\d|\b(?:{_NUMBER}|an?|both|couple|dozen|none|no)\b", re.IGNORECASE)
_DIGITS = re.compile(rf"\d|\b{_NUMBER}\b", re.IGNORECASE)
_SIZE = re.compile(rf"\d|\b(?:{_NUMBER}|small|medium|large|xs|xl|[sml])\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|h|uhr)\b|o'?clock"
    r"|\b(?:noon|midday|midnight|quarter|half)\b"
    rf"|\b(?:at|by|from|until|till|til|to|past|around|about) {_NUMBER}\b"
    r"|\b(?:at|by|from|until|till|til|around) \d{1,2}\b(?!(?:st|nd|rd|th|/|\.\d{3}))",
    re.IGNORECASE,
)
_DURATION = re.compile(
    rf"(?:\d|\b(?:{_NUMBER}|an?|half|few|couple|whole|all)\b)[\w\s'/-]{{0,12}}?"
    r"(?:second|sec|minute|min|hour|hr|day|night|week|wk|month|year|yr)s?\b"
    r"|\b(?:since|until|till|for ever|forever|always|overnight)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?|weds|today|tonight"
    r"|tomorrow|yesterday|weekends?|weeks?|months?|years?|mornings?|afternoons?|evenings?|nights?"
    r"|spring|summer|autumn|winter|christmas|easter|ago|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?"
    r"|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?|\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}[./]\d{1,2})\b",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"\b(?:red|blue|green|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|beige|navy"
    r"|turquoise|teal|cream|gold|silver|mint|mustard|maroon|burgundy|lilac|lavender|magenta|cyan"
    r"|khaki|olive|ivory|ginger|tabby|blond\w*|colou?r)\w*\b",
    re.IGNORECASE,
)
_ENDINGS = ("s", "es", "d", "ed", "ing")
_CALLED = re.compile(r"\b(?:called|named|names?)\b", re.IGNORECASE)

# Whether a text tells what a question asks for.
Tells = Callable[[str], object]
_BY_WORD: dict[str, Tells] = {
    **dict.fromkeys(("old", "age"), _AGE.search),
    **dict.fromkeys(
        ("eat", "cook", "food", "diet", "allergic", "allergy", "allergies"), _DIET.search
    ),
    **dict.fromkeys(("cost", "costs", "costing", "price", "pay"), _MONEY.search),
    **dict.fromkeys(("living", "job", "work", "profession"), _JOB.search),
    **dict.fromkeys(("choose", "decide", "pick", "chosen", "decided"), _DECIDED.search),
    **dict.fromkeys(
        ("city", "cities", "town", "country", "countries", "place", "places"), _NAMED_PLACE.search
    ),
    **dict.fromkeys(
        ("sport", "sports", "hobby", "hobbies"), lambda text: _has_word_of("pastimes", text)
    ),
    **dict.fromkeys(("language", "languages"), lambda text: _has_word_of("languages", text)),
}


def _asking(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# The kinds that questions ask for, by the words that ask for them: the first that fits.
_KINDS: tuple[tuple[re.Pattern[str], Tells], ...] = (
    (_asking(r"\bhow old\b|\bwh?at age\b|'?s? age\b\W*$"), _AGE.search),
    (
        _asking(r"\b(?:what|which) (?:\w+ )?size\b|\bhow (?:tall|big|heavy|far|high)\b"),
        _SIZE.search,
    ),
    (
        _asking(
            r"\b(?:what|which)(?:'s| is| was)? (?:[\w']+ ){0,4}"
            r"(?:number|code|pin|room|floor|plate|registration)\b"
        ),
        _DIGITS.search,
    ),
    (_asking(r"\bwhat (?:exact )?(?:time|hour)\b|\bhow (?:late|early)\b"), _CLOCK.search),
    (
        _asking(
            r"\bhow much\b.*"
            r"\b(?:pa(?:y|id)|costs?|spen[dt]|charged?|owed?|owes|earn|quoted?|price|rent|fees?)\b"
            r"|\b(?:what|how much) .*\b(?:cost|costing|pay|paid|charge|price)\b"
            r"|\bhow much (?:is|was|were|are)\b"
        ),
        _DIGITS.search,
    ),
    (_asking(r"\bhow (?:many|much)\b"), _FIGURE.search),
    (_asking(r"\bhow long\b|\bhow often\b"), _DURATION.search),
    (_asking(r"\b(?:what|which)(?:'s| is| was)? (?:\w+ )?colou?rs?\b"), _COLOUR.search),
    (
        _asking(r"\bbefore\W*$|\b(?:previously|formerly|used to)\b"),
        _HELD_BEFORE.search,
    ),
    (
        _asking(
            r"\bwhen(?:'s|'re| (?:is|are|am|do|does|will|can|should|must))\b"
            r"|\b(?:what|which) (?:day|date|month|year)s?\b"
        ),
        lambda text: _DAY.search(text) or _CLOCK.search(text),
    ),
)
# What other questions mostly ask for; where no text tells it, any may.
_MOSTLY: tuple[tuple[re.Pattern[str], Tells], ...] = (
    (_asking(r"\bwho\b"), lambda text: _SOMEBODY.search(text) or _kin(text)),
    (_asking(r"\bwhere\b"), _PLACE.search),
)
_NAME_OF = _asking(
    r"\b(?:what|which)(?:'s| is| was| are)? (?P<a>.*)\b(?:called|name|named)\b|\bname of (?P<b>.*)"
)
_FAMILY_NAME = _asking(r"\b(?P<which>last|sur|family|maiden|middle|first|full) ?name\b")
_WHO_IS = re.compile(
    # Not "who's making the tamales".
    r"\bwho(?:'s| is| was) (?:my )?+(?!(?-i:[a-z]+ing)\b(?!\W*$))(?P<whom>[\w'-]+)",
    re.IGNORECASE,
)
# Only where the thing ends the question: a "favourite book series" may be told by its name alone.
_FAVOURITE = re.compile(r"\bfavou?rite (?P<what>[\w-]+)\W*$", re.IGNORECASE)


def word_is_told(word: str, text: str) -> bool:
    """Whether a text tells what a word of a question asks for: "old" by a number of years."""
    tells = _BY_WORD.get(word)
    return tells is not None and bool(tells(text))


def of_its_kind(question: str, texts: Sequence[str], nearness: Sequence[float]) -> list[bool]:
    """Which of the texts may tell the kind of thing that is asked for.

    Nothing tells an age, an amount or a favourite that has none. Who and where can be told in so
    many ways that any text may which is nearer (by the numbers given) than those that surely do.
    """
    tells, strict = _expected(question)
    told = [bool(tells(text)) for text in texts]
    if strict:
        return told
    surely = max((near for near, tell in zip(nearness, told, strict=True) if tell), default=-1.0)
    return [tell or near > surely for near, tell in zip(nearness, told, strict=True)]


def may_tell(question: str, text: str) -> bool:
    """Whether a text by itself may tell the kind of thing that is asked for: "the right wrist, not
    the left" tells no price. Who and where may stand there in small letters.
    """
    tells, strict = _expected(question)
    mostly = next((tells for asks, tells in _MOSTLY if asks.search(question)), bool)
    return bool(tells(text)) or (not strict and (text == text.lower() or bool(mostly(text))))


def is_of_another(question: str, text: str) -> bool:
    """Whether a text speaks of somebody of the family, and the question of who asks alone."""
    return _kin(text) and _OF_ONESELF.search(question) is not None and not _kin(question)


def _expected(question: str) -> tuple[Tells, bool]:
    """What tells the kind of thing that a question asks for, and whether nothing else answers."""
    if family := _FAMILY_NAME.search(question):
        return _asking(rf"\b{family['which']} ?name\b").search, True
    if _NAME_OF.search(question):
        return _named_besides(question), True
    for asks, tells in _KINDS:
        if asks.search(question):
            return tells, True
    if favourite := _FAVOURITE.search(question):
        what = {stem_id(favourite["what"].lower())}
        return lambda text: not what.isdisjoint(map(stem_id, split_words(text))), True
    if who_is := _WHO_IS.search(question):
        return _introduces(who_is["whom"]).search, False
    return next((tells for asks, tells in _MOSTLY if asks.search(question)), bool), False


def _named_besides(question: str) -> Tells:
    """What names somebody or something that the question does not: by a capital, else by a word
    that is no ordinary one.
    """
    asked = set(split_words(question))

    def tells(text: str) -> bool:
        names = _SOMEBODY.findall(text) or [w for w in split_words(text) if not _is_ordinary(w)]
        return bool(_CALLED.search(text)) or any(asked.isdisjoint(split_words(n)) for n in names)

    return tells


def _is_ordinary(word: str) -> bool:
    """Whether it, or what it is a form of, is a word that no name is written like."""
    return any(map(is_ordinary_word, {word, *(word.removesuffix(end) for end in _ENDINGS)}))


def _introduces(whom: str) -> re.Pattern[str]:
    """What says who somebody is: "Anna is ...", "my cousin Ben", "... is my landlord"."""
    name = re.escape(whom)
    return re.compile(
        rf"\b{name}(?:'s)? (?:is|was|are)\b|\b{name},|\bmy (?:\w+ ){{1,2}}{name}\b"
        rf"|\b(?:is|called|named) (?:my )?{name}\b|\b{name}(?:'s)? (?:called|name)",
        re.IGNORECASE,
    )


@cache
def _entries(name: str) -> frozenset[str]:
    return load_lexicon(name)


def _has_word_of(lexicon: str, text: str) -> bool:
    said = split_words(text)
    pairs = map(" ".join, pairwise(said))
    return not _entries(lexicon).isdisjoint([*said, *pairs])


def _kin(text: str) -> bool:
    return _has_word_of("kin", text)
