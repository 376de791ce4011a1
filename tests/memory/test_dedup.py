"""When one of two notes is enough, how a text is cut, and what a talk is about."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import compression, dedup, terms
from memory.language.text.keyphrases import Utterance, extract_keyphrases
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


GARDEN = [
    "I planted tomatoes in the vegetable garden this morning",
    "The vegetable garden needs water every evening in June",
    "My neighbour gave me a few strawberry plants for it",
    "Now the slugs are eating the tomatoes, what can I do?",
    "By the way, the piano lessons start again on Monday",
    "I practised scales for the piano lessons all afternoon",
]


def names(*texts: str) -> list[str]:
    return [one.name for one in extract_keyphrases([Utterance(text) for text in texts])]


def test_what_comes_up_again_and_again_is_named_as_a_person_would_name_it() -> None:
    found = names(*GARDEN)
    assert "Vegetable garden" in found
    assert "Piano lessons" in found
    assert len(found) <= 5


@pytest.mark.parametrize(
    "texts",
    [
        ("That is 900 euros", "I paid the euros", "How many euros?"),
        ("I go on Tuesdays", "Tuesdays suit me", "On Tuesdays it rains"),
        ("The thing is old", "I like the thing", "What a lot", "Such a lot of it"),
    ],
    ids=["money", "weekdays", "vague"],
)
def test_what_tells_nobody_anything_names_nothing(texts: tuple[str, ...]) -> None:
    assert names(*texts) == []
