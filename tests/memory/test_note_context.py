"""Of whom a note speaks that does not say so itself: what stands before it tells."""

import pytest

from memory.notes import context_label, note_label, speaks_of_somebody_unnamed


@pytest.mark.parametrize(
    ("text", "unnamed"),
    [
        ("owe him 600 for the gearbox", True),
        ("Got a time for her at the vet's", True),
        ("and she's allergic to nuts", True),
        ("84 she is, and deaf as a post", True),
        ("On Monday she has her operation", True),
        ("Peggy wants 210 now, the batting went up, she says", False),
        ("Susan came out and had a look at him", False),
        ("my dad said he likes it", False),
        ("We moved to Leeds in May", False),
        ("The kettle went off while we were all out in the yard, and then he came", False),
    ],
)
def test_whether_somebody_is_spoken_of_who_is_not_named(text: str, unnamed: bool) -> None:
    assert speaks_of_somebody_unnamed(text) is unnamed


@pytest.mark.parametrize(
    ("before", "text", "shown"),
    [
        ("", "She is nine", ""),
        ("My sister Ida teaches.", "She is nine", "My sister Ida teaches"),
        (
            "We booked the train to London on the 8th of May, 15:55, coach C. I sleep at the house"
            " of my aunt Priya.",
            "She has a sofa bed",
            "I sleep at the house of my aunt Priya",
        ),
        (
            "The hospital sees Dad on the 24th, he is to be there for seven in the morning. My"
            " sister Catriona drives him there.",
            "No, Dad is to be there on the 23rd",
            "The hospital sees Dad on the 24th, he is to be there for seven in the morning",
        ),
        (
            "I farm 340 acres up behind the kirk, the same as my grandfather did all his life, and"
            " my brother Euan does the books on a Sunday night",
            "He hates it",
            "…the same as my grandfather did all his life, and my brother Euan does the books on"
            " a…",
        ),
    ],
)
def test_what_stands_before_a_note_names_somebody(before: str, text: str, shown: str) -> None:
    assert context_label(before, 90, text) == shown
    assert note_label(text, before).startswith(text)
