"""Forgetting by words what was said but is not noted, from any conversation."""

import threading
from collections.abc import Callable

from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.turns import turn
from conversations.web.views import talk as pages
from tests.people import Talk

Talks = Callable[..., Talk]
SAID = "Ruth and Paul are getting a divorce, she told me at lunch."
ORDER = "Please forget what I said about Ruth's divorce."


def _first(user: User) -> Message:
    with acting_as(user):
        return Message.objects.for_user(user.pk).earliest("said_at", "number")


def _step(answer: Message) -> dict[str, object]:
    (step,) = answer.steps
    return step


def test_what_was_said_elsewhere_and_is_not_noted_is_found_and_asked_about(
    alice: User, talk: Talks
) -> None:
    talk().say(SAID)
    elsewhere = talk()
    asked = elsewhere.say(ORDER)
    assert (_step(asked)["tool"], _step(asked)["state"]) == ("forget_message", "asked")
    assert _first(alice).content == SAID
    elsewhere.say("yes")
    assert _first(alice).state == Message.State.REMOVED
    with acting_as(alice):
        kept = Message.objects.for_user(alice.pk).filter(conversation=elsewhere.conversation)
        assert not [m for m in kept if "Paul" in f"{m.content} {m.steps}"]


def test_what_is_told_in_another_private_conversation_is_not_told_of(
    alice: User, talk: Talks
) -> None:
    private = talk()
    private.say("Hello")
    with acting_as(alice):
        talks = Conversation.objects.for_user(alice.pk)
        talks.update(privacy=Conversation.Privacy.PRIVATE)
        private.conversation.refresh_from_db()
    private.say(SAID)
    assert not talk().say(ORDER).steps


def test_a_typed_yes_shows_the_outcome_in_the_place_of_the_card(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("I live in Lisbon.")
    asked = here.say("Forget where I live.")
    assert "Press Yes or No" in asked.content
    answer = turn.begin(alice, asked.conversation, "yes").answer
    came = "".join(pages._stream(alice, answer.pk, threading.Event()))
    assert f'id="step-{asked.pk}-0"' in came
    later = as_alice.get(asked.conversation.get_absolute_url()).content.decode()
    for shown in (came, later):
        assert "Forgotten · 1 fact forgotten" in shown
        assert "Press Yes or No" not in shown
        assert 'value="yes"' not in shown
    assert later.index("Should I forget this?") < later.index("Forgotten · 1 fact forgotten")
