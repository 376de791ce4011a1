"""What may be said: the text as it will be kept, or words about what to mend."""

from datetime import UTC, datetime
from functools import partial

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.messages import NewMessage, UnfitText, append, fit, in_range, window
from conversations.models import Conversation, Message
from conversations.titles import is_made_of, name_and_stamp, title_from
from conversations.turns import turn
from tests.people import said, together


def conversation_of(user: User, messages: int = 0) -> Conversation:
    with acting_as(user):
        talk = Conversation.objects.create(user=user)
        if messages:
            append(
                user,
                talk,
                [NewMessage(Message.Role.USER, f"Line {n + 1}") for n in range(messages)],
            )
        talk.refresh_from_db()
        return talk


def numbers(user: User, talk: Conversation) -> list[int]:
    with acting_as(user):
        rows = Message.objects.for_user(user.pk).filter(conversation=talk)
        return list(rows.order_by("number").values_list("number", flat=True))


MOST = settings.MESSAGE_MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Hello \n", "Hello"),
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("a\tb", "a\tb"),
        (
            "👩\u200d👩\u200d👧 \u202eright to left\ufffe",
            "👩\u200d👩\u200d👧 \u202eright to left\ufffe",
        ),
        (" " + "x" * MOST + "\r\n", "x" * MOST),
    ],
)
def test_a_text_is_kept_as_it_was_typed_but_for_its_ends(text: str, kept: str) -> None:
    assert fit(text) == kept
    assert fit(kept) == kept


@pytest.mark.parametrize(
    ("text", "mended", "words"),
    [
        (" \r\n\t\u2003 ", "", "Write something first."),
        ("x" * (MOST + 1), "x" * (MOST + 1), "20,001 characters long; I can read 20,000"),
        ("\x07a\x1bb\x7f\x85", "ab", "There are 4 characters in this text"),
        ("half \ud83d of a pair", "half  of a pair", "There is a character"),
        ("\x00", "", "There is a character"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_words_and_mended(
    text: str, mended: str, words: str
) -> None:
    with pytest.raises(UnfitText) as refused:
        fit(text)
    assert words in refused.value.words
    assert refused.value.mended == mended


@trials(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(text=st.text(st.characters(codec=None), max_size=300))
def test_whatever_is_accepted_can_be_stored_and_comes_back_equal(alice: User, text: str) -> None:
    try:
        text = fit(text)
    except UnfitText as unfit:
        text = fit(unfit.mended[:MOST].strip() or "nothing typed")
    message = said(alice, text)
    with acting_as(alice):
        kept = Message.objects.select_related("conversation").get(pk=message.pk)
        assert kept.content == text
        assert 0 < len(kept.conversation.title) <= 120


@pytest.mark.django_db(transaction=True)
def test_fifty_who_write_at_once_leave_no_gap_and_no_repeat(alice: User) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
    each = 4

    def write(writer: int) -> None:
        for n in range(each):
            exchange = turn.begin(alice, talk, f"{writer} says {n}")
            assert exchange.answer.number == exchange.question.number + 1

    assert together(*(partial(write, writer) for writer in range(50))) == [None] * 50
    with acting_as(alice):
        rows = Message.objects.for_user(alice.pk).filter(conversation=talk).order_by("number")
        assert list(rows.values_list("number", flat=True)) == list(range(1, 50 * each * 2 + 1))


@pytest.mark.django_db
def test_a_range_holds_nothing_of_somebody_else(alice: User, bob: User) -> None:
    talk = said(alice, "Hello").conversation
    with acting_as(bob):
        assert not in_range(bob.pk, talk.pk, 1, 6).exists()


@given(last_number=st.integers(0, 400), size=st.integers(1, 60))
def test_going_up_from_the_end_meets_every_message_once(last_number: int, size: int) -> None:
    shown = window(last_number, size)
    met = list(range(shown.first, shown.last + 1))
    while shown.earlier:
        shown = window(last_number, size, before=shown.first)
        met = [*range(shown.first, shown.last + 1), *met]
    assert met == list(range(1, last_number + 1))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Which tiles did I choose?", "Which tiles did I choose?"),
        ("I want to ask you about the move to Lisbon", "The move to Lisbon"),
        ("...", "..."),
        ("Hi! Quick question. Where do I live?", "Where do I live?"),
        (
            "Good morning. I need some help planning my daughter's seventh birthday party soon.",
            "I need some help planning my daughter's seventh birthday…",
        ),
    ],
)
def test_a_title_is_the_sentence_that_is_told_or_asked_first(said: str, name: str) -> None:
    at = datetime(2026, 11, 7, 9, 5, tzinfo=UTC)
    title = title_from(said, at)
    assert name_and_stamp(title) == (name, "07-11:09:05")
    assert is_made_of(title, said, at)


@pytest.mark.django_db(transaction=True)
def test_writers_whose_transaction_fails_leave_no_gap(alice: User) -> None:
    talk = conversation_of(alice)

    def write(writer: int) -> None:
        with acting_as(alice):
            append(alice, talk, [NewMessage(Message.Role.USER, f"Line of {writer}")])
            if writer % 3 == 0:
                raise RuntimeError

    outcomes = together(*(partial(write, writer) for writer in range(30)))
    assert sum(isinstance(one, RuntimeError) for one in outcomes) == 10
    assert numbers(alice, talk) == list(range(1, 21))
