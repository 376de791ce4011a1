"""An answer that is read by API as it is written, also after the connection was lost."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accounts.models import User
from conversations.models import Message
from tests.conversations.test_streams import EVENTS, Held, talk_of
from tests.fakes.model_server import Serve, normal
from tests.people import Api, said
from tests.serving import Answer, Visitor, a_pool_of, served

for_real = pytest.mark.django_db(transaction=True)


@pytest.fixture
def model(serve: Serve) -> Iterator[Held]:
    held = Held()
    serve(normal(held))
    yield held
    held.answer.set()


@pytest.fixture
def visitor(transactional_db: None, alice: User) -> Iterator[Visitor]:
    with a_pool_of(4), served() as port:
        yield Visitor(port, alice)


def follow(visitor: Visitor, answer: str, **headers: str) -> Answer:
    return visitor.get(f"/api/v1/messages/{answer}/stream", **EVENTS, **headers)


def named(answer: Answer, name: str) -> list[Any]:
    return [json.loads(data) for event, data in answer.events if event == name]


def text_of(answer: Answer) -> str:
    return "".join(piece["text"] for piece in named(answer, "delta"))


@for_real
def test_a_finished_one_is_sent_from_where_its_reader_left_off(
    visitor: Visitor, alice: User, model: Held
) -> None:
    model.answer.set()
    talk = talk_of(alice)
    sent = visitor.post(f"conversations/{talk.pk}/messages", {"content": "Hello"}, **EVENTS)
    (reply,) = named(sent, "reply")
    whole = named(sent, "done")[0]["reply"]["content"]
    assert text_of(sent) == whole == "Here it is"
    assert f"id: {len(whole)}\nevent: delta" in sent.text
    again = follow(visitor, reply["id"])
    assert (text_of(again), named(again, "done")) == (whole, named(sent, "done"))
    rest = follow(visitor, reply["id"], **{"Last-Event-ID": "5"})
    assert text_of(rest) == whole[5:]
    assert text_of(follow(visitor, reply["id"], **{"Last-Event-ID": str(len(whole))})) == ""


@for_real
def test_one_that_is_being_written_is_followed_and_stopped(
    visitor: Visitor, alice: User, model: Held
) -> None:
    talk = talk_of(alice)
    with ThreadPoolExecutor(2) as threads:
        path = f"conversations/{talk.pk}/messages"
        first = threads.submit(visitor.post, path, {"content": "Hello"}, **EVENTS)
        model.wait_for(1)
        (_, reply) = visitor.read(path).json()["results"]
        second = threads.submit(follow, visitor, reply["id"])
        assert visitor.post(f"messages/{reply['id']}/stop").json()["state"] == "stopped"
        assert named(second.result(), "done")[0]["reply"]["state"] == "stopped"
        model.answer.set()
        first.result()


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", ["-1", "x", "1" * 10])
def test_what_is_no_id_is_refused(alice: User, alice_api: Api, wrong: str) -> None:
    headers = {"Authorization": f"Token {alice_api.token}", "Last-Event-ID": wrong}
    message = said(alice, "Hello")
    address = f"/api/v1/messages/{message.pk}/stream"
    assert alice_api.client.get(address, headers=headers).status_code == 400


@pytest.mark.django_db
def test_only_an_answer_of_ones_own_is_followed(
    alice: User, alice_api: Api, bob_api: Api, talk: Any
) -> None:
    answer = talk().say("Hello")
    assert bob_api.get(f"messages/{answer.pk}/stream").status_code == 404
    question = said(alice, "Hello")
    assert question.role == Message.Role.USER
    assert alice_api.get(f"messages/{question.pk}/stream").status_code == 404
    assert alice_api.client.get(f"/api/v1/messages/{answer.pk}/stream").status_code == 401
