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
    ("note", "shown"),
    [
        (
            "remember that the boiler man comes on Wednesday at 8",
            "The boiler man comes on Wednesday at 8",
        ),
        ("Remind me: plumber Monday between 8 and 10", "Plumber Monday between 8 and 10"),
        (
            "My accountant is Senhora Peixoto, she wants the receipts always early",
            "My accountant is Senhora Peixoto",
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
    ],
)
def test_a_label_says_the_thing_and_keeps_the_day(note: str, shown: str) -> None:
    assert note_label(note) == shown
