"""What may be said: the text as it will be kept, or words about what to mend."""

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from accounts.isolation import acting_as
from accounts.models import User
from conversations.messages import Draft, UnfitText, append, fit
from conversations.models import Conversation, Message, title_from
from tests.people import said

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
            [Draft(Message.Role.USER, "one two three four five"), Draft(Message.Role.ASSISTANT)],
        )
        second = append(alice, talk, [Draft(Message.Role.USER, "another")])
        talk.refresh_from_db()
    assert [message.number for message in (*first, *second)] == [1, 2, 3]
    assert talk.last_number == 3
    assert talk.title == title_from("one two three four", first[0].said_at)


@given(ANY_TEXT)
def test_a_title_fits_its_column(text: str) -> None:
    from django.utils.timezone import now

    assert len(title_from(text, now())) <= 120
