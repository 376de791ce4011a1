"""Reading a stretch of conversation with a language model, and believing it no further than shown.

What rules cannot read ("my better half and I finally got the keys") becomes a note too. The model
sees numbers for lines and notes, never keys of the database, and the day on which a line was said
is its only calendar. What it proposes is judged in `memory.notes.model_proposals`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal, Protocol, TypedDict

from pydantic import BaseModel

from memory.language.message_provenance import without_tags
from memory.notes.model_proposals import fit_summary, judge
from memory.notes.proposal_evidence import (
    AcceptedProposal,
    KnownLine,
    ProposalEvidence,
    ProposedNote,
    SaidLine,
)
from memory.slots import SLOTS

__all__ = [
    "AcceptedProposal",
    "Ask",
    "KnownLine",
    "PromptMessage",
    "ProposedNote",
    "Reflection",
    "ReflectionAnswer",
    "SaidLine",
    "read_for_notes",
]

MOST_NOTES = 20
# What is shown of an answer of the assistant: enough to see what the person replies to.
SHOWN_OF_AN_ANSWER = 800


@dataclass(frozen=True)
class Reflection:
    """What a stretch of conversation comes to. `dropped` says why each other proposal fell."""

    notes: tuple[AcceptedProposal, ...] = ()
    summary: str = ""
    dropped: tuple[str, ...] = ()


class PromptMessage(TypedDict):
    """One message to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class ReflectionAnswer(BaseModel):
    """The whole answer of the model."""

    notes: list[ProposedNote]
    summary: str


class Ask(Protocol):
    """A language model: raises when it gives no answer that fits the schema."""

    def __call__(
        self, messages: list[PromptMessage], *, schema: type[ReflectionAnswer]
    ) -> ReflectionAnswer:
        """One complete answer."""


def read_for_notes(
    ask: Ask,
    lines: Sequence[SaidLine],
    known: Sequence[KnownLine],
    observed_on: date,
    *,
    so_far: str = "",
) -> Reflection:
    """Have a stretch of conversation read for notes, and keep what its own words bear out.

    `so_far` is the summary of what was said earlier in the conversation. Whatever `ask` raises
    goes through; whatever it returns gives a Reflection.
    """
    reading = ask(messages(lines, known, observed_on, so_far=so_far), schema=ReflectionAnswer)
    desk = ProposalEvidence(lines, known)
    verdicts = [judge(finding, desk) for finding in reading.notes[:MOST_NOTES]]
    dropped = [verdict for verdict in verdicts if isinstance(verdict, str)]
    said = [*(line.text for line in lines), so_far]
    dropped += ["too many"] * max(0, len(reading.notes) - MOST_NOTES)
    return Reflection(
        notes=tuple(verdict for verdict in verdicts if isinstance(verdict, AcceptedProposal)),
        summary="" if "private" in dropped else fit_summary(reading.summary, said),
        dropped=tuple(dropped),
    )


# --- What the model reads ------------------------------------------------------------------------

_RULES = Path(__file__).with_name("reflection_rules.md").read_text(encoding="utf-8").rstrip()


def messages(
    lines: Sequence[SaidLine], known: Sequence[KnownLine], observed_on: date, *, so_far: str = ""
) -> list[PromptMessage]:
    """What is sent: the rules, then known notes and the conversation as fenced data."""
    slots = "; ".join(f"{slot.key} ({slot.noun})" for slot in SLOTS.values())
    notes = "\n".join(f'<note n="{line.alias}">{_fenced(line.text)}</note>' for line in known)
    said = "\n".join(_prompt_line(line) for line in lines)
    data = (
        f"<known>\n{notes}\n</known>\n"
        f'<conversation ends="{observed_on:%Y-%m-%d}" so_far="{_fenced(so_far)}">\n'
        f"{said}\n</conversation>"
    )
    return [{"role": "system", "content": f"{_RULES} {slots}"}, {"role": "user", "content": data}]


def _prompt_line(line: SaidLine) -> str:
    who = "person" if line.by_user else "assistant"
    marks = ("" if line.typed else ' pasted="yes"') + ("" if line.fresh else ' read="before"')
    text = line.text if line.by_user else line.text[:SHOWN_OF_AN_ANSWER]
    day = f"{line.said_at:%Y-%m-%d %A}"
    return f'<line n="{line.alias}" by="{who}" on="{day}"{marks}>{_fenced(text)}</line>'


def _fenced(text: str) -> str:
    """A text that cannot begin a line of its own either."""
    return " ".join(without_tags(text).split())
