"""The sentence encoder: what a sentence means, whatever its words."""

import numpy as np
import pytest

from memory.language.text import text_network
from memory.language.text.text_network import (
    SENTENCE_DIMENSIONS,
    RecentVectors,
    encode_sentence,
    encode_sentences,
)


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_network, "_recent", RecentVectors(4096))


@pytest.mark.parametrize(
    ("question", "nearer", "farther"),
    [
        (
            "Where is the thing I need if I'm stuck outside my own door?",
            "The spare key is in the blue teapot.",
            "The cat is asleep in the blue basket.",
        ),
        ("When does the baby come?", "She is due in October.", "She is paid in October."),
    ],
)
def test_what_answers_is_nearer_whatever_its_words(
    question: str, nearer: str, farther: str
) -> None:
    asked, near, far = encode_sentences([question, nearer, farther])
    assert asked @ near > asked @ far


def test_the_vectors_are_nearly_those_of_the_model_that_was_published() -> None:
    # By sentence-transformers 5.1 for the same weights, which are in 8 bits here.
    found = encode_sentence("This is an example sentence")
    assert found[:4] == pytest.approx([0.0676569, 0.0634959, 0.0487131, 0.0793049], abs=5e-3)


def test_a_sentence_means_the_same_alone_and_among_others() -> None:
    texts = ["My sister lives in Leeds.", "", "🙂", "word " * 500, "Is it late?"]
    together = encode_sentences(texts)
    assert together.shape == (5, SENTENCE_DIMENSIONS)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    network = text_network.text_network()
    for text, vector in zip(texts, together, strict=True):
        assert network.run("vectors", [text])[0] == pytest.approx(vector, abs=1e-5)
    assert encode_sentences([]).shape == (0, SENTENCE_DIMENSIONS)


def test_of_what_was_read_no_word_is_kept_and_not_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_network, "_recent", RecentVectors(3))
    encode_sentences(["one", "two", "three"])
    encode_sentence("one")
    encode_sentence("four")
    kept = text_network._recent._vectors
    assert list(kept) == [text_network._digest(text) for text in ("three", "one", "four")]
    assert not any(text.encode() in key for key in kept for text in ("three", "one", "four"))


@pytest.mark.usefixtures("no_weights")
def test_without_the_weights_a_sentence_has_no_meaning_and_nothing_else_fails() -> None:
    assert not encode_sentence("My sister lives in Leeds.").any()
