"""What a note says at a glance: the thing itself, without the words around it."""

import re

from memory.language import amendments, truncate_at_clause

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
# Where a sentence goes on to what is beside its point.
_ASIDE = re.compile(
    r",?\s+(?:because|cos|so that|so dont|so don't|which|even though)\b"
    r"|,\s+(?:but|and|so|though|he|she|they|it|i|we|people|not that)\b|\s+[-–—]\s+|;\s+",
    re.IGNORECASE,
)
# A label keeps the number and the day.
_TELLS_WHEN = re.compile(
    r"\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|january|february"
    r"|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
# What takes back or limits what stands before it belongs to it: "vegetarian at home, but ...".
_LIMITS = re.compile(
    r"\b(?:but|not|never|no|nor|except|unless|until|only|though)\b|n't\b", re.IGNORECASE
)
_LONG, _FEWEST, _LONGEST = 80, 3, 160


def note_label(text: str) -> str:
    """A note in its own words, at most 160 characters: without an order to remember, its first
    statement, cut after a whole clause.
    """
    short = _TAIL.sub("", _LEAD.sub("", text, count=1)).strip() or text
    if len(short) > _LONG and not amendments.is_explicit_correction(short):
        for aside in _ASIDE.finditer(short):
            kept, rest = short[: aside.start()], short[aside.start() :]
            if len(kept.split()) >= _FEWEST and not (
                _TELLS_WHEN.search(rest) or _LIMITS.search(rest)
            ):
                short = kept
                break
    short = truncate_at_clause(short, _LONGEST)
    return f"{short[0].upper()}{short[1:]}" if short[:1].islower() else short
