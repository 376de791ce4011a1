"""One request to the chat API, in the form that the model's server accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from conversations.llm.calling import Function, Turn

# Parameter -> its forms, the most capable first; '' leaves it out. After a refusal without a
# parameter name they are changed in this order, the least important first.
FORMS: dict[str, tuple[str, ...]] = {
    "stream_options": ("stream_options", ""),
    "max_tokens": ("max_tokens", "max_completion_tokens", ""),
    "response_format": ("json_schema", "json_object", ""),
    "tools": ("tools", ""),
    "stream": ("stream", ""),
}
_IN_WORDS = """\
Answer with one JSON object and nothing else. It has to fit this JSON schema:
{schema}"""


# Parameters that are not sent in a request without tools.
_ABOUT_TOOLS = frozenset({"tool_choice", "parallel_tool_calls"})


@dataclass(frozen=True)
class Wishes:
    """What an API client asks of one answer besides its messages. most: the most tokens, 0 for no
    limit. parameters: sent unchanged, and all left out if the server refuses a request with them.
    """

    most: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)


NO_WISHES = Wishes()


@dataclass(frozen=True)
class Request:
    """A request to the model, with the form of each parameter.

    most: the most tokens of the answer, 0 for no limit. forms: by parameter, where not the first
    form. schema: the model of the answer; None for text. wished: the parameters of an API client.
    """

    model: str
    messages: Sequence[Turn]
    most: int
    functions: Sequence[Function] = ()
    schema: type[BaseModel] | None = None
    streams: bool = False
    forms: Mapping[str, str] = field(default_factory=dict)
    wished: Mapping[str, Any] = field(default_factory=dict)

    def form_of(self, parameter: str) -> str:
        """Return the form in which a parameter is sent, '' if it is left out."""
        is_sent = {
            "stream_options": self.streams and self.forms.get("stream") != "",
            "max_tokens": self.most > 0,
            "response_format": self.schema is not None,
            "tools": bool(self.functions),
            "stream": self.streams,
        }[parameter]
        return self.forms.get(parameter, FORMS[parameter][0]) if is_sent else ""

    def sent(self) -> dict[str, str]:
        """Return the form of each parameter that is sent."""
        forms = {parameter: self.form_of(parameter) for parameter in FORMS}
        return {parameter: form for parameter, form in forms.items() if form}

    def with_form(self, parameter: str, form: str) -> Request:
        """Return the request with another form of one parameter."""
        return replace(self, forms={**self.forms, parameter: form})

    def body(self) -> dict[str, Any]:
        """Return the parameters of the request as they are sent."""
        sent = self.sent()
        body: dict[str, Any] = {"model": self.model, "messages": self._worded(sent)}
        if "max_tokens" in sent:
            body[sent["max_tokens"]] = self.most
        if "stream_options" in sent:
            body["stream_options"] = {"include_usage": True}
        if "tools" in sent:
            body["tools"] = [function.as_offered() for function in self.functions]
        if "response_format" in sent:
            body["response_format"] = self._response_format(sent["response_format"])
        if "stream" in sent:
            body["stream"] = True
        left_out = frozenset() if "tools" in sent else _ABOUT_TOOLS
        return body | {name: self.wished[name] for name in self.wished if name not in left_out}

    def _response_format(self, form: str) -> dict[str, Any]:
        if form != "json_schema" or self.schema is None:
            return {"type": form}
        described = {"name": self.schema.__name__, "schema": _strict(self.schema), "strict": True}
        return {"type": form, "json_schema": described}

    def _worded(self, sent: Mapping[str, str]) -> list[Turn]:
        """Return the messages, with the schema as text if no parameter carries it."""
        messages = list(self.messages)
        if self.schema is None or sent.get("response_format") == "json_schema":
            return messages
        instruction = _IN_WORDS.format(schema=json.dumps(_strict(self.schema)))
        first, *rest = messages
        if first["role"] == "system":
            return [{"role": "system", "content": f"{first['content']}\n\n{instruction}"}, *rest]
        return [{"role": "system", "content": instruction}, *messages]


def _strict(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema in the strict form that servers enforce."""
    import openai

    described: Any = openai.pydantic_function_tool(schema)
    return dict(described["function"]["parameters"])
