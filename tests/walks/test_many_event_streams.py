"""Many who follow their memory at once: they hold no thread, so that nobody waits for another."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from tests.serving import Visitor, served

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
# Patience, no measure: a busy machine takes its time.
SECONDS = 120
# More streams than a server has threads.
PEOPLE, EACH = 12, 5


class Follower:
    """One open stream of events."""

    def __init__(self, visitor: Visitor) -> None:
        self.socket = socket.create_connection(("127.0.0.1", visitor.port), timeout=SECONDS)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(
            b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
            b"Authorization: " + visitor.token["Authorization"].encode() + b"\r\n\r\n"
        )

    def __enter__(self) -> "Follower":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def wait_for(self, event: str) -> str:
        """Read on to the next event of this name; its data."""
        for line in self.file:
            if line == f"event: {event}\n".encode():
                while not (line := next(self.file)).startswith(b"data: "):
                    pass
                return line.decode().removeprefix("data: ")
        raise AssertionError("The stream ended.")


def taken(visitor: Visitor) -> bool:
    """Whether a new stream of this person is opened."""
    with Follower(visitor) as stream:
        return b" 200 " in next(stream.file)


@pytest.fixture
def visitors(transactional_db: None) -> Iterator[list[Visitor]]:
    """People with a token each at the served site, the last of whom follows nothing yet."""
    with served() as port:
        emails = [f"reader{number}@example.org" for number in range(PEOPLE + 1)]
        yield [Visitor(port, User.objects.create_user(email, None)) for email in emails]


def test_a_dozen_people_with_all_their_streams_silence_nobody(visitors: list[Visitor]) -> None:
    *many, last = visitors
    with ExitStack() as stack:
        streams = [stack.enter_context(Follower(visitor)) for visitor in many for _ in range(EACH)]
        for stream in streams:
            stream.wait_for("ready")
        own = stack.enter_context(Follower(last))
        own.wait_for("ready")
        assert last.put("namespaces/shared.people/consent").status == 200
        written = last.put("namespaces/shared.people/entries/wilbur", {"name": "Wilbur"})
        assert written.status == 200, written.text
        told = json.loads(own.wait_for("change"))
        assert (told["namespace"], told["key"]) == ("shared.people", "wilbur")
        # One of the many hears as well, and nobody another's.
        many[0].put("namespaces/shared.people/consent")
        many[0].put("namespaces/shared.people/entries/ada", {"name": "Ada"})
        for stream in streams[:EACH]:
            assert json.loads(stream.wait_for("change"))["key"] == "ada"
        assert last.get("/notebook/profile/").status == 200
        with acting_as(last.user):
            talk = Conversation.objects.create(user=last.user)
        answer = last.post(
            f"conversations/{talk.pk}/messages", {"content": "Hello"}, Accept="text/event-stream"
        )
        assert answer.events[-1][0] == "done"


def test_one_stream_too_many_is_a_problem_that_says_what_to_do(visitors: list[Visitor]) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(Follower(visitors[0])) for _ in range(EACH)]
        for stream in streams:
            stream.wait_for("ready")
        refused = visitors[0].read("events")
        assert refused.status == 429
        assert refused.headers["content-type"] == "application/problem+json"
        assert int(refused.headers["retry-after"]) > 0
        assert "Close one of them first" in refused.json()["detail"]
        with Follower(visitors[1]) as another:
            another.wait_for("ready")
        # Who leaves gives the place to another of their own.
        streams[0].__exit__()
        while not taken(visitors[0]):
            pass
