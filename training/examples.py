"""Training messages as tensors: read, varied, cut into tokens and put into batches."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from tokenizers import Tokenizer

from training.labels import PAIR_LABELS, SPAN_TAGS
from training.markup import KINDS, PRIVATE, STATUSES, Mark, Message, Sentence

MOST_TOKENS = 128
IGNORED = -100
"""Target of what carries no loss."""

_TAG = {tag: number for number, tag in enumerate(SPAN_TAGS)}
_SWAPPED = (
    "name", "preferred_name", "employer", "job_title", "location", "hometown", "interests", "likes",
    "dislikes", "education", "expertise", "languages", "pets", "vehicle", "possessions", "person",
    "pet_name", "place", "career_goal", "diet", "industry",
)  # fmt: skip
"""Labels whose values may take each other's place in a sentence."""


@dataclass
class Example:
    """A text in tokens with what is to be read from it.

    `sentences`: for each sentence its token numbers and its targets, a row of SENTENCE_OUTPUTS
    (kinds as the number of the class at index 0, then yes or no; IGNORED for no loss).
    """

    ids: list[int]
    types: list[int]
    spans: list[int]
    statuses: list[int]
    sentences: list[tuple[list[int], list[float]]] = field(default_factory=list)
    pair: int = IGNORED
    weight: float = 1.0


def encode_message(message: Message, tokenizer: Tokenizer, marked: bool = True) -> Example:
    """Return a message as an example; without marks the spans carry no loss."""
    text, bounds, marks = "", [], []
    for sentence in message.sentences:
        if text:
            text += " "
        start = len(text)
        marks += [
            Mark(mark.start + start, mark.end + start, mark.label, mark.status)
            for mark in sentence.marks
        ]
        text += sentence.text
        bounds.append((start, len(text)))
    encoding = tokenizer.encode(text, add_special_tokens=False)
    context = tokenizer.encode(message.context, add_special_tokens=False).ids[-40:]
    room = MOST_TOKENS - len(context) - 3
    ids = encoding.ids[:room]
    lead = [101, *context, 102] if context else [101]
    offsets = encoding.offsets[:room]
    spans, statuses = _tag_tokens(offsets, marks, marked)
    example = Example(
        ids=[*lead, *ids, 102],
        types=[1] * (len(lead) if context else 0) + [0] * (len(ids) + 1 + (not context)),
        spans=[IGNORED] * len(lead) + spans + [IGNORED],
        statuses=[IGNORED] * len(lead) + statuses + [IGNORED],
    )
    for (start, end), sentence in zip(bounds, message.sentences, strict=True):
        tokens = [
            number + len(lead)
            for number, (left, right) in enumerate(offsets)
            if left >= start and right <= end
        ]
        if tokens:
            example.sentences.append((tokens, sentence_targets(sentence)))
    return example


def _tag_tokens(
    offsets: Sequence[tuple[int, int]], marks: Sequence[Mark], marked: bool
) -> tuple[list[int], list[int]]:
    if not marked:
        return [IGNORED] * len(offsets), [IGNORED] * len(offsets)
    spans, statuses = [0] * len(offsets), [IGNORED] * len(offsets)
    for mark in marks:
        inside = [
            number
            for number, (left, right) in enumerate(offsets)
            if left < mark.end and right > mark.start
        ]
        for place, number in enumerate(inside):
            spans[number] = _TAG[f"{'I' if place else 'B'}-{mark.label}"]
            statuses[number] = STATUSES.index(mark.status)
    return spans, statuses


def sentence_targets(sentence: Sentence) -> list[float]:
    """Return the row of targets of a sentence."""
    kind = KINDS.index(sentence.kind) if sentence.kind in KINDS else IGNORED
    unknown = sentence.change == IGNORED
    private = [IGNORED if unknown else float(name in sentence.private) for name in PRIVATE]
    alone = IGNORED if sentence.alone is None else sentence.alone
    return [float(kind), float(sentence.worth), float(sentence.change), *private, float(alone)]


def encode_pair(new: str, old: str, label: str, tokenizer: Tokenizer) -> Example:
    """Return a new statement and an earlier one as an example."""
    first = tokenizer.encode(new, add_special_tokens=False).ids[:80]
    second = tokenizer.encode(old, add_special_tokens=False).ids[:40]
    ids = [101, *first, 102, *second, 102]
    types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
    nothing = [IGNORED] * len(ids)
    return Example(ids, types, nothing, list(nothing), pair=PAIR_LABELS.index(label))


