"""Building an answer: its sentences, the items that it uses, and its look-ups."""

import time
from collections.abc import Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.utils.timezone import localtime
from pydantic import BaseModel

from accounts.support import formatting
from conversations.markdown import literal
from conversations.models import Message
from conversations.prompt import Prompt
from conversations.tools import registry
from conversations.tools.steps import Step
from conversations.tools.tool import Result, ToolContext
from memory.context.prompt_items import PromptItem
from memory.language.message_provenance import TextStanding
from memory.language.queries.query_intent import split_sentences
from memory.language.reading import is_correction
from memory.models import ProfileFact
from memory.notes.labels import context_label
from memory.retrieval.relevance import ScoredNote

NOTHING = "I don’t know that yet."
NOTHING_ELSE = "All I know about that is what you just told me."
# A longer quote is cut around the relevant part.
LONGEST_QUOTE = 340
_LONGEST_BEFORE = 160


@dataclass
class Answer:
    """The sentences of an answer, the items that it uses, and its steps."""

    pieces: list[str] = field(default_factory=list)
    used: list[PromptItem] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def say(self, sentence: str, *facts: ProfileFact) -> None:
        """Add a sentence and the facts that it is based on; after a list as a new paragraph."""
        behind_a_list = bool(self.pieces) and self.pieces[-1].startswith("\n- ")
        lead = "" if not self.pieces else "\n\n" if behind_a_list else " "
        self.pieces.append(lead + sentence)
        self.rest_on(*(used_fact(fact) for fact in facts))

    def say_once(self, sentence: str) -> None:
        """Add a sentence unless the answer already contains it."""
        if not any(sentence in piece for piece in self.pieces):
            self.say(sentence)

    def point(self, line: str, *items: PromptItem) -> None:
        """Add a list item."""
        self.pieces.append("\n- " + line)
        self.rest_on(*items)

    def paragraph(self, sentence: str) -> None:
        """Add a sentence after a blank line."""
        self.pieces.append(sentence if not self.pieces else "\n\n" + sentence)

    def join(self, other: "Answer") -> None:
        """Add another answer as a paragraph."""
        if other.pieces:
            self.pieces += ["\n\n" if self.pieces else "", *other.pieces]
        self.rest_on(*other.used)
        self.steps += [step for step in other.steps if step not in self.steps]

    def rest_on(self, *items: PromptItem) -> None:
        """Record items that the answer uses, without duplicates."""
        for item in items:
            if item.offered:
                self.used = [other for other in self.used if other.id != item.id]
            if all(other.id != item.id for other in self.used):
                self.used.append(item)


def used_fact(fact: ProfileFact) -> PromptItem:
    """Return a fact as an item that an answer uses."""
    return PromptItem("fact", fact.pk, fact.kind.noun, fact.value, fact.value)


def used_note(note: ScoredNote) -> PromptItem:
    """Return a memory as an item that an answer uses."""
    item = PromptItem("memory", note.id, "", note.content, note.content)
    return replace(item, score=note.score, conversation_id=note.conversation_id)


def used_message(message: Message) -> PromptItem:
    """Return a message as an item that an answer uses."""
    item = PromptItem("quote", message.pk, "", message.content, message.content)
    return replace(item, conversation_id=message.conversation_id)


# --- Wording -------------------------------------------------------------------------------------


def day_in_full(at: datetime | date) -> str:
    """Return a date in full: '7 May 2023'."""
    day = localtime(at).date() if isinstance(at, datetime) else at
    return f"{day.day} {day:%B %Y}"


def source(message: Message) -> str:
    """Return a Markdown link to the message, with its date as text."""
    return f"[{day_in_full(message.said_at)}]({message.get_absolute_url()})"


def noted_line(note: ScoredNote) -> str:
    """Return a memory with its date and source: 'Noted 7 May 2023, unchecked: …'."""
    how = {TextStanding.PASTED: ", from a text you pasted", TextStanding.CLAIM: ", unchecked"}
    text = literal(note.original or note.content)
    return f"Noted {day_in_full(note.said_at)}{how.get(note.standing, '')}: {text}"


def quoted(text: str) -> str:
    """Return a text in quotation marks, cut if it is long."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST_QUOTE:
        plain = f"{plain[:LONGEST_QUOTE]}…"
    return f"“{literal(plain)}”"


def line(message: Message, sentence: str = "") -> str:
    """Return '[8 May 2023](…), Ada: “…”' for a message, or a sentence of it with its correction."""
    who = literal(message.author) if message.author else "you"
    said_by = {
        TextStanding.PASTED: f"in a text {who} pasted",
        TextStanding.CLAIM: f"{who}, unchecked",
        TextStanding.EDITED: f"{who}, corrected",
    }.get(message.quoted_as, who)
    text = f"{sentence}{_put_right(message.content, sentence)}" if sentence else message.content
    return f"{source(message)}, {said_by}: {quoted(text)}"


def after(before: str) -> str:
    """Return ' (after “She has the two small ones…”)' for the preceding message; '' for ''."""
    shown = context_label(before, _LONGEST_BEFORE)
    return f" (after “{literal(shown)}”)" if shown else ""


def _put_right(text: str, sentence: str) -> str:
    """Return the sentence after `sentence` in a text (' No, sorry, Beatrice.') if a correction."""
    parts = split_sentences(text)
    following = parts[parts.index(sentence) + 1 :][:1] if sentence in parts else []
    return f" {following[0]}" if following and is_correction(following[0]) else ""


# --- Look-ups, stored as steps of the answer -----------------------------------------------------


@dataclass
class Lookup:
    """The result of a look-up in words, set when it ends."""

    wording: str = "nothing found"

    def count(self, results: Sized) -> None:
        """Set the wording from the number of results: 'three found'."""
        if results:
            self.wording = f"{formatting.number(len(results))} found"


@contextmanager
def recorded_step(answer: Answer, tool: str, /, **arguments: Any) -> Iterator[Lookup]:
    """Store a look-up as a step of the answer; an identical look-up is stored once."""
    began, lookup = time.perf_counter(), Lookup()
    yield lookup
    spent = round((time.perf_counter() - began) * 1000)
    if not any((step.tool, step.arguments) == (tool, arguments) for step in answer.steps):
        answer.steps.append(Step(tool, arguments, "done", lookup.wording, spent))


def call(prompt: Prompt, answer: Answer, tool: str, arguments: Mapping[str, Any]) -> BaseModel:
    """Call a tool for the asking user, and store the step."""
    with recorded_step(answer, tool, **arguments) as lookup:
        result = registry.call(tool_context_of(prompt), tool, arguments)
        lookup.wording = registry.in_words(result)
    return result


def ask_first(prompt: Prompt, answer: Answer, tool: str, arguments: Mapping[str, Any]) -> Result:
    """Store a step that waits for the user's approval of exactly the previewed change. Raises
    ToolRefused if there is nothing to ask about.
    """
    foreseen = registry.foresee(tool_context_of(prompt), tool, arguments)
    exactly = foreseen.model_dump(mode="json")["arguments"]
    answer.steps.append(Step(tool, exactly, "asked", foreseen.named(), 0))
    return foreseen


def tool_context_of(prompt: Prompt) -> ToolContext:
    """Return the tool context of a prompt: user, time and conversation."""
    question = prompt.question
    return ToolContext(question.user_id, question.said_at, question.conversation_id, question.pk)
