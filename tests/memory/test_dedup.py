"""When one of two notes is enough, how a text is cut, and what a talk is about."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import compression, dedup, terms
from memory.language.text.stemming import stem


def same(one: str, other: str, *, loosely: bool = False) -> bool:
    first, second = terms.meaning_vectors([one, other])
    return dedup.says_the_same(one, other, first, second, loosely=loosely)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I cycle to the office.", "cycle to office"),
        (
            "I booked a flight to Lisbon for the 12th of May",
            "I have booked a flight to Lisbon for 12 May",
        ),
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
        ("paid 40 euros for the lamp", "paid 400 euros for the lamp"),
        ("met Anna in the park", "met Bruno in the park"),
        ("ran with the dog yesterday", "ran with the dog on Sunday"),
        ("training for a marathon", "planting tomatoes on the balcony"),
    ],
)
def test_other_people_numbers_times_or_a_denial_make_another_note(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(one, other, loosely=True)


def test_what_is_cut_ends_after_a_whole_clause_and_says_that_more_was_said() -> None:
    text = "booked flight to Lisbon, sold old bicycle, painted kitchen"
    assert compression.truncate_at_clause(text, 45) == "booked flight to Lisbon, sold old bicycle…"


@given(st.text(max_size=300), st.integers(20, 120))
def test_nothing_is_longer_than_it_may_be_and_all_of_it_was_said(text: str, most: int) -> None:
    cut = compression.truncate_at_clause(text, most)
    assert len(cut) <= most
    assert text.startswith(cut.removesuffix("…"))
    assert len(compression.focus(text, len, 60)) <= 60


def test_threads_stem_side_by_side() -> None:
    words = ["running", "cities", "happily", "nationality", "swimming", "studies"] * 500
    uncached = stem.__wrapped__
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(uncached, words)) == [uncached(word) for word in words]
