"""What may come of something that was said."""

from dataclasses import dataclass

from ledger.models import Contradiction
from memory.facts import Reinforced, Stored
from memory.models import Override
from memory.notes import NoteOutcome
from memory.slots import Slot


@dataclass(frozen=True)
class Opened:
    """Two values disagree; the ledger asks."""

    contradiction: Contradiction


@dataclass(frozen=True)
class Overridden:
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


Outcome = Stored | Reinforced | Opened | Overridden | WithheldPrivate | NotedOutsideProfile
