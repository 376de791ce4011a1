"""The language model: any server that speaks the OpenAI chat API.

The only place that imports `openai`, and it does so on first use: the package takes about a second
to load, which a page without a model should not pay. Whatever goes wrong on the way becomes a
`ModelFailure` with one sentence for the person.
"""

from conversations.llm.asking import Reply, Usage, ask, stream
from conversations.llm.calling import ChatMessage, Function, ToolCall, Turn, called, result
from conversations.llm.connection import configured
from conversations.llm.failures import Kind, ModelFailure
from conversations.llm.refusing import takes_tools

__all__ = [
    "ChatMessage",
    "Function",
    "Kind",
    "ModelFailure",
    "Reply",
    "ToolCall",
    "Turn",
    "Usage",
    "ask",
    "called",
    "configured",
    "result",
    "stream",
    "takes_tools",
]
