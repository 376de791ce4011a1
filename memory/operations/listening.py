"""Having a language model read a stretch of conversation, and checking the operations it returns.

The model sees numbers for lines and short ids for what is known, never keys of the database.
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
    """One message to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Ask(Protocol):
    """A language model: raises when it gives no answer that fits the schema."""

    def __call__(
        self, messages: list[PromptMessage], *, schema: type[ListeningAnswer]
    ) -> ListeningAnswer:
        """Return one complete answer."""


@dataclass(frozen=True)
class Listened:
    """What a stretch of conversation comes to: every operation with what the rules say of it, and
    the model's summary as it gave it.
    """

    operations: tuple[Checked, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Stretch:
    """What a model is shown: lines, what is known, the summary so far, when the last line was said
    and how the person is called.
    """

    lines: Sequence[SaidLine]
    known: Sequence[KnownItem]
    ends_at: datetime
    so_far: str = ""
    person: str = ""


def listen(ask: Ask, stretch: Stretch, trust: Trust = Trust.AUTO) -> Listened:
    """Return the operations that a model proposes for a stretch, checked. Whatever `ask` raises
    goes through.
    """
    answer = ask(messages(stretch), schema=ListeningAnswer)
    evidence = Evidence(stretch.lines, stretch.known, stretch.person)
    checked = [check(each, evidence, trust) for each in answer.operations[:MOST_OPERATIONS]]
    return Listened(tuple(checked), answer.summary)


def messages(stretch: Stretch) -> list[PromptMessage]:
    """Return the prompt: the rules with the slots, then what is known and the conversation, fenced
    as data.
    """
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
    """Return a text that cannot begin a line of its own or end the fence."""
    return " ".join(without_tags(text).split())


def fit_summary(text: str, sources: Sequence[str]) -> str:
    """Return a model's summary where its numbers and names were said, and it neither tells anything
    private, nor a secret, nor orders anything; else ''.
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
