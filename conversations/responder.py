"""Which of the two minds answers: the language model when there is one, the notebook otherwise."""

from collections.abc import Generator, Sequence
from typing import Protocol
from uuid import UUID

from conversations import offline, prompt, toolloop
from conversations.prompt import Prompt
from conversations.tools.steps import Step
from memory import memories
from memory.injection import Item


class Draft(toolloop.Draft, Protocol):
    """What a responder tells of its answer besides its words and steps."""

    def uses(self, items: Sequence[Item], conversations: int) -> None:
        """Note what the answer draws on, from how many earlier conversations."""


def stream(asked: Prompt, draft: Draft) -> Generator[str | Step, None, None]:
    """The model's answer in pieces, and the steps on the way to it. Raises llm.ModelFailure."""
    yield from toolloop.answer(asked, draft)


def from_the_notebook(asked: Prompt, draft: Draft) -> list[str | Step]:
    """The answer without a model, whole, in the person's open block."""
    answer = offline.answer(asked)
    note_the_use(asked, answer.used, draft)
    return [*answer.steps, *answer.pieces]


def note_the_use(asked: Prompt, used: Sequence[Item], draft: Draft) -> None:
    """Keep with the answer what it draws on, and with each of those that it was of use; in the
    person's open block.
    """
    if not used:
        return
    ids: dict[str, list[UUID]] = {}
    for item in used:
        ids.setdefault(item.what, []).append(item.id)
    draft.uses(used, prompt.conversations_behind(asked, used))
    notes = [*ids.get("memory", []), *ids.get("summary", [])]
    memories.touch(asked.question.user_id, notes, ids.get("fact", []))
