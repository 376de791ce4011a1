"""A text that is nothing but a correction of what was said just before it: "wait no its 5 may".

What it corrects stands elsewhere: in the sentence before, or in the message before. Pure.
"""

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from memory.language.text import terms
from memory.language.values.found import FoundValue

LONGEST = 80
_MOST_WORDS = 8
_CUE = (
    r"(?:no|nope|nah|wait|sorry|oops|whoops|correction|actually|my bad|my mistake|typo|rather|er+m?"
    r"|hang on|hold on)\b"
)
_MEANT = (
    r"(?:i (?:actually |really )?(?:meant|mean)(?: to say)?|i should have said|make (?:that|it)"
    r"|it should (?:be|have been|say)|should (?:be|have been))\b"
)
_IT_IS = r"(?:it's|its|it is|it was|that's|that is|that was)\b"
_VALUE = r"(?P<value>[^\W_](?:[^.?!:;\n]|(?<=\d)[.:](?=\d))*)[.! ]*"
# One word before a value is little: "No, Klara." corrects, "no way" does not.
_PLAIN = re.compile(rf"(?P<cues>(?:{_CUE}[\s,.:!;-]*)+){_VALUE}", re.IGNORECASE)
_SURE = re.compile(
    rf"(?P<cues>(?:{_CUE}[\s,.:!;-]*)*){_MEANT}[\s,:]*{_VALUE}"
    rf"|(?:{_CUE}[\s,.:!;-]*)+{_IT_IS}[\s,:]*{_VALUE.replace('?P<value>', '?P<value2>')}"
    rf"|\*{_VALUE.replace('?P<value>', '?P<value3>')}",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_IT_IS}[\s,:]*{_VALUE}", re.IGNORECASE)
_NO_VALUE = re.compile(
    r"(?:i|i'm|im|i've|you|we|they|he|she|it|thanks?|please|that|this|not|never|don't|dont|what|why"
    r"|how|who|when|where|way|idea|problem|worries|need|nothing|fine|ok|okay|good|great|right|wrong"
    r"|true|all|just|too|so|really|over|done|late|sorry|again|then|there|here|if|but|and|because)\b",
    re.IGNORECASE,
)
NUMBER_OR_DAY = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|first|second|third"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+")
# How much alike two spellings of a name are, at least.
_ALIKE = 0.6


def read_corrected_value(text: str) -> FoundValue | None:
    """What a text says instead, where the whole of it says so in passing; None for all else."""
    plain = text.replace("’", "'").rstrip()
    if len(plain) > LONGEST:
        return None
    if sure := _SURE.fullmatch(plain):
        return _found(sure)
    found = _PLAIN.fullmatch(plain)
    if found is None:
        return None
    cues = re.findall(_CUE, found["cues"], re.IGNORECASE)
    value = found["value"]
    said_twice = len(cues) > 1 or cues[0].lower() == "correction"
    if said_twice or value[0].isupper() or NUMBER_OR_DAY.match(value):
        return _found(found)
    return None


def read_bare_value(text: str) -> FoundValue | None:
    """The value of "It is the 16th of June 1955.", said without a word that it corrects."""
    found = _BARE.fullmatch(text.replace("’", "'").rstrip())
    return _found(found) if found and len(text) <= LONGEST else None


def _found(match: re.Match[str]) -> FoundValue | None:
    group = next(name for name, value in match.groupdict().items() if value and name != "cues")
    value = match[group].rstrip(" ,")
    if _NO_VALUE.match(value) or len(value.split()) > _MOST_WORDS:
        return None
    return FoundValue(match.start(group), match.start(group) + len(value), value)


def amends_sentence(text: str, sentence: str) -> bool:
    """Whether a text corrects this very sentence: it gives another number, name or such of it."""
    found = read_corrected_value(text)
    if found is None:
        return False
    new, old = found.value, sentence
    if NUMBER_OR_DAY.search(new) and NUMBER_OR_DAY.search(old):
        return True
    told, said = terms.content_words(new), terms.content_words(old)
    if set(told) & set(said) or (_NAME.search(f" {new}") and _NAME.search(old)):
        return True
    return any(Levenshtein.normalized_similarity(a, b) >= _ALIKE for a in told for b in said)


# --- Whether a text puts anything right at all ---------------------------------------------------

