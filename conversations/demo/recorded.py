"""Recorded answers and operations, replayed in place of a language model.

They take the same path as a model's output: the answer through the turn with its full prompt,
operations through the checks and the ledger (`learning.listening_runs`).
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

import structlog

from conversations import llm, notebook
from conversations.demo.clock import replaced
from conversations.demo.talks import DemoMessage, RecordedOperation
from conversations.llm import ChatMessage, background
from conversations.prompt import Prompt
from conversations.tools.steps import RECORDED, Step
from conversations.turns import tool_loop
from conversations.turns.responder import AnswerRecorder
from memory.operations.schema import ListeningAnswer, Operation, Quote

log = structlog.get_logger(__name__)
_LINE = re.compile(r'<line n="(\d+)" by="person"[^>\n]*>(.*)</line>')
_ITEM = re.compile(r'<item id="(\w+)"(?: slot="(\w+)")?[^>\n]*>(.*)</item>')


@contextmanager
def playing(message: DemoMessage) -> Iterator[None]:
    """Connect, within the block, a fake model that returns what was recorded for this message."""

    def answer(_asked: Prompt, _draft: AnswerRecorder) -> Iterator[str | Step]:
        yield Step(RECORDED, {}, "done", "no language model was used", 0)
        yield message.answer

    def listen(shown: list[ChatMessage], *, schema: type[ListeningAnswer]) -> ListeningAnswer:
        prompt = shown[-1]["content"]
        return schema(operations=list(_filled_in(message.notes, prompt)), summary="")

    with ExitStack() as stack:
        stack.enter_context(llm.using(llm.Connection("", "recorded", "recorded")))
        stack.enter_context(replaced(tool_loop, "answer", answer))
        stack.enter_context(replaced(background, "ask", listen))
        # The recorded operations include corrections; searching for them would take long.
        stack.enter_context(replaced(notebook, "store_correction", lambda _asked: None))
        yield


def _filled_in(recorded: Iterable[RecordedOperation], prompt: str) -> Iterator[Operation]:
    """Yield the operations with line number and item id as in the prompt; skip those whose quote or
    item is not in the prompt.
    """
    for operation in recorded:
        lines = [int(number) for number, text in _LINE.findall(prompt) if operation.words in text]
        target = _id_of(operation.target, prompt) if operation.target else ""
        if lines and target is not None:
            quotes = [Quote(line=lines[-1], words=operation.words)]
            yield Operation(**operation.stated, target=target, quotes=quotes)
        else:
            log.warning(
                "demo.not_in_the_prompt", op=operation.stated["op"], target=operation.target
            )


def _id_of(target: str, prompt: str) -> str | None:
    """Return the prompt's id of the item in this slot or with these words, or None."""
    items = _ITEM.findall(prompt)
    return next((alias for alias, slot, text in items if target == slot or target in text), None)
