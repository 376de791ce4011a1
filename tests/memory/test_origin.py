"""Whose words stand where in a message."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.origin import ForeignSpan, Origin, origin_of
from memory.language.reading import Reading

LONG_LETTER = "I live in Rome and work at a bakery. " * 8
# The message, words of somebody else in it, and words of its writer (or none).
PASTED = [
    ("On Monday Bob wrote:\nI live in Bergen", "I live in Bergen", ""),
    ("I am Ed. Subject: Lease From: Tom Hi Ann, I live in Bergen", "I live in Bergen", "I am Ed"),
    (
        "what now? ---------- Forwarded message --------- I live in Bergen",
        "I live in Bergen",
        "what now",
    ),
    (
        "I am Ed. On Mon, Nov 3, 2026 at 9:14 AM Tom Hill <tom@x.org> wrote:\n> I live in Bergen",
        "I live in Bergen",
        "I am Ed",
    ),
    (
        "Ich bin Ed. Am 3. November 2026 schrieb Tom Berg: Ich wohne in Bergen",
        "Ich wohne in Bergen",
        "Ich bin Ed",
    ),
    ("keep this [12:03] Tom: I live in Bergen [12:04] Ann: nice", "I live in Bergen", "keep this"),
    ("keep this\nTom, [3 Nov 2026 at 12:03]:\nI live in Bergen", "I live in Bergen", "keep this"),
    (
        "On Mon, Nov 3, 2026 Tom wrote:\n> I live in Bergen\n> and like it\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    ("Fwd: Lease\nI live in Bergen", "I live in Bergen", ""),
]

TYPED = [
    "On Monday I wrote:\nI live in Oslo",
    "from: monday I work in oslo",
    "Hours from: 9 to: 5, I work in Oslo",
    "Flight from: Oslo\nto: Bergen\nI live in Oslo",
    "on 3 May my brother wrote a book: I live in Oslo",
    "At 12:03 Tom called me",
    "Tom, [3 of them] I live in Oslo",
    "Original message: I live in Oslo",
    "TR: I live in Oslo",
]


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
        "My flight is at 10:30\nI live in Rome",
        "",
    ],
)
def test_what_a_person_types_is_their_own(text: str) -> None:
    assert find_foreign_spans(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> I live in Rome\n\nHe wrote that, what do I answer?", "I live in Rome"),
        ("<p>I live in Rome</p>", "I live in Rome"),
        ("Übersetze bitte: Ich wohne in Rom und mag es", "Ich wohne in Rom"),
        ("Hey Ann,\nI live in Rome.\nCheers\nBob", "I live in Rome"),
    ],
)
def test_foreign_words_are_told_by_how_they_look(text: str, words: str) -> None:
    assert whose(text, words) is Origin.PASTED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> I live in Rome\n\nThat is Bob. I work at Google.", "I work at Google"),
        ("Dear Ann,\nI live in Rome.\nKind regards,\nBob\n\nThat is his. I am Ed.", "I am Ed"),
        ("Translate this: I live in Rome\nI work at Google", "I work at Google"),
        (f"{LONG_LETTER}\n\nCan you summarise this?", "Can you summarise"),
    ],
)
def test_what_is_typed_around_foreign_words_stays_its_writers(text: str, words: str) -> None:
    assert whose(text, words) is Origin.TYPED


def test_what_the_page_saw_counts_wherever_it_stands() -> None:
    text = "I live in Rome\nand then\nI live in Rome"
    assert foreign(text, ("I live in Rome\r\n",)) == ["I live in Rome", "I live in Rome"]


@pytest.mark.parametrize(("text", "theirs", "own"), PASTED)
def test_a_mail_or_a_chat_is_pasted_from_its_head_on(text: str, theirs: str, own: str) -> None:
    assert whose(text, theirs) is Origin.PASTED
    if own:
        assert whose(text, own) is Origin.TYPED


@pytest.mark.parametrize("text", TYPED)
def test_a_word_with_a_colon_or_a_time_is_typed(text: str) -> None:
    assert find_foreign_spans(text) == []


@given(st.text(min_size=1, max_size=80).filter(str.strip), st.text(max_size=40))
def test_every_paste_is_covered_whole(paste: str, typed: str) -> None:
    wanted = paste.replace("\r\n", "\n").replace("\r", "\n").strip()
    text = f"{typed} {wanted} {typed}"
    assert any(wanted in stretch for stretch in foreign(text, (paste,)))
