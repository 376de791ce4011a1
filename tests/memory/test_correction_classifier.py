"""A message that puts right what was said before it, by examples where no rule is sure."""

from pathlib import Path

import pytest

from memory.language.classifiers.correction_classifier import (
    changes_surely,
    correction_probabilities,
    find_change,
    surely_corrects,
)
from memory.language.reading import is_correction

ROWS = Path(__file__).parent / "scored" / "putting_right.tsv"


def test_most_of_what_says_of_itself_that_it_puts_right_is_heard_and_little_else() -> None:
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    wrong = [text for label, text in rows if is_correction(text) is not (label == "corrects")]
    assert len(wrong) <= 0.42 * len(rows), wrong


def test_what_nothing_stands_before_puts_nothing_right() -> None:
    assert not surely_corrects("Friday, not Thursday", [])
    assert correction_probabilities("Friday, not Thursday", []) == []


_TOLD = [
    "Oluwaseun borrows the trailer till Sunday, for the hedge.",
    "The dentist is on Monday the 8th at 9:20, the one on Wells Road.",
    "Margaret next door is 78 and sees to the dogs when we are away.",
    "The roofer wants 4,200 for the back half and a week to do it.",
    "Nan's birthday tea is at our house on the 14th, all eleven of us.",
    "Sold 84 lambs at the mart, best price in years.",
]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("the surgery phoned, they've put my tooth back to Wednesday", "The dentist"),
        ("I told you wrong about Margaret, she's 87, not 78", "Margaret"),
        ("the roof comes to 3,900 after all", "The roofer"),
        ("no wait, the tea is on the 15th, the 14th is a Sunday", "Nan's birthday"),
        ("sorry, not 84, I meant 48", "Sold 84"),
        ("he brought the trailer back this morning", "Oluwaseun"),
    ],
)
def test_of_several_the_one_that_is_put_right_is_found(text: str, about: str) -> None:
    found = find_change(text, _TOLD)
    assert found is not None
    assert _TOLD[found.place].startswith(about)


@pytest.mark.parametrize(
    "text",
    [
        "My sister has found a flat in Hull.",
        "The weather turned at noon, so we stayed in and played cards.",
        "When is the dentist?",
        "thanks, that helps",
    ],
)
def test_what_tells_of_something_else_changes_none_of_them(text: str) -> None:
    found = find_change(text, _TOLD)
    assert found is None or not changes_surely(text, found)


def test_nothing_is_changed_where_nothing_was_said() -> None:
    assert find_change("it is on Friday now", []) is None
