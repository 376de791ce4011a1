"""The operations on facts and memories that a language model can propose.

The model returns them as `ListeningAnswer`. Each quotes words that the user said, by line, and is
checked (`memory.operations.checks`) before it is applied.
"""

from typing import Literal

from pydantic import BaseModel, Field

from memory.slots import SLOTS

Verb = Literal["add", "update", "end", "conflict", "confirm", "forget"]
VERBS: tuple[Verb, ...] = ("add", "update", "end", "conflict", "confirm", "forget")
ON_A_TARGET: frozenset[str] = frozenset(VERBS) - {"add"}
REASONS = ("change", "correction", "refinement")
CATEGORIES = ("fact", "preference", "topic", "style")
SCOPES = ("everywhere", "conversation")
SENSITIVE: dict[str, str] = {
    "health": "medical",
    "mind": "mental_health",
    "money": "financial",
    "relationships": "relationships",
    "law": "legal",
    "belief": "religion",
    "politics": "politics",
    "origin": "ethnicity",
    "sexuality": "sexual_orientation",
}
"""Slots by the sensitive matters that an operation may touch."""
CONFIDENTIAL = "confidential"
# Some servers refuse an empty string among choices.
NONE = "none"
LONGEST_TEXT, LONGEST_VALUE, LONGEST_QUOTE = 240, 120, 600


def _choices(*words: str) -> dict[str, list[str]]:
    """Return a JSON schema for a field with choices.

    Other values are still parsed, so that only one operation is dropped and not the whole answer.
    """
    return {"enum": list(words)}


class Quote(BaseModel):
    """Words of a line, copied exactly."""

    line: int
    words: str


class Operation(BaseModel):
    """An operation that a language model proposes.

    `target` is the short id of a fact ("f3"), a memory ("n2") or an open conflict ("c1"); `slot`
    and `value` state a fact, `text` a memory. Days are ISO dates, '' for none.
    """

    op: str = Field(json_schema_extra=_choices(*VERBS))  # type: ignore[arg-type]
    target: str
    slot: str = Field(json_schema_extra=_choices(NONE, *SLOTS))  # type: ignore[arg-type]
    value: str
    text: str
    category: str = Field(json_schema_extra=_choices(*CATEGORIES))  # type: ignore[arg-type]
    reason: str = Field(json_schema_extra=_choices(NONE, *REASONS))  # type: ignore[arg-type]
    day: str
    since: str
    scope: str = Field(json_schema_extra=_choices(*SCOPES))  # type: ignore[arg-type]
    sensitive: str = Field(
        json_schema_extra=_choices(NONE, *SENSITIVE, CONFIDENTIAL)  # type: ignore[arg-type]
    )
    confidence: float
    quotes: list[Quote]


class ListeningAnswer(BaseModel):
    """The complete answer of the model."""

    operations: list[Operation]
    summary: str


def tidied(operation: Operation) -> Operation:
    """Return the operation with single spaces, choices in lower case, and "none" as ''."""
    choices = ("op", "slot", "category", "reason", "scope", "sensitive", "target")
    texts = {
        name: " ".join(getattr(operation, name).split())
        for name in (*choices, "value", "text", "day", "since")
    }
    texts |= {name: texts[name].lower() for name in choices}
    texts |= {name: "" for name in choices if texts[name] == NONE}
    quotes = [
        quote.model_copy(update={"words": " ".join(quote.words.split())})
        for quote in operation.quotes
    ]
    return operation.model_copy(update={**texts, "quotes": quotes})
