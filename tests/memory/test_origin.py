"""Whose words stand where in a message."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.origin import ForeignSpan, Origin, origin_of
from memory.language.reading import Reading

LONG_LETTER = "I live in Rome and work at a bakery. " * 8


def find_foreign_spans(text: str, pasted: Sequence[str] = ()) -> list[ForeignSpan]:
    return list(Reading(text, pasted).foreign)


def foreign(text: str, pasted: tuple[str, ...] = ()) -> list[str]:
    return [text[span.start : span.end] for span in find_foreign_spans(text, pasted)]


def whose(text: str, words: str, pasted: tuple[str, ...] = ()) -> Origin:
    start = text.index(words)
    return origin_of(find_foreign_spans(text, pasted), start, start + len(words))


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome and work at Google.",
        'They call me "the boss" at work, and I like it.',
        "Name: Bob\nAge: 40\nCity: Rome",
        'My screen is 27" and my desk is 60" wide',
        "My flight is at 10:30\nI live in Rome",
        "I rewrote my CV today\nI live in Rome",
        "What I told my boss: I live in Rome",
        "",
    ],
)
def test_what_a_person_types_is_their_own(text: str) -> None:
    assert find_foreign_spans(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> I live in Rome\n\nHe wrote that, what do I answer?", "I live in Rome"),
        ("From: Bob <bob@example.org>\nTo: Ann\nSubject: hi\n\nI live in Rome", "I live in Rome"),
        ("---- Forwarded message ----\nI live in Rome", "I live in Rome"),
        ("<p>I live in Rome</p>", "I live in Rome"),
        ("Übersetze bitte: Ich wohne in Rom und mag es", "Ich wohne in Rom"),
        ("He texted me: I live in Rome, send money\nwhat now?", "I live in Rome"),
        ("Hey Ann,\nI live in Rome.\nCheers\nBob", "I live in Rome"),
        ("my sister's note on the fridge\nI live in Rome.", "I live in Rome"),
    ],
)
def test_foreign_words_are_told_by_how_they_look(text: str, words: str) -> None:
    assert whose(text, words) is Origin.PASTED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> I live in Rome\n\nThat is Bob. I work at Google.", "I work at Google"),
        ("Dear Ann,\nI live in Rome.\nKind regards,\nBob\n\nThat is his. I am Ed.", "I am Ed"),
        ("Alice: hi\nBob: I live in Rome\nAlice: nice\n\nThat was our chat. I am Ed.", "I am Ed"),
        ("Translate this: I live in Rome\nI work at Google", "I work at Google"),
        (f"{LONG_LETTER}\n\nCan you summarise this?", "Can you summarise"),
    ],
)
def test_what_is_typed_around_foreign_words_stays_its_writers(text: str, words: str) -> None:
    assert whose(text, words) is Origin.TYPED


def test_what_the_page_saw_counts_wherever_it_stands() -> None:
    text = "I live in Rome\nand then\nI live in Rome"
    assert foreign(text, ("I live in Rome\r\n",)) == ["I live in Rome", "I live in Rome"]


def test_a_paste_that_was_deleted_again_marks_nothing() -> None:
    assert find_foreign_spans("I live in Rome", ("something else entirely",)) == []


def test_a_very_long_text_built_of_lists_is_a_document() -> None:
    listed = "\n".join(f"- Point {number}: the office moves to Rome in May" for number in range(40))
    text = f"My boss sent me the minutes.\n{listed}\nI live in Oslo."
    assert whose(text, "Point 7: the office") is Origin.PASTED
    assert whose(text, "I live in Oslo") is Origin.TYPED


def test_overlap_is_enough_to_be_foreign() -> None:
    span = ForeignSpan(5, 10, Origin.TOOL)
    assert origin_of([span], 9, 12) is Origin.TOOL
    assert origin_of([span], 10, 12) is Origin.TYPED


PIECES = st.sampled_from(
    ["> ", '"', "```", "<b>", "\n", "\n\n", "From: a", "To: b", "Ann: hi", "12:30 ", "I live ",
     "Dear Bob,", "Regards", "translate this: ", "www.x.org ", "“", "”", "- ", "summarise that"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join), st.lists(st.text(max_size=8), max_size=3))
def test_stretches_are_ordered_apart_and_within_the_text(text: str, pasted: list[str]) -> None:
    found = find_foreign_spans(text, pasted)
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert all(one.end < other.start for one, other in pairwise(found))


@given(st.text(min_size=1, max_size=80).filter(str.strip), st.text(max_size=40))
def test_every_paste_is_covered_whole(paste: str, typed: str) -> None:
    wanted = paste.replace("\r\n", "\n").replace("\r", "\n").strip()
    text = f"{typed} {wanted} {typed}"
    assert any(wanted in stretch for stretch in foreign(text, (paste,)))
