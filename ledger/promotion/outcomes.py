"""Possible outcomes of a candidate or operation."""

from dataclasses import dataclass

from ledger.models import Contradiction
from memory.facts.profile import FactReinforced, FactStored
from memory.models import Memory, Override, ProfileFact
from memory.notes.note_store import NoteOutcome
from memory.slots import Slot


@dataclass(frozen=True)
class ConflictOpened:
    """A conflict was opened."""

    contradiction: Contradiction


@dataclass(frozen=True)
class FactEnded:
    """A fact was ended at the user's word; it can be restored."""

    fact: ProfileFact


@dataclass(frozen=True)
class NoteEnded:
    """A memory was ended or removed at the user's word; it can be restored."""

    memory: Memory


@dataclass(frozen=True)
class FactTakenBack:
    """A fact was retracted at the user's request; it can be restored."""

    fact: ProfileFact


@dataclass(frozen=True)
class ConflictSettled:
    """An open conflict was settled."""

    contradiction: Contradiction


@dataclass(frozen=True)
class OverrideKept:
    """A value was saved for this conversation only."""

    override: Override


@dataclass(frozen=True)
class WithheldPrivate:
    """A private fact was not saved outside its conversation."""

    slot: Slot


@dataclass(frozen=True)
class NotedOutsideProfile:
    """A memory was saved: too uncertain for the profile, or waiting for approval."""

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
