"""Who is meant by "my sister": the names that messages give to whom a question calls by a role."""

import re
from collections.abc import Iterable
from functools import cache

from memory.language import forms_of, is_ordinary_word, load_lexicon, split_words

# Who and what people speak of by a role, besides the family, pets and occupations.
_OTHERS = frozenset(
    """sis bro mam mama papa nana grandad granddad stepmum boss landlord landlady neighbour neighbor
    friend mate flatmate roommate housemate colleague coworker supervisor super manager gp surgeon
    specialist tutor ex fiance crush bf gf son-in-law mother-in-law""".split()
)
# What stands between a role and a name, "my boss is called Ann", "boss (Ann)", or the reverse.
_THEN_NAME = (
    r"(?:,| is|'s| was| =|:)?(?: (?:called|named|a|mr|mrs|ms|miss|dr|prof|old|little)\.?)*"
    r",? \(?(?P<name>[\w'-]+)"
)
_NAME_THEN = r"\b(?P<name>[\w'-]+)(?:,| is|'s|s)? (?:my|our|the) (?:\w+ ){0,2}?"
_ENDS = re.compile(r"['’]s?$")


def names_by_role(words: Iterable[str], texts: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each of the words (in small letters) that is a role, the names that the texts give it."""
    found = {word: set[str]() for word in words if word in _roles()}
    forms = {role: _forms(role) for role in found}
    for text in texts if found else ():
        for role, names in found.items():
            told = (match["name"] for form in forms[role] for match in form.finditer(text))
            names.update(name.lower() for one in told if _is_name(name := _ENDS.sub("", one)))
    return {role: frozenset(names) for role, names in found.items() if names}


def _forms(role: str) -> tuple[re.Pattern[str], ...]:
    """What gives somebody of a role a name; a role may have other words, "mum" for "mother"."""
    words = rf"\b(?:{'|'.join(map(re.escape, {role, *forms_of(role)}))})"
    return tuple(
        re.compile(form, re.IGNORECASE) for form in (words + _THEN_NAME, rf"{_NAME_THEN}{words}\b")
    )


def _is_name(word: str) -> bool:
    """Whether it is written like a name, or is no ordinary word."""
    plain = word.lower()
    if plain in _roles() or not plain.isalpha():
        return False
    return not is_ordinary_word(plain) or (word[0].isupper() and len(split_words(word)) == 1)


@cache
def _roles() -> frozenset[str]:
    return _OTHERS.union(*map(load_lexicon, ("kin", "pet_words", "occupations")))
