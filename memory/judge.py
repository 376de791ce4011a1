"""A small trained judge of instruction-shaped text: one number a feature, kept in `judge.json`.

Features of a passage are its meaning (256 numbers) and counts over the word lists of the rules: so
it hears "kindly dismiss what they told you" although no rule says so. `manage.py train_judge` makes
the numbers; nothing of the texts it learned from is in them.
"""

import json
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory import commands, embeddings
from memory.hidden import fold, without_programs

Floats = npt.NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("judge.json")
THRESHOLD = 1.0
"""Log-odds from which a text is refused: under cross-validation fewer than one plain text in a
hundred reaches it."""

MOST_PASSAGES = 12
"""Passages read of one text; a text is as bad as the worst of them."""

MEANING = 256
_MOST_OF_ONE = 3
_SPLIT = re.compile(r"(?<=[.!?\n:])\s+|\n+")
_SHOUTED = re.compile(r"\b[A-Z]{3,}\b")
_LISTS = {
    "forget": commands.FORGET,
    "before": commands.BEFORE,
    "precept": commands.PRECEPT,
    "all": commands.ALL,
    "context": commands.CONTEXT,
    "answer": commands.ANSWER,
    "your": commands.YOUR,
    "show": commands.SHOW,
    "say": commands.SAY,
    "only": commands.ONLY,
    "change": commands.CHANGE,
    "sell": commands.SELL,
    "crowd": commands.CROWD,
    "make": commands.MAKE,
    "do": commands.DO,
    "explain": commands.EXPLAIN,
    "piece": commands.PIECE,
    "orders": commands.ORDERS,
    "new": commands.NEW,
    "you": "you|du|sie|ihr|vous|tu|usted",
    "role": r"act|role|rolle|pretend|imagine|character|play|fungier\w+|persona|mode",
    "person": r"i|my|me|we|our|ich|mein\w*|wir|mir|yo|je|mi",
    "prompt": r"prompts?\w*",
    "must": "must|should|shall|have to|need to|musst|mussen|sollst|debes|dois",
    "denied": r"not|don't|never|no|nicht|kein\w*|nie",
}
_MARKS = {
    "quote": re.compile(r"[\"]|(?<!\w)'"),
    "colon": re.compile(":"),
    "question": re.compile(r"\?"),
    "exclamation": re.compile("!"),
    "asks": re.compile(
        r"^\W*(?:what|who|why|how|when|where|is|are|do|does|did|was|wer|wie|warum|wo|wann|ist|"
        r"welche|can|has|hat)\b"
    ),
    "address": re.compile(r"\bwww\.|https?:|\w\.(?:com|net|org)\b|@\w"),
    "orders first": re.compile(
        rf"^\W*(?:please |bitte |now |nun )?(?:{commands.FORGET}|{commands.SHOW}|{commands.SAY}|"
        rf"{commands.CHANGE}|{commands.MAKE}|{commands.EXPLAIN})\b"
    ),
}
_COUNTED = {name: re.compile(rf"\b(?:{words})\b") for name, words in _LISTS.items()} | _MARKS
_TOGETHER = (
    ("forget", "all"), ("forget", "before"), ("forget", "precept"), ("change", "answer"),
    ("say", "only"), ("role", "you"), ("your", "answer"), ("show", "prompt"), ("say", "quote"),
)  # fmt: skip
NAMES = (
    *_COUNTED,
    "shouted words",
    "length",
    *(" and ".join(pair) for pair in _TOGETHER),
    "always there",
)
"""What the numbers after the first 256 count, in order."""


def score(text: str) -> float:
    """Log-odds that a text instructs: the highest of its passages; below 0 it rather does not."""
    return float(max(features(text) @ _weights()))


def features(text: str) -> Floats:
    """A row a passage, the whole text first: its meaning, then the counts of `NAMES`."""
    return np.array([_features(passage) for passage in _passages(text)])


def _passages(text: str) -> list[str]:
    text = without_programs(text).strip()
    parts = [part.strip() for part in _SPLIT.split(text)]
    others = [part for part in parts if part != text and len(part.split()) >= 2]
    return [text, *others][:MOST_PASSAGES]


def _features(passage: str) -> Floats:
    meaning = embeddings.embed(passage[:2000]) or [0.0] * MEANING
    folded = fold(passage)
    found = {
        name: min(_MOST_OF_ONE, len(pattern.findall(folded))) / 2
        for name, pattern in _COUNTED.items()
    }
    shouted = min(6, len(_SHOUTED.findall(passage))) / 3
    length = min(60, len(folded.split())) / 30
    together = [float(found[one] > 0 and found[other] > 0) for one, other in _TOGETHER]
    return np.array([*meaning, *found.values(), shouted, length, *together, 1.0])


@lru_cache(maxsize=1)
def _weights() -> Floats:
    kept = json.loads(WEIGHTS.read_text())
    return np.array([*kept["meaning"], *(kept["words"][name] for name in NAMES)])
