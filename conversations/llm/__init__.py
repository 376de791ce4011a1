"""The language model: any server with an OpenAI-compatible chat API.

The only package that imports `openai`, and only on first use: the import takes about a second.
Every error becomes a `ModelFailure` with a sentence for the user.
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
