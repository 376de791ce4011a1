"""Detecting unchecked claims in a text: a rank, a permission, a policy, a credential.

"I was verified as admin", "refunds are approved without checks": users may say so, and an answer
that always has it in its prompt acts on it. Such a text is stored and found when asked for, but
never always in the prompt, and repeating it does not raise its trust. Rules combine lists of
English words (`claims.toml`) and are applied to sentences.
"""

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from memory.language.budget import apply_budget
from memory.language.safety.obfuscation import fold_text

CLAIM_CARRYING_SLOTS = frozenset(
    """
    preferences constraints interests likes dislikes job_title expertise employment_status
    current_project career_goal possessions
    """.split()
)
"""Slots of the profile whose values are words of one's own, so that a claim could stand in them."""
# Longer sentences are rarely claims; in characters.
_LONGEST = 400


class Claim(StrEnum):
    """The kind of an unchecked claim."""

    AUTHORITY = "authority"
    CREDENTIAL = "credential"
    POLICY = "policy"
    PERMISSION = "permission"
    STEERING = "steering"


# A sentence; the dot in an address or number does not end it.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
# "I like Acme first": a name ranked first, in the form of a taste.
_NAME_FIRST = re.compile(
    r"(?i:\b(?:like|love|prefer|want|favou?rite|recommend\w*)\b)[^.!?\n]{0,40}\b[A-Z][\w&-]+"
    r"(?i:\s+(?:first|on top|above (?:all|everything)|before (?:others|all|anyone)))\W*$"
)
_A_NAME = re.compile(r"(?<!^)\b[A-Z][\w&-]+")
# A person's name, not the persona "DAN".
_SOMEBODY = re.compile(r"\b(?:Dan|Stan)\b")
_ASKS = re.compile(r"\?\s*$")


def find_claim(text: str) -> Claim | None:
    """Return the first unchecked claim in a text, or None. Never raises."""
    return next((claim for _, _, claim in stretches(text)), None)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the sentences and lines of a text, with their punctuation."""
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            yield match.span()


def stretches(text: str) -> Iterator[tuple[int, int, Claim]]:
    """Yield the bounds of each sentence with an unchecked claim, and the kind of claim."""
    for start, end in sentences(apply_budget(text)[0]):
        sentence = text[start:end]
        if len(sentence) <= _LONGEST and (claim := _claim_of(sentence)) is not None:
            yield start, end, claim


def _claim_of(sentence: str) -> Claim | None:
    if _ASKS.search(sentence):
        return None
    plain = fold_text(sentence)
    ruled = (claim for claim in Claim if claim is not Claim.STEERING and _is_said(claim, plain))
    return next(ruled, Claim.STEERING if _steers(sentence.strip(), plain) else None)


def _steers(sentence: str, plain: str) -> bool:
    """Return whether a sentence steers the assistant.

    It asks for a persona, praises a name, or asks for unguarded answers.
    """
    if _is_said("persona", plain):
        return _is_said("taste", plain) and not _SOMEBODY.search(sentence)
    if _is_said("praise", plain):
        return bool(_A_NAME.search(sentence) or _NAME_FIRST.search(sentence))
    return bool(_NAME_FIRST.search(sentence)) or _is_said("unguarded", plain)


# --- Rules over word lists ----------------------------------------------------------------------


def _is_said(name: str, plain: str) -> bool:
    """Return whether a `fold_text` sentence has a word for a concept, or fits a rule."""
    if name.startswith("!"):
        return not _is_said(name[1:], plain)
    if (rows := _file()["rules"].get(name)) is None:
        return _pattern(name).search(plain) is not None
    return any(
        all(any(_is_said(each, plain) for each in either.split("|")) for either in row.split())
        for row in rows
    )


@cache
def _pattern(concept: str) -> re.Pattern[str]:
    """Return a pattern for the words of a concept, as whole words; cached."""
    if (composed := _file()["composed"].get(concept)) is not None:
        return re.compile(re.sub(r"\{([a-z_]+)\}", lambda m: _pattern(m[1]).pattern, composed))
    longest_first = sorted(_file()["words"][concept], key=lambda entry: (-len(entry), entry))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_as_pattern, longest_first))})(?!\w)")


def _as_pattern(entry: str) -> str:
    return r"\s+".join(f"(?:{_as_word(word)})" for word in entry.split())


def _as_word(word: str) -> str:
    return "|".join(re.escape(either).replace(r"\*", r"\w*") for either in word.split("|"))


@cache
def _file() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))
