"""Whether one sentence denies what another takes for granted: somebody or something that one has, a
habit or an ability, a relative who died. Pure.

Each is told by its form: "I have no brother" beside "my brother", "I don't swim" beside "I swim
every morning". What came or ended since the earlier of the two is a change, and no contradiction.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

from memory.language.grammar.verbs import forms
from memory.language.text import terms

# Without one of these nothing is denied.
_NEGATIVE = re.compile(
    r"\b(?:no|not|never|\w+n't|dont|cant|wont|havent|cannot|only child|single|child-?free"
    r"|childless|unmarried|petless|died|passed|dead|lost|buried)\b",
    re.IGNORECASE,
)
# What came about since an earlier sentence, and what ended since.
_CAME = re.compile(
    r"\b(?:got|get|bought|adopted|new|just|finally|now|expecting|born|since|joined|moved|found"
    r"|started|starting|learn\w*|lessons?|signed)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:any ?more|any longer|no longer|sold|died|dead|gone|lost|left|split|divorced|since|now"
    r"|stopped|quit|gave up|given up|this (?:week|month|year))\b",
    re.IGNORECASE,
)
# What is only wished for, supposed, of long ago or somebody else's.
_NOT_HELD = re.compile(
    r"\b(?:if|wish\w*|would|want\w*|dream\w*|looking for|used to|when i was|as a (?:kid|child)"
    r"|years ago|once|one day|someday|future|died|passed away|late|was|were|wasn't|in[- ]laws?"
    r"|neighbou?r\w*|next door|borrow\w*|hire[d]?|rent(?:ed|al))\b",
    re.IGNORECASE,
)

# --- Somebody or something that one has -----------------------------------------------------------

_HAS_NONE = re.compile(
    r"\b(?:i|we)(?:'ve| have)?\s+(?:(?:have|got|own|keep|ve)\s+no"
    r"|(?:do not|don'?t|never|have not|haven'?t)\s+(?:have|had|own|owned|got|keep|kept)"
    r"(?:\s+(?:an?|any))?)\s+(?P<thing>[\w-]+)",
    re.IGNORECASE,
)
# How having none of a kind is told, whatever the kind.
_NONE_OF = r"(?:no|(?:\w+n'?t|not|never) (?:have|had|own|owned|got|keep|kept)(?: an?| any)?)"
_HAS = re.compile(
    r"\b(?:(?:my|our)|(?:i|we)(?:'ve got| have(?: got)?| own| keep)(?: an?| two| three)?)\s+"
    r"(?P<things>[\w-]+(?:\s+[\w-]+){0,2})",
    re.IGNORECASE,
)


def denies(new: str, old: str) -> bool:
    """Whether `new` denies what `old`, which was said before, takes for granted, or the reverse."""
    if not (_NEGATIVE.search(new) or _NEGATIVE.search(old)):
        return False
    if _denies_having(new, old):
        return not _ENDED.search(new)
    if _denies_having(old, new):
        return not _CAME.search(new)
    if _denies_doing(new, old):
        return not _ENDED.search(new)
    if _denies_doing(old, new):
        return not _CAME.search(new)
    return _is_dead(old, new) or (_is_dead(new, old) and not _ENDED.search(new))


def _denies_having(denial: str, claim: str) -> bool:
    if _NOT_HELD.search(claim):
        return False
    held = " ".join(found["things"] for found in _HAS.finditer(claim))
    named = {terms.stem_id(word) for word in terms.split_words(held)}
    lacking = {terms.stem_id(found["thing"].lower()) for found in _HAS_NONE.finditer(denial)}
    if named & lacking:
        return True
    return any(none.search(denial) and any_of.search(held) is not None for none, any_of in _kinds())


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """How having nobody or nothing of a kind is told, and the words for whoever is of it."""
    read = tomllib.loads(Path(__file__).with_name("denials.toml").read_text("utf-8"))
    return tuple(
        (
            re.compile(rf"\b(?:{kind['none']}|{_NONE_OF} (?:{kind['noun']}))\b", re.IGNORECASE),
            re.compile(rf"\b(?:{kind['any']})\b", re.IGNORECASE),
        )
        for kind in read.values()
    )


# --- A habit or an ability ------------------------------------------------------------------------

_NEVER = re.compile(
    r"\b(?:i|we)\s+(?:\w+ly |just |still |also )?"
    r"(?P<how>do not|don'?t|never|can'?t|cannot|can not|won'?t|refuse to)\s+"
    r"(?:really |actually |even |ever |usually )?(?P<verb>[a-z]{3,})(?P<rest>[^.,;!?\n]*)",
    re.IGNORECASE,
)
# Of these a denial says something else than that the thing is never done.
_NO_DEED = frozenset(
    """think know mean want need mind remember understand like love care believe have feel get say
    see seem wait help stand make find tell hope agree expect give take use let keep bother trust
    ever""".split()
)
_OFTEN = re.compile(
    r"\b(?:every|each|usual(?:ly)?|always|often|regularly|most|mostly|daily|weekly|twice a|once a"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|mornings|evenings|weekends|for years)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|\w+n't|dont|cant|never|if|would|could|wish\w*|want\w*|used to|might|when i was|hate"
    r"|once|years ago|as a (?:kid|child)|almost|nearly|tried|try)\b",
    re.IGNORECASE,
)


def _denies_doing(denial: str, claim: str) -> bool:
    """The same verb, and of the same thing where the denial names one. What one only does not do
    as a rule is contradicted by a habit alone.
    """
    if _NOT_DONE.search(claim):
        return False
    said = {terms.stem_id(word) for word in terms.content_words(claim)}
    for found in _NEVER.finditer(denial):
        verb = found["verb"].lower()
        wholly = not re.fullmatch(r"do not|don'?t", found["how"], re.IGNORECASE)
        if verb in _NO_DEED or not (wholly or _OFTEN.search(claim)):
            continue
        of_what = {terms.stem_id(word) for word in terms.content_words(found["rest"])}
        if any(_does(claim, form) for form in forms(verb)) and (not of_what or of_what & said):
            return True
    return False


def _does(claim: str, form: str) -> bool:
    """Whether the speaker does it: "I swim", "we always drive"."""
    own = r"\b(?:i|we)(?:'m|'ve| am| have| go| went)?\s+(?:\w+ly |always |often |still |even )?"
    return re.search(rf"{own}{form}\b", claim, re.IGNORECASE) is not None


# --- A relative who died --------------------------------------------------------------------------

_KIN = {
    "mother": "mother|mum|mom|mam|mama",
    "father": "father|dad|papa|daddy",
    "grandmother": "grandmother|grandma|gran|granny|nan|nana",
    "grandfather": "grandfather|grandpa|grandad|granddad",
    "wife": "wife",
    "husband": "husband",
}
_DEATH = re.compile(r"\b(?:died|passed|dead|lost|buried)\b", re.IGNORECASE)
_DIED = r"(?:died|passed(?: away)?|is dead|was buried|lost (?:his|her) life)"
_PRESENT = (
    r"(?:'s (?:coming|visiting|staying|here)|(?:is|are) (?:coming|visiting|staying|here|still|at)"
    r"|comes?|calls?|visits?|lives?|phones?|rings?|texts?|wants?|turns|cooks|works"
    r"|and i (?:talk|speak|meet|go))"
)


def _is_dead(past: str, present: str) -> bool:
    """Whether somebody who died by one sentence does something now by the other."""
    if not _DEATH.search(past):
        return False
    for names in _KIN.values():
        died = rf"\b(?:my|our) (?:{names})\b(?:,? \w+,?)?(?: \w+){{0,2}} {_DIED}\b"
        lost = rf"\b(?:lost|buried) (?:my|our) (?:{names})\b"
        alive = rf"(?:\b(?:my|our) |^\W*)(?:{names})(?:,? [A-Z]\w+,?)? ?{_PRESENT}\b"
        if re.search(f"{died}|{lost}", past, re.IGNORECASE) and re.search(
            alive, present, re.IGNORECASE
        ):
            return True
    return False
