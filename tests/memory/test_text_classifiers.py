"""Classifiers of texts: trained on labelled examples, kept in a file, read by all who ask."""

from collections.abc import Callable
from datetime import UTC, datetime
from unittest.mock import Mock

import numpy as np
import pytest

from memory.language.classifiers.sentence_labels import label_probabilities
from memory.language.reading import Reading
from memory.language.text.terms import Float32Array
from memory.language.text.text_network import TextClassifier, TextNetwork, task_of
from memory.notes.note_extraction import is_noteworthy, read_remarks
from training import text_examples
from training.text_examples import Examples

# So many of the examples are read.
SOME = 500


@pytest.mark.parametrize(
    "sentence",
    [
        "Our dog Bramble sleeps in the kitchen since the flood.",
        "Our boiler is serviced every October.",
        "We get our eggs from Mrs Byrne at number nine.",
    ],
)
def test_what_tells_of_a_life_is_worth_a_note(sentence: str) -> None:
    assert is_noteworthy(Reading(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Let me think about that.",
        "That was a long queue.",
        "haha fair enough",
        "Anyway, back in a bit.",
    ],
)
def test_what_passes_is_not(sentence: str) -> None:
    assert not is_noteworthy(Reading(sentence))


@pytest.mark.parametrize(
    ("examples", "task"),
    [
        (text_examples.sentences, "sentences"),
        (text_examples.pairs, "pairs"),
        (text_examples.answers, "answers"),
    ],
)
def test_what_is_kept_for_texts_was_trained_on_the_examples_that_stand_there(
    examples: Callable[[], Examples], task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Which other text stands beside one takes minutes to find by meaning, and matters little here.
    chance = np.random.default_rng(0)
    monkeypatch.setattr(text_examples, "encode_sentence", lambda _: _anywhere(chance, 1)[0])
    monkeypatch.setattr(
        text_examples, "encode_sentences", lambda texts: _anywhere(chance, len(texts))
    )
    kept, known = TextClassifier(task), examples()
    assert set(kept.labels) == set(known.labels)
    some = known[:: len(known) // SOME]
    right = [
        label == max(_labels_beside(label, kept), key=found.__getitem__)
        for found, one in zip(kept.probabilities([one.texts for one in some]), some, strict=True)
        for label in one.labels
    ]
    assert np.mean(right) > 0.85


def _anywhere(chance: np.random.Generator, count: int) -> Float32Array:
    """So many unit vectors that point anywhere: (count, 32)."""
    vectors = chance.normal(size=(count, 32))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _labels_beside(label: str, classifier: TextClassifier) -> list[str]:
    """The labels of the same task."""
    return [one for one in classifier.labels if task_of(one) == task_of(label)]


def test_each_intent_that_is_answered_is_one_that_is_trained() -> None:
    from conversations.notebook import standard_answers

    trained = set(label_probabilities("intent", "Hello"))
    assert set(standard_answers.product_answers()) <= trained
    assert {*standard_answers.COURTESIES, *standard_answers.FEELINGS} <= trained


def test_what_cannot_be_read_is_nothing_of_which_anything_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TextNetwork, "run", Mock(side_effect=MemoryError))
    never_read = "Our heron has eaten the last carp again."
    assert not any(label_probabilities("intent", never_read).values())


@pytest.mark.parametrize(
    ("sentence", "noted"),
    [
        ("I am on antidepressants since March.", False),
        ("Remember that my mother is deaf and signs with us.", False),
        ("Remember that my mother signs with us.", True),
        ("Our boiler is serviced every October.", True),
        ("My sister Nora moved to Hull in June.", True),
    ],
)
def test_what_is_probably_private_is_not_noted_unasked(sentence: str, noted: bool) -> None:
    assert bool(read_remarks(Reading(sentence), datetime(2026, 5, 1, tzinfo=UTC))) is noted


AT = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "noted"),
    [
        # Each sentence is a note of its own.
        (
            "Our boiler is serviced every October. My sister Nora moved to Hull in June.",
            ["Our boiler is serviced every October", "My sister Nora moved to Hull in June"],
        ),
        # What asks or is private stands in none.
        ("We moved to Leeds in May. Is that far from Hull?", ["We moved to Leeds in May"]),
        (
            "My sister Nora moved to Hull in June. I am on antidepressants since March. "
            "My mother visits us in Bonn in August.",
            ["My sister Nora moved to Hull in June", "My mother visits us in Bonn in August"],
        ),
    ],
)
def test_each_sentence_worth_a_note_is_a_note(message: str, noted: list[str]) -> None:
    assert [remark.draft.content for remark in read_remarks(Reading(message), AT)] == noted


def test_what_others_wrote_is_in_no_note_with_what_was_typed() -> None:
    typed, pasted = "I moved to Lisbon in May.", "I bought a house in Oslo in June."
    said = f"{typed} {pasted}"
    reading = Reading(said, pasted=(pasted,))
    assert [remark.draft.content for remark in read_remarks(reading, AT)] == [
        typed.rstrip("."),
        pasted.rstrip("."),
    ]
