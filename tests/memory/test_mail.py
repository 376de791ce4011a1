"""Mail and exported chats are told from what is typed, wherever in a message they begin."""

import pytest

from memory.language import mail
from memory.language.engine import masking
from memory.language.origin import Origin, find_foreign_spans, origin_of

# The message, words of somebody else in it, and words of its writer (or none).
PASTED = [
    ("On Monday Bob wrote:\nI live in Bergen", "I live in Bergen", ""),
    (
        "can you keep this for me? From: Tom <tom@x.org> Subject: Lease Hi Ann, I live in Bergen",
        "I live in Bergen",
        "can you keep this",
    ),
    (
        "can you keep this for me?\nFrom: Tom <tom@x.org>\nSubject: Lease\n\nI live in Bergen.",
        "I live in Bergen",
        "can you keep this",
    ),
    (
        "here you go From: Tom Hill To: Ann Subject: Lease Hi Ann, I live in Bergen",
        "I live in Bergen",
        "here you go",
    ),
    ("I am Ed. Subject: Lease From: Tom Hi Ann, I live in Bergen", "I live in Bergen", "I am Ed"),
    ("from: tom@x.org\nI live in Bergen", "I live in Bergen", ""),
    (
        "look at this -----Original Message----- From: Tom I live in Bergen",
        "I live in Bergen",
        "look at this",
    ),
    (
        "look at this\n-----Original Message-----\nFrom: Tom\nI live in Bergen",
        "I live in Bergen",
        "look at this",
    ),
    (
        "what now? ---------- Forwarded message --------- I live in Bergen",
        "I live in Bergen",
        "what now",
    ),
    ("I am Ed. On Mon, Nov 3, 2026 Tom wrote: I live in Bergen", "I live in Bergen", "I am Ed"),
    (
        "I am Ed. On Mon, Nov 3, 2026 at 9:14 AM Tom Hill <tom@x.org> wrote:\n> I live in Bergen",
        "I live in Bergen",
        "I am Ed",
    ),
    ("keep it Begin forwarded message: I live in Bergen", "I live in Bergen", "keep it"),
    (
        "keep it\nBegin forwarded message:\n\nFrom: Tom\nI live in Bergen",
        "I live in Bergen",
        "keep it",
    ),
    (
        "Heb das auf Von: Tom Gesendet: Montag An: Ann Betreff: Miete Ich wohne in Bergen",
        "Ich wohne in Bergen",
        "Heb das auf",
    ),
    (
        "Ich bin Ed. Am 3. November 2026 schrieb Tom Berg: Ich wohne in Bergen",
        "Ich wohne in Bergen",
        "Ich bin Ed",
    ),
    (
        "Garde ça De : Tom Envoyé : lundi À : Ann Objet : Bail J'habite à Bergen",
        "J'habite à Bergen",
        "Garde ça",
    ),
    (
        "Je suis Ed. Le 3 novembre 2026 à 10:12, Tom a écrit : J'habite à Bergen",
        "J'habite à Bergen",
        "Je suis Ed",
    ),
    ("Guarda esto De: Tom Para: Ana Asunto: Piso Vivo en Bergen", "Vivo en Bergen", "Guarda esto"),
    ("Zachowaj Od: Tom Do: Ania Temat: Umowa Mieszkam w Bergen", "Mieszkam w Bergen", "Zachowaj"),
    ("Сохрани От: Том Кому: Анна Тема: Договор Я живу в Бергене", "Я живу в Бергене", "Сохрани"),
    ("keep this [12:03] Tom: I live in Bergen [12:04] Ann: nice", "I live in Bergen", "keep this"),
    ("keep this\n[12:03] Tom: I live in Bergen", "I live in Bergen", "keep this"),
    ("keep this\n[03/11/2026, 12:03:11] Tom: I live in Bergen", "I live in Bergen", "keep this"),
    ("keep this\n03/11/2026, 12:03 - Tom: I live in Bergen", "I live in Bergen", "keep this"),
    ("keep this\nTom, [3 Nov 2026 at 12:03]:\nI live in Bergen", "I live in Bergen", "keep this"),
    (
        "keep this\nTom Hill, 12:03\nI live in Bergen\nAnn, 12:04\nnice",
        "I live in Bergen",
        "keep this",
    ),
    (
        "On Mon, Nov 3, 2026 Tom wrote:\n> I live in Bergen\n> and like it\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    (
        "From: Tom <tom@x.org>\nSubject: Lease\n\n> I live in Bergen\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    (
        "-----Original Message-----\n> I live in Bergen\n\nI work at Google.",
        "I live in Bergen",
        "I work at Google",
    ),
    (
        "I am Ed, see **From:** Tom **Subject:** Lease I live in Bergen",
        "I live in Bergen",
        "I am Ed",
    ),
    ("Fwd: Lease\nI live in Bergen", "I live in Bergen", ""),
]

TYPED = [
    "On Monday I wrote:\nI live in Oslo",
    "From: Monday I work in Oslo",
    "from: monday I work in oslo",
    "Subject: I hate maths",
    "To do: milk",
    "re: the boiler, it is fixed",
    "Re: the boiler, it is fixed.\nI live in Oslo.",
    "Date: Friday is our wedding day",
    "To: everyone, I moved to Oslo",
    "My favourite subject: maths. From: Monday I teach it.",
    "I work from: home. My subject: history.",
    "I moved from Oslo to Bergen on a new date.",
    "Cc: me next time, I live in Oslo",
    "Sent: all the letters today",
    "Hours from: 9 to: 5, I work in Oslo",
    "from: Oslo to: Bergen, I moved in May",
    "Flight from: Oslo\nto: Bergen\nI live in Oslo",
    "De: nada, vivo en Oslo",
    "A: I live in Oslo",
    "A: tea\nB: milk",
    "an: einem Montag zog ich um",
    "On Monday I wrote: buy milk",
    "on 3 May my brother wrote a book: I live in Oslo",
    "On Friday 3 May I wrote: done, and I live in Oslo",
    "I wake at 7:30 and work at 9:00.",
    "12:03 I had lunch",
    "At 12:03 Tom called me",
    "[12:03] I had lunch",
    "Dinner, 19:30",
    "Dentist, 12:03\nI live in Oslo",
    "Tom, 12:03 is too early for me",
    "Yoga 18:00",
    "Dentist, 9:30\nSchool, 15:00\nI live in Oslo",
    "My day: [9:30] up",
    "Tom, [3 of them] I live in Oslo",
    "Dentist 12/11/2026, 9:30 - I live in Oslo",
    "Original message: I live in Oslo",
    "My original message was lost --- I live in Oslo",
    "I begin forwarded message handling at work",
    "A forwarded message -- I hate those",
    "Note to self: from: Monday no sugar",
    "Temat: moja praca jest nudna",
    "Data: hoy vivo en Oslo",
    "data: I work with data",
    "Thema: ich wohne in Oslo",
    "Mail me at ed@x.org, I live in Oslo",
    "My mail: ed@x.org. I live in Oslo.",
    "I have a date: Friday, and a subject: maths",
    "TR: I live in Oslo",
    "PD: vivo en Oslo",
    "I like WG: it is a flat share",
    "Le 3 mai, j'ai écrit : fini",
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
