"""Bringing the forms of an English word together: the Snowball English algorithm ("Porter 2").

Source: https://snowballstem.org/algorithms/english/stemmer.html, the same that PostgreSQL's
`english_stem` dictionary holds. It is here because ranking is pure and has no database to ask.
"""

import re
from functools import lru_cache

_VOWEL = "[aeiouy]"
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_LI_ENDINGS = frozenset("cdeghkmnrt")
# Whole words that the rules would spoil.
_SPECIAL = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}
_KEPT_AFTER_1A = frozenset(
    ("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed")
)
# What the rules cannot know: forms that share no stem with their word.
_PAST_FORMS = dict(
    pair.split(":")
    for pair in """
    went:go gone:go bought:buy brought:bring thought:think taught:teach caught:catch
    wrote:write written:write drove:drive driven:drive rode:ride ridden:ride  risen:rise
    ate:eat eaten:eat drank:drink drunk:drink sang:sing sung:sing swam:swim swum:swim
    began:begin begun:begin ran:run won:win met:meet kept:keep slept:sleep felt:feel left:leave
    lost:lose built:build sent:send spent:spend lent:lend held:hold sold:sell told:tell paid:pay
    said:say made:make took:take taken:take gave:give given:give saw:see seen:see knew:know
    known:know grew:grow grown:grow flew:fly flown:fly drew:draw drawn:draw threw:throw
    thrown:throw wore:wear worn:wear broke:break broken:break spoke:speak spoken:speak
    chose:choose chosen:choose woke:wake woken:wake stole:steal stolen:steal forgot:forget
    forgotten:forget hid:hide hidden:hide bitten:bite fell:fall fallen:fall stood:stand
    understood:understand found:find sat:sit led:lead fed:feed fought:fight sought:seek
    became:become came:come meant:mean dealt:deal heard:hear bred:breed hung:hang stuck:stick
    struck:strike shot:shoot shook:shake shaken:shake tore:tear torn:tear swore:swear lit:light
    """.split()
)
_IRREGULAR = _PAST_FORMS | dict(
    pair.split(":")
    for pair in """
    children:child men:man women:woman people:person feet:foot teeth:tooth mice:mouse wives:wife
    knives:knife wolves:wolf shelves:shelf geese:goose
    mom:mother mum:mother moms:mother mums:mother dad:father dads:father kid:child kids:child
    tv:television bike:bicycle bikes:bicycle photo:photograph photos:photograph fave:favorite
    favourite:favorite favourites:favorite colour:color colours:color
    """.split()
)


def is_past(word: str) -> bool:
    """Whether a lower-case word is a verb's past form; 'put' and its like cannot be told."""
    return word in _PAST_FORMS or (word.endswith("ed") and stem(word) != word)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; a word that is not English letters is its own stem."""
    return english(_IRREGULAR.get(word, word))


def english(word: str) -> str:
    """Snowball English alone, letter for letter what PostgreSQL's dictionary gives."""
    word = word.removeprefix("'")
    if len(word) <= 2 or not re.fullmatch("[a-z']+", word):
        return word
    if word in _SPECIAL:
        return _SPECIAL[word]
    # A y that begins a word or follows a vowel is a consonant; a capital marks it.
    word = re.sub(r"(^|[aeiouy])y", lambda m: m[1] + "Y", word)
    r1, r2 = _regions(word)
    word = _step_1a(_without_apostrophe(word))
    if word in _KEPT_AFTER_1A:
        return word
    for step in (_step_1b, _step_2, _step_3, _step_4, _step_5):
        word = step(word, r1, r2)
    return word.replace("Y", "y")


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin: after the first consonant that follows a vowel, once and twice."""
    first = re.match("gener|commun|arsen", word)
    r1 = first.end() if first else _after_vowel_and_consonant(word, 0)
    return r1, _after_vowel_and_consonant(word, r1)


def _after_vowel_and_consonant(word: str, start: int) -> int:
    found = re.compile(f"{_VOWEL}[^aeiouy]").search(word, start)
    return found.end() if found else len(word)


def _without_apostrophe(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            return word.removesuffix(ending)
    return word


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if re.search(_VOWEL, word[:-2]) else word


def _step_1b(word: str, r1: int, r2: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word.removesuffix(ending) + "ee" if len(word) - len(ending) >= r1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return _mended(rest, r1) if re.search(_VOWEL, rest) else word
    return word


def _mended(rest: str, r1: int) -> str:
    """What is left after -ed or -ing: hop(p)ing loses a letter, hop(e)ing gets one back."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest.endswith(_DOUBLES):
        return rest if len(rest) == 3 and rest[0] in "aeo" else rest[:-1]
    return rest + "e" if r1 >= len(rest) and _ends_in_short_syllable(rest) else rest


def _ends_in_short_syllable(word: str) -> bool:
    return bool(re.search("[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$", word))


_STEP_2 = {
    "ization": "ize", "ational": "ate", "fulness": "ful", "ousness": "ous", "iveness": "ive",
    "tional": "tion", "biliti": "ble", "lessli": "less", "entli": "ent", "ation": "ate",
    "alism": "al", "aliti": "al", "ousli": "ous", "iviti": "ive", "fulli": "ful",
    "enci": "ence", "anci": "ance", "abli": "able", "izer": "ize", "ator": "ate", "alli": "al",
    "bli": "ble",
}  # fmt: skip
_STEP_3 = {
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "al", "er", "ic",
)  # fmt: skip


def _step_2(word: str, r1: int, r2: int) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in "aeiouy":
        word = word[:-1] + "i"
    for ending, instead in _STEP_2.items():
        if word.endswith(ending):
            fits = len(word) - len(ending) >= r1
            return word.removesuffix(ending) + instead if fits else word
    if word.endswith("ogi"):
        return word[:-1] if len(word) - 3 >= r1 and word[-4:-3] == "l" else word
    if word.endswith("li") and len(word) - 2 >= r1 and word[-3:-2] in _LI_ENDINGS:
        return word[:-2]
    return word


def _step_3(word: str, r1: int, r2: int) -> str:
    for ending, instead in _STEP_3.items():
        if word.endswith(ending):
            fits = len(word) - len(ending) >= r1
            return word.removesuffix(ending) + instead if fits else word
    return word[:-5] if word.endswith("ative") and len(word) - 5 >= r2 else word


def _step_4(word: str, r1: int, r2: int) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            return word.removesuffix(ending) if len(word) - len(ending) >= r2 else word
    return word[:-3] if word.endswith(("sion", "tion")) and len(word) - 3 >= r2 else word


def _step_5(word: str, r1: int, r2: int) -> str:
    rest = word[:-1]
    if word.endswith("e"):
        goes = len(rest) >= r2 or (len(rest) >= r1 and not _ends_in_short_syllable(rest))
        return rest if goes else word
    return rest if word.endswith("ll") and len(rest) >= r2 else word
