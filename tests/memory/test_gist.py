"""Few words that still say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import compression, terms


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I booked a flight to Lisbon for the 12th of May.",
            "booked flight to Lisbon for 12th of May",
        ),
        ("Well, I think we're going to buy the blue house!", "going to buy blue house"),
        ("I'm not allowed to eat peanuts.", "not allowed to eat peanuts"),
        ("I never drive without a map.", "never drive without a map"),
        ('I read "The Long Way" last week.', 'read "The Long Way" last week'),
        ("I met Dr. Brown. He was kind.", "met Dr. Brown; He kind"),
        (
            "I'm thinking about learning the cello this year.",
            "thinking about learning cello this year",
        ),
        ("We sailed a lot in those days.", "sailed lot in those days"),
        ("This is the bike that I bought this Monday.", "bike bought this Monday"),
    ],
)
def test_a_sentence_is_said_in_few_words(said: str, kept: str) -> None:
    assert compression.compress_to_telegram(said) == kept


@given(st.text(max_size=300))
def test_no_text_is_too_strange_to_be_shortened(text: str) -> None:
    assert len(compression.gist(text, 40)) <= 40
    compression.key_spans(text)
    assert len(compression.focus(text, len, 60)) <= 60


@given(
    st.lists(st.sampled_from("Lisbon 2024 never not 12th Anna the a is was so".split()), min_size=1)
)
def test_names_numbers_and_denials_outlive_every_shortening(words: list[str]) -> None:
    said = terms.split_words(compression.compress_to_telegram(" ".join(["yesterday", *words])))
    for word in words:
        if word in {"Lisbon", "2024", "never", "not", "12th", "Anna"}:
            assert word.lower() in said


def test_what_is_cut_ends_after_a_whole_clause_and_says_that_more_was_said() -> None:
    text = "booked flight to Lisbon, sold old bicycle, painted kitchen"
    assert compression.truncate_at_clause(text, 45) == "booked flight to Lisbon, sold old bicycle…"


def test_names_numbers_and_titles_are_the_key_spans() -> None:
    spans = compression.key_spans("In March I paid 40 euros to Anna Berg for “Blue Rivers”.")
    assert spans == ("March", "40", "Anna Berg", "Blue Rivers")


def test_of_a_long_text_the_sentences_that_were_asked_for_are_kept() -> None:
    text = "The weather was fine. We sailed to Corfu in June. Dinner was late. I was tired."
    assert compression.focus(text, lambda one: "Corfu" in one, 60) == "sailed to Corfu in June"


@given(st.text(max_size=300), st.integers(20, 120))
def test_nothing_is_longer_than_it_may_be_and_all_of_it_was_said(text: str, most: int) -> None:
    cut = compression.truncate_at_clause(text, most)
    assert len(cut) <= most
    assert text.startswith(cut.removesuffix("…"))


def test_what_a_shorter_text_misses_of_names_and_numbers_is_named() -> None:
    spans = compression.key_spans("In March I paid 40 euros to Anna Berg for “Blue Rivers”.")
    assert compression.missing(spans, "In March paid Anna") == ["40", "Anna Berg", "Blue Rivers"]
    assert compression.missing(spans, "In March paid 40 to Anna Berg for “Blue Rivers”") == []