class Variation:
    """Makes a message anew with other values in its marks, and with other spelling."""

    def __init__(self, messages: Sequence[Message], chance: random.Random) -> None:
        self._chance = chance
        self._values: dict[str, list[str]] = defaultdict(list)
        for message in messages:
            for sentence in message.sentences:
                for mark in sentence.marks:
                    if mark.label in _SWAPPED:
                        value = sentence.text[mark.start : mark.end]
                        self._values[_pool(mark.label, value)].append(value)

    def __call__(self, message: Message, share: float = 0.27) -> Message:
        """Return the message with about this share of its values swapped, spelled anew."""
        sentences = [self._vary(sentence, share) for sentence in message.sentences]
        context = message.context
        if context and self._chance.random() < 0.1:
            context = ""
            # Without its question a bare value says nothing.
            if all(len(sentence.text.split()) < 6 for sentence in sentences):
                context = message.context
        if len(sentences) > 1 and self._chance.random() < 0.25:
            cut = self._chance.randrange(1, len(sentences))
            context = sentences[cut - 1].text
            sentences = sentences[cut:]
        return Message(sentences, context, message.source)

    def _vary(self, sentence: Sentence, share: float) -> Sentence:
        swap = self._chance.random() < min(1.0, share / 0.6)
        text, marks, position = "", [], 0
        for mark in sorted(sentence.marks, key=lambda mark: mark.start):
            text += sentence.text[position : mark.start]
            value = sentence.text[mark.start : mark.end]
            pool = self._values.get(_pool(mark.label, value))
            if swap and pool and self._chance.random() < max(0.6, share):
                value = self._chance.choice(pool)
            marks.append(Mark(len(text), len(text) + len(value), mark.label, mark.status))
            text += value
            position = mark.end
        text += sentence.text[position:]
        text, marks = self._respell(text, marks)
        return Sentence(
            sentence.kind, text, marks, sentence.worth, sentence.change, sentence.private,
            sentence.alone,
        )  # fmt: skip

    def _respell(self, text: str, marks: list[Mark]) -> tuple[str, list[Mark]]:
        """Leave out final punctuation or apostrophes, or slip on a key."""
        draw = self._chance.random()
        if draw < 0.15:
            text = text.rstrip(".!")
        elif draw < 0.3:
            return _without("'’", text, marks)
        elif draw < 0.36 and len(text) > 20:
            place = self._chance.randrange(len(text) - 1)
            inside = any(mark.start <= place + 1 and place < mark.end + 1 for mark in marks)
            if not inside and text[place].isalpha() and text[place + 1].isalpha():
                text = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        marks = [mark for mark in marks if mark.end <= len(text)]
        return text, marks


def _pool(label: str, value: str) -> str:
    """Values take the place of values of their label that begin like them (article, number)."""
    words = value.split()
    plural = "s" if words and words[-1].endswith("s") else ""
    capital = "C" if value[:1].isupper() else ""
    gerund = "g" if words and words[0].endswith("ing") else ""
    article = words[0] if words and words[0].lower() in {"a", "an", "the", "two", "my"} else ""
    return f"{label} {plural}{capital}{gerund}{article}{'+' if len(words) > 3 else ''}"


def _without(signs: str, text: str, marks: list[Mark]) -> tuple[str, list[Mark]]:
    kept = [number for number, sign in enumerate(text) if sign not in signs]
    before = np.searchsorted(kept, [[mark.start, mark.end] for mark in marks]) if marks else []
    moved = [
        Mark(int(start), int(end), mark.label, mark.status)
        for mark, (start, end) in zip(marks, before, strict=True)
    ]
    return "".join(text[number] for number in kept), moved


def batches(
    examples: Sequence[Example], size: int, chance: random.Random
) -> Iterator[list[Example]]:
    """Yield batches of examples of similar length, in random order."""
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].ids) + chance.random() * 6)
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    chance.shuffle(groups)
    for group in groups:
        yield [examples[i] for i in group]


def padded(examples: Sequence[Example]) -> dict[str, torch.Tensor]:
    """Return a batch as tensors of B texts by T tokens."""
    longest = max(len(example.ids) for example in examples)

    def pad(rows: list[list[int]], filler: int) -> torch.Tensor:
        return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows])

    return {
        "input_ids": pad([example.ids for example in examples], 0),
        "token_type_ids": pad([example.types for example in examples], 0),
        "attention_mask": pad([[1] * len(example.ids) for example in examples], 0),
        "spans": pad([example.spans for example in examples], IGNORED),
        "statuses": pad([example.statuses for example in examples], IGNORED),
        "pairs": torch.tensor([example.pair for example in examples]),
    }
