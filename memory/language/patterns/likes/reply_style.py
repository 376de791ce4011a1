"""Patterns about the way somebody wants to be helped."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, Pattern, pattern
from memory.language.patterns.likes.likings import NO_STYLE
from memory.language.values import lists

_ANSWER = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|it|"
    r"things|tone|code)"
)


_LANGUAGE = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|"
    r"japanese|chinese|korean|hindi|arabic|turkish)"
)


_TASTE = re.compile(rf"(?:the\s+|a\s+|an\s+|some\s+|my\s+)*{NO_STYLE}", re.IGNORECASE)


def _is_style(match: re.Match[str]) -> bool:
    """Whether "prefer" speaks of a choice or a manner: what is merely liked is read elsewhere."""
    if match.string[match.end() : match.end() + 4].lower() in {"not ", "it i", "that"}:
        return False
    return not _TASTE.match(match.string, match.end(), match.end() + 100)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "preferences.prefer",
        "verb",
        r"(?:much\s+)?(?:prefer|preferred)\s+(?!to\s+be\s+"
        r"called|that\s+you\s+call|you\s+call)",
        lists.anything(9),
        modes="now past",
        confidence=0.9,
        check=_is_style,
    ),
    pattern(
        "preferences.would_prefer",
        "open",
        r"i(?:'d| would)\s+prefer\s+(?!to\s+be\s+called)",
        lists.anything(9),
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern("preferences.my", "my", r"my\s+preference\s+is\s+(?:for\s+)?", lists.anything(8)),
    pattern(
        "preferences.style_liked",
        "verb",
        r"(?:like|love|want|appreciate)\s+(?=(?:your\s+|"
        r"my\s+)?(?:[\w-]+\s+){0,3}"
        r"(?:answers|replies|responses|explanations|summaries|bullet points|examples)\b)",
        lists.anything(7),
        modes="now",
        confidence=0.85,
    ),
    pattern(
        "preferences.answer_in",
        "open",
        r"(?:(?:please|always|from now on|can you|i want "
        r"you to|i'd like you to|"
        r"you should|to me)\s*,?\s+)*(?=(?:answer|reply|respond|write|speak|talk)\s+"
        r"(?:to\s+)?(?:me\s+)?(?:only\s+)?"
        rf"in\s+(?:{_LANGUAGE}|bullet points|short|plain|simple|full sentences))",
        lists.anything(9),
        confidence=0.85,
    ),
    pattern(
        "preferences.keep",
        "open",
        r"(?:(?:please|always|from now on|can you)\s*,?\s+)*(?="
        r"(?:keep|make)\s+"
        rf"(?:your\s+|the\s+|all\s+)*{_ANSWER}\s+(?:as\s+)?(?:short|brief|concise|simple|"
        rf"long|detailed|formal|"
        r"informal|casual|to the point|under))",
        lists.anything(9),
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "preferences.always",
        "open",
        r"(?:please\s+)?(?=(?:always|never)\s+(?:use|answer|"
        r"reply|respond|include|"
        r"explain|start|give|show|write|add|cite|end)\b)",
        lists.anything(10),
        confidence=0.85,
    ),
    pattern(
        "preferences.do_not_use",
        "open",
        r"(?:please\s+)?(?=(?:don't|do not|avoid|no)\s+"
        r"(?:use|using|add|include)?\s*"
        r"(?:emojis?|jargon|bullet points|markdown|tables|exclamation marks)\b)",
        lists.anything(8),
        confidence=0.85,
    ),
    pattern(
        "preferences.use",
        "open",
        r"(?:please\s+|from now on,?\s+)?(?=use\s+(?:metric|"
        r"imperial|celsius|fahrenheit|"
        r"bullet points|simple words|british|american|24-hour|emojis)\b)",
        lists.anything(8),
        confidence=0.8,
    ),
    pattern(
        "preferences.be_brief",
        "open",
        r"(?:please\s+|from now on,?\s+)?(?=be\s+(?:more\s+"
        r"|very\s+)?(?:brief|concise|direct|"
        r"formal|informal|blunt)\b)",
        lists.anything(6),
        trust=IMPLIED,
        confidence=0.75,
    ),
)
