"""The messages and tool calls exchanged with the chat API."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

# Allowed characters of function names in the API; a model may write others.
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


_LEFT_OUT = "Left out: there is no room for it any more."


class ChatMessage(TypedDict):
    """One message of a conversation in the chat API."""

    role: Literal["system", "user", "assistant"]
    content: str


class CallingMessage(TypedDict):
    """A message of the model that calls functions."""

    role: Literal["assistant"]
    content: str
    tool_calls: list[dict[str, Any]]


class ResultMessage(TypedDict):
    """The result of one function call."""

    role: Literal["tool"]
    content: str
    tool_call_id: str


Turn = ChatMessage | CallingMessage | ResultMessage


@dataclass(frozen=True)
class Function:
    """A function that the model may call; `parameters` is a JSON schema. given: the complete
    definition, if an API client brought the function and runs it itself.
    """

    name: str
    purpose: str
    parameters: dict[str, Any]
    given: dict[str, Any] | None = None

    def as_offered(self) -> dict[str, Any]:
        """Return the function's definition for a request."""
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
    """Return the model's message with its calls, to be sent back with their results. Malformed
    names and arguments are repaired, because servers parse them again.
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
    """Return the message with the result of a call."""
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def result_left_out(message: ResultMessage) -> ResultMessage:
    """Return a result's message with a placeholder as content, to save space."""
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
    """A part of a call in a stream."""

    model_config = ConfigDict(from_attributes=True)

    index: int | None = None
    id: str | None = None
    function: _FunctionPiece | None = None

    def written(self) -> str:
        """Return the text of this part: name and arguments."""
        function = self.function or _FunctionPiece()
        return (function.name or "") + (function.arguments or "")


# Longest arguments and names, in characters, and most calls; more is cut off.
LONGEST_ARGUMENTS, LONGEST_NAME, MOST_CALLS = 4_000, 200, 32
# Longest arguments of a client's own functions, in characters.
LONGEST_OF_CLIENTS = 200_000


class CallAssembler:
    """Assembles calls from the parts of a stream, in the order in which they began. Parallel calls
    are distinguished by index, or by id with servers that send no usable index.
    """

    def __init__(self, longest: int = LONGEST_ARGUMENTS) -> None:
        """Collect calls whose arguments have at most `longest` characters."""
        self.calls: list[ToolCall] = []
        self._longest = longest
        self._at: dict[int, ToolCall] = {}

    def add(self, pieces: Iterable[CallPiece]) -> None:
        """Add the next parts."""
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
        """Return all calls, each with an id that matches it to its result."""
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
