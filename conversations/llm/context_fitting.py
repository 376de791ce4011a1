"""Fitting a prompt to the model's context: required parts, the newest messages, and tools. Sizes
are estimated with another tokenizer than the model's, so a margin stays free.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from conversations import llm
from conversations.llm import ChatMessage, Function, Turn
from memory.language.text.token_count import count_tokens

# Factor for other tokenizers, and tokens per message for its frame.
_MORE, _FRAME = 1.2, 6
# Largest share of the context reserved for the answer, and for tools.
_FOR_THE_ANSWER, _FOR_TOOLS = 0.25, 0.4
# Tools are dropped rather than fewer than this many earlier messages.
_NEWEST = 4


@dataclass(frozen=True)
class FittedContext:
    """The prompt to send: rules, conversation (the question last), and tools."""

    rules: ChatMessage
    talk: list[ChatMessage]
    functions: Sequence[Function]


def fit(
    rules: str, tool_rules: str, talk: Sequence[ChatMessage], functions: Sequence[Function]
) -> FittedContext:
    """Fit a prompt to the model's context: drop tools if they take too much, then the oldest
    messages.

    `talk` ends with the question, which is never cut. Raises ModelFailure if rules and question
    alone are too long.
    """
    offered = functions if settings.MODEL_TOOLS != "off" else ()
    room = room_for_prompt() - _cost(rules)
    if room < _FRAME:
        raise llm.failure("no room")
    room -= _cost(talk[-1]["content"])
    if room < 0:
        raise llm.failure("too long")
    if offered:
        tools = cost_of_tools(offered) + _cost(tool_rules)
        newest = sum(_cost(message["content"]) for message in talk[-1 - _NEWEST : -1])
        fits = tools + newest <= room and tools <= _FOR_TOOLS * llm.window()
        if not (fits or settings.MODEL_TOOLS == "on"):
            offered = ()
        else:
            room -= tools
    kept = [*_newest(talk[:-1], room), talk[-1]]
    return FittedContext(_rules(rules, tool_rules if offered else ""), kept, offered)


def room_for_prompt() -> int:
    """Return how many tokens of the context are available for the prompt."""
    window = llm.window()
    return window - min(int(settings.MODEL_MAX_TOKENS) or window, int(_FOR_THE_ANSWER * window))


def cost_of(messages: Sequence[Turn]) -> int:
    """Estimate the tokens of messages."""
    return sum(map(_cost_of, messages))


def shortened(messages: Sequence[Turn], room: int) -> list[Turn]:
    """Return the messages shortened to `room` tokens: the oldest are dropped first, then results of
    calls are emptied. Rules, question and calls stay.

    messages: the rules, the conversation up to the question, then calls and their results.
    """
    kept = list(messages)
    over = cost_of(kept) - room
    roles = [message["role"] for message in kept]
    earlier = len(roles) - 1 - roles[::-1].index("user") - 1
    while over > 0 and earlier > 0:
        over -= _cost_of(kept.pop(1))
        earlier -= 1
    for position, message in enumerate(kept):
        if over > 0 and message["role"] == "tool":
            shorter = llm.result_left_out(message)
            over -= _cost_of(message) - _cost_of(shorter)
            kept[position] = shorter
    return kept


def cost_of_tools(functions: Sequence[Function]) -> int:
    """Estimate the tokens of tool definitions."""
    return _cost(json.dumps([function.as_offered() for function in functions]))


def _rules(rules: str, tool_rules: str) -> ChatMessage:
    return {"role": "system", "content": f"{tool_rules}\n{rules}" if tool_rules else rules}


def _newest(talk: Sequence[ChatMessage], room: int) -> list[ChatMessage]:
    """Return the latest messages that fit in `room` tokens, without a gap."""
    kept: list[ChatMessage] = []
    for message in reversed(talk):
        room -= _cost(message["content"])
        if room < 0:
            break
        kept.append(message)
    return kept[::-1]


def _cost(text: str) -> int:
    return int(_MORE * count_tokens(text)) + _FRAME


def _cost_of(message: Turn) -> int:
    calls = message.get("tool_calls")
    return _cost(message["content"] + (json.dumps(calls) if calls else ""))