# How somebody begins, or goes on, who puts something right; it needs nothing beside it.
_PUTS_RIGHT = re.compile(
    r"^\W*(?:no+|nope|nah|wait|wrong|correction|sorry|oops|whoops|i mean|i meant|strike that"
    r"|scratch that|still|actually|to be clear)\b"
    r"(?:\W+(?:no|wait|sorry|actually|that'?s|it'?s|its|i|i'm|she|he|they|the|my|not|still|wrong)\b"
    r"|[,:.])"
    r"|\b(?:you(?:'re| are|'ve got (?:it|that)| got (?:it|that)) wrong|not what i (?:said|meant)"
    r"|i never (?:said|told)|i meant|i should have said|told you wrong|said (?:it|that) wrong"
    r"|mixed (?:it|that|them) up|(?:had|got) (?:it|that|them) (?:backwards|the wrong way round)"
    r"|\bi (?:had|got) (?:it|that|them|\w+ \w+) wrong"
    r"|right the first time|(?:spelled|spelt|wrote|typed) (?:it|that) wrong|my mistake"
    r"|the reverse|other way (?:a?round)|not true any ?more|typo|autocorrect|i misspoke"
    r"|when i (?:said|wrote)|i know i said|you (?:wrote|noted)\b"
    r"|(?:that|it)(?:'s| is| was|s) (?:wrong|not right|not true|outdated|false))\b"
    r"|\bactual+y\W*$|\bi mean\W*$|\bsorry\W*$|^\*|^\W*[\w' -]{1,40}\*$"
    r"|\d\w*,? (?:and )?not (?:the |on |at )?\d|\bmake (?:that|it) (?:the )?\d"
    r"|\bmy bad(?=\W*$|[,.:;!])"
    r"|\b(?:not|nicht) (?:the |on |at )?\d[\w:]*,? (?:but |sondern |(?:it|she|he|they)(?: is|'?s) )"
    r"(?:the |on |at )?\d|^\W*\w+,? sorry\b"
    r"|\bi said \w+ (?:because|but)\b"
    r"|(?:was|were) (?:the old|false|wrong)\b"
    # What the notebook holds, or was told before, and what holds instead.
    r"|\byou(?:'?ve| (?:may|might|must|still|probably))* (?:have|had|got|put) "
    r"(?:me|him|her|it|them|us|this|that|(?:my|our) \w+|(?-i:[A-Z]\w+)) (?:down|written|as)\b"
    r"|\bif (?:you|u)(?:'?ve)?(?: still)?(?: got| have| had| put)+ "
    r"(?:me|him|her|it|them|us|my|our|(?-i:[A-Z]\w+))\b.+(?:,|\bmake it\b)"
    r"|\bi (?:told|wrote) you (?!so\b)[^.?!,;]{1,40}(?:[,;.]|,? but) "
    r"(?:it|that|she|he|they|i)(?:'?s|'re|'m| is| was| are| am)\b"
    r"|\bi said [^.?!,;]{1,30} (?:before|earlier|yesterday|first)(?:[,;.]|,? but) "
    # How a name is written, and not as it was.
    r"|\bspel(?:ls?|led|t)\b.{0,40}\bwith(?:out)? an? \w\b"
    r"|\b(?-i:[A-Z])\w+,? with(?:out)? an? (?!i\b)[a-z]\b(?=\W*$|,)"
    r"|^\W*(?:it'?s|(?:his|her|my|the) name(?:'?s| is)) \w+,? not \w+\W*$",
    re.IGNORECASE,
)
# What takes back, or moves, what it shares its words with.
_TAKES_BACK = re.compile(
    r"\b(?:fell through|cancel\w*|called off|forget|wrong|false|mistake|reverse|for another"
    r"|for somebody else|(?:was|were) about (?:my|his|her)|rather than|instead of"
    r"|the old (?:one|dose|number|date|time|name))\b"
    r"|\b(?:moved|postponed|put off|changed|pushed)\b.*(?:\d|day\b|tomorrow)",
    re.IGNORECASE,
)
# What is denied of it: "alpaca, not llama", "he isn't a roofer", "still no meat".
DENIED = re.compile(
    r"(?:\b(?:not|no|isn'?t|wasn'?t|aren'?t|weren'?t|never)|n't|\b(?:dont|doesnt|didnt))"
    r"\s+(?:really |actually )?(?:an?|the|my|our|in|at|on|to|from|eat|have|like)?\s*"
    r"(?P<what>[\w'-]+)",
    re.IGNORECASE,
)
_ANY_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]{2,}\b")
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
# A text that begins so, and is short, goes on from the one before it: "Between 10 and 12 he says".
_GOES_ON = re.compile(
    r"^\W*(?:(?:from|in|at|on|between|by|with|make that)\b|the \d|\d"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
    re.IGNORECASE,
)
_FRAGMENT = 8
_OWN = re.compile(r"\b(?:i|we|i'm|we're)\b", re.IGNORECASE)
# How much alike two spellings of one name are, at least.
_RESPELLED = 0.75
CLAUSE_END = re.compile(r"[.,;!]")


def is_explicit_correction(text: str) -> bool:
    """Whether a text says of itself that it puts something right: "no, that's wrong"."""
    return _PUTS_RIGHT.search(text.replace("’", "'").strip()) is not None


