"""What a sentence tells of somebody close: a relative, a friend, a pet; not of the speaker. Pure.

It is read to tell that such a sentence is worth keeping as it was said; nothing is taken from it.
"""

import re

from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon
from memory.language.text import terms

_NUMBER = (
    r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen)"
)
AGE_PATTERN = compile_lazily(
    rf"\b(?:is|are|was|turn\w*|aged?|be|both|shes|hes|theyre|\w+['’](?:s|re)) (?:both |only |just"
    rf" |nearly |almost |now )*{_NUMBER}\b(?! ?(?:o'?clock|am\b|pm\b|euros?|pounds?|dollars?|%))"
    rf"|\b{_NUMBER} years? old|\b\w+,? \({_NUMBER}\)|\bborn\b",
    re.IGNORECASE,
)
DIET_PATTERN = compile_lazily(
    r"allerg|vegetarian|vegan|gluten|lactose|intoleran|\bceliac|\bcoeliac"
    r"|\b(?:eats?|hates?|loves?|likes?|(?:can'?t|can ?not|doesn'?t|does not) (?:have|eat))\b",
    re.IGNORECASE,
)
_LIFE = compile_lazily(
    r"\b(?:lives? in|moved (?:out )?to|works? (?:as|at|in|for)|studies|studying)\b", re.IGNORECASE
)
_ELSE = compile_lazily(
    r"\b(?:called|named) (?!(?:me|us|you|him|her|them|the|to|and|last|on|at|in|again|back|yesterday"
    r"|today|off|out)\b)\w"
    r"|\b(?:names? (?:is|are)|is an? |is our |is my |(?:birthday|bday) is|keeps? "
    r"|has (?:an? |two |three |got ))",
    re.IGNORECASE,
)
_NEAR = load_lexicon("kin") | load_lexicon("pet_words")
# In small letters too: "girlfriend is nia", "mums bday is 28th march".
_CLOSE = compile_lazily(
    r"(?:^|\b(?:my|our|her|his|the|have|got|had|with)\s+(?:[\w'-]+\s+){0,2}?)"
    rf"(?:{'|'.join(sorted(_NEAR, key=len, reverse=True))}"
    r"|(?:mother|father|sister|brother|son|daughter)-in-law|grandparents?|grandsons?|granddaughters?"
    r"|friends?|boss|colleague|neighbou?rs?|flatmates?|housemates?|roommates?|teachers?|landlords?"
    r"|landlady|ex)(?:'?s)?\b",
    re.IGNORECASE,
)
_NAMED_FIRST = compile_lazily(
    r"^\W*(?:(?:and|but|so|also|oh)\s+)?(?P<name>[A-Z][a-zà-ÿ]{2,})(?:['’]s)?\b"
)


def tells_of_their_life(sentence: str) -> bool:
    """Whether it says of somebody close how old they are, what they eat, where they live or what
    they do: more than who they are.
    """
    return _is_of_somebody(sentence) and any(
        one.search(sentence) for one in (AGE_PATTERN, DIET_PATTERN, _LIFE)
    )


def tells_of_somebody(sentence: str) -> bool:
    """Whether a sentence says of somebody close what one would like to know later: how old they
    are, what they eat, what they are called, where they live, what they do.
    """
    return _is_of_somebody(sentence) and any(
        one.search(sentence) for one in (AGE_PATTERN, DIET_PATTERN, _LIFE, _ELSE)
    )


def _is_of_somebody(sentence: str) -> bool:
    if _CLOSE.search(sentence):
        return True
    named = _NAMED_FIRST.match(sentence)
    return named is not None and not terms.is_ordinary_word(named["name"].lower())
