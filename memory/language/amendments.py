"""A text that is nothing but a correction of what was said just before it: "wait no its 5 may".

What it corrects stands elsewhere: in the sentence before, or in the message before. Pure.
"""

import re

from rapidfuzz.distance import Levenshtein

from memory.language.text import terms
from memory.language.values.readers import Found

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
NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|first|second|third"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+")
# How much alike two spellings of a name are, at least.
_ALIKE = 0.6


def value_of(text: str) -> Found | None:
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
    if said_twice or value[0].isupper() or NUMBER.match(value):
        return _found(found)
    return None


def bare_value_of(text: str) -> Found | None:
    """The value of "It is the 16th of June 1955.", said without a word that it corrects."""
    found = _BARE.fullmatch(text.replace("’", "'").rstrip())
    return _found(found) if found and len(text) <= LONGEST else None


def _found(match: re.Match[str]) -> Found | None:
    group = next(name for name, value in match.groupdict().items() if value and name != "cues")
    value = match[group].rstrip(" ,")
    if _NO_VALUE.match(value) or len(value.split()) > _MOST_WORDS:
        return None
    return Found(match.start(group), match.start(group) + len(value), value)


def amends(text: str, sentence: str) -> bool:
    """Whether a text corrects this very sentence: it gives another number, name or such of it."""
    found = value_of(text)
    if found is None:
        return False
    new, old = found.value, sentence
    if NUMBER.search(new) and NUMBER.search(old):
        return True
    told, said = terms.telling(new), terms.telling(old)
    if set(told) & set(said) or (_NAME.search(f" {new}") and _NAME.search(old)):
        return True
    return any(Levenshtein.normalized_similarity(a, b) >= _ALIKE for a in told for b in said)
