"""The answer to a chat completion request, in progress and finished, stored or not."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rest_framework.exceptions import NotFound

from accounts.database.connections import release_connection
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import llm
from conversations.client_request import ClientRequest
from conversations.llm import Reply, ToolCall, Usage
from conversations.messages import keepable
from conversations.models import Message
from conversations.turns import answer_writer, turn, unstored_answer
from conversations.turns.client_history import MemoryMode
from conversations.web.api.talk_serializers import MessageOut, NoteOut
from conversations.web.openai_api.chat_request import ChatRequest
from conversations.web.openai_api.errors import AnswerFailed
from conversations.web.present import talk
from memory.language.text.token_count import count_tokens

State = Message.State
# The fields of a message in the REST API that say what an answer used.
_USAGE_FIELDS = ("used_facts", "used_memories", "used_messages", "used_conversations")


@dataclass(frozen=True)
class Outcome:
    """A finished answer: text, or calls of the client's tools. finish: OpenAI's finish reason.
    used: the memory that it used, and what was learned.
    """

    text: str
    calls: Sequence[ToolCall]
    finish: str
    usage: Usage
    used: dict[str, Any]


class Answering(Protocol):
    """An answer in progress, stored or not."""

    def texts(self, disconnected: threading.Event | None = None) -> Iterator[str]:
        """Yield the whole text each time that it has grown; stop after `disconnected` is set."""

    def outcome(self) -> Outcome:
        """Return the finished answer, after `texts`. Raises AnswerFailed if it has no text."""


@dataclass
class StoredAnswer:
    """The answer to a stored message."""

    person: User
    asked: ChatRequest
    exchange: turn.Exchange
    mode: MemoryMode
    client: ClientRequest = field(init=False)
    last: answer_writer.Event | None = None

    def __post_init__(self) -> None:
        self.client = self.asked.as_client_request()

    def texts(self, disconnected: threading.Event | None = None) -> Iterator[str]:
        """Yield the whole text each time that it has grown; stop after `disconnected` is set."""
        events = turn.fill(self.person.pk, self.exchange.answer.pk, disconnected, self.client)
        for event in turn.without_replaced_texts(events):
            self.last = event
            if isinstance(event, answer_writer.Text):
                yield event.so_far

    def outcome(self) -> Outcome:
        """Return the finished answer; call it after `texts`. Raises AnswerFailed if it has no text,
        and NotFound if the user deleted the answer meanwhile.
        """
        if not isinstance(self.last, answer_writer.FinishedAnswer):
            raise NotFound
        answer, calls = self.last.answer, self.client.calls
        if answer.state == State.FAILED and not answer.content:
            raise AnswerFailed(answer.failure)
        cut = "length" if answer.state == State.CUT else "stop"
        usage = Usage(answer.tokens_in or 0, answer.tokens_out or 0)
        if answer.tokens_in is None:
            usage = counted(self.asked, answer.content)
        finish = "tool_calls" if calls else cut
        return Outcome(answer.content, calls, finish, usage, self._used(self.last))

    def _used(self, last: answer_writer.FinishedAnswer) -> dict[str, Any]:
        answer, question = last.answer, last.question or self.exchange.question
        with acting_as(self.person):
            shown = talk.answer(answer, question, last.outcomes)
            notes = NoteOut(shown.notes, many=True).data
        used = {
            name: value for name, value in MessageOut(answer).data.items() if name in _USAGE_FIELDS
        }
        return {
            "conversation": str(answer.conversation_id),
            "message": str(answer.pk),
            "memory": self.mode.value,
            **used,
            "notes": notes,
        }


@dataclass
class UnstoredAnswer:
    """The answer to a request with memory off."""

    person: User
    asked: ChatRequest
    reply: Reply = field(default_factory=Reply)
    client: ClientRequest = field(init=False)
    cut: bool = False

    def __post_init__(self) -> None:
        self.client = self.asked.as_client_request()

    def texts(self, disconnected: threading.Event | None = None) -> Iterator[str]:
        """Yield the whole text each time that it has grown; stop after `disconnected` is set."""
        release_connection()
        history = [message.as_turn for message in self.asked.said]
        text = ""
        try:
            for piece in unstored_answer.stream(history, self.client, self.reply):
                text += keepable(piece)
                if disconnected is not None and disconnected.is_set():
                    return
                if piece:
                    yield text
        except llm.ModelFailure as failure:
            if not self.reply.text:
                raise AnswerFailed(failure.words) from None
            self.cut = True

    def outcome(self) -> Outcome:
        """Return the finished answer; call it after `texts`."""
        calls = self.client.calls
        usage = self.reply.usage or counted(self.asked, self.reply.text)
        finish = "tool_calls" if calls else "length" if self.cut else "stop"
        text = keepable(self.reply.text)
        return Outcome(text, calls, finish, usage, {"memory": MemoryMode.OFF.value})


def counted(chat_request: ChatRequest, text: str) -> Usage:
    """Estimate the tokens of a request and its answer, if no model has counted these."""
    sent = "\n".join(message.content for message in chat_request.messages)
    return Usage(count_tokens(sent), count_tokens(text))


def before_stop(text: str, stops: Sequence[str], *, ended: bool) -> tuple[str, bool]:
    """Return the text before the first stop sequence, and whether there is one. Until `ended`,
    characters at the end that may begin a stop sequence are left out.
    """
    places = [at for stop in stops if (at := text.find(stop)) >= 0]
    if places:
        return text[: min(places)], True
    if ended:
        return text, False
    longest = max((_overlap(text, stop) for stop in stops), default=0)
    return text[: len(text) - longest], False


def _overlap(text: str, stop: str) -> int:
    """Return how many characters at the end of a text may begin a stop sequence."""
    sizes = range(min(len(stop) - 1, len(text)), 0, -1)
    return next((size for size in sizes if text.endswith(stop[:size])), 0)
