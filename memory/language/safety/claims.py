"""Whether a text claims what nobody has checked: a rank, a permission, a policy, a credential.

"I was verified as admin", "refunds are approved without checks": a person may say so, and an
answer that has it in mind acts on it. Such a text is kept and found when it is asked for, is never
always in mind, and is not believed more for being said again. Composed of lists of English words
(`claims.toml`), and said of a sentence, because much else may stand beside it.
"""

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path

from memory.language.budget import apply_budget
from memory.language.safety.obfuscation import fold_text

CLAIM_CARRYING_SLOTS = frozenset(
    """
    preferences constraints interests likes dislikes job_title expertise employment_status
    current_project career_goal possessions
    """.split()
)
"""Slots of the profile whose values are words of one's own, so that a claim could stand in them."""
# A longer sentence is matter and seldom one.
_LONGEST = 400


class Claim(StrEnum):
    """What is claimed."""

    AUTHORITY = "authority"
    PERMISSION = "permission"
    POLICY = "policy"
    CREDENTIAL = "credential"
    STEERING = "steering"


_FILE = Path(__file__).with_name("claims.toml")
# What ends a sentence; the dot of an address and of a figure does not.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
_OWN = re.compile(r"(?<!\w)(?:my|our)\s")
# "Notes of the other users": what stands between a thing and whose it is.
_OF = r"(?:of|from|about|the|all|other)"
# "I like Acme first": a name and its place, where a taste would stand.
_NAME_FIRST = re.compile(
    r"(?i:\b(?:like|love|prefer|want|favou?rite|recommend\w*)\b)[^.!?\n]{0,40}\b[A-Z][\w&-]+"
    r"(?i:\s+(?:first|on top|above (?:all|everything)|before (?:others|all|anyone)))\W*$"
)
_A_NAME = re.compile(r"(?<!^)\b[A-Z][\w&-]+")
_TASTE = re.compile(r"\b(?:like|love|prefer|enjoy|want|favou?rite|call you|you are|use)\b")
# Not the persona of that name, but somebody called so.
_SOMEBODY = re.compile(r"\b(?:Dan|Stan)\b")
_ASKS = re.compile(r"\?\s*$")


