"""A text that is nothing but a correction of what was said just before it: "wait no its 5 may".

What it corrects stands elsewhere: in the sentence before, or in the message before. Pure.
"""

import re

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
        return _as_value(sure)
    match = _PLAIN.fullmatch(plain)
    if match is None:
        return None
    cues = re.findall(_CUE, match["cues"], re.IGNORECASE)
    value = match["value"]
    said_twice = len(cues) > 1 or cues[0].lower() == "correction"
    if said_twice or value[0].isupper() or NUMBER_OR_DAY.match(value):
        return _as_value(match)
    return None


def _as_value(match: re.Match[str]) -> FoundValue | None:
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
    r"^\W*(?:no+|nope|nah|wait|wrong|correction|mistake|sorry|soz|sry|oops|whoops|i mean|i meant"
    r"|strike that|scratch that|still|actually|to be clear|just kidding|only joking)\b"
    r"(?:\W+(?:no|wait|sorry|actually|that'?s|it'?s|its|i|i'm|she|he|they|the|my|not|still|wrong)\b"
    r"|[,:.])"
    r"|\b(?:you(?:'re| are|'ve got (?:it|that)| got (?:it|that)) wrong|not what i (?:said|meant)"
    r"|i never (?:said|told)|i meant|i should have said"
    r"|told you wrong|(?:\bi(?:'ve| have| must have)? |^\W*(?:sorry|soz|sry|oops)?\W*)"
    r"(?:(?:told|gave|given) you|said|wrote|typed|written) (?:(?:it|that|them) )?(?:the )?wrong"
    r"|mixed (?:it|that|them) up|(?:had|got) (?:it|that|them) (?:backwards|the wrong way round)"
    r"|\bi (?:had|got) \w+ \w+ wrong"
    r"|(?:\bi|^\W*(?:sorry|soz|sry|oops)?)\W*(?:had|got) (?:it|that|them) wrong"
    r"|\b(?:just kidding|only joking|i was (?:just |only )?(?:joking|kidding))\b"
    r"|right the first time|(?:spelled|spelt) (?:it|that) wrong|my mistake"
    r"|the reverse|other way (?:a?round)|not true any ?more|typo|autocorrect|i misspoke"
    r"|when i (?:said|wrote)|i know i said|you (?:wrote|noted)\b"
    r"|(?:that|it)(?:'s| is| was|s) (?:wrong|not right|not true|outdated|false))\b"
    r"|^\W*(?:that|this|those|these)\b[^.?!]{1,40} (?:is|are|was|were) (?:wrong|outdated)\b"
    r"|\bactual+y\W*$|\bi mean\W*$|\bsorry\W*$|^\*|^\W*[\w' -]{1,40}\*$"
    r"|\d\w{0,20},? (?:and )?not (?:the |on |at )?\d"
    r"|\bmake (?:that|it) (?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
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


def is_explicit_correction(text: str) -> bool:
    """Whether a text says of itself that it puts something right: "no, that's wrong"."""
    return _PUTS_RIGHT.search(text.replace("’", "'").strip()) is not None
