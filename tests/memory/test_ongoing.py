"""Whether a message goes on with what its person is at, or only asks."""

import pytest

from memory.retrieval import ongoing_topic
from tests.clock import ends_in_reasonable_time


@pytest.mark.parametrize(
    "text",
    [
        "I finished the second chapter. What comes next?",
        "Hello. I'm ready for the next step of the move.",
        "Okay, I painted the first wall.",
        "The tiles arrived today, but my saw is still broken.",
        "That was a long day... I did not practise at all.",
        "We agreed on two runs a week. Please remind me to stretch as well.",
        "I laid 3.5 metres of the path. Shall we go on?",
    ],
)
def test_who_tells_how_things_stand_goes_on(text: str) -> None:
    assert ongoing_topic.goes_on(text.lower())


@pytest.mark.parametrize(
    "text",
    [
        "Which instrument do I play?",
        "what was my first teacher called",
        "Tell me what I said about the boat.",
        "I wonder when we moved.",
        "I forgot what my aunt's dog is called.",
        "Since I moved, how far is my way to work in version 2.5?",
        "guitar lessons",
        "",
    ],
)
def test_a_bare_question_does_not(text: str) -> None:
    assert not ongoing_topic.goes_on(text.lower())


@pytest.mark.parametrize(
    "text",
    [
        "I am packing for Norway. What did I take along the last time?",
        "We talked about a book once. Can you remind me what it is called?",
        "I am planning an evening with friends. Can you suggest a film?",
        "I want to redo the garden. What kind of plants should I look for?",
    ],
)
def test_who_looks_back_or_wants_advice_is_answered_from_any_time(text: str) -> None:
    assert not ongoing_topic.goes_on(text.lower())


@pytest.mark.parametrize("text", ["." * 20_000, "and i " * 3_500 + "?", "why, " * 4_000 + "?"])
def test_no_text_takes_long_to_read(text: str) -> None:
    with ends_in_reasonable_time():
        ongoing_topic.goes_on(text)
