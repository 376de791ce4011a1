"""The network of texts: what a sentence means, and classifiers trained on labelled examples."""

from datetime import UTC, datetime
from unittest.mock import Mock

import pytest

from memory.language.classifiers.correction_classifier import changes_surely, find_change
from memory.language.classifiers.sentence_labels import label_probabilities
from memory.language.classifiers.statement_pairs import answer_probabilities, find_ending
from memory.language.reading import Reading
from memory.language.text import text_network
from memory.language.text.text_network import (
    RecentVectors,
    TextNetwork,
    encode_sentence,
    encode_sentences,
)
from memory.notes.note_extraction import read_remarks


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the surgery phoned, they've put my tooth back to Wednesday", 0),
        ("I told you wrong about Margaret, she's 87, not 78", 1),
        ("My sister has found a flat in Hull.", None),
        ("thanks, that helps", None),
    ],
)
def test_what_a_message_corrects_is_found_and_nothing_else_is_changed(
    text: str, place: int | None
) -> None:
    told = [
        "The dentist is on Monday the 8th at 9:20, the one on Wells Road.",
        "Margaret next door is 78 and sees to the dogs when we are away.",
        "The roofer wants 4,200 for the back half and a week to do it.",
    ]
    found = find_change(text, told)
    if place is None:
        assert found is None or not changes_surely(text, found)
    else:
        assert found is not None
        assert found.place == place


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


@pytest.mark.parametrize("error", [FileNotFoundError, MemoryError])
def test_without_the_weights_nothing_follows_and_nothing_fails(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextNetwork, "run", Mock(side_effect=error))
    never_read = f"Our heron has eaten the last carp again, {error.__name__}."
    assert not any(label_probabilities("intent", never_read).values())
    assert find_ending("We have no pets.", ["We have a cat now."]) == []
    assert answer_probabilities([("Where is the key?", "The key is in the teapot.")]) == [0.5]
    assert not encode_sentence(never_read).any()


def test_each_intent_that_is_answered_is_one_that_is_trained() -> None:
    from conversations.notebook import standard_answers

    trained = set(label_probabilities("intent", "Hello"))
    assert set(standard_answers.product_answers()) <= trained
    assert {*standard_answers.COURTESIES, *standard_answers.FEELINGS} <= trained


@pytest.mark.parametrize(
    ("sentence", "noted"),
    [
        ("I am on antidepressants since March.", False),
        ("Remember that my mother is deaf and signs with us.", False),
        ("My sister Nora moved to Hull in June.", True),
    ],
)
def test_what_is_probably_private_is_not_noted_unasked(sentence: str, noted: bool) -> None:
    assert bool(read_remarks(Reading(sentence), datetime(2026, 5, 1, tzinfo=UTC))) is noted
