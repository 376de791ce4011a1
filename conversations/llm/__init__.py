"""The language model: any server that speaks the OpenAI chat API.

The only place that imports `openai`, and it does so on first use: the package takes about a second
to load, which a page without a model should not pay. Whatever goes wrong on the way becomes a
`ModelFailure` with one sentence for the person.
"""

from conversations.llm.adapting import current_refusals, takes_tools
from conversations.llm.asking import Reply, ask, stream
from conversations.llm.calling import (
    ChatMessage,
    Function,
    ToolCall,
    Turn,
    called,
    result,
    result_left_out,
)
from conversations.llm.connection import Connection, address, configured, current, using
from conversations.llm.context import window
from conversations.llm.failures import Kind, ModelFailure, failure
from conversations.llm.reading import Usage
from conversations.llm.request import NO_WISHES, Wishes
from conversations.llm.waiting import GaveWay

__all__ = [
    "NO_WISHES",
    "ChatMessage",
    "Connection",
    "Function",
    "GaveWay",
    "Kind",
    "ModelFailure",
    "Reply",
    "ToolCall",
    "Turn",
    "Usage",
    "Wishes",
    "address",
    "ask",
    "called",
    "configured",
    "current",
    "current_refusals",
    "failure",
    "result",
    "result_left_out",
    "stream",
    "takes_tools",
    "using",
    "window",
]
