"""What a note says at a glance: the thing itself, without the words around it."""

import re

from memory.language import truncate_at_clause

# An order to remember, and what opens a sentence without saying anything.
_LEAD = re.compile(
    r"^\W*(?:(?:(?:and|so|ok|okay|oh|well|also|btw|by the way|please|pls|can you|could you|just)\b"
    r"[\s,:]*)*(?:remember|remind me|note|don'?t forget|keep in mind|make a note)\b"
    r"(?:\s+(?:that|to|about|of))?[\s,:]*"
    r"|(?:(?:and|so|ok|okay|oh|well|also|btw|by the way)\b[\s,:]*)+"
    r"|(?:i'?ve |we'?ve |i have |we have )?got (?:an? |the |my )(?=.*\d))",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]*\b(?:btw|lol|haha+|tho|though|please|pls|you know|i think|i guess)[\s.!]*$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_BEFORE = 240, 70


def note_label(text: str, before: str = "") -> str:
    """A note in its own words, at most 240 characters, cut after a whole clause: without an order
    to remember and the little words around it. Behind it stands what it goes on from, if anything.
    """
    label = _shortened(text, _LONGEST)
    behind = _shortened(before, _LONGEST_BEFORE).rstrip(" .") if before else ""
    return f"{label} (after “{behind}”)" if behind else label


def _shortened(text: str, longest: int) -> str:
    short = _TAIL.sub("", _LEAD.sub("", text, count=1)).strip() or text
    short = truncate_at_clause(short, longest)
    return f"{short[0].upper()}{short[1:]}" if short[:1].islower() else short
