"""A client of the OpenAI-compatible endpoint that keeps the history, and what is stored of it."""

from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from accounts.access import tokens
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message

Sent = list[dict[str, Any]]


@dataclass
class Chat:
    """One chat in a client: what was said in it, which is sent with each request."""

    user: User
    history: Sent = field(default_factory=list)
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    secret: str = ""

    def __post_init__(self) -> None:
        self.secret = self.secret or tokens.make(self.user)[1]
        self.client = Client()

    def ask(self, messages: Sent, /, **body: Any) -> Any:
        """Send a history; the response."""
        return self.post({"model": "throughline", "messages": messages, **self.body, **body})

    def post(self, body: Any, **headers: str) -> Any:
        authorization = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        return self.client.post(
            "/v1/chat/completions",
            body,
            content_type="application/json",
            headers={**authorization, **self.headers, **headers},
        )

    def say(self, text: str, **body: Any) -> dict[str, Any]:
        """Say something more, and take the answer into the history; the whole answer."""
        self.history.append({"role": "user", "content": text})
        return self.again(**body)

    def again(self, **body: Any) -> dict[str, Any]:
        """Send the history as it is, and take the answer into it."""
        response = self.ask(self.history, **body)
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        message = answer["choices"][0]["message"]
        self.history.append({"role": "assistant", "content": message["content"]})
        return answer

    def branch(self, turn: int) -> "Chat":
        """Another chat with the same history before this turn, counted from 1."""
        before = list(self.history[: 2 * (turn - 1)])
        return Chat(self.user, before, self.body, self.headers, self.secret)


def stored(user: User) -> list[list[str]]:
    """What was said in each conversation of a person, in the order in which they began."""
    with acting_as(user):
        conversations = Conversation.objects.order_by("pk")
        return [
            list(
                Message.objects.filter(conversation=conversation)
                .order_by("number")
                .values_list("content", flat=True)
            )
            for conversation in conversations
        ]


def sizes(user: User) -> list[int]:
    """How many messages each conversation has, in the order in which they began."""
    return [len(said) for said in stored(user)]
