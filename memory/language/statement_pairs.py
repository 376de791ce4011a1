"""How two things that one person said go together: both hold, one ends the other, or they clash.

A classifier of pairs tells them apart (`text.pair_classifier`); it was trained on pairs of messages
that were written for it (`evaluation/examples/pairs.tsv`). It sees no date and knows no more of the
world than its examples: what it finds is a reason to ask, never one to change anything.
"""

from collections.abc import Sequence
from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.text.dedup import content_stem_ids
from memory.language.text.pair_classifier import PairClassifier

PAIRS_PATH = Path(__file__).with_name("pairs.npz")
# From here on both are shown, and asked about: what people tell each day seldom clashes, so that a
# lower one asks more often wrongly than rightly.
_CLASH = 0.95
# From here on an earlier text is told as such behind a later one that ends or corrects it.
_OUTDATED = 0.7


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
    return {first for first, text in enumerate(texts) if find_ending(text, texts[first + 1 :])}


def find_ending(text: str, later: Sequence[str]) -> list[int]:
    """Which of several texts that were said after a text (their places) end or correct it; those
    that have a telling word in common with it.
    """
    told = content_stem_ids(text)
    places = [place for place, one in enumerate(later) if told & content_stem_ids(one)]
    found = _classifier().probabilities([(text, later[place]) for place in places])
    return [
        place
        for place, one in zip(places, found, strict=True)
        if one.get("updates", 0.0) >= _OUTDATED
    ]


@once_per_process
def _classifier() -> PairClassifier:
    return PairClassifier.load(PAIRS_PATH)
