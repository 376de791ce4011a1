"""A note can be understood by itself: where each begins, and what is left unnoted."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.language.reading import Reading
from memory.notes.note_extraction import ALONE, read_remarks

AT = datetime(2026, 5, 1, tzinfo=UTC)
_DOG = "We got a puppy from the shelter in Hull."
_CAT = "We have a new cat."
_NAMED = "Her name is Soot."
_VET = "She sees the vet on Friday at 3."


def judged(
    *sentences: tuple[str, bool], kind: str = "s", marked: bool = True, pasted: tuple[str, ...] = ()
) -> Reading:
    """A text of sentences worth a note, each with whether it stands alone."""
    reading = Reading(" ".join(text for text, _ in sentences), pasted)
    read = reading.read
    assert len(read.sentences) == len(sentences)
    told = [
        replace(one, kind=kind, worth=0.9, alone=ALONE if alone else 0.1)
        for one, (_, alone) in zip(read.sentences, sentences, strict=True)
    ]
    spans = read.spans if marked else ()
    reading.take_parts({"read": replace(read, sentences=tuple(told), spans=spans)})
    return reading


def noted(reading: Reading) -> list[str]:
    return [remark.draft.content for remark in read_remarks(reading, AT)]


def test_each_sentence_that_stands_alone_is_a_note() -> None:
    reading = judged((_DOG, True), ("Nora moved to Bonn in June.", True))
    assert reading.stands_alone
    assert noted(reading) == [_DOG.rstrip("."), "Nora moved to Bonn in June"]


def test_what_stands_right_behind_one_and_has_a_value_joins_it() -> None:
    together = f"{_DOG} {_VET}".rstrip(".")
    assert noted(judged((_DOG, True), (_VET, False))) == [together]


def test_what_has_no_value_joins_nothing() -> None:
    reading = judged((_DOG, True), (_VET, False), marked=False)
    assert noted(reading) == [_DOG.rstrip(".")]


def test_no_note_begins_with_what_does_not_stand_alone() -> None:
    reading = judged((_VET, False), (_DOG, True))
    assert noted(reading) == [_DOG.rstrip(".")]
    assert not judged((_VET, False)).stands_alone
    assert noted(judged((_VET, False))) == []


def test_what_others_wrote_joins_no_note_of_what_was_typed() -> None:
    reading = judged((_DOG, True), (_VET, False), pasted=(_VET,))
    assert noted(reading) == [_DOG.rstrip(".")]


def test_an_order_to_remember_is_noted_whatever_it_says() -> None:
    assert noted(judged((_VET, False), kind="r")) == [_VET.rstrip(".")]


# --- As the trained reader judges them ------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "She turned 74.",
        "They want to see her again on Friday at 3.",
        "It costs 640 for the week.",
        "owe him 600 for the gearbox",
        "They moved it to the 14th.",
    ],
)
def test_what_does_not_say_of_whom_or_what_it_speaks_is_not_noted(text: str) -> None:
    assert noted(Reading(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "My sister Nora moved to Hull in June",
        "Our boiler is serviced every October",
        "Peggy wants 210 now for the quilt, the batting went up",
        "The dentist is on Monday the 8th at 9:20, the one on Wells Road",
    ],
)
def test_what_says_of_whom_or_what_it_speaks_is_noted(text: str) -> None:
    assert noted(Reading(f"{text}.")) == [text]


def test_what_goes_on_about_it_stands_in_the_same_note() -> None:
    assert noted(Reading(f"{_CAT} {_NAMED}")) == [f"{_CAT} {_NAMED}".rstrip(".")]
