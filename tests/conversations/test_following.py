"""An answer that is read by API as it is written, also after the connection was lost."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from tests.conversations.test_streams import EVENTS, Held, talk_of
from tests.fakes.model_server import Serve, normal
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
