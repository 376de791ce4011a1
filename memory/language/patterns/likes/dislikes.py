"""Patterns about what somebody dislikes and fears."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.patterns.likes.likings import FAN, INTO, SENSES
from memory.language.values import lists, readers

_FEAR = (
    r"(?:(?:terribly|really|very|so|kind of|deathly|also|too|terrified|a little|a bit|totally)"
    r"\s+)*"
    r"(?:afraid|scared|terrified|scared straight|frightened|sick and tired|sick|tired|petrified|"
    r"deathly afraid)\s+(?:of|by)\s+(?!it\b|you\b|this\b|that\b|being\b|my\b)"
)

# "I was not passionate about it": that was then.
_THEN_NOT = re.compile(
    r"\b(?:did not|did n[o']?t|didn ?['’]?t|was not|wasn ?['’]?t|were not|weren ?['’]?t|had not)"
    r"(?:\s\w+ly)*\s*$",
    re.IGNORECASE,
)


def _still_so(match: re.Match[str]) -> bool:
    """Whether a dislike is told as one of today."""
    return not _THEN_NOT.search(match.string[max(0, match.start() - 40) : match.start()])


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "dislikes.being",
        "verb",
        r"(?:hate|dislike|despise|detest|loathe|dread|can(?:'t|not)\s+stand|fear)\s+"
        r"(?=(?:being|getting|feeling)\s+\w)(?!(?:being|getting|feeling)\s+"
        r"(?:you|it|that|this|like|so|able|asked\s+that|here)\b)",
        lists.pastime_phrase,
        modes="now",
        confidence=0.8,
    ),
    pattern(
        "dislikes.hate",
        "verb",
        r"(?:really\s+)?(?:hate|hates|dislike|despise|detest|loathe|hated|disliked|fear|dread|"
        r"am allergic to)\s+"
        r"(?:eating\s+|watching\s+|listening to\s+|the taste of\s+|it "
        r"when\s+|(?:having|to have) to\s+)?(?!that\b|when\b|never\b|"
        r"to (?:say|tell|hear|admit|break)\b)",
        lists.things,
        modes="now past",
    ),
    pattern(
        "dislikes.dont_like",
        "verb",
        r"(?:really\s+|much\s+|even\s+|particularly\s+)?(?:like|love|enjoy|stand|liked|enjoyed|"
        r"get into|"
        r"cared?\s+(?:much\s+|too much\s+)?(?:for|about)|bear|"
        r"tolerate|handle|do well with|appreciate|deal with)\s+"
        r"(?:eating\s+|watching\s+|listening to\s+|the taste of\s+|to "
        r"eat\s+)?(?:any\s+)?(?!your\b|that you\b)",
        lists.things,
        modes="denied",
        kind="statement",
        check=_still_so,
    ),
    pattern(
        "dislikes.not_fan",
        "be verb",
        rf"(?:{FAN}|{INTO})\s+{SENSES}",
        lists.things,
        modes="denied",
        kind="statement",
        check=_still_so,
    ),
    pattern(
        "dislikes.afraid",
        "be",
        _FEAR,
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "dislikes.my_fear",
        "given",
        r"\b(?:my|a|have a|have an? \w+)\s+(?:fear|hatred|phobia|dislike|irrational fear|"
        r"biggest fear|aversion|(?:\w+ )?disdain|distaste)\s+"
        r"(?:is|of|for|to|are|towards?)\s+",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: " is" not in m[0] or m[0].lower().startswith("my"),
    ),
    pattern(
        "dislikes.except",
        "given",
        r"\bi\s+(?:(?:really|do|also|just|absolutely|am|pretty much)\s+)*(?:like|love|enjoy|"
        r"eat|into|listen to|watch|read|play)\s+"
        r"(?:pretty much\s+|almost\s+|just about\s+)?(?:everything|anything|all(?= but\b)|"
        r"(?:any|all|most|every)\s+(?:\w+\s+){0,3}?\w+)\s*,?\s*"
        r"(?:except(?:\s+for)?|other than|apart from|aside from|besides|but(?=\s+\w+\s*(?:$|"
        r"[.,!])))\s+(?:maybe\s+|not\s+)?",
        lists.things,
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "dislikes.most_hated",
        "given",
        r"\b(?:(?:what|thing|things|food|color|colour|animal|subject|sport|season|part|"
        r"movie)\s+(?:that\s+)?i\s+(?:really\s+)?(?:hate|dislike|"
        r"fear|can't stand|am (?:\w+\s+)?(?:afraid|scared|"
        r"terrified) of)(?:\s+(?:the\s+)?most)?|my\s+(?:biggest|greatest|worst|only|"
        r"main)\s+(?:fear|phobia|pet peeve|enemy|dislike)|"
        r"my\s+(?:pet peeve|nemesis))\s+(?:is|are|would be)\s+"
        r"(?:being\s+(?:(?:attacked|bitten|stung|eaten|chased) by|around|near|in|on)\s+)?",
        lists.things,
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "dislikes.is_not_mine",
        "open",
        r"(?=[\w ]{2,30}?\s(?:(?:is|are)\s+|"
        r"(?<!but )(?=(?:really\s+)?not\s+(?:really\s+)?my\s+(?:thing|cup)))(?:(?:definitely\s+|"
        r"just\s+|"
        r"really\s+)?not\s+(?:really\s+|exactly\s+)?my\s+(?:thing|"
        r"favorite|cup of tea|style|forte|bag)|"
        r"(?:so\s+|too\s+|really\s+|just\s+|pretty\s+|very\s+|my\s+)*(?:least favorite|boring|"
        r"gross|disgusting|terrifying|"
        r"the worst|overrated|yucky|nasty|creepy)\b))(?!it\b|that\b|they\b|this\b|he\b|she\b|"
        r"you\b|i\b|my\b|life\b|there\b|which\b|what\b)",
        lists.things,
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "dislikes.doing",
        "given",
        r"\b(?=[a-z]{2,}ing\s+is\s+(?:(?:definitely|really|just|so|too|very|"
        r"pretty)\s+)*(?:not\s+(?:really\s+|exactly\s+)?"
        r"(?:my (?:thing|cup of tea|style|forte)|for me|fun)|boring|gross|tedious)\b)(?!being|"
        r"nothing|something|"
        r"everything|anything)",
        readers.choice(r"[a-z]{2,}ing\b"),
        trust=WEAK,
        confidence=0.7,
    ),
    pattern(
        "dislikes.scares_me",
        "open",
        r"(?=[^.?!,]{2,30}?\s(?:scares?|frightens?|terrif(?:y|ies)|disgusts?|annoys?|bores?|"
        r"upsets?|creeps?|repulses?|irritates?|makes?|"
        r"gives?)\s+(?:the \w+ out of\s+)?me\b(?:\s+(?:out|sick|gassy|"
        r"nauseous|faint|puke|(?:\w+ )?(?:gas|headaches?|the creeps|nightmares|hives|"
        r"heartburn)|sad|fussy|nervous|anxious|sneeze|itch|crazy|mad|angry))?\s*(?:$|"
        r"[.!,]|and|but|so|too|a lot|how|to death|to tears|really bad\w*))"
        r"(?!it\b|that\b|they\b|this\b|he\b|she\b|you\b|"
        r"what\b|which\b|who\b|my (?:mom|dad|wife|husband)\b)(?:because\s+|the\s+|yeah\s+)*",
        lists.things,
        trust=WEAK,
        confidence=0.65,
        check=lambda m: (
            not re.search(
                r"\b(?:makes?|gives?)\s+me\s*(?:$|[.!,]|and|but|so|too|a lot|"
                r"crazy\s+happy)",
                m.string[m.start() : m.end() + 60],
                re.IGNORECASE,
            )
        ),
    ),
)