def sets_against(text: str, other: str) -> bool:
    """Whether a text contrasts with another of which it speaks, or only gives another value."""
    if gives_another_value(text, [other]):
        return True
    said = {terms.stem_id(word) for word in terms.content_words(other)}
    denied = {terms.stem_id(found["what"].lower()) for found in DENIED.finditer(text)}
    if said & denied:
        return True
    shares = bool(said & {terms.stem_id(word) for word in terms.content_words(text)})
    return (shares and _TAKES_BACK.search(text) is not None) or _is_respelled(text, other)


def gives_another_value(text: str, before: Sequence[str]) -> bool:
    """Whether it begins with a few words that give another number, day or name than before."""
    first = CLAUSE_END.split(text, maxsplit=1)[0]
    return any(_is_another_value(first, other) for other in before)


def _is_another_value(fragment: str, other: str) -> bool:
    """Whether a few words without a subject give a number, a day or a name, as the other does."""
    short = 1 < len(fragment.split()) <= _FRAGMENT and _GOES_ON.match(fragment) is not None
    return short and not _OWN.search(fragment) and _values_of_one_kind(fragment, other)


def _values_of_one_kind(text: str, other: str) -> bool:
    return any(
        kind.search(text) and kind.search(other) for kind in (NUMBER_OR_DAY, _DAY, _ANY_NAME)
    )


def _is_respelled(text: str, other: str) -> bool:
    """Whether a name of one is nearly one of the other: "Katherine" after "Catherine"."""
    return any(
        _RESPELLED <= Levenshtein.normalized_similarity(a.lower(), b.lower()) < 1
        for a in _ANY_NAME.findall(text)
        for b in _ANY_NAME.findall(other)
        if not _DAY.fullmatch(a)
    )


# --- Whether a text goes on about what was said just before it ------------------------------------

_LONGEST_ADDITION = 16
# A first sentence of so few words is no statement of its own.
_A_WORD = 4
_POINTS_BACK = re.compile(
    r"^\W*(?:(?:oh|well|and|but|so|ok|no|yes|actually|you know what)\b[\s,]*)*"
    r"(?:(?:he|she|they|that)(?:'?s|'?re)?|it(?:'?s| is| was)|his|her|its|their|this|those|these"
    r"|both|the (?:\w+ )?one)\b",
    re.IGNORECASE,
)
# Who begins so says something of their own; else it is a word or two of what was said before.
_OPENS_ANEW = re.compile(
    r"^\W*(?:(?:oh|well|and|but|so|ok|also|btw|hi|hello|anyway)\b[\s,]*)*"
    r"(?:i|i'm|i've|im|ive|we|we're|we've|my|our|you|there|today|tomorrow|yesterday|tonight|just"
    r"|please|remember|note|remind|got|had|have|been|going|went|want|need|not|no|can|could|the|a|an"
    r"|this|if|when|because|still|only|also|did|do|does|thanks|thank|(?:look|search|try|plan|think"
    r"|work|hop|wonder|wait|shop|need)\w*ing)\b",
    re.IGNORECASE,
)


def is_follow_up(text: str, last: str) -> bool:
    """Whether a short text adds to `last`, what the same person said just before, or changes it:
    it points back, gives another value, speaks of the same thing, or has no statement of its own.
    """
    plain = text.replace("’", "'").strip()
    if not _is_an_addition(plain, last):
        return False
    if (
        _POINTS_BACK.match(plain)
        or gives_another_value(plain, [last])
        or _of_one_thing(plain, last)
    ):
        return True
    first = CLAUSE_END.split(plain)[0].split()
    # "It rained all day" states something, of nothing that was said.
    states = _OPENS_ANEW.match(plain) or first[0].lower() == "it"
    return len(first) <= _A_WORD and not states


def _of_one_thing(text: str, last: str) -> bool:
    """Whether both have a word that is no name: much is told of one person, little of one thing."""
    capitalised = {name.lower() for name in _ANY_NAME.findall(f"{text} {last}")}
    names = {word for word in capitalised if not terms.is_ordinary_word(word)}
    told, said = (set(terms.content_words(one)) - names for one in (text, last))
    return bool({terms.stem_id(word) for word in told} & {terms.stem_id(word) for word in said})


def relates_to_previous(text: str, last: str) -> bool:
    """Whether a short text repeats a word of `last`, or gives a value of the same kind without a
    subject of its own.
    """
    if not _is_an_addition(text, last):
        return False
    said = {terms.stem_id(word) for word in terms.content_words(last)}
    if said & {terms.stem_id(word) for word in terms.content_words(text)}:
        return True
    return not _OPENS_ANEW.match(text) and _values_of_one_kind(text, last)


def _is_an_addition(text: str, last: str) -> bool:
    words = len(text.split())
    return (
        bool(last)
        and words <= _LONGEST_ADDITION
        and bool(terms.split_words(text))
        and text[-1] != "?"
    )
