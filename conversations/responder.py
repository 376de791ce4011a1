"""Which of the two minds answers: the language model when there is one, the notebook otherwise."""

from collections.abc import Generator, Iterable, Sequence
from typing import Protocol
from uuid import UUID

from accounts.isolation import acting_as
from conversations import llm, offline, prompt, toolloop
from conversations.prompt import Prompt
from conversations.tools.steps import Step
from memory import memories
from memory.injection import Item


class Draft(toolloop.Draft, Protocol):
    """What a responder tells of its answer besides its words and steps."""

    def uses(self, items: Sequence[Item], conversations: int) -> None:
        """Note what the answer draws on, from how many earlier conversations."""


def stream(asked: Prompt, draft: Draft) -> Generator[str | Step, None, None]:
    """The answer in pieces, and the steps on the way to it.

    Raises llm.ModelFailure; with no model it cannot fail that way.
    """
    used: Sequence[Item]
    if llm.configured():
        used = asked.injected.items
        pieces: Iterable[str | Step] = toolloop.answer(asked, draft)
    else:
        with acting_as(asked.question.user_id):
            answer = offline.answer(asked)
        used, pieces = answer.used, [*answer.steps, *answer.pieces]
    if used:
        _note_the_use(asked, used, draft)
    yield from pieces


def _note_the_use(asked: Prompt, used: Sequence[Item], draft: Draft) -> None:
    """Keep with the answer what it draws on, and with each of those that it was of use."""
    ids: dict[str, list[UUID]] = {}
    for item in used:
        ids.setdefault(item.what, []).append(item.id)
    with acting_as(asked.question.user_id):
        draft.uses(used, prompt.conversations_behind(asked, used))
        notes = [*ids.get("memory", []), *ids.get("summary", [])]
        memories.touch(asked.question.user_id, notes, ids.get("fact", []))
