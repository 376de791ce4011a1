"""From the network's numbers for tokens to marked values and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Span:
    """A value in a text: characters [start, end), what it is, whether it holds.

    `probability` is that of its label, `status_probability` that of its status, both 0 to 1.
    """

    start: int
    end: int
    label: str
    status: str
    probability: float
    status_probability: float


def softmax(logits: Floats) -> Floats:
    """Return probabilities over the last axis."""
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities: Floats = shifted / shifted.sum(-1, keepdims=True)
    return probabilities


def decode_spans(
    text: str,
    offsets: Sequence[tuple[int, int]],
    tag_logits: Floats,
    status_logits: Floats,
    tags: Sequence[str],
    statuses: Sequence[str],
    outside_bias: float = 0.0,
) -> list[Span]:
    """Return the marked values of a text in their order.

    `offsets` are the characters of its T tokens, `tag_logits` (T, tags) with "O" first and then
    "B-label", "I-label" for each label, `status_logits` (T, statuses). `outside_bias` is taken from
    the logit of "O": the larger, the more is marked.
    """
    if not len(offsets):
        return []
    logits = tag_logits.copy()
    logits[:, 0] -= outside_bias
    probabilities, status = softmax(logits), softmax(status_logits)
    best = probabilities.argmax(-1)
    spans, group, current = [], [], ""
    for number, tag in enumerate([*best, 0]):
        name = tags[tag]
        label = name[2:] if number < len(offsets) else ""
        goes_on = label and label == current and (name[0] == "I" or _same_word(offsets, number))
        if goes_on:
            group.append(number)
            continue
        if group:
            spans.append(
                _span(text, offsets, group, current, probabilities, status, tags, statuses)
            )
        group, current = ([number], label) if label else ([], "")
    return spans


def _same_word(offsets: Sequence[tuple[int, int]], number: int) -> bool:
    return number > 0 and offsets[number - 1][1] == offsets[number][0]


def _span(
    text: str,
    offsets: Sequence[tuple[int, int]],
    group: list[int],
    label: str,
    probabilities: Floats,
    status: Floats,
    tags: Sequence[str],
    statuses: Sequence[str],
) -> Span:
    start, end = offsets[group[0]][0], offsets[group[-1]][1]
    # Tokens are pieces of words; a value ends where a word does.
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    first = tags.index(f"B-{label}")
    of_label = probabilities[group][:, first : first + 2].sum(-1)
    of_status = status[group].mean(0)
    best = int(of_status.argmax())
    return Span(start, end, label, statuses[best], float(of_label.mean()), float(of_status[best]))
