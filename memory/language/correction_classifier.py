"""Whether a message corrects what the same person said before it, or goes on about it.

By its form, or as learned from examples: a classifier reads it together with each message before it
(`statement_pairs`).
"""

from collections.abc import Sequence

from memory.language.amendments import is_explicit_correction
from memory.language.statement_pairs import pair_probabilities

# From the first on it is called a correction by its examples alone; from the second on what it may
# put right is told behind it.
_SURELY, _PROBABLY = 0.6, 0.4
_GOES_ON = 0.5
# How many of the messages before it are looked at.
_REACH = 4


def is_correction(text: str, before: Sequence[str]) -> bool:
    """Whether a text puts something right: what it says itself so of, or one of the texts `before`.

    `before` is what the same person said before it, the last one last.
    """
    asks = text.rstrip().endswith("?")
    return not asks and (is_explicit_correction(text) or surely_corrects(text, before, _PROBABLY))


def surely_corrects(text: str, before: Sequence[str], least: float = _SURELY) -> bool:
    """Whether it puts one of the texts before it right, by its examples."""
    return max(correction_probabilities(text, before[-_REACH:]), default=0.0) >= least


def correction_probabilities(text: str, before: Sequence[str]) -> list[float]:
    """How probable it is of each text before it that it puts it right; of a question not at all."""
    if text.rstrip().endswith("?"):
        return [0.0] * len(before)
    return pair_probabilities("continuation/corrects", [(one, text) for one in before])


def change_probabilities(text: str, before: Sequence[str]) -> list[float]:
    """How probable it is of each text before it that it puts it right or brings it up to date."""
    corrects = correction_probabilities(text, before)
    updates = pair_probabilities("consistency/updates", [(one, text) for one in before])
    asks = text.rstrip().endswith("?")
    return [0.0 if asks else max(shares) for shares in zip(corrects, updates, strict=True)]


def goes_on_about(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """Whether the second text of each pair goes on about the first, or puts it right."""
    return [share >= _GOES_ON for share in continuation_probabilities(pairs)]


def continuation_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """How probably the second text of each pair goes on about the first, or puts it right."""
    adds = pair_probabilities("continuation/adds", pairs)
    corrects = pair_probabilities("continuation/corrects", pairs)
    return [
        0.0 if not first or then.rstrip().endswith("?") else sum(shares)
        for (first, then), shares in zip(pairs, zip(adds, corrects, strict=True), strict=True)
    ]
