"""The forms of a word brought together, without a database to ask."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text.stemming import stem


def test_words_that_mean_different_things_keep_different_stems() -> None:
    assert len({stem(word) for word in ("even", "evening", "organ", "organization")}) == 4


def test_threads_stem_side_by_side() -> None:
    words = ["running", "cities", "happily", "nationality", "swimming", "studies"] * 500
    uncached = stem.__wrapped__
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(uncached, words)) == [uncached(word) for word in words]


@pytest.mark.parametrize(
    ("one", "other"),
    [("bought", "buying"), ("children", "child"), ("taught", "teaches"), ("mum", "mother")],
)
def test_forms_without_a_common_stem_are_brought_together(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["2023", "übung", "猫", "x", "", "'"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word.removeprefix("'")


@given(st.text(max_size=40))
def test_no_text_breaks_the_stemmer(word: str) -> None:
    assert len(stem(word)) <= len(word) + 10
