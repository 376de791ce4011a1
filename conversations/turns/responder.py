"""Choosing the responder: the language model, or the notebook.

Without a model the notebook answers everything. With a model it gives exact answers only
(`turns.exact_answers`), and takes over if the model fails before its first word.
"""

from collections.abc import Generator, Sequence
from typing import Protocol
from uuid import UUID

import structlog

from accounts.database.isolation import acting_as
from accounts.support.best_effort import best_effort
from conversations import llm, notebook, prompt
from conversations.prompt import Prompt
from conversations.tools.steps import Step
from conversations.turns import exact_answers, tool_loop
from memory.context.cohort_prompt import lesson_item
from memory.context.prompt_items import PromptItem
from memory.notes.note_usage import mark_used

log = structlog.get_logger(__name__)
STANDS_IN = "The language model didn’t answer, so this is from your notebook."


class AnswerRecorder(tool_loop.UsageRecorder, Protocol):
    """What a responder records of its answer besides text and steps. `member_of`: the handles of
    the user's personas.
    """

    member_of: tuple[str, ...]

    def uses(self, items: Sequence[PromptItem], conversations: int) -> None:
        """Record the items that the answer uses, and from how many earlier conversations."""

    def fall_back_to_notebook(self, why: str) -> bool:
        """Record that the notebook answers instead of the model, and why; return False if it must
        not.
        """


def stream(answer_prompt: Prompt, draft: AnswerRecorder) -> Generator[str | Step, None, None]:
    """Yield the model's answer in pieces, and its steps; '' during silence. If the model fails
    before its first word, the notebook answers instead.
    """
    begun = False
    try:
        for piece in tool_loop.answer(answer_prompt, draft):
            begun = begun or (isinstance(piece, str) and bool(piece))
            yield piece
        _store_correction(answer_prompt)
    except llm.ModelFailure as failure:
        if begun:
            _store_correction(answer_prompt)
            raise
        if not draft.fall_back_to_notebook(failure.words):
            raise
        with acting_as(answer_prompt.question.user_id):
            answer = notebook.compose_answer(answer_prompt)
            _note_the_use(answer_prompt, answer.used, draft)
        yield f"{STANDS_IN}\n\n"
        yield from answer.steps
        yield from answer.pieces


def _store_correction(answer_prompt: Prompt) -> None:
    """Store which message this one corrects; an error does not affect the answer."""
    with (
        best_effort(lambda error: log.warning("correction_lost", error=type(error).__name__)),
        acting_as(answer_prompt.question.user_id),
    ):
        notebook.store_correction(answer_prompt)


def from_the_notebook(answer_prompt: Prompt, draft: AnswerRecorder) -> list[str | Step] | None:
    """Return the notebook's whole answer, in the user's transaction (`acting_as`); None if a model
    is to answer. In that case all items of the prompt count as used.
    """
    draft.member_of = answer_prompt.cohort.member_of
    answer = (
        exact_answers.answer(answer_prompt)
        if llm.configured()
        else notebook.compose_answer(answer_prompt)
    )
    _note_the_use(
        answer_prompt, _prompt_items(answer_prompt) if answer is None else answer.used, draft
    )
    return None if answer is None else [*answer.steps, *answer.pieces]


def _prompt_items(answer_prompt: Prompt) -> list[PromptItem]:
    """Return the items of a prompt: memory, and lessons of the user's persona."""
    return [*answer_prompt.injected.items, *map(lesson_item, answer_prompt.cohort.chosen())]


def _note_the_use(answer_prompt: Prompt, used: Sequence[PromptItem], draft: AnswerRecorder) -> None:
    """Record the used items with the answer, and count the use of each memory; in the user's
    transaction (`acting_as`).
    """
    if not used:
        return
    ids: dict[str, list[UUID]] = {}
    for item in used:
        ids.setdefault(item.what, []).append(item.id)
    # Items that are only offered for correction were not used.
    drawn_on = [item for item in used if not item.offered]
    draft.uses(used, prompt.conversations_behind(answer_prompt, drawn_on))
    notes = [*ids.get("memory", []), *ids.get("summary", [])]
    mark_used(answer_prompt.question.user_id, notes, ids.get("fact", []))
