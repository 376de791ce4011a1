"""Which of the two minds answers: the language model when there is one, the notebook otherwise."""

from collections.abc import Generator, Iterable
from typing import Protocol
from uuid import UUID

from accounts.isolation import acting_as
from conversations import llm, offline, prompt
from conversations.prompt import Prompt


class Draft(Protocol):
    """What a responder tells of its answer besides the words."""

    def uses(self, fact_ids: list[UUID], conversations: int) -> None:
        """Note which facts the answer draws on, from how many earlier conversations."""


def stream(asked: Prompt, draft: Draft) -> Generator[str, None, None]:
    """The answer in pieces. Raises llm.ModelFailure; with no model it cannot fail that way."""
    if llm.configured():
        used = [fact.pk for fact in asked.injected]
        pieces: Iterable[str] = llm.stream(prompt.as_messages(asked))
    else:
        answer = offline.answer(asked)
        used, pieces = answer.used, answer.pieces
    if used:
        with acting_as(asked.question.user_id):
            draft.uses(used, prompt.conversations_behind(asked, used))
    yield from pieces
