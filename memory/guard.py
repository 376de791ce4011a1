"""What must not be noted, however well it reads: wishes to forget, secrets, and orders."""

import re

from memory import instructions
from memory.grammar import secrecy

# "Forget that I live in Rome" says where somebody lives and asks for the opposite of a note.
_FORGET = re.compile(
    r"(?:^|[.!?;:,\n]\s*|\bplease\s+|\bcan you\s+|\bcould you\s+|\byou can\s+)"
    r"(?:forget|unlearn|erase|delete|remove|"
    r"(?:don'?t|do not|never)\s+"
    r"(?:remember|note|save|keep|store|record|write (?:this|that|it) down))\b"
    r"(?!\s+to\b)",
    re.IGNORECASE,
)
_OFF_THE_RECORD = re.compile(
    r"\boff the record\b|\bbetween (?:you and me|us)\b|\bthis stays between\b", re.IGNORECASE
)


def asks_to_forget(text: str) -> bool:
    """Whether the text asks that something be forgotten or not be noted in the first place."""
    plain = text.replace("’", "'")
    return bool(_FORGET.search(plain) or _OFF_THE_RECORD.search(plain))


def holds_a_secret(text: str) -> bool:
    """Whether a password, a key or a card number stands in it."""
    return secrecy.holds_a_secret(text)


def refusal(text: str) -> str | None:
    """Why a text that somebody asks to have remembered must not be kept, in one word, or None.

    "secret", "forget", or the kind of instruction it is (`memory.commands.Kind`).
    """
    if holds_a_secret(text):
        return "secret"
    if asks_to_forget(text):
        return "forget"
    return instructions.instructs(text).reason
