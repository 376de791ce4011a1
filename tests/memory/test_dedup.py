"""When one of two notes is enough."""

import pytest

from memory.language.text import dedup, terms


def same(one: str, other: str, *, loosely: bool = False) -> bool:
    first, second = terms.meaning_vectors([one, other])
    return dedup.says_the_same(one, other, first, second, loosely=loosely)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I cycle to the office.", "cycle to office"),
        ("Training for a marathon", "I'm training for the marathon!"),
        ("looking for a flat with a garden", "I'm looking for a flat that has a garden"),
        (
            "I booked a flight to Lisbon for the 12th of May",
            "I have booked a flight to Lisbon for 12 May",
        ),
        ("the exam is on May 3rd", "The exam is on the 3rd of May."),
        ("the rent is due on December 1", "The rent is due on 1 Dec."),
    ],
)
def test_the_same_in_other_words_is_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("booked a flight to Lisbon for May", "booked a flight to Lisbon for June"),
        ("I eat meat", "I don't eat meat"),
        (
            "I booked a flight to Lisbon for the 12th of May",
            "I have booked a flight to Lisbon for 13 May",
        ),
        ("the exam is on the 3rd of May", "the exam is on the 3rd of June"),
        ("paid 40 euros for the lamp", "paid 400 euros for the lamp"),
        ("met Anna in the park", "met Bruno in the park"),
        ("ran with the dog yesterday", "ran with the dog on Sunday"),
        ("training for a marathon", "planting tomatoes on the balcony"),
    ],
)
def test_other_people_numbers_times_or_a_denial_make_another_note(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(one, other, loosely=True)


def test_what_can_be_undone_needs_to_be_a_little_less_alike() -> None:
    one, other = (
        "learning to play the cello with a teacher",
        "learning the cello with a patient teacher",
    )
    assert not same(one, other)
    assert same(one, other, loosely=True)
