"""How two things that one person said go together: both hold, one ends the other, or they clash.

A classifier of pairs tells them apart (`text.pair_classifier`); it was trained on pairs of messages
that were written for it (`evaluation/examples/pairs.tsv`). It sees no date and knows no more of the
world than its examples: what it finds is a reason to ask, never one to change anything.
"""

from collections.abc import Sequence
from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.text.pair_classifier import PairClassifier

PAIRS_PATH = Path(__file__).with_name("pairs.npz")
# From here on both are shown, and asked which holds.
_CLASH = 0.9
# From here on an earlier text is told as such behind a later one that ends or corrects it.
_OUTDATED = 0.8


def find_clashes(said: str, earlier: Sequence[str]) -> list[int]:
    """Which of several earlier texts (their places) cannot hold beside what is said now, the
    likeliest first.
    """
    found = _classifier().probabilities([(text, said) for text in earlier])
    clash = [one.get("contradicts", 0.0) for one in found]
    places = [place for place, probability in enumerate(clash) if probability >= _CLASH]
    return sorted(places, key=lambda place: -clash[place])


def find_outdated(texts: Sequence[str]) -> set[int]:
    """Which of several texts, in the order in which they were said (their places), a later one of
    them ends or corrects.
    """
    places = [(first, then) for then in range(len(texts)) for first in range(then)]
    found = _classifier().probabilities([(texts[first], texts[then]) for first, then in places])
    return {
        first
        for (first, _), one in zip(places, found, strict=True)
        if one.get("updates", 0.0) >= _OUTDATED
    }


@once_per_process
def _classifier() -> PairClassifier:
    return PairClassifier.load(PAIRS_PATH)
