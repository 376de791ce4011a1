"""Texts cut after whole sentences and clauses, and what is never cut."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import compression


@given(st.text(max_size=300))
def test_no_text_is_too_strange_to_be_shortened(text: str) -> None:
    compression.key_spans(text)
    assert len(compression.focus(text, len, 60)) <= 60


def test_what_is_cut_ends_after_a_whole_clause_and_says_that_more_was_said() -> None:
    text = "booked flight to Lisbon, sold old bicycle, painted kitchen"
    assert compression.truncate_at_clause(text, 45) == "booked flight to Lisbon, sold old bicycle…"


def test_names_numbers_and_titles_are_the_key_spans() -> None:
    spans = compression.key_spans("In March I paid 40 euros to Anna Berg for “Blue Rivers”.")
    assert spans == ("March", "40", "Anna Berg", "Blue Rivers")


def test_of_a_long_text_the_sentences_that_were_asked_for_are_kept() -> None:
    text = "The weather was fine. We sailed to Corfu in June. Dinner was late. I was tired."
    assert compression.focus(text, lambda one: "Corfu" in one, 60) == "We sailed to Corfu in June."


@given(st.text(max_size=300), st.integers(20, 120))
def test_nothing_is_longer_than_it_may_be_and_all_of_it_was_said(text: str, most: int) -> None:
    cut = compression.truncate_at_clause(text, most)
    assert len(cut) <= most
    assert text.startswith(cut.removesuffix("…"))


def test_what_a_shorter_text_misses_of_names_and_numbers_is_named() -> None:
    spans = compression.key_spans("In March I paid 40 euros to Anna Berg for “Blue Rivers”.")
    assert compression.missing(spans, "In March paid Anna") == ["40", "Anna Berg", "Blue Rivers"]
    assert compression.missing(spans, "In March paid 40 to Anna Berg for “Blue Rivers”") == []
