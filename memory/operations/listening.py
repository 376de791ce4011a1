"""Letting a language model read part of a conversation, and checking the operations it returns.

The model sees line numbers and short ids, never database keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, TypedDict

from django.utils.timezone import localtime

from memory.language.message_provenance import without_tags
from memory.language.safety import guard, sensitivity
from memory.language.safety.instructions import instructs
from memory.operations.checks import Checked, Trust, check, is_one_plain_line
from memory.operations.evidence import (
    Evidence,
    KnownItem,
    SaidLine,
    adds_a_number_or_a_name,
)
from memory.operations.schema import ListeningAnswer
from memory.slots import SLOTS

MOST_OPERATIONS, LONGEST_SUMMARY = 40, 300
SHOWN_OF_AN_ANSWER = 800
"""Characters shown of an answer of the assistant: enough to see what the person replies to."""
_RULES = Path(__file__).with_name("rules.md").read_text(encoding="utf-8").rstrip()


class PromptMessage(TypedDict):
    """A message to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Ask(Protocol):
    """A call of a language model; raises if there is no answer that fits the schema."""

    def __call__(
        self, messages: list[PromptMessage], *, schema: type[ListeningAnswer]
    ) -> ListeningAnswer:
        """Return one complete answer."""


@dataclass(frozen=True)
class Listened:
    """The model's checked operations for a part of a conversation, and its unchecked summary."""

    operations: tuple[Checked, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Stretch:
    """The part of a conversation that the model reads, with what is known about the user."""

    lines: Sequence[SaidLine]
    known: Sequence[KnownItem]
    ends_at: datetime
    so_far: str = ""
    person: str = ""


def listen(ask: Ask, stretch: Stretch, trust: Trust = Trust.AUTO) -> Listened:
    """Return the operations that a model proposes, checked. Exceptions of `ask` are passed on."""
    answer = ask(messages(stretch), schema=ListeningAnswer)
    evidence = Evidence(stretch.lines, stretch.known, stretch.person)
    checked = [check(each, evidence, trust) for each in answer.operations[:MOST_OPERATIONS]]
    return Listened(tuple(checked), answer.summary)


def messages(stretch: Stretch) -> list[PromptMessage]:
    """Return the prompt: rules and slots, then known records and conversation, fenced as data."""
    slots = "\n".join(f"- {slot.key}: {slot.noun}" for slot in SLOTS.values())
    known = "\n".join(map(_known_line, stretch.known))
    lines = "\n".join(map(_said_line, stretch.lines))
    ends = localtime(stretch.ends_at)
    data = (
        f"<known>\n{known}\n</known>\n"
        f'<conversation today="{ends:%A} {ends.date()}" time_zone="{ends.tzname()}"'
        f' person="{_fenced(stretch.person)}" so_far="{_fenced(stretch.so_far)}">\n'
        f"{lines}\n</conversation>"
    )
    return [
        {"role": "system", "content": f"{_RULES}\n{slots}"},
        {"role": "user", "content": data},
    ]


def _known_line(item: KnownItem) -> str:
    slot = f' slot="{item.slot}"' if item.slot else ""
    hand = ' by_hand="yes"' if item.by_hand else ""
    said_on = f"{localtime(item.said_at).date()}"
    return f'<item id="{item.alias}"{slot} said="{said_on}"{hand}>{_fenced(item.text)}</item>'


def _said_line(line: SaidLine) -> str:
    speaker = "person" if line.by_user else "assistant"
    marks = ("" if line.typed else ' pasted="yes"') + ("" if line.fresh else ' read="before"')
    text = line.text if line.by_user else line.text[:SHOWN_OF_AN_ANSWER]
    local_time = localtime(line.said_at)
    head = f'<line n="{line.alias}" by="{speaker}" on="{local_time.date()} {local_time:%A}"{marks}>'
    return f"{head}{_fenced(text)}</line>"


def _fenced(text: str) -> str:
    """Return a text in one line without tags, so that it cannot end the fence."""
    return " ".join(without_tags(text).split())


def fit_summary(text: str, sources: Sequence[str]) -> str:
    """Return a model's summary if it may be stored, else ''.

    Its numbers and names must have been said, and it must not be private, a secret or an
    instruction.
    """
    whole = " ".join(text.split())
    if len(whole) > LONGEST_SUMMARY or not is_one_plain_line(whole):
        return ""
    unfit = (
        adds_a_number_or_a_name([whole], sources)
        or sensitivity.is_private_text(whole)
        or guard.holds_a_secret(whole)
        or instructs(whole).refused
    )
    return "" if unfit else whole
