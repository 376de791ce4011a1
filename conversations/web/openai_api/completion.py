"""An answer in OpenAI's formats: as one object, and as chunks of a stream."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.utils.encoders import JSONEncoder

from conversations.llm import ToolCall, Usage
from conversations.web.openai_api.answers import Answering, Outcome, before_stop
from conversations.web.openai_api.chat_request import ChatRequest
from conversations.web.openai_api.errors import RefusedRequest, error

DONE = "data: [DONE]\n\n"
INTERRUPTED = (
    "The stream was interrupted. If your message was saved, its answer will be written later. "
    "Send the request again in a moment."
)


def whole(chat_request: ChatRequest, answer_id: str, answering: Answering) -> dict[str, Any]:
    """Return an answer as one object after it is finished. Raises AnswerFailed."""
    for _ in answering.texts():
        pass
    outcome = answering.outcome()
    text, _ = before_stop(outcome.text, chat_request.stop or (), ended=True)
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if outcome.calls:
        message |= {"content": text or None, "tool_calls": list(map(_call, outcome.calls))}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": outcome.finish}
    return {
        "id": answer_id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": chat_request.model,
        "choices": [choice],
        "usage": _usage(outcome.usage),
        "throughline": outcome.used,
    }


@dataclass
class Chunks:
    """The chunks of a streamed answer."""

    asked: ChatRequest
    answer_id: str
    answering: Answering
    created: int = field(default_factory=lambda: int(time.time()))

    def events(self, disconnected: threading.Event) -> Iterator[str]:
        """Yield the events of the stream, ending with `[DONE]`."""
        try:
            yield self._chunk({"role": "assistant", "content": ""})
            yield from self._texts(disconnected)
            outcome = self.answering.outcome()
        except RefusedRequest as failed:
            yield _data(failed.body)
            yield DONE
            return
        except NotFound:
            # The user has deleted the answer in the meantime.
            yield from broken_down()
            return
        yield from self._end(outcome)

    def _texts(self, disconnected: threading.Event) -> Iterator[str]:
        sent, stopped, text = 0, False, ""
        stops = self.asked.stop or ()
        for text in self.answering.texts(disconnected):
            # After a stop sequence only the end of the answer is waited for.
            if stopped:
                continue
            shown, stopped = before_stop(text, stops, ended=False)
            if len(shown) > sent:
                yield self._chunk({"content": shown[sent:]})
                sent = len(shown)
        rest, _ = before_stop(text, stops, ended=True)
        if len(rest) > sent:
            yield self._chunk({"content": rest[sent:]})

    def _end(self, outcome: Outcome) -> Iterator[str]:
        if outcome.calls:
            calls = [{"index": at, **_call(call)} for at, call in enumerate(outcome.calls)]
            yield self._chunk({"tool_calls": calls})
        yield self._chunk({}, outcome.finish, throughline=outcome.used)
        if self.asked.wants_usage:
            envelope = self._envelope() | {"choices": [], "usage": _usage(outcome.usage)}
            yield _data(envelope)
        yield DONE

    def _chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        counting = {"usage": None} if self.asked.wants_usage else {}
        return _data(self._envelope() | {"choices": [choice]} | counting | more)

    def _envelope(self) -> dict[str, Any]:
        return {
            "id": self.answer_id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.asked.model,
        }


def broken_down() -> Iterator[str]:
    """Yield the final events of a stream that broke."""
    yield _data(error(500, INTERRUPTED))
    yield DONE


def _data(value: dict[str, Any]) -> str:
    return f"data: {JSONEncoder().encode(value)}\n\n"


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "total_tokens": usage.tokens_in + usage.tokens_out,
    }
