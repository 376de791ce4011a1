"""Around the name of a firm: its parts, those it employs, and those it once employed."""

from __future__ import annotations

import re

from memory.language.engine.pattern import Pattern, pattern
from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon
from memory.language.values import readers

# These departments are employers themselves.
_PUBLIC = (
    r"(?:police|fire|health|sheriff'?s?|state|justice|treasury|city|county|defen[cs]e|education|"
    r"transportation|water|parks?|labor|labour|agriculture)"
)
_PART = lazy_pattern(
    rf"(?:the|an?|our|my)\s+(?!{_PUBLIC}\b)(?:(?!{_PUBLIC}\b)[\w'-]+\s+){{0,3}}?"
    r"(?:department|dept|division|team|unit|section|branch)\b(?!\s+(?:stores?|of)\b)",
    re.IGNORECASE,
)
_FIRM = "|".join(re.escape(name) for name in sorted(lexicon.KNOWN_ORGS, key=len, reverse=True))
_OF_A_FIRM = lazy_pattern(
    rf"an?\s+(?:proud\s+|happy\s+|long[- ]time\s+)*(?:{_FIRM})\s+(?:employee|worker|associate)\b",
    re.IGNORECASE,
)


def names_a_firm(match: re.Match[str]) -> bool:
    """Whether "a proud ibm employee" follows: it tells where somebody works, not as what."""
    return _OF_A_FIRM.match(match.string, match.end()) is not None


def is_no_part(match: re.Match[str]) -> bool:
    """Whether what follows is a place of work of its own, and not a part of one."""
    return _PART.match(match.string, match.end()) is None


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "employer.my_old",
        "my",
        r"my\s+(?:old|former|previous|last|first|ex)[- ](?:employer|company|firm|job|boss|"
        r"workplace|position|gig)\s+(?:was|is|used\s+to\s+be)\s+(?:at\s+|with\s+|for\s+)?(?:called\s+)?",
        readers.organisation,
        kind="past",
        confidence=0.8,
    ),
)
