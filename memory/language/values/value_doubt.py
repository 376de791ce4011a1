"""Whether a value reads as if it were cut off or ran on: then the person is asked before it counts.

A liking that is only "to sit" has lost what made it one, and "beastie boys being" has taken up what
does not belong to it. Such a value may still be right, so it is kept, but never believed unasked.
"""

from __future__ import annotations

import re

from memory.slots import TASTES

LONG = 5
"""Words of a taste beyond which it is more likely a piece of a sentence."""

# A deed that tells little without its object, its place or its company.
_UNFINISHED = re.compile(
    r"(?:to\s+)?(?:go(?:ing)?\s+)?(?:play(?:ing)?|sit(?:ting)?|stand(?:ing)?|listen(?:ing)?|"
    r"driv(?:e|ing)|watch(?:ing)?|work(?:ing)?|look(?:ing)?|stay(?:ing)?|wait(?:ing)?|"
    r"hang(?:ing)?(?:\s?out)?|mak(?:e|ing)|help(?:ing)?|spend(?:ing)?|wear(?:ing)?|be(?:ing)?|"
    r"tak(?:e|ing)|giv(?:e|ing)|us(?:e|ing)|put(?:ting)?|keep(?:ing)?|liv(?:e|ing)|feel(?:ing)?|"
    r"talk(?:ing)?|know(?:ing)?|tell(?:ing)?|see(?:ing)?|try(?:ing)?|ask(?:ing)?)",
    re.IGNORECASE,
)
_RAN_ON = re.compile(
    r"\b(?:i|im|he|she|they|we|cause|cuz|using|seeing as|makes|gets|is|are|was|"
    r"(?<!look )(?<!looking )like|love|loves|loved|prefer|say|says|over)\b"
    r"|\b(\w{3,}) \1\b"
    r"|\s(?:being|cause|particularly|especially|mostly|as|that|so|nasty|cool|nice|awesome|gross|"
    r"best|most|around|varieties|ones)$",
    re.IGNORECASE,
)
_DEED = re.compile(r"to\s|(?:\w+\s)?[a-z]+ing\s", re.IGNORECASE)
_LABEL = re.compile(r"\s\([^()]*\)$")


def is_doubtful(slot: str, value: str) -> bool:
    """Whether a taste has the shape of a piece of a sentence; ``value`` as it would be noted."""
    if slot not in TASTES:
        return False
    bare = _LABEL.sub("", value)
    if _UNFINISHED.fullmatch(bare) or (len(bare.split()) > LONG and not _DEED.match(bare)):
        return True
    # A name may hold any word: "Orange Is the New Black".
    return bare == bare.lower() and _RAN_ON.search(bare) is not None
