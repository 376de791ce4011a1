"""Whether a sentence is worth a note, how much it matters, and of which sort it is.

Worth a note is learned from examples ("worth/…"); how much it matters, and of which sort it is, is
counted from its words (`sentence_kinds.toml`).
"""

import re
import tomllib
from pathlib import Path

from django.conf import settings

from memory.language import relatives
from memory.language.classifiers.sentence_labels import label_probabilities
from memory.language.dates import time_expressions
from memory.language.engine import chat_only
from memory.language.lazy_pattern import compile_lazily
from memory.language.reading import Reading
from memory.language.text import compression, terms
from memory.models import Memory

Category, Kind, Priority = Memory.Category, Memory.Kind, Memory.Priority

# Sentences read of one message; a longer text is material, not talk.
MOST_SENTENCES = 40
FEWEST_WORDS = 4
# So probable it has to be: what is not noted is missed more than a note too many; and so probable
# what is said in passing.
_PROBABLY, _SURELY = 0.5, 0.75

_KINDS = tomllib.loads(Path(__file__).with_name("sentence_kinds.toml").read_text(encoding="utf-8"))


def _kind(name: str, ending: str = "") -> re.Pattern[str]:
    """The words of one list, each possibly with such an ending."""
    return compile_lazily(rf"\b(?:{'|'.join(_KINDS[name])}){ending}\b", re.IGNORECASE)


REMEMBER = compile_lazily(
    r"(?:^|[.!,;:-]\s*|\b(?:please|can you|could you|and|so|but|ok|okay|also)\s+)"
    r"(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note"
    r"|remind me (?:to|that|about|of))\b"
    r"(?! (?:when|how|the time|last)\b)|\bfor the record\b|\bfor future reference\b"
    r"|^\W*(?:(?:please|can you|could you)\s+)?(?:write|jot|put|take|note) (?:this|that|it) down\b",
    re.IGNORECASE,
)
PLAN = _kind("plan")
_EVENT = _kind("event")
_STANDING = _kind("habit", r"\w*")
_ABOUT_ANSWERS = _kind("answers")
_TOPIC = _kind("topic")
_CHATTER = _kind("chatter")
_HEART = _kind("encouragement")
_THIS_CHAT = compile_lazily(
    r"\b(?:in|for|during) this (?:chat|talk|conversation|session|thread)\b|\bfor now\b"
    r"|\bjust here\b",
    re.IGNORECASE,
)
_IS_AT = compile_lazily(
    r"\b(?:is|are|'s|was|starts?|begins?|comes?|coming|arrives?|moved|booked|due) (?:\w+ ){0,2}?"
    r"(?:on|at|to|from|for|this|next|the|tomorrow|mon|tues|wednes|thurs|fri|satur|sun|\d)"
    r"|\b(?:appointment|appt|meeting|flight|delivery|viewing)\b",
    re.IGNORECASE,
)
_DAY_OR_HOUR = compile_lazily(
    r"\bthe \d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?::\d\d)? ?[ap]m\b|\bat \d{1,2}:\d\d\b",
    re.IGNORECASE,
)
_POINTS_BACK = compile_lazily(r"\b(?:it|that|this|they|them|those|these|one)\b", re.IGNORECASE)


def is_noteworthy(sentence: str, *, surely: bool = False) -> bool:
    """Whether a sentence is probably worth a note, by the examples of "worth/…"."""
    return worth_probability(sentence) >= (_SURELY if surely else _PROBABLY)


def worth_probability(sentence: str) -> float:
    """How probably a sentence is worth a note by the examples, 0..1."""
    return label_probabilities("worth", sentence)["worth"]


def significance_of(sentence: str) -> float:
    """How much a statement about oneself matters later, 0..1."""
    named = len(compression.key_spans(sentence))
    score = 0.2
    score += 0.15 * time_expressions.tells_when(sentence)
    score += min(0.2, 0.1 * named)
    score += 0.15 * bool(PLAN.search(sentence))
    score += 0.15 * bool(_EVENT.search(sentence))
    score += 0.2 * bool(_STANDING.search(sentence))
    score += 0.15 * bool(_TOPIC.search(sentence))
    score += 0.45 * bool(REMEMBER.search(sentence))
    score += 0.3 * relatives.tells_of_somebody(sentence)
    score += 0.2 * sets_a_time(sentence)
    score += min(0.1, 0.02 * len(set(terms.content_words(sentence))))
    score -= 0.2 * bool(_CHATTER.search(sentence))
    score -= 0.15 * bool(_HEART.search(sentence))
    score -= 0.15 * (bool(_POINTS_BACK.search(sentence)) and not named)
    return round(max(0.0, min(1.0, score)), 3)


def sets_a_time(sentence: str) -> bool:
    """Whether a sentence says when something is: "The vet is on the 3rd at 4pm"."""
    enough = len(sentence.split()) >= FEWEST_WORDS
    return bool(
        enough
        and _IS_AT.search(sentence)
        and (_DAY_OR_HOUR.search(sentence) or time_expressions.tells_when(sentence))
    )


def greatest_significance(reading: Reading) -> float:
    """The significance of a text's weightiest sentence, whoever it speaks of; 0 for none."""
    first = reading.sentences[:MOST_SENTENCES]
    return max((significance_of(reading.masked[start:end]) for start, end, _ in first), default=0.0)


def mode_of(weight: float) -> Memory.Mode | None:
    """How much of a sentence is kept, by its significance; None when it is not worth a note."""
    floors = settings.MEMORY["significance"]
    for mode in (Memory.Mode.LOSSLESS, Memory.Mode.HYBRID, Memory.Mode.COMPRESSED):
        if weight >= floors[mode.value]:
            return mode
    return None


def sort_of(sentence: str) -> tuple[Memory.Category, Memory.Kind]:
    """What a sentence tells of, by its words: a fact, a plan, a preference, how to answer."""
    if chat_only.bounds(sentence) or _THIS_CHAT.search(sentence):
        return Category.TOPIC, Kind.WORKING
    if _ABOUT_ANSWERS.search(sentence) and _STANDING.search(sentence):
        return Category.STYLE, Kind.PROCEDURAL
    if _STANDING.search(sentence):
        return Category.PREFERENCE, Kind.SEMANTIC
    if _EVENT.search(sentence) and not PLAN.search(sentence):
        return Category.FACT, Kind.EPISODIC
    if _TOPIC.search(sentence) or PLAN.search(sentence):
        return Category.TOPIC, Kind.SEMANTIC
    return Category.FACT, Kind.SEMANTIC


def priority_of(sentence: str, category: Memory.Category, mode: Memory.Mode) -> Memory.Priority:
    """How early a prompt holds it: what is to be remembered, and how to answer, comes first."""
    if REMEMBER.search(sentence) or category is Category.STYLE:
        return Priority.HIGH
    return Priority.LOW if mode is Memory.Mode.COMPRESSED else Priority.NORMAL
