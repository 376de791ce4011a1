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
from conversations.titles import NEW, is_made_of, name_and_stamp, title_from
from conversations.turns import turn
from tests.people import said, together

MOST = settings.MESSAGE_MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hello", "Hello"),
        ("  Hello \n", "Hello"),
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("a\tb", "a\tb"),
        (
            "👩\u200d👩\u200d👧 \u202eright to left\ufffe",
            "👩\u200d👩\u200d👧 \u202eright to left\ufffe",
        ),
        ("x" * MOST, "x" * MOST),
        (" " + "x" * MOST + "\r\n", "x" * MOST),
        ("'; drop table users; --", "'; drop table users; --"),
    ],
)
def test_a_text_is_kept_as_it_was_typed_but_for_its_ends(text: str, kept: str) -> None:
    assert fit(text) == kept
    assert fit(kept) == kept


@pytest.mark.parametrize(
    ("text", "mended", "words"),
    [
        ("", "", "Write something first."),
        (" \r\n\t\u2003 ", "", "Write something first."),
        ("x" * (MOST + 1), "x" * (MOST + 1), "20,001 characters long; I can read 20,000"),
        ("é" * 200_000, "é" * 200_000, "200,000 characters long"),
        ("a\x00b", "ab", "There is a character in this text"),
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


def accepted(text: str) -> str | None:
    try:
        return fit(text)
    except UnfitText:
        return None


ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


@given(ANY_TEXT)
def test_what_comes_back_mended_is_fit_or_empty(text: str) -> None:
    try:
        fit(text)
    except UnfitText as unfit:
        mended = unfit.mended
    else:
        return
    assert not mended.strip() or fit(mended)


@trials(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(text=ANY_TEXT)
def test_whatever_is_accepted_can_be_stored_and_comes_back_equal(alice: User, text: str) -> None:
    text = accepted(text) or "nothing typed"
    message = said(alice, text)
    with acting_as(alice):
        kept = Message.objects.select_related("conversation").get(pk=message.pk)
        assert kept.content == text
        assert 0 < len(kept.conversation.title) <= 120


@pytest.mark.parametrize(
    "text",
    [
        "a-" * (MOST // 2),
        "http://a.b/c " * (MOST // 13),
        "👍" * MOST,
        "w " * (MOST // 2),
        "x" * MOST,
    ],
    ids=["hyphens", "addresses", "emoji", "words", "one word"],
)
def test_the_longest_texts_can_be_stored(alice: User, text: str) -> None:
    message = said(alice, fit(text))
    with acting_as(alice):
        assert Message.objects.get(pk=message.pk).content == fit(text)


@pytest.mark.django_db
def test_numbers_go_on_from_the_last_and_the_title_is_the_first_words(alice: User) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        first = append(
            alice,
            talk,
            [
                NewMessage(Message.Role.USER, "one two three four five"),
                NewMessage(Message.Role.ASSISTANT),
            ],
        )
        second = append(alice, talk, [NewMessage(Message.Role.USER, "another")])
        talk.refresh_from_db()
    assert [message.number for message in (*first, *second)] == [1, 2, 3]
    assert talk.last_number == 3
    assert talk.title == title_from("one two three four five", first[0].said_at)


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


@pytest.mark.django_db(transaction=True)
def test_fifty_who_write_at_once_leave_no_gap_and_no_repeat(alice: User) -> None:
    talk = conversation_of(alice)
    each = 4

    def write(writer: int) -> None:
        for n in range(each):
            exchange = turn.begin(alice, talk, f"{writer} says {n}")
            assert exchange.answer.number == exchange.question.number + 1

    assert together(*(partial(write, writer) for writer in range(50))) == [None] * 50
    assert numbers(alice, talk) == list(range(1, 50 * each * 2 + 1))
    with acting_as(alice):
        talk.refresh_from_db()
    assert talk.last_number == 50 * each * 2


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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (1, 3, [1, 2, 3]),
        (4, 4, [4]),
        (5, 99, [5, 6]),
        (0, 2, [1, 2]),
        (5, 2, []),
        (7, 9, []),
    ],
)
def test_a_range_of_numbers_is_read_in_order(
    alice: User, first: int, last: int, found: list[int]
) -> None:
    talk = conversation_of(alice, 6)
    with acting_as(alice):
        assert [one.number for one in in_range(alice.pk, talk.pk, first, last)] == found


@pytest.mark.django_db
def test_a_range_holds_nothing_of_somebody_else(alice: User, bob: User) -> None:
    talk = conversation_of(alice, 6)
    with acting_as(bob):
        assert not in_range(bob.pk, talk.pk, 1, 6).exists()


@given(
    last_number=st.integers(0, 400),
    size=st.integers(1, 60),
    asked=st.fixed_dictionaries(
        {name: st.one_of(st.just(0), st.integers(-5, 500)) for name in ("at", "before", "after")}
    ),
)
def test_a_window_lies_within_the_conversation_and_is_as_large_as_it_may(
    last_number: int, size: int, asked: dict[str, int]
) -> None:
    found = window(last_number, size, **asked)
    assert found.first >= 1
    assert found.last <= last_number
    assert found.last - found.first + 1 <= size
    if found.first > 1:
        assert found.last - found.first + 1 == size
    assert found.earlier + (found.last - found.first + 1) + found.later == last_number


@given(last_number=st.integers(1, 400), size=st.integers(1, 60), at=st.integers(1, 400))
def test_a_window_around_a_message_holds_it(last_number: int, size: int, at: int) -> None:
    found = window(last_number, size, at=min(at, last_number))
    assert found.first <= min(at, last_number) <= found.last


@given(last_number=st.integers(0, 400), size=st.integers(1, 60))
def test_going_up_from_the_end_meets_every_message_once(last_number: int, size: int) -> None:
    shown = window(last_number, size)
    met = list(range(shown.first, shown.last + 1))
    while shown.earlier:
        shown = window(last_number, size, before=shown.first)
        met = [*range(shown.first, shown.last + 1), *met]
    assert met == list(range(1, last_number + 1))


@given(ANY_TEXT)
def test_a_title_fits_its_column(text: str) -> None:
    from django.utils.timezone import now

    assert len(title_from(text, now())) <= 120


def test_a_title_reads_as_a_name_with_its_time_behind() -> None:
    at = datetime(2026, 11, 7, 9, 5, tzinfo=UTC)
    assert title_from("My old sister moved", at) == "My old sister moved 07-11:09:05"
    assert name_and_stamp(title_from("Hello", at)) == (NEW, "07-11:09:05")
    for own in ("Music", "", "07-11:09:05", "Train 07-11:09:05 to Porto"):
        assert name_and_stamp(own) == (own, "")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Which tiles did I choose?", "Which tiles did I choose?"),
        (
            "The viewing is on Saturday 28 November at 11.",
            "The viewing is on Saturday 28 November at 11",
        ),
        ("Boiler", "Boiler"),
        ("I want to ask you about the move to Lisbon", "The move to Lisbon"),
        ("I don't think I like jazz any more", "I don't think I like jazz any more"),
        ("Do you remember when we met?", "When we met?"),
        ("Guten Tag, ich wohne in Bergen", "Ich wohne in Bergen"),
        ("...", "..."),
        ("It's me again. The boiler is leaking.", "The boiler is leaking"),
        ("Right, let's get started. I adopted a dog.", "I adopted a dog"),
        (
            "Hello! My name is Tom. I just moved to Bristol for work.",
            "I just moved to Bristol for work",
        ),
        ("Hi! Quick question. Where do I live?", "Where do I live?"),
        ("I feel terrible today", "I feel terrible today"),
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


@pytest.mark.django_db
@pytest.mark.parametrize(
    "greeting",
    [
        "hi",
        "Hi there!",
        "Guten Tag",
        "Thanks!",
        "ok",
        "thx",
        "Danke",
        "how are you doing today?",
    ],
)
def test_a_conversation_that_opened_with_a_greeting_is_called_by_what_comes_next(
    alice: User, greeting: str
) -> None:
    names = []
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
        for text in (greeting, "The boiler leaks again.", "My sister moved."):
            append(alice, talk, [NewMessage(Message.Role.USER, text)])
            talk.refresh_from_db()
            names.append(talk.name)
    assert names == [NEW, "The boiler leaks again", "The boiler leaks again"]


def test_a_title_is_known_by_its_text_however_it_was_cut() -> None:
    at = datetime(2026, 11, 7, 9, 5, tzinfo=UTC)
    assert is_made_of("Which tiles did I 07-11:09:05", "Which tiles did I choose?", at)
    assert is_made_of(title_from("x" * 300, at), "x" * 300, at)
    assert not is_made_of("Tiles 07-11:09:05", "Which tiles did I choose?", at)
    assert not is_made_of("Which tiles did I choose?", "Which tiles did I choose?", at)


@pytest.mark.django_db
def test_private_conversations_are_told_apart_by_a_number(alice: User) -> None:
    with acting_as(alice):
        names = []
        for temporary in (False, False, True):
            talk = Conversation.objects.create(
                user=alice, privacy=Conversation.Privacy.PRIVATE, temporary=temporary
            )
            append(alice, talk, [NewMessage(Message.Role.USER, "I have asthma")])
            talk.refresh_from_db()
            names.append(talk.name)
    assert names == ["Private conversation", "Private conversation 2", "Temporary conversation"]
