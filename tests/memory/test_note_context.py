"""What a note says at a glance, and what is shown of the words before a quote."""

import pytest

from memory.notes.labels import context_label, note_label


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("please remember that the boiler man comes on Friday", "The boiler man comes on Friday"),
        ("Oh, and Ida moved to Hull lol", "Ida moved to Hull"),
        ("We moved to Leeds in May", "We moved to Leeds in May"),
    ],
)
def test_a_note_is_shown_without_the_words_around_it(text: str, shown: str) -> None:
    assert note_label(text) == shown


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("", ""),
        ("My sister Ida teaches.", "My sister Ida teaches"),
        ("We rented a hut.  It has a stove.", "We rented a hut. It has a stove"),
        (
            "We booked the train to London on the 8th of May, 15:55, coach C. I sleep at the house"
            " of my aunt Priya.",
            "I sleep at the house of my aunt Priya",
        ),
        (
            "I farm 340 acres up behind the kirk, the same as my grandfather did all his life, and"
            " my brother Euan does the books on a Sunday night",
            "I farm 340 acres up behind the kirk, the same as my grandfather did all his life…",
        ),
    ],
)
def test_of_what_was_said_before_the_end_is_shown(before: str, shown: str) -> None:
    assert context_label(before, 90) == shown
