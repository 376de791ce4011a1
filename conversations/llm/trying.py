"""Testing a connection before it is used, with one short question."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from conversations.llm.asking import Reply, stream
from conversations.llm.calling import ChatMessage
from conversations.llm.connection import Connection, using
from conversations.llm.failures import ModelFailure

QUESTION = "What is the capital of France? Answer with one word."
# How many seconds a model may take for the test.
_SECONDS = 25.0
_LONGEST_SHOWN = 300
# What staff can do, by the situation of the failure.
_REMEDIES = {
    "key": "The server refused the key. Check that the key is complete and belongs to this server.",
    "address": "The server doesn’t know this model or this endpoint. Check the model’s name, and "
    "that the endpoint is the part before /chat/completions, often /v1.",
    "quota": "The account has run out of credit. Top it up with the model’s provider.",
    "unreachable": "Nothing answered at this endpoint. Check the endpoint, and that the server is "
    "running and can be reached from this machine.",
    "nonsense": (
        "The response didn’t look like a language model’s. Check that the endpoint is an "
        "OpenAI-compatible "
        "chat API, often ending in /v1."
    ),
    "busy": "The server is busy. Try again in a minute.",
    "trouble": "The server is having trouble. Try again in a minute.",
}
_LATE = (
    f"The model took longer than {_SECONDS:.0f} seconds. Try again: the first answer can be slow."
)
_REMEDIES |= {"slow": _LATE, "out of time": _LATE}
_OTHERWISE = "The server didn’t answer as expected. Check its log."


@dataclass(frozen=True)
class Trial:
    """The result of testing one model. error: '' if it answered. tokens: None if not counted."""

    model: str
    answer: str
    seconds: float
    tokens: int | None = None
    error: str = ""


def try_each(connection: Connection) -> list[Trial]:
    """Test the chat model and, if different, the background model. Nothing is stored."""
    names = dict.fromkeys((connection.chat_model, connection.background))
    return [_try(replace(connection, chat_model=name)) for name in names]


def _try(connection: Connection) -> Trial:
    question: ChatMessage = {"role": "user", "content": QUESTION}
    reply, started = Reply(), time.monotonic()
    error = ""
    with using(connection):
        try:
            for _ in stream([question], reply=reply, until=started + _SECONDS):
                pass
        except ModelFailure as failure:
            error = _REMEDIES.get(failure.situation, _OTHERWISE)
    counted = reply.usage.tokens_in + reply.usage.tokens_out if reply.usage else None
    answer = "" if error else reply.text.strip()[:_LONGEST_SHOWN]
    return Trial(connection.chat_model, answer, time.monotonic() - started, counted, error)
