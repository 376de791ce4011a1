"""The body of POST /v1/chat/completions, as far as it is used."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from conversations.client_request import ClientRequest
from conversations.llm import Function, Turn, Wishes
from conversations.models import Message
from conversations.turns.client_history import MemoryMode, SentMessage
from conversations.web.openai_api.errors import NoSuchConversation, RefusedRequest

_MOST_STOPS, _MOST_MESSAGES = 4, 2000
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CLIENTS_OWN = ("system", "developer")
# Parameters that are passed on to the connected model unchanged.
_PASSED_ON = (
    *("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed", "stop"),
    *("response_format", "reasoning_effort", "parallel_tool_calls"),
)


def _text_of(content: Any) -> Any:
    """Return the text of a content, which may be a list of parts. Raises PydanticCustomError."""
    if not isinstance(content, list):
        return content or ""
    texts = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind != "text" or not isinstance(part.get("text"), str):
            shown = kind if isinstance(kind, str) else "something else"
            raise PydanticCustomError(
                "unsupported_content",
                "Only text is supported here, not {kind}. Send a part of type text instead.",
                {"kind": shown[:40]},
            )
        texts.append(part["text"])
    return "\n".join(texts)


def _only_one(number: Any) -> Any:
    if number not in (None, 1):
        raise PydanticCustomError("unsupported_value", "Only one answer per request: use n = 1.")
    return number


def _few_stops(stop: Any) -> Any:
    if isinstance(stop, list) and len(stop) > _MOST_STOPS:
        raise PydanticCustomError("invalid_value", "Use at most 4 stop sequences.")
    return [stop] if isinstance(stop, str) else stop


def _callable(tool: Any) -> Any:
    function = tool.get("function") if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise PydanticCustomError(
            "invalid_value",
            "A tool must be an object with type function and a function whose name has at most "
            "64 letters, digits, underscores and dashes.",
        )
    return tool


class _Read(BaseModel):
    # Unknown fields are ignored: clients send many.
    model_config = ConfigDict(extra="ignore")


class ChatMessageIn(_Read):
    """A message; of parts only texts are read."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, BeforeValidator(_text_of)] = ""
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None

    @property
    def as_turn(self) -> Turn:
        """Return the message in the form for the connected model."""
        if self.role == "tool":
            name = self.tool_call_id or ""
            return {"role": "tool", "content": self.content, "tool_call_id": name}
        if self.role == "assistant" and self.tool_calls:
            calls = self.tool_calls
            return {"role": "assistant", "content": self.content, "tool_calls": calls}
        role = "system" if self.role == "developer" else self.role
        return {"role": role, "content": self.content}


class StreamOptions(_Read):
    """Options of a stream."""

    include_usage: bool | None = None


class ChatRequest(_Read):
    """A request for one answer."""

    model: str
    messages: list[ChatMessageIn] = Field(min_length=1, max_length=_MOST_MESSAGES)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Annotated[int | None, BeforeValidator(_only_one)] = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: Annotated[
        list[Annotated[str, StringConstraints(min_length=1)]] | None, BeforeValidator(_few_stops)
    ] = None
    response_format: dict[str, Any] | None = None
    reasoning_effort: str | None = None
    parallel_tool_calls: bool | None = None
    tools: list[Annotated[dict[str, Any], BeforeValidator(_callable)]] | None = None
    tool_choice: Any = None
    metadata: dict[str, Any] | None = None

    @property
    def wants_usage(self) -> bool:
        """Whether the last event of a stream has token counts."""
        return bool(self.stream_options and self.stream_options.include_usage)

    @property
    def instructions(self) -> str:
        """The client's system messages, joined."""
        texts = [message.content for message in self.messages if message.role in _CLIENTS_OWN]
        return "\n\n".join(text for text in texts if text.strip())

    @property
    def said(self) -> list[ChatMessageIn]:
        """The messages without the client's system messages."""
        return [message for message in self.messages if message.role not in _CLIENTS_OWN]

    @property
    def question(self) -> ChatMessageIn:
        """The user's last message."""
        return self.said[self._last_of_user]

    @property
    def transcript(self) -> list[ChatMessageIn]:
        """The calls of the client's tools for this answer, and their results."""
        return self.said[self._last_of_user + 1 :]

    @property
    def history(self) -> list[SentMessage]:
        """The messages up to the user's last one. Of an answer with tool calls only the last text,
        if any.
        """
        history: list[SentMessage] = []
        for message in self.said[: self._last_of_user + 1]:
            if message.role == "tool" or not message.content.strip():
                continue
            sent = SentMessage(Message.Role(message.role), message.content)
            if history and history[-1].role == sent.role == Message.Role.ASSISTANT:
                history[-1] = sent
            else:
                history.append(sent)
        return history

    @property
    def _last_of_user(self) -> int:
        roles = [message.role for message in self.said]
        return len(roles) - 1 - roles[::-1].index("user")

    def as_client_request(self) -> ClientRequest:
        """Return what the client asks of the answer."""
        sent = self.model_dump(include=set(_PASSED_ON), exclude_none=True)
        forced = self.tool_choice not in (None, "none", "auto")
        functions: list[Function] = []
        if self.tools and self.tool_choice != "none":
            functions = [Function(tool["function"]["name"], "", {}, tool) for tool in self.tools]
        if functions and forced:
            sent["tool_choice"] = self.tool_choice
        most = self.max_completion_tokens or self.max_tokens or 0
        return ClientRequest(
            instructions=self.instructions,
            functions=functions,
            forced=bool(functions) and forced,
            transcript=[message.as_turn for message in self.transcript],
            wishes=Wishes(most, sent),
        )


def read_request(body: Any) -> ChatRequest:
    """Parse the request's body. Raises RefusedRequest."""
    try:
        chat_request = ChatRequest.model_validate(body)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        param = ".".join(map(str, first["loc"])) or None
        code = "unsupported_content" if first["type"] == "unsupported_content" else "invalid_value"
        raise RefusedRequest(first["msg"], param, code) from None
    roles = [message.role for message in chat_request.said]
    if "user" not in roles:
        raise RefusedRequest("Include at least one message with the role user.", "messages")
    if roles[-1] not in ("user", "tool"):
        raise RefusedRequest(
            "The last message must be from the user or from a tool: unfinished answers can’t be "
            "continued.",
            "messages",
        )
    if not chat_request.question.content.strip():
        raise RefusedRequest("The last message from the user has no text.", "messages")
    return chat_request


def memory_mode(
    chat_request: ChatRequest, headers: Mapping[str, str], of_model: MemoryMode
) -> MemoryMode:
    """Return the memory mode of the request, or of its model name; if both are given, the more
    restrictive one. Raises RefusedRequest.
    """
    wanted = (chat_request.metadata or {}).get("memory") or headers.get("X-Memory") or MemoryMode.ON
    try:
        mode = MemoryMode(wanted)
    except ValueError:
        names = ", ".join(MemoryMode)
        raise RefusedRequest(f"Memory must be one of: {names}.", "metadata.memory") from None
    order = list(MemoryMode)
    return max(mode, of_model, key=order.index)


def conversation_id(chat_request: ChatRequest, headers: Mapping[str, str]) -> UUID | None:
    """Return the conversation that the request names. Raises NoSuchConversation."""
    named = (chat_request.metadata or {}).get("conversation") or headers.get("X-Conversation")
    if not named:
        return None
    try:
        return UUID(str(named))
    except ValueError:
        raise NoSuchConversation from None
