"""The messages and tool calls exchanged with the chat API."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

# What the API takes as a function's name; a model may make up another.
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


_LEFT_OUT = "Left out: there is no room for it any more."


class ChatMessage(TypedDict):
    """One turn of a conversation, as the chat API takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class CallingMessage(TypedDict):
    """The model's turn when it wants functions called."""

    role: Literal["assistant"]
    content: str
    tool_calls: list[dict[str, Any]]


class ResultMessage(TypedDict):
    """What one of its calls found."""

    role: Literal["tool"]
    content: str
    tool_call_id: str


Turn = ChatMessage | CallingMessage | ResultMessage


@dataclass(frozen=True)
class Function:
    """What the model may call: `parameters` is a JSON schema.

    given: the whole definition, of a function that a client of the API brought and runs itself.
    """

    name: str
    purpose: str
    parameters: dict[str, Any]
    given: dict[str, Any] | None = None

    def as_offered(self) -> dict[str, Any]:
        """Return the tool's definition for a request."""
        if self.given is not None:
            return self.given
        described = {"name": self.name, "description": self.purpose, "parameters": self.parameters}
        return {"type": "function", "function": described}


@dataclass
class ToolCall:
    """One call as the model wrote it: `arguments` should be JSON, but may be any text."""

    id: str
    name: str
    arguments: str


def called(text: str, calls: Sequence[ToolCall]) -> CallingMessage:
    """Return the model's own turn with its calls, to be sent back with their results. What the
    model wrote wrongly goes back in a readable shape, for servers parse it again.

    Servers take it apart again, so what the model wrote wrongly goes back in a readable shape.
    """
    tool_calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": _NOT_IN_A_NAME.sub("_", call.name)[:64] or "unnamed",
                "arguments": call.arguments if _is_object(call.arguments) else "{}",
            },
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text, "tool_calls": tool_calls}


def result(call: ToolCall, content: str) -> ResultMessage:
    """Return the result of a call as the turn that answers it."""
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def result_left_out(message: ResultMessage) -> ResultMessage:
    """Return the turn of a result that was left out, where there is no room for it."""
    return {**message, "content": _LEFT_OUT}


def _is_object(text: str) -> bool:
    try:
        return len(text) <= LONGEST_ARGUMENTS and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


class _FunctionPiece(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str | None = None
    arguments: str | None = None


class CallPiece(BaseModel):
    """A part of a call, as a stream brings it."""

    model_config = ConfigDict(from_attributes=True)

    index: int | None = None
    id: str | None = None
    function: _FunctionPiece | None = None

    def written(self) -> str:
        """Return the text written in this piece of a call."""
        function = self.function or _FunctionPiece()
        return (function.name or "") + (function.arguments or "")


# Longer arguments and names, in characters, and more calls are none of ours: the rest is let go.
LONGEST_ARGUMENTS, LONGEST_NAME, MOST_CALLS = 4_000, 200, 32
# What a client's own functions may be given is bounded by the length of the answer alone.
LONGEST_OF_CLIENTS = 200_000


class CallAssembler:
    """Calls put together from their pieces, in the order in which they began.

    Several come at once, told apart by their index. Some servers send none, or the same for all,
    and tell them apart by their ids alone.
    """

    def __init__(self, longest: int = LONGEST_ARGUMENTS) -> None:
        """Collect calls whose arguments have at most `longest` characters."""
        self.calls: list[ToolCall] = []
        self._longest = longest
        self._at: dict[int, ToolCall] = {}

    def add(self, pieces: Iterable[CallPiece]) -> None:
        """Add the next pieces."""
        for piece in pieces:
            call = self._call_of(piece)
            if call is None:
                continue
            call.id = call.id or (piece.id or "")[:LONGEST_NAME]
            function = piece.function or _FunctionPiece()
            call.name = call.name or (function.name or "")[:LONGEST_NAME]
            room = self._longest + 1 - len(call.arguments)
            call.arguments += (function.arguments or "")[:room]

    def finished(self) -> list[ToolCall]:
        """Return all calls, each with an id by which its result is matched."""
        for position, call in enumerate(self.calls):
            call.id = call.id or f"call_{position}"
        return self.calls

    def _call_of(self, piece: CallPiece) -> ToolCall | None:
        known = self._at.get(piece.index) if piece.index is not None else None
        if piece.index is None and self.calls and not piece.id:
            known = self.calls[-1]
        if piece.id:
            same = [call for call in self.calls if call.id == piece.id[:LONGEST_NAME]]
            if same:
                known = same[0]
            elif known is not None and known.id:
                known = None
        if known is None:
            if len(self.calls) >= MOST_CALLS:
                return None
            known = ToolCall("", "", "")
            self.calls.append(known)
        if piece.index is not None:
            self._at[piece.index] = known
        return known
