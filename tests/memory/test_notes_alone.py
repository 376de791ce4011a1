"""A note can be understood by itself: where each begins, and what is left unnoted."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.language.reading import Reading
from memory.notes.note_extraction import ALONE, read_remarks

AT = datetime(2026, 5, 1, tzinfo=UTC)
_DOG = "We got a puppy from the shelter in Hull."
_VET = "She sees the vet on Friday at 3."


def judged(*sentences: tuple[str, bool], pasted: tuple[str, ...] = ()) -> Reading:
    """A text of sentences worth a note, each with whether it stands alone."""
    reading = Reading(" ".join(text for text, _ in sentences), pasted)
    read = reading.read
    assert len(read.sentences) == len(sentences)
    told = [
        replace(one, kind="s", worth=0.9, alone=ALONE if alone else 0.1)
        for one, (_, alone) in zip(read.sentences, sentences, strict=True)
    ]
    reading.take_parts({"read": replace(read, sentences=tuple(told))})
    return reading


def noted(reading: Reading) -> list[str]:
    return [remark.draft.content for remark in read_remarks(reading, AT)]


def test_each_sentence_that_stands_alone_is_a_note() -> None:
    reading = judged((_DOG, True), ("Nora moved to Bonn in June.", True))
    assert reading.stands_alone
    assert noted(reading) == [_DOG.rstrip("."), "Nora moved to Bonn in June"]


def test_what_stands_right_behind_one_joins_it_unless_others_wrote_it() -> None:
    assert noted(judged((_DOG, True), (_VET, False))) == [f"{_DOG} {_VET}".rstrip(".")]
    pasted = judged((_DOG, True), (_VET, False), pasted=(_VET,))
    assert noted(pasted) == [_DOG.rstrip(".")]


def test_no_note_begins_with_what_does_not_stand_alone() -> None:
    reading = judged((_VET, False), (_DOG, True))
    assert noted(reading) == [_DOG.rstrip(".")]
    assert not judged((_VET, False)).stands_alone
    assert noted(judged((_VET, False))) == []


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("She turned 74", False),
        ("They moved it to the 14th", False),
        ("It costs 640 for the week", False),
        ("My sister Nora moved to Hull in June", True),
        ("The dentist is on Monday the 8th at 9:20, the one on Wells Road", True),
    ],
)
def test_only_what_says_of_whom_or_what_it_speaks_is_noted(text: str, stands: bool) -> None:
    assert noted(Reading(f"{text}.")) == ([text] if stands else [])