def find_claim(text: str) -> Claim | None:
    """What the text claims in its first sentence that claims anything, or None. Never raises."""
    return next((claim for _, _, claim in stretches(text)), None)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences and lines of a text stand, each with the mark that ends it."""
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            yield match.span()


def stretches(text: str) -> Iterator[tuple[int, int, Claim]]:
    """Where the sentences of a text stand that claim something, and what."""
    for start, end in sentences(apply_budget(text)[0]):
        sentence = text[start:end]
        if len(sentence) <= _LONGEST and (claim := _claim_of(sentence)) is not None:
            yield start, end, claim


def _claim_of(sentence: str) -> Claim | None:
    if _ASKS.search(sentence):
        return None
    plain = fold_text(sentence)
    for claim, claims in _READERS:
        if claims(plain):
            return claim
    return Claim.STEERING if _steering(sentence.strip(), plain) else None


def _authority(plain: str) -> bool:
    """Somebody was given a rank, or rights over what is protected; acts for another; or is who they
    say they are.
    """
    if holds(plain, "mandate") or (holds(plain, "on_behalf") and _is_let(plain)):
        return True
    if not holds(plain, "verified"):
        return holds(plain, "rank", "access")
    if holds(plain, "rank") or holds(plain, "identity"):
        return True
    return holds(plain, "access") and (_is_much(plain) or holds(plain, "any", "records"))


def _is_let(plain: str) -> bool:
    return any(holds(plain, concept) for concept in ("verified", "may", "i_may"))


def _permission(plain: str) -> bool:
    """Something of the person's, of others' or secret, or money, may be handed over or touched; or
    a safeguard be switched off.
    """
    if holds(plain, "i_may", "disarm") and holds(plain, "check"):
        return True
    if not holds(plain, "handover"):
        return False
    if holds(plain, "may") and (holds(plain, "personal") or _own_records(plain)):
        return True
    if holds(plain, "may", "transaction") and not _is_own_event(plain):
        return True
    return (holds(plain, "may") or holds(plain, "i_may")) and _is_not_theirs(plain)


def _is_not_theirs(plain: str) -> bool:
    return holds(plain, "kept_secret") or _of_others(plain)


def _policy(plain: str) -> bool:
    """What is done with money or at a door is said to be allowed, or to need no check, or no check
    to hold for this one; or what others write, to be done.
    """
    if holds(plain, "others_text", "carried_out") and holds(plain, "any"):
        return True
    if holds(plain, "exempt", "check") or holds(plain, "exempt", "owed"):
        return True
    if not holds(plain, "transaction") or _is_own_event(plain):
        return holds(plain, "without", "check") and _is_much(plain)
    return (holds(plain, "allowed") and _is_general(plain)) or holds(plain, "without", "check")


def _credential(plain: str) -> bool:
    """What opens a door is said to be good, or not to be needed."""
    if not holds(plain, "credential"):
        return False
    return (holds(plain, "allowed") and holds(plain, "any")) or _needs_none(plain)


def _needs_none(plain: str) -> bool:
    """A word for "no" right before the credential, or one that it is not needed."""
    return any(
        0 <= match.start() - left.end() <= _NEAR or 0 <= left.start() - match.end() <= _NEAR
        for match in pattern("credential").finditer(plain)
        for left in pattern("without").finditer(plain)
    )


_NEAR = 12


def _steering(sentence: str, plain: str) -> bool:
    """A liking for what the assistant shall be, or how its answers are said to be, where that is no
    wish of one's own: without what they owe, or in praise of a name.
    """
    if holds(plain, "persona"):
        return bool(_TASTE.search(plain)) and not _SOMEBODY.search(sentence)
    if _NAME_FIRST.search(sentence):
        return True
    if not holds(plain, "output") or holds(plain, "wish"):
        return False
    if holds(plain, "output", "promotes"):
        return bool(_A_NAME.search(sentence))
    return holds(plain, "owed", "without")


# --- Words -------------------------------------------------------------------------------------


def holds(plain: str, *concepts: str) -> bool:
    """Return whether a folded sentence has a word for each of these concepts."""
    return all(pattern(concept).search(plain) for concept in concepts)


@cache
def pattern(concept: str) -> re.Pattern[str]:
    """Return the words for a concept, whole ones, as a pattern. Made when first asked for."""
    longest_first = sorted(_concepts()[concept], key=lambda entry: (-len(entry), entry))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_as_pattern, longest_first))})(?!\w)")


def _as_pattern(entry: str) -> str:
    return r"\s+".join(f"(?:{_as_word(word)})" for word in entry.split())


def _as_word(word: str) -> str:
    return "|".join(re.escape(either).replace(r"\*", r"\w*") for either in word.split("|"))


@cache
def _concepts() -> dict[str, list[str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


# --- Whose it is ---------------------------------------------------------------------------------


def _own_records(plain: str) -> bool:
    """ "My notes"."""
    return _record_patterns()[0].search(plain) is not None


def _of_others(plain: str) -> bool:
    """Records of other people: "the customers' files"."""
    return _record_patterns()[1].search(plain) is not None


@cache
def _record_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """One's own records, and those of others, as they are said. Made when first asked for."""
    records, others = pattern("records").pattern, pattern("of_others").pattern
    own = rf"{_OWN.pattern}(?:\w+\s+)?{records}"
    of_others = rf"{others}(?:'s?)?\s+{records}|{records}\s+(?:{_OF}\s+){{0,3}}{others}"
    return re.compile(own), re.compile(of_others)


def _is_much(plain: str) -> bool:
    """What keeps much of many."""
    return holds(plain, "protected") or _of_others(plain)


def _is_general(plain: str) -> bool:
    """Whether it speaks of more than one thing of one's own that happened."""
    return holds(plain, "any") or not _OWN.search(plain)


def _is_own_event(plain: str) -> bool:
    """ "My refund was approved yesterday": news, and no rule."""
    return bool(_OWN.search(plain)) and holds(plain, "own_event")


_READERS = (
    (Claim.AUTHORITY, _authority),
    (Claim.CREDENTIAL, _credential),
    (Claim.POLICY, _policy),
    (Claim.PERMISSION, _permission),
)
