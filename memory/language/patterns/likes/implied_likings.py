"""Patterns about likings that are said without the verb: "nothing beats a cold plum"."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.values import lists

# A pronoun, or a word that leads into a clause: then no thing is named.
NO_THING = (
    r"(?!(?:it|that|this|them|these|those|you|your|u|me|him|her|his|my|our|a (?:good|long|hard|"
    r"bad)\s+(?:day|night|week)|how|when|what|being|having|getting|the (?:fact|way|feeling|"
    r"look|idea))\b)"
)
SENSED = r"(?:(?:eating|watching|listening to|playing|drinking|reading|wearing)\s+)?"


def never_said(match: re.Match[str]) -> bool:
    """Whether what one would say no to is said never to be refused."""
    return bool(_NEVER.search(match.string, max(0, match.start() - 30), match.end()))


_NEVER = re.compile(r"\b(?:never|not|n't|cannot|cant|can t|no one|nobody|hard to)\b", re.IGNORECASE)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "interests.took_up",
        "verb be",
        r"(?:(?:took|taken|taking|take)\s+up|(?:picked|picking)\s+up(?=\s+(?:the\s+)?(?:[a-z]+ing\b|"
        r"guitar|piano|violin|drums|golf|tennis|yoga|chess|photography|banjo|ukulele|cello|flute)))"
        r"\s+(?!(?:too|so|most|all|much|a|an|space|time|it|that|residence|arms|my|your|"
        r"the (?:whole|"
        r"offer|space|room))\b)(?:the\s+)?",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "likes.has_my_heart",
        "given",
        r"\bmy\s+heart\s+(?:belongs\s+to|beats\s+for|is\s+with)\s+|"
        r"\b(?:what|something\s+that|one\s+thing\s+that)\s+makes\s+me\s+(?:so\s+|really\s+|"
        r"very\s+)?happy\s*,?\s*(?:is|are)\s+|"
        r"\bfor\s+my\s+(?:passion|hobby|love)\s*,?\s+(?=[a-z]+ing\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "likes.such_things",
        "verb be",
        r"(?:like|love|enjoy|into|prefer|play|watch|read|eat|collect|listen\s+to|fan\s+of|adore)\s+"
        r"(?:[\w-]+\s+){0,3}?(?:things?|stuff|activities|hobbies|foods?|sports|games|shows|movies|"
        r"films|music|bands|artists|books|animals|authors|drinks|genres|series|singers|"
        r"musicians|snacks|colors|desserts|dishes|fruits?|veggies|vegetables|places)\s*,?\s+"
        r"(?:such\s+as|like|e\.g\.|including)\s+(?!you\b|me\b|that\b|this\b|it\b|i\b|these\b|"
        r"those\b|them\b|a\s+(?:lot|kid|child)|crazy\b|mad\b|him\b|her\b|my\b|your\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "likes.like_me",
        "given",
        r"\b(?:lov(?:e|ing)|like|enjoy|into)\s+(?=[\w' ]{2,40}?\s(?:as\s+much\s+as|just\s+like|"
        r"like|"
        r"the\s+(?:same\s+)?way)\s+(?:me|i\s+(?:do|am|love|like))\b)(?:the\s+)?"
        rf"{NO_THING}{SENSED}",
        lists.things,
        trust=WEAK,
        confidence=0.7,
        check=lambda m: not re.search(r"\b(?:not|n't|never|don t)\s+$", m.string[: m.start()]),
    ),
)
