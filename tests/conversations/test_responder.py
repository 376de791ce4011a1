"""Which mind answers: what the notebook knows exactly is not left to a model."""

import threading
import time

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.turns import answer_writer, responder, turn
from memory.models import ProfileFact
from tests.fakes.model_server import Serve, failing, normal, slow
from tests.people import tell

State = Message.State
alone = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)
LIE = "Your name is Bartholomew and you live on the moon."


def ask(user: User, text: str, conversation: Conversation | None = None) -> Message:
    exchange = turn.begin(user, conversation, text)
    *_, last = turn.fill(user.pk, exchange.answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer


def values(user: User, slot: str) -> list[str]:
    with acting_as(user):
        rows = ProfileFact.objects.for_user(user.pk).current().filter(slot=slot)
        return sorted(rows.values_list("value", flat=True))


@alone
@pytest.mark.parametrize(
    "text",
    [
        "Write a poem about the sea",
        "What is my name, and why is the sky blue?",
        "What is my favourite painter?",
    ],
)
def test_everything_else_is_the_models(alice: User, serve: Serve, text: str) -> None:
    serve(normal("From the model."))
    tell(alice, "My name is Ida Lund. I live in Leeds. I like jazz.")
    assert ask(alice, text).content == "From the model."


@alone
@pytest.mark.parametrize(
    ("trust", "text", "said"),
    [
        ("strict", "Where do I live?", "Leeds"),
        ("strict", "Where do I work?", "on the moon"),
        ("strict", "I live in Leeds, write a poem.", "on the moon"),
        ("auto", "Where do I live?", "on the moon"),
    ],
)
def test_a_fact_that_is_asked_for_is_not_left_to_a_model_that_is_read_strictly(
    alice: User, serve: Serve, settings: Settings, trust: str, text: str, said: str
) -> None:
    settings.MODEL_TRUST = trust
    serve(normal(LIE))
    tell(alice, "My name is Ida Lund. I live in Leeds.")
    assert said in ask(alice, text).content


@alone
def test_an_order_to_forget_asks_first_and_forgets_at_a_yes_whatever_the_model_would_say(
    alice: User, serve: Serve
) -> None:
    server = serve(normal(LIE))
    talk = tell(alice, "I like jazz.").conversation
    answer = ask(alice, "forget that I like jazz", talk)
    assert [step["state"] for step in answer.steps] == ["asked"]
    assert values(alice, "likes") == ["jazz"]
    assert "Done" in ask(alice, "yes", talk).content
    assert values(alice, "likes") == []
    assert server.requests == []


@alone
def test_where_the_model_fails_the_notebook_answers_and_says_so(alice: User, serve: Serve) -> None:
    server = serve(failing(503))
    tell(alice, "I play the cello in an orchestra on Tuesdays.")
    answer = ask(alice, "When do I play the cello?")
    assert answer.content.startswith(responder.STANDS_IN)
    assert "cello" in answer.content
    assert (answer.state, "busy" in answer.failure) == (State.FAILED, True)
    server.play(normal("From the model."))
    turn.retry(alice, answer)
    *_, last = turn.fill(alice.pk, answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    assert (last.answer.content, last.answer.failure) == ("From the model.", "")


@alone
def test_an_answer_that_rambles_ends_at_its_deadline_and_is_said_to_be_partial(
    alice: User, serve: Serve
) -> None:
    server = serve(slow("word " * 500, pause=0.05), MODEL_ANSWER_SECONDS=1.0)
    answer = ask(alice, "Write a poem")
    assert answer.state == State.CUT
    assert answer.content.startswith("word word")
    assert "took too long" in answer.failure
    assert server.abandoned.wait(5)


@for_real
def test_an_answer_is_stopped_by_the_api_while_the_model_is_silent(
    alice: User, serve: Serve, settings: Settings
) -> None:
    server = serve(slow("One two three", pause=30), MODEL_READ_TIMEOUT=30)
    exchange = turn.begin(alice, None, "Write a poem")
    events = turn.fill(alice.pk, exchange.answer.pk)

    def read() -> None:
        list(events)
        connection.close()

    reader = threading.Thread(target=read)
    reader.start()
    until = time.monotonic() + 20
    while not server.requests and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1)
    client = Client()
    client.force_login(alice)
    client.post(f"/api/v1/messages/{exchange.answer.pk}/stop")
    reader.join(10)
    assert not reader.is_alive()
    with acting_as(alice):
        kept = Message.objects.get(pk=exchange.answer.pk)
    assert (kept.state, kept.content) == (State.STOPPED, "One ")
