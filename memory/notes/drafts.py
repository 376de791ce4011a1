"""Drafts of memories, which readers of messages pass to `note_store.keep_note`."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memory.language.origin import Origin
from memory.models import Memory, ProfileFact


@dataclass(frozen=True)
class NoteDraft:
    """A memory to be saved.

    `content` is the text for prompts; `original` the words it was made from, empty if equal.
    `significance`, `confidence` and `trust` are 0..1. `slot` and `value` are set if it states a
    value of a profile slot, `tells` are further stated slots and values. `replaces` is an earlier
    memory, `ends` a fact that seems over; `ask` makes it wait for approval; `private`: the reader
    found it private. `written_by` names the agent that wrote it.
    """

    content: str
    category: Memory.Category
    kind: Memory.Kind
    confidence: float
    trust: float
    significance: float = 0.5
    priority: Memory.Priority = Memory.Priority.NORMAL
    mode: Memory.Mode = Memory.Mode.LOSSLESS
    original: str = ""
    key_spans: tuple[str, ...] = ()
    happened_on: date | None = None
    slot: str = ""
    value: str = ""
    source: ProfileFact.Source = ProfileFact.Source.USER
    origin: Origin = Origin.TYPED
    replaces: UUID | None = None
    ends: UUID | None = None
    ask: bool = False
    tells: tuple[tuple[str, str], ...] = ()
    private: bool = False
    written_by: str = ""
