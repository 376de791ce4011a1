"""Which of two things that one person said ends the other."""

import pytest

from memory.language.classifiers.statement_pairs import find_ending


@pytest.mark.parametrize(
    ("text", "later", "ending"),
    [
        (
            "I work at the bakery in Mill Lane.",
            ["I left the bakery, I'm at the depot."],
            [0],
        ),
        ("The exam is on the 9th.", ["It rained all day.", "The exam was moved to the 12th."], [1]),
        ("My sister Ann lives in Leeds.", ["My sister Beth lives in Rome."], []),
        ("Our dog Rex is nine.", [], []),
    ],
)
def test_what_a_later_text_ends_is_found(text: str, later: list[str], ending: list[int]) -> None:
    assert find_ending(text, later) == ending


@pytest.mark.usefixtures("no_weights")
def test_without_the_weights_nothing_ends_and_nothing_fails() -> None:
    assert find_ending("We have no pets.", ["We have a cat now."]) == []
