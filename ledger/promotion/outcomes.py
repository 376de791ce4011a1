"""What may come of something that was said."""

from dataclasses import dataclass

from ledger.models import Contradiction
from memory.facts import FactReinforced, FactStored
from memory.models import Memory, Override, ProfileFact
from memory.notes import NoteOutcome
from memory.slots import Slot


@dataclass(frozen=True)
class ConflictOpened:
    """Two values disagree; the ledger asks."""

    contradiction: Contradiction


@dataclass(frozen=True)
class FactEnded:
    """What the profile held is over, as its owner said; it can be brought back."""

    fact: ProfileFact


@dataclass(frozen=True)
class NoteEnded:
    """What a note said is over, or its owner wants it forgotten; it can be brought back."""

    memory: Memory


@dataclass(frozen=True)
class FactTakenBack:
    """Its owner wants a fact forgotten; it can be brought back."""

    fact: ProfileFact


@dataclass(frozen=True)
class ConflictSettled:
    """An open question about two values was answered."""

    contradiction: Contradiction


@dataclass(frozen=True)
class OverrideKept:
    """Holds in this conversation only."""

    override: Override


@dataclass(frozen=True)
class WithheldPrivate:
    """Stays in its conversation, because it is nobody's business elsewhere."""

    slot: Slot


@dataclass(frozen=True)
class NotedOutsideProfile:
    """A note beside the profile: not sure enough for it, or waiting for its owner's yes."""

    outcome: NoteOutcome


Outcome = (
    FactStored
    | FactReinforced
    | FactEnded
    | FactTakenBack
    | NoteEnded
    | ConflictSettled
    | ConflictOpened
    | OverrideKept
    | WithheldPrivate
    | NotedOutsideProfile
)
