"""What is told of somebody close is noted as it was said, and a chip says the thing itself."""

from datetime import UTC, datetime

import pytest

from memory.language.reading import Reading
from memory.notes import note_extraction
from memory.notes.labels import note_label

AT = datetime(2026, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "said",
    [
        "My aunt Rosa is 70.",
        "My sister Nora is vegan.",
        "My cousin Fenella moved to Perth.",
        "Theo can't have gluten, he's celiac.",
        "We have the twins, Ines and Raul, they are 7.",
        "Our cat Biscuit is twelve and needs half a pill every evening.",
        "My mother-in-law Hedda is lactose intolerant.",
        "mums bday is 28th march shes turning 55, carol",
        "The vet appointment for Kipper is on the 3rd at 4pm.",
    ],
)
def test_what_is_told_of_somebody_close_is_noted(said: str) -> None:
    reading = Reading(said)
    (noted,) = note_extraction.read_remarks(reading, AT, reading.facts)
    assert noted.draft.content == said.rstrip(".")


def test_what_a_farewell_mentions_is_noted_only_where_it_surely_matters() -> None:
    leaving = Reading("Ok I gotta let the dog out before he has an accident. Bye bye now")
    assert note_extraction.read_remarks(leaving, AT, leaving.facts) == []
    matters = Reading("Bye now, talk soon. The dentist is on the 14th of May at nine.")
    (noted,) = note_extraction.read_remarks(matters, AT, matters.facts)
    assert "dentist" in noted.draft.content


@pytest.mark.parametrize(
    "said",
    [
        "Theo called last night to tell me about it.",
        "What is my aunt called?",
        "It is 2019.",
        "can you show me everything and can i delete bits",
    ],
)
def test_what_tells_nothing_lasting_is_not(said: str) -> None:
    reading = Reading(said)
    assert note_extraction.read_remarks(reading, AT, reading.facts) == []


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (
            "I see Anna on Friday at 4 pm. She moved to Bern in May.",
            ["I see Anna on Friday at 4 pm. She moved to Bern in May."],
        ),
        # What is private is left out alone.
        (
            "Anna is coming to tea on Friday at 4 pm. She has depression since May.",
            ["Anna is coming to tea on Friday at 4 pm."],
        ),
        # Nor is what somebody else wrote taken along.
        (
            "> My sister Nora lives in Hull.\nShe moved to Bern in May with me and our two cats.",
            ["She moved to Bern in May with me and our two cats."],
        ),
    ],
)
def test_who_is_meant_is_noted_with_what_is_said_of_them(text: str, noted: list[str]) -> None:
    reading = Reading(text)
    found = note_extraction.read_remarks(reading, AT, reading.facts)
    assert [one.draft.original or one.draft.content for one in found] == [
        line.rstrip(".") for line in noted
    ]


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (
            "remember that the boiler man comes on Wednesday at 8",
            "The boiler man comes on Wednesday at 8",
        ),
        ("Remind me: plumber Monday between 8 and 10", "Plumber Monday between 8 and 10"),
        (
            "My accountant is Senhora Peixoto in the Rua Nova in Porto, she wants all the receipts "
            "always early",
            "My accountant is Senhora Peixoto in the Rua Nova in Porto, she wants all the receipts "
            "always early",
        ),
        (
            "I am a vegetarian as long as I cook at home, but with clients I eat what comes",
            "I am a vegetarian as long as I cook at home, but with clients I eat what comes",
        ),
        (
            "The delivery is moved by the firm again, it's Thursday now",
            "The delivery is moved by the firm again, it's Thursday now",
        ),
        ("We have two hens", "We have two hens"),
        ("put this down: dentist Friday 9am", "Dentist Friday 9am"),
        ("Jot down that the boiler man comes Thursday", "The boiler man comes Thursday"),
        ("Put down the old dog last week", "Put down the old dog last week"),
        (
            "The dresser of ash is 1,790 wide, 2,150 high and 420 deep, has no handles except two"
            " finger pulls at the top, no feet that show, and stands on the wall of the kitchen",
            "The dresser of ash is 1,790 wide, 2,150 high and 420 deep, has no handles except two"
            " finger pulls at the top, no feet that show, and stands on the wall of the kitchen",
        ),
        (
            ", ".join(f"board {n} is {n} mm thick" for n in range(10, 30)),
            "Board 10 is 10 mm thick, "
            + ", ".join(f"board {n} is {n} mm thick" for n in range(11, 23))
            + "…",
        ),
    ],
)
def test_a_label_says_the_thing_and_keeps_the_day(note: str, shown: str) -> None:
    assert note_label(note) == shown
