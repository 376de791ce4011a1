"""From the network's output for tokens to marked values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Span:
    """A marked value in a text: characters [start, end), its label and its status.

    The probabilities are those of label and status, 0 to 1.
    """

    start: int
    end: int
    label: str
    status: str
    probability: float
    status_probability: float


def softmax(logits: Floats) -> Floats:
    """Return logits as probabilities that sum to 1 over the last axis."""
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities: Floats = shifted / shifted.sum(-1, keepdims=True)
    return probabilities


def sigmoid(logits: Floats) -> Floats:
    """Return logits as independent probabilities."""
    probabilities: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
    return probabilities


NO_VALUE = 0.6
"""From this probability on a token belongs to no value: below it the labels that share the rest
outweigh it together. Chosen on the messages that are kept aside.
"""
ALIKE = ({"likes", "interests"}, {"home", "location"}, {"employer", "industry"})
"""Labels that one value may have as well as the other: they are as probable as both together."""


@dataclass(frozen=True)
class Names:
    """The meanings of the network's outputs.

    `tags` are "O", then "B-label" and "I-label" for each label.
    """

    tags: Sequence[str]
    statuses: Sequence[str]


def decode_spans(
    text: str,
    offsets: Sequence[tuple[int, int]],
    tag_logits: Floats,
    status_logits: Floats,
    names: Names,
) -> list[Span]:
    """Return the marked values of a text in order.

    `offsets` are the characters of its T tokens, `tag_logits` is (T, tags), `status_logits` (T,
    statuses).
    """
    if not len(offsets):
        return []
    probabilities, statuses = softmax(tag_logits), softmax(status_logits)
    # For each label: the sum of "B" and "I".
    labels = probabilities[:, 1::2] + probabilities[:, 2::2]
    no_value = probabilities[:, 0] >= NO_VALUE
    best = np.where(no_value, 0, 1 + probabilities[:, 1:].argmax(-1))
    return [
        _span(
            _whole_words(text, offsets[group[0]][0], offsets[group[-1]][1]),
            labels[group].mean(0),
            statuses[group].mean(0),
            names,
        )
        for group in _groups(offsets, best)
    ]


def _groups(offsets: Sequence[tuple[int, int]], best: npt.NDArray[np.int64]) -> list[list[int]]:
    """Return the token indexes of each value.

    A value starts at a "B" tag or after an unmarked token; tokens of one word belong to one value.
    """
    groups: list[list[int]] = []
    for number, tag in enumerate(best):
        behind = bool(groups) and groups[-1][-1] == number - 1
        same_word = behind and offsets[number - 1][1] == offsets[number][0]
        if tag and behind and (tag % 2 == 0 or same_word):
            groups[-1].append(number)
        elif tag:
            groups.append([number])
    return groups


def _span(bounds: tuple[int, int], of_label: Floats, of_status: Floats, names: Names) -> Span:
    label, status = int(of_label.argmax()), int(of_status.argmax())
    name = names.tags[1 + 2 * label].removeprefix("B-")
    tags = names.tags[1::2]
    alike = next((labels for labels in ALIKE if name in labels), {name})
    sure = sum(float(p) for tag, p in zip(tags, of_label, strict=True) if tag[2:] in alike)
    return Span(*bounds, name, names.statuses[status], sure, float(of_status[status]))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span extended to whole words, including parts before an apostrophe."""
    while start > 1 and text[start].isalnum():
        back = 2 if text[start - 1] in "'’" else 1
        if not text[start - back].isalnum():
            break
        start -= back
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end
