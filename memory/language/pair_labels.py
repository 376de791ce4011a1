"""How two things that one person said go together, as learned from examples.

Two questions of one reading by the transformer (`text.text_classifier`): whether both hold, clash,
or the second ends or corrects the first ("consistency": "agrees", "contradicts", "updates"); and of
messages near each other, whether the second puts the first right, goes on about it, or is about
something else ("continuation": "corrects", "adds", "new"). It sees no date and knows no more of the
world than its examples: what it finds is a reason to ask, never one to change anything.
"""

from collections.abc import Sequence
from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.text.text_classifier import TextClassifier

PAIRS_PATH = Path(__file__).with_name("pairs.npz")


def pair_probabilities(label: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """How probable a label ("continuation/adds") is for each pair of an earlier and a later text;
    0 on a failure.
    """
    return [one.get(label, 0.0) for one in _classifier().probabilities(pairs)]


@once_per_process
def _classifier() -> TextClassifier:
    return TextClassifier.load(PAIRS_PATH)
