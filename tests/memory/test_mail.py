"""Mail and exported chats are told from what is typed, wherever in a message they begin."""

import pytest

from memory.language import mail
from memory.language.engine import masking
from memory.language.origin import Origin, find_foreign_spans, origin_of

# The message, words of somebody else in it, and words of its writer (or none).
PASTED = [
    ("On Monday Bob wrote:\nI live in Bergen", "I live in Bergen", ""),
    (
        "can you keep this for me?\nFrom: Tom <tom@x.org>\nSubject: Lease\n\nI live in Bergen.",
        "I live in Bergen",
        "can you keep this",
    ),
    ("I am Ed. Subject: Lease From: Tom Hi Ann, I live in Bergen", "I live in Bergen", "I am Ed"),
    (
        "look at this -----Original Message----- From: Tom I live in Bergen",
        "I live in Bergen",
        "look at this",
    ),
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
        "keep it\nBegin forwarded message:\n\nFrom: Tom\nI live in Bergen",
        "I live in Bergen",
        "keep it",
    ),
    (
        "Ich bin Ed. Am 3. November 2026 schrieb Tom Berg: Ich wohne in Bergen",
        "Ich wohne in Bergen",
        "Ich bin Ed",
    ),
    (
        "Je suis Ed. Le 3 novembre 2026 à 10:12, Tom a écrit : J'habite à Bergen",
        "J'habite à Bergen",
        "Je suis Ed",
    ),
    ("Zachowaj Od: Tom Do: Ania Temat: Umowa Mieszkam w Bergen", "Mieszkam w Bergen", "Zachowaj"),
    ("keep this [12:03] Tom: I live in Bergen [12:04] Ann: nice", "I live in Bergen", "keep this"),
    ("keep this\n[03/11/2026, 12:03:11] Tom: I live in Bergen", "I live in Bergen", "keep this"),
    ("keep this\nTom, [3 Nov 2026 at 12:03]:\nI live in Bergen", "I live in Bergen", "keep this"),
    (
        "On Mon, Nov 3, 2026 Tom wrote:\n> I live in Bergen\n> and like it\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    (
        "-----Original Message-----\n> I live in Bergen\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    ("Fwd: Lease\nI live in Bergen", "I live in Bergen", ""),
]

TYPED = [
    "On Monday I wrote:\nI live in Oslo",
    "from: monday I work in oslo",
    "To do: milk",
    "Re: the boiler, it is fixed.\nI live in Oslo.",
    "To: everyone, I moved to Oslo",
    "I work from: home. My subject: history.",
    "Cc: me next time, I live in Oslo",
    "Hours from: 9 to: 5, I work in Oslo",
    "Flight from: Oslo\nto: Bergen\nI live in Oslo",
    "A: I live in Oslo",
    "an: einem Montag zog ich um",
    "on 3 May my brother wrote a book: I live in Oslo",
    "I wake at 7:30 and work at 9:00.",
    "At 12:03 Tom called me",
    "Dinner, 19:30",
    "Tom, 12:03 is too early for me",
    "Dentist, 9:30\nSchool, 15:00\nI live in Oslo",
    "Tom, [3 of them] I live in Oslo",
    "Original message: I live in Oslo",
    "I begin forwarded message handling at work",
    "Note to self: from: Monday no sugar",
    "Data: hoy vivo en Oslo",
    "Thema: ich wohne in Oslo",
    "My mail: ed@x.org. I live in Oslo.",
    "TR: I live in Oslo",
    "I like WG: it is a flat share",
    "Am 3. Mai schrieb ich: fertig",
]


def whose(text: str, words: str) -> Origin:
    start = text.index(words)
    return origin_of(find_foreign_spans(text), start, start + len(words))


@pytest.mark.parametrize(("text", "theirs", "own"), PASTED)
def test_a_mail_or_a_chat_is_pasted_from_its_head_on(text: str, theirs: str, own: str) -> None:
    assert whose(text, theirs) is Origin.PASTED
    if own:
        assert whose(text, own) is Origin.TYPED


@pytest.mark.parametrize("text", TYPED)
def test_a_word_with_a_colon_or_a_time_is_typed(text: str) -> None:
    assert find_foreign_spans(text) == []


def test_at_least_as_many_are_not_to_be_taken_for_pasted() -> None:
    assert len(set(TYPED)) >= len(PASTED)


def test_of_a_mail_nothing_is_read_as_its_finder_s_own() -> None:
    text = "Keep this From: Tom <tom@x.org> Subject: Lease I live in Bergen"
    assert "Bergen" not in masking.mask_text(text)
    assert "Keep this" in masking.mask_text(text)
    assert masking.mask_text("From: Monday I work in Oslo") == "From: Monday I work in Oslo"


def test_of_two_mails_with_answers_between_both_are_found() -> None:
    reply = "On Mon, Nov 3, 2026 Tom wrote:\n> I live in Bergen\n\n"
    text = f"{reply}I am Ed.\n{reply}I work at Google."
    assert [text[start:end] for start, end in mail.stretches(text)] == [reply.rstrip()] * 2


@pytest.mark.parametrize(
    "piece", ["Subject: ", "From: a ", "On 3 ", "3 x ", "From: a\n", "de: à: "]
)
def test_many_signs_and_no_mail_end_the_search_all_the_same(piece: str) -> None:
    text = piece * 5000
    found = list(mail.stretches(text))
    assert all(0 <= start < end <= len(text) for start, end in found)
