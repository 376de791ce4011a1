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


CARD = (
    "You told Anna Berg that we never sail to Corfu before the 3rd of June, because the winds "
    "around the northern cape are far too strong for a boat as small and as old as ours"
)


def test_a_card_tells_a_sentence_to_its_end_in_whole_words() -> None:
    card = compression.card(CARD, 100)
    assert len(card) <= 100
    assert set(card.replace(",", "").split()) <= set(CARD.replace(",", "").split())
    for word in ("You", "Anna", "Berg", "never", "Corfu", "3rd", "June", "northern"):
        assert word in card
    assert card.rstrip(".…").split()[-1] in CARD.split()[-9:]


@given(st.text(max_size=300), st.integers(20, 120))
def test_no_card_is_longer_than_it_may_be(text: str, most: int) -> None:
    assert len(compression.card(text, most)) <= most


def test_what_a_card_misses_of_names_and_numbers_is_named() -> None:
    spans = compression.key_spans("In March I paid 40 euros to Anna Berg for “Blue Rivers”.")
    assert compression.missing(spans, "In March paid Anna") == ["40", "Anna Berg", "Blue Rivers"]
    assert compression.missing(spans, "In March paid 40 to Anna Berg for “Blue Rivers”") == []
