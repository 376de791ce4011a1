"""Which slots of the profile a text asks about, by similarity to example questions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np

from accounts.support.process_cache import once_per_process
from memory.language.queries.query_intent import split_sentences
from memory.language.text.terms import Float32Array
from memory.language.text.text_network import encode_sentences

ALL_SLOTS = "*"
"""Everything that is known."""
_NONE = "none"
_LIKE, _LIKE_OF_A_PART = 0.62, 0.66
"""From this likeness (cosine) to an example on a sentence, or a part of it between commas, asks for
the same.
"""
_AS_LIKE = 0.01
"""Examples so near to the likest are asked for as well: an allergy may stand in two slots."""
_MOST_SENTENCES, _MOST_LETTERS = 6, 200
"""What is read of a text; a question about oneself is short."""


def asked_about(text: str) -> tuple[str, ...]:
    """Return the slots that a text asks about its author, in the order of its sentences.

    (ALL_SLOTS,) for everything that is known, () for no question.
    """
    sentences = [sentence[:_MOST_LETTERS] for sentence in split_sentences(text)[-_MOST_SENTENCES:]]
    # There may be two questions in a sentence: "When do we meet, and where do I live now?"
    parts = [part.strip() for each in sentences if "," in each for part in each.split(",")]
    asking = [*sentences, *(part for part in parts if " " in part)]
    if not asking:
        return ()
    slots, examples = _examples()
    likeness = encode_sentences(asking) @ examples.T
    asked = [
        slots[place]
        for number, row in enumerate(likeness)
        if row.max() >= (_LIKE if number < len(sentences) else _LIKE_OF_A_PART)
        for place in np.flatnonzero(row >= row.max() - _AS_LIKE)
    ]
    return tuple(slot for slot in dict.fromkeys(asked) if slot != _NONE)


@once_per_process
def _examples() -> tuple[list[str], Float32Array]:
    """Return the slots of the examples, and their unit vectors as rows."""
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    pairs = [(slot, text) for slot, texts in read.items() for text in texts]
    return [slot for slot, _ in pairs], encode_sentences([text for _, text in pairs])
