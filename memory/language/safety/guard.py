"""Deciding whether a text may be stored: wishes to forget, secrets, and orders."""

import re
import unicodedata

from memory.language.safety import instructions, secrets
from memory.language.safety.instructions import OFF_THE_RECORD, WISHES
from memory.language.text.terms import content_words

_FORGET, _RATHER_NOT = WISHES.compiled("forget"), WISHES.compiled("rather_not")
_RUN = re.compile(r"\s{2,}")
_CLAUSE_END = re.compile(r"[.!?;:,\n]+(?:\s+|$)(?:(?:but|and|so)\s+)?|\s+but\s+")
# A clause with fewer content words only leads to the wish: "please, forget it".
_TELLS = 2
NEVER_KEPT = (
    "That looks like a password, a key or a card number. I never note those. It stays in your "
    "message until you delete the message."
)
INSTRUCTION_REFUSAL = (
    "That looks like an instruction to me rather than something about you. Tell me a fact, or "
    "how you like things done."
)

# Invisible characters: controls, joiners, direction marks, fillers.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]"
)


def _evened(text: str) -> str:
    """Return a text with straight apostrophes, and without repeated blanks and empty lines."""
    straight = text.replace("’", "'")
    return _RUN.sub(lambda run: "\n" * min(2, run[0].count("\n")) or " ", straight)


def asks_to_forget(text: str) -> bool:
    """Return whether a text asks to forget something, or not to store it."""
    plain = _evened(text)
    asks = _FORGET.search(plain) or _RATHER_NOT.search(plain)
    return asks is not None or asks_for_silence(text)


def asks_for_silence(text: str) -> bool:
    """Return whether a text asks for confidentiality."""
    return bool(OFF_THE_RECORD.search(_evened(text)))


def tells_beside_a_wish(text: str) -> bool:
    """Return whether a text that asks to forget or not to store something says more."""
    clauses = [clause for clause in _CLAUSE_END.split(_evened(text)) if clause.strip()]
    return any(
        len(content_words(clause)) >= _TELLS for clause in clauses if not asks_to_forget(clause)
    )


def holds_a_secret(text: str) -> bool:
    """Return whether a text contains a password, a key or a card number."""
    # Full-width and similar characters are read as the plain ones.
    plain = unicodedata.normalize("NFKC", text)
    return secrets.holds_a_secret(text) or (plain != text and secrets.holds_a_secret(plain))


def explain_refusal(text: str, *, by_rules_alone: bool = False) -> str:
    """Return why a text may not be stored, as a sentence for the user; '' if it may.

    `by_rules_alone`: without the trained classifier, for text that is surely about somebody's life.
    """
    if not any(letter.isalnum() for letter in unicodedata.normalize("NFKC", text)):
        return "Write a few words to remember."
    if UNSEEN.search(text):
        return "It contains invisible characters. Please type it again."
    if holds_a_secret(text):
        return NEVER_KEPT
    judged = instructions.judge_instruction_by_rule if by_rules_alone else instructions.instructs
    return INSTRUCTION_REFUSAL if judged(text).refused else ""


def classify_refusal(text: str) -> str | None:
    """Return why a text may not be stored, as one word, or None.

    "secret", "forget", or the kind of instruction (`safety.instructions.Kind`).
    """
    if holds_a_secret(text):
        return "secret"
    if asks_to_forget(text):
        return "forget"
    return instructions.instructs(text).reason
