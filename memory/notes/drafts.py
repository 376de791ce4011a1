"""A note before it is kept: what whoever reads a message hands to `note_store.keep_note`."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memory.language.origin import Origin
from memory.models import Memory, ProfileFact


@dataclass(frozen=True)
class NoteDraft:
    """A note to be saved.

    `content` is what a prompt may hold later; `original` the words it was made from, empty when
    they are the same. `significance`, `confidence` and `trust` run from 0 to 1. `slot` and `value`
    say what it tells about a slot of the profile, when it does. `replaces` is an earlier version,
    `ends` a fact that it says is over; `ask` makes it wait for approval. `tells` are the slots and
    values that its sentence tells besides; `private` says that the reader took it for a private
    matter. `written_by` names the agent that wrote it.
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
