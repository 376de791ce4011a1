"""Whether a message corrects what the same person said before it, and which of it.

By its form, or as learned from examples: a classifier reads it together with each message before it
(`statement_pairs`), and what is alike in meaning is the likelier to be what is corrected.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.language.classifiers.statement_pairs import pair_probabilities
from memory.language.reading import Reading
from memory.language.text.text_network import encode_sentences

# From the first on it is called a correction by its examples alone; from the second on what it may
# put right is told behind it.
_SURELY, _PROBABLY = 0.6, 0.4
# How many of the messages before it are looked at, and how many of the nearest are read with it.
_REACH, _COMPARED = 4, 3

# What an earlier text counts as the one that is changed: the log-odds of the classifier, likeness
# in meaning, each step that it lies back, and that it is about none: a logistic regression over 300
# messages with some eight before each. What holds the value that is said to be wrong is surer.
_ENDS, _LIKENESS, _STEP, _MOST_STEPS, _OF_NONE, _SAID_TO_BE_WRONG = 0.75, 7.8, 0.22, 8, 0.87, 2.0
# From the first on a plain statement changes something, from the second on what moves something or
# turned out, where it is as probably about that (the third), or surely (the fourth): of 269 other
# statements of ten people ten did.
_CHANGES, _MOVES, _ABOUT_IT, _SURELY_ABOUT_IT = 0.92, 0.35, 0.5, 0.9
_SAID_AS_A_CHANGE = 0.5
_WRONG_VALUE = re.compile(
    r"\b(?:not|isn'?t|wasn'?t|instead of|rather than|told you|i said)\s+"
    r"(?:(?:it|its|it's|that|the|a|an|at|on|for|is|was)\s+)*"
    r"([£$€]?\d[\d.,:]*\d|[£$€]?\d|(?-i:[A-Z])[\w'-]{2,}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    re.IGNORECASE,
)


def surely_corrects(text: str, before: Sequence[str], least: float = _SURELY) -> bool:
    """Return whether it puts one of the texts before it right, by its examples."""
    return max(correction_probabilities(text, before[-_REACH:]), default=0.0) >= least


def correction_probabilities(text: str, before: Sequence[str]) -> list[float]:
    """Return for each earlier text the probability that the text corrects it; 0 for a question."""
    if text.rstrip().endswith("?"):
        return [0.0] * len(before)
    return pair_probabilities("continuation/corrects", [(earlier, text) for earlier in before])


@dataclass(frozen=True)
class Change:
    """What a text probably puts right or brings up to date: the place of it, how probable it is
    beside all others and none, and how probable that the two are a change at all; and whether it
    `holds_the_wrong`: the value that the text says is wrong, None if it says none.
    """

    place: int
    share: float
    probability: float
    holds_the_wrong: bool | None = None


def find_change(text: str, earlier: Sequence[str]) -> Change | None:
    """Return which of several earlier texts, the last one first, a text most probably changes; None
    if there are none.
    """
    if not earlier or text.rstrip().endswith("?"):
        return None
    vectors = encode_sentences([text, *earlier])
    wrong = _values_said_to_be_wrong(text)
    holding = [any(value.search(each) for value in wrong) for each in earlier]
    scores = {
        position: _LIKENESS * float(likeness)
        - _STEP * min(position, _MOST_STEPS)
        + _SAID_TO_BE_WRONG * holds
        for position, (likeness, holds) in enumerate(
            zip(vectors[1:] @ vectors[0], holding, strict=True)
        )
    }
    nearest = sorted(scores, key=lambda position: -scores[position])[:_COMPARED]
    pairs = [(earlier[position], text) for position in nearest]
    ends = dict(zip(nearest, pair_probabilities("consistency/updates", pairs), strict=True))
    scores = {position: scores[position] + _ENDS * _log_odds(ends[position]) for position in ends}
    best = max(scores, key=lambda position: scores[position])
    whole = sum(math.exp(score - scores[best]) for score in (*scores.values(), _OF_NONE))
    return Change(best, 1 / whole, ends[best], holding[best] if wrong else None)


def changes_surely(text: str, change: Change) -> bool:
    """Return whether a text surely changes what it is most probably about, told by that alone."""
    if any(sentence.change >= _SAID_AS_A_CHANGE for sentence in Reading(text).read.sentences):
        probably = change.probability >= _MOVES and change.share >= _ABOUT_IT
        return probably or change.share >= _SURELY_ABOUT_IT
    return change.probability >= _CHANGES and change.share >= _ABOUT_IT


def _values_said_to_be_wrong(text: str) -> list[re.Pattern[str]]:
    """Return patterns of the values that a text denies: 78 of "She's 87, not 78"."""
    return [
        re.compile(rf"(?<!\w){re.escape(value)}(?!\d)", re.IGNORECASE)
        for value in set(_WRONG_VALUE.findall(text))
    ]


def _log_odds(probability: float) -> float:
    sure = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(sure / (1 - sure))
