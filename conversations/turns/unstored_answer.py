"""An answer without memory: nothing is read from memory, and nothing is stored."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing

from django.conf import settings

from conversations import llm
from conversations.client_request import ClientRequest
from conversations.llm import ChatMessage, Reply, Turn, context_fitting

_RULES = """\
You are Throughline, an assistant. Be plain and brief. Memory is off for this request: nothing of \
earlier conversations is known, and nothing of this one is kept."""
NO_MODEL = (
    "Memory is off for this request, and no language model is connected, so I have nothing to "
    "answer from."
)


def stream(history: Sequence[Turn], client: ClientRequest, reply: Reply) -> Iterator[str]:
    """Yield the model's answer in pieces, '' during silence; `reply` is complete at the end.

    `history` is the whole conversation, including calls of the client's tools. Raises
    llm.ModelFailure.
    """
    if not llm.configured():
        reply.text = NO_MODEL
        yield NO_MODEL
        return
    system = "\n\n".join(text for text in (_RULES, client.instructions) if text)
    rules: ChatMessage = {"role": "system", "content": system}
    tools = context_fitting.cost_of_tools(client.functions) if client.functions else 0
    room = context_fitting.room_for_prompt() - tools
    messages = context_fitting.shortened([rules, *history], room)
    seconds = float(settings.MODEL_ANSWER_SECONDS)
    until = time.monotonic() + seconds if seconds > 0 else None
    pieces = llm.stream(messages, client.functions, reply, until=until, wishes=client.wishes)
    with closing(pieces):
        yield from pieces
    client.take(reply.calls)
