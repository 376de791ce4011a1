"""Whether what somebody told answers what they ask later, in whatever words."""

import pytest

from memory.language.classifiers.statement_pairs import answer_probabilities

TOLD = {
    "The boiler man is coming Wednesday at 8.": (
        "when does somebody look at our heating?",
        "What does the boiler man charge?",
    ),
    "put the spare key in the blue teapot on top of the fridge": (
        "wheres the thing i need if im stuck outside my own door",
        "Who gave me the spare key?",
    ),
    "Rory is coeliac, so no bread and no normal pasta.": (
        "Why can't Rory have ordinary pasta?",
        "When was Rory born?",
    ),
    "Photographer is sorted: Simba Moyo, 850 dollars for the entire day.": (
        "Who is taking the pictures?",
        "Who bakes the cake?",
    ),
    "My sister Judith lives in Two Harbors and keeps three goats.": (
        "What animals does my sister have?",
        "How old is my brother?",
    ),
}


@pytest.mark.parametrize(("text", "answered", "silent"), [(t, *q) for t, q in TOLD.items()])
def test_a_question_that_is_answered_is_told_from_one_that_is_not(
    text: str, answered: str, silent: str
) -> None:
    found = answer_probabilities([(answered, text), (silent, text)])
    assert found[0] > 0.3 > found[1]


@pytest.mark.usefixtures("no_weights")
def test_without_the_weights_an_answer_is_as_probable_as_not() -> None:
    assert answer_probabilities([("Where is the key?", "The key is in the teapot.")]) == [0.5]


def test_nothing_told_is_no_answer() -> None:
    assert answer_probabilities([]) == []
