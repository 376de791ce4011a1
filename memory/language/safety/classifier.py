"""A trained linear classifier of instruction-like text; its weights are in `classifier.json`.

It recognises "kindly dismiss what they told you" without a rule. Features of a passage are
embeddings of the passage, of its first word and of its first three (orders begin with a verb),
counts over word lists, and hashed words, word pairs and word pieces (which misspelled words mostly
share). `python -m training.instruction_judge` trains it.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from accounts.support.process_cache import once_per_process
from memory.language.lazy_pattern import compile_lazily
from memory.language.safety.obfuscation import fold_text, without_programs
from memory.language.safety.pattern_file import PatternFile
from memory.language.text import embeddings

INSTRUCTIONS = PatternFile("instructions.toml")
"""Word lists and patterns of orders."""
Float64Array = npt.NDArray[np.float64]
CLASSIFIER_WEIGHTS_PATH = Path(__file__).with_name("classifier.json")
REFUSAL_THRESHOLD = 1.25
"""Log-odds from which a text is refused: of plain questions and talk that it never saw fewer than
one in a hundred reaches it."""

MOST_PASSAGES = 12
"""Passages read of one text; a text is as bad as the worst of them."""

MEANING_SIZE = 256
PLACES = 1024
"""Numbers for hashed words, and as many for hashed pieces of words."""

_MOST_OF_ONE = 3
_MOST_WORDS = 120
# The norm of a passage's hashed words, relative to one count.
_HASHED = 2.0
WORD = compile_lazily(r"[\w'+-]+")
_JUDGE = INSTRUCTIONS.sections["judge"]
_LEAD = frozenset(_JUDGE["order_leads"].split())
_ADDRESS = frozenset("the dear assistant hi hello hey great gpt".split())
_LONGEST_LEAD = 4
_SPLIT = compile_lazily(r"(?<=[.!?\n:])\s+|\n+")
_SHOUTED = compile_lazily(r"\b[A-Z]{3,}\b")
_WORDS = {name: INSTRUCTIONS.any_of(name) for name in _JUDGE["counted_lists"].split()}
_WORDS |= _JUDGE["words"]
_COUNTED = {name: compile_lazily(rf"\b(?:{listed})\b") for name, listed in _WORDS.items()} | {
    name: compile_lazily(INSTRUCTIONS.composed(mark)) for name, mark in _JUDGE["marks"].items()
}
_TOGETHER = tuple(tuple(pair.split()) for pair in _JUDGE["together"])
COUNTED_FEATURE_NAMES = (
    *_COUNTED,
    "shouted words",
    "length",
    *(" and ".join(pair) for pair in _TOGETHER),
    "always there",
)
"""What is counted, in order; the number of what is always there is the last of all."""

FEATURE_SIZES = {
    "meaning": MEANING_SIZE,
    "first word": MEANING_SIZE,
    "opening": MEANING_SIZE,
    "words": PLACES,
    "pieces": PLACES,
    "counts": len(COUNTED_FEATURE_NAMES),
}
"""How many numbers there are of each sort, in order."""

FEATURE_COUNT = sum(FEATURE_SIZES.values())


@lru_cache(maxsize=64)
def score(text: str) -> float:
    """Return the log-odds that a text is an instruction: the maximum over its passages."""
    return float(max(compute_instruction_features(text) @ _weights()))


def compute_instruction_features(text: str) -> Float64Array:
    """Return a row of features per passage, whole text first; sizes as in `FEATURE_SIZES`."""
    return np.array([_features(passage) for passage in _passages(text)])


def without_lead(words: Sequence[str], also: frozenset[str] = frozenset()) -> Sequence[str]:
    """Return words without those that only lead to an order: "please", "and then"."""
    lead = 0
    while lead < min(_LONGEST_LEAD, len(words)) and (words[lead] in _LEAD or words[lead] in also):
        lead += 1
    return words[lead:]


def _passages(text: str) -> list[str]:
    text = without_programs(text).strip()
    parts = [part.strip() for part in _SPLIT.split(text)]
    others = [part for part in parts if part != text and len(part.split()) >= 2]
    return [text, *others][:MOST_PASSAGES]


def _features(passage: str) -> Float64Array:
    folded = fold_text(passage[:4000])
    words = WORD.findall(folded)[:_MOST_WORDS]
    # "Dear assistant, please ..." only leads to an order.
    first = without_lead(words, _ADDRESS)[:3]
    return np.concatenate(
        [
            _meaning(passage[:2000]),
            _meaning(" ".join(first[:1])),
            _meaning(" ".join(first)),
            _hashed([*words, *map(" ".join, pairwise(("^", *words)))], often=False),
            _hashed(_word_pieces(words), often=True),
            _counts(passage, folded),
        ]
    )


def _meaning(text: str) -> Float64Array:
    return np.array(embeddings.embed(text) or [0.0] * MEANING_SIZE)


def _word_pieces(words: Iterable[str]) -> Iterator[str]:
    """Yield three to five adjacent letters of each word; misspelled words share most of these."""
    for word in words:
        marked = f"<{word}>"
        for letters in (3, 4, 5):
            yield from (marked[i : i + letters] for i in range(len(marked) - letters + 1))


def _hashed(pieces: Iterable[str], *, often: bool) -> Float64Array:
    """Return counts of pieces hashed to PLACES, normalised; `often` counts frequent pieces more."""
    places = np.array([zlib.crc32(piece.encode()) % PLACES for piece in pieces], np.intp)
    counts = np.bincount(places, minlength=PLACES).astype(np.float64)
    vector = np.sqrt(counts) if often else np.minimum(counts, 1.0)
    length = np.linalg.norm(vector)
    return vector * (_HASHED / length) if length else vector


def _counts(passage: str, folded: str) -> Float64Array:
    counts = {
        name: min(_MOST_OF_ONE, len(pattern.findall(folded))) / 2
        for name, pattern in _COUNTED.items()
    }
    shouted = min(6, len(_SHOUTED.findall(passage))) / 3
    length = min(60, len(folded.split())) / 30
    together = [float(counts[first] > 0 and counts[second] > 0) for first, second in _TOGETHER]
    return np.array([*counts.values(), shouted, length, *together, 1.0])


@once_per_process
def _weights() -> Float64Array:
    kept = json.loads(CLASSIFIER_WEIGHTS_PATH.read_text())
    numbers = [number for name in FEATURE_SIZES if name != "counts" for number in kept[name]]
    return np.array([*numbers, *(kept["counts"][name] for name in COUNTED_FEATURE_NAMES)])
