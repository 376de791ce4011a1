"""An answer shows what it says; what was looked up for it stands where it is opened."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.timezone import localtime

from accounts.models import User
from conversations import notebook
from tests.people import Talk

pytestmark = pytest.mark.django_db


def page_of(client: Client, here: Talk) -> str:
    assert here.conversation is not None
    return client.get(here.conversation.get_absolute_url()).content.decode()


def test_that_a_message_is_kept_is_a_quiet_mark(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    here = talk()
    assert here.say("It rained all day.").content == notebook.KEPT
    page = page_of(as_alice, here)
    assert "answer-quiet" in page
    assert "How I answered" not in page


def test_words_that_the_chips_say_anyway_are_for_a_screen_reader(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    here = talk()
    assert here.say("I live in Lisbon").content == "Got it."
    page = page_of(as_alice, here)
    assert '<div class="answer-text visually-hidden"><p>Got it.</p>' in page
    assert "Lisbon" in page


def test_what_was_looked_up_stands_where_the_answer_is_opened(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say("The kayak stands behind the old mill.")
    answer = here.say("Where is the kayak?")
    page = page_of(as_alice, here)
    assert "behind the old mill" in page
    assert "How I answered" in page
    assert answer.steps
    assert "Searched" not in page
    opened = as_alice.get(f"/messages/{answer.pk}/why/").content.decode()
    assert "What I looked up" in opened
    assert "\N{NO-BREAK SPACE}ms" not in opened


def test_a_conversation_is_listed_with_a_time_that_is_read_at_a_glance(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    here = talk()
    answer = here.say("The kayak stands behind the old mill.")
    page = page_of(as_alice, here)
    assert f'<span class="stamp">{localtime(answer.said_at):%H:%M}</span>' in page
    assert here.conversation is not None
    assert here.conversation.stamp not in page
