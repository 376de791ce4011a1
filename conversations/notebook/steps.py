"""What was looked up for an answer, kept as the steps that led to it."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from accounts.support import formatting
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from conversations.tools import registry
from conversations.tools.steps import Step
from conversations.tools.tool import Result, ToolContext


@dataclass
class Lookup:
    """How much a look-up brought, known at its end: counted, or in a tool's own words."""

    count: int = 0
    wording: str = ""

    @property
    def in_words(self) -> str:
        """'three found', '2 conversations'."""
        counted = f"{formatting.number(self.count)} found" if self.count else "nothing found"
        return self.wording or counted


@contextmanager
def recorded_step(answer: Answer, tool: str, /, **arguments: Any) -> Iterator[Lookup]:
    """Keep a look-up as a step of the answer."""
    began, found = time.perf_counter(), Lookup()
    yield found
    spent = round((time.perf_counter() - began) * 1000)
    step = Step(tool, arguments, "done", found.in_words, spent)
    # Who looks twice for the same thing has looked for it once.
    if not any((one.tool, one.arguments) == (tool, arguments) for one in answer.steps):
        answer.steps.append(step)


def none_answers(answer: Answer) -> None:
    """What was looked up last came near and does not answer: the step says so."""
    last = answer.steps[-1] if answer.steps else None
    if last is not None and last.found.endswith(" found") and last.found != "nothing found":
        count = last.found.removesuffix(" found")
        found = f"{count} {'comes' if count == 'one' else 'come'} near, none answers it"
        answer.steps[-1] = replace(last, found=found)


def call(prompt: Prompt, answer: Answer, tool: str, arguments: Mapping[str, Any]) -> BaseModel:
    """Call a tool of the table for the person who asks, and keep the step."""
    with recorded_step(answer, tool, **arguments) as found:
        result = registry.call(tool_context_of(prompt), tool, arguments)
        found.wording = registry.in_words(result)
    return result


def ask_first(prompt: Prompt, answer: Answer, tool: str, arguments: Mapping[str, Any]) -> Result:
    """Keep a step that waits for its owner's yes to just what is foreseen.

    Raises ToolRefused when there is nothing to ask about.
    """
    began = time.perf_counter()
    foreseen = registry.foresee(tool_context_of(prompt), tool, arguments)
    spent = round((time.perf_counter() - began) * 1000)
    exactly = foreseen.model_dump(mode="json")["arguments"]
    answer.steps.append(Step(tool, exactly, "asked", foreseen.named(), spent))
    return foreseen


def tool_context_of(prompt: Prompt) -> ToolContext:
    """Who asks, when, and from where."""
    question = prompt.question
    return ToolContext(question.user_id, question.said_at, question.conversation_id, question.pk)
