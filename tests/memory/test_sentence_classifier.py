"""Classifiers of sentences: trained on labelled examples, kept in a small file, read back."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from evaluation import sentence_training
from evaluation.sentence_training import TASKS, Known
from memory.language import Reading, SentenceClassifier, sentence_features
from memory.notes import read_remarks
from memory.notes.noteworthiness import is_noteworthy


@pytest.mark.parametrize(
    "sentence",
    [
        "Our dog Bramble sleeps in the kitchen since the flood.",
        "Our boiler is serviced every October.",
        "We get our eggs from Mrs Byrne at number nine.",
        "our rent goes up to 900 in march",
    ],
)
def test_what_tells_of_a_life_is_worth_a_note(sentence: str) -> None:
    assert is_noteworthy(sentence)


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
    assert not is_noteworthy(sentence)


def _examples(*pairs: tuple[int, str]) -> Known:
    rows = np.stack([sentence_features(text) for _, text in pairs])
    kinds = np.array([kind for kind, _ in pairs])
    return Known(["cold", "warm"], rows, kinds, np.arange(len(pairs)))


def test_it_is_the_same_after_it_was_written_down(tmp_path: Path) -> None:
    trained = sentence_training.train(
        _examples((0, "snow and ice"), (0, "a frosty night"), (1, "sun and sand"), (1, "a hot day"))
    )
    trained.save(tmp_path / "kept.npz")
    read = SentenceClassifier.load(tmp_path / "kept.npz")
    for sentence in ("snow at night", "a day in the sun"):
        before, after = trained.probabilities(sentence), read.probabilities(sentence)
        assert after == pytest.approx(before, abs=0.01)
        assert sum(after.values()) == pytest.approx(1, abs=1e-5)
    assert read.probabilities("icy snow")["cold"] > 0.5 > read.probabilities("hot sand")["cold"]


@pytest.mark.parametrize("name", TASKS)
def test_what_is_kept_was_trained_on_the_examples_that_stand_there(name: str) -> None:
    task = TASKS[name]
    kept = SentenceClassifier.load(task.path)
    assert set(kept.labels) == {example.label for example in task.examples()}
    some = sentence_training.known(task, every=25)
    found = (some.rows @ kept.weights.T).argmax(axis=1)
    right = [
        kept.labels[at] == some.labels[kind] for at, kind in zip(found, some.kinds, strict=True)
    ]
    assert np.mean(right) > 0.9


def test_each_intent_that_is_answered_is_one_that_is_trained() -> None:
    from conversations.notebook import intents, people, without_model

    trained = set(SentenceClassifier.load(intents.CLASSIFIER_PATH).labels)
    assert set(intents.answers()) | set(people.KINDS) | without_model.TASKS <= trained


@pytest.mark.parametrize(
    ("sentence", "noted"),
    [
        ("My husband has been impotent since the operation.", False),
        ("My mother is deaf and signs with us.", False),
        ("my brother has not touched a drop for six years", False),
        ("Remember that my mother is deaf and signs with us.", True),
        ("Our rent goes up to 900 in March.", True),
        ("My sister Nora moved to Hull in June.", True),
    ],
)
def test_what_is_probably_private_is_noted_only_where_that_is_asked(
    sentence: str, noted: bool
) -> None:
    assert bool(read_remarks(Reading(sentence), datetime(2026, 5, 1, tzinfo=UTC))) is noted


def test_what_puts_something_right_is_one_note_with_all_its_words() -> None:
    message = "I got that wrong, I said the boiler man comes on Tuesday. It's Thursday, same time."
    (noted,) = read_remarks(Reading(message), datetime(2026, 5, 1, tzinfo=UTC))
    assert noted.draft.content == message.rstrip(".")
    # Tuesday was wrong.
    assert noted.draft.happened_on is None
