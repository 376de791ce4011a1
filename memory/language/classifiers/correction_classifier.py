"""Whether a message corrects an earlier message of the same user, and which one.

A classifier reads the message together with each earlier one (`statement_pairs`); similar messages
are more likely to be the corrected one.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.language.classifiers.statement_pairs import pair_probabilities
from memory.language.reading import Reading
from memory.language.text.text_network import encode_sentences

# Least probability to call a text a correction, and to show in a prompt what it may correct.
_SURELY, _PROBABLY = 0.6, 0.4
# How many earlier messages are looked at, and how many of the nearest the classifier reads.
_REACH, _COMPARED = 4, 3

# Weights for the changed text: log-odds of the classifier, similarity, number of messages back and
# its maximum, offset for no changed text, and a bonus for containing the denied value. From a
# logistic regression over 300 messages with about eight earlier messages each.
_ENDS, _LIKENESS, _STEP, _MOST_STEPS, _OF_NONE, _SAID_TO_BE_WRONG = 0.75, 7.8, 0.22, 8, 0.87, 2.0
# Least probability of a change for plain statements (_CHANGES) and for statements of a change
# (_MOVES), with the least share of the changed text; _SURELY_ABOUT_IT is enough alone. Of 269 other
# statements by ten people, ten passed.
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
    """Return whether a text corrects one of the last few texts, according to the classifier."""
    return max(correction_probabilities(text, before[-_REACH:]), default=0.0) >= least


def correction_probabilities(text: str, before: Sequence[str]) -> list[float]:
    """Return for each earlier text the probability that the text corrects it; 0 for a question."""
    if text.rstrip().endswith("?"):
        return [0.0] * len(before)
    return pair_probabilities("continuation/corrects", [(earlier, text) for earlier in before])


@dataclass(frozen=True)
class Change:
    """The text that another text probably corrects or updates.

    `place` is its index; `share` its probability relative to the other texts and none;
    `probability` that the two texts are a change at all; `holds_the_wrong`: whether it contains the
    value that is denied, None if none is denied.
    """

    place: int
    share: float
    probability: float
    holds_the_wrong: bool | None = None


def find_change(text: str, earlier: Sequence[str]) -> Change | None:
    """Return which of some earlier texts, latest first, a text most probably changes, or None."""
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
    """Return whether a text surely changes the text in `change`, judged by the numbers alone."""
    if any(sentence.change >= _SAID_AS_A_CHANGE for sentence in Reading(text).read.sentences):
        probably = change.probability >= _MOVES and change.share >= _ABOUT_IT
        return probably or change.share >= _SURELY_ABOUT_IT
    return change.probability >= _CHANGES and change.share >= _ABOUT_IT


def _values_said_to_be_wrong(text: str) -> list[re.Pattern[str]]:
    """Return patterns for the values that a text denies: 78 in "She's 87, not 78"."""
    return [
        re.compile(rf"(?<!\w){re.escape(value)}(?!\d)", re.IGNORECASE)
        for value in set(_WRONG_VALUE.findall(text))
    ]


def _log_odds(probability: float) -> float:
    sure = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(sure / (1 - sure))
