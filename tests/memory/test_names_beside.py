"""Relatives and pets are noted with the names that stand beside them, and no other."""

import pytest

from accounts.models import User
from memory.language.reading import Reading
from tests.people import tell, values


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My husband Tom and our two kids, Ella (7) and Finn, who's 4.",
         {"husband Tom", "two kids Ella and Finn"}),
        ("We have three children: Anna, Lea and Jo.", {"three children Anna, Lea and Jo"}),
        ("Our kids are called Mia and Ben.", {"kids Mia and Ben"}),
        ("My sister Ada and my brother Tom are here.", {"sister Ada", "brother Tom"}),
        ("My brother Tom met Ann.", {"brother Tom"}),
        ("We have a cat called Biscuit and two goldfish.", {"cat Biscuit", "two goldfish"}),
        ("I have a dog, Rex, and a cat named Tom.", {"dog Rex", "cat Tom"}),
    ],
)  # fmt: skip
def test_each_has_its_names(said: str, told: set[str]) -> None:
    assert {fact.value for fact in Reading(said).facts} == told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have a cat.", "My cat is called Miso."),
        ("My cat is called Miso.", "I have a cat."),
    ],
)
def test_what_has_a_name_is_noted_once(alice: User, first: str, second: str) -> None:
    tell(alice, first)
    tell(alice, second)
    assert values(alice, "pets") == {"cat Miso"}
