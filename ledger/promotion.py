"""From something said to something known: the gates a candidate passes before it is a fact."""

from dataclasses import dataclass

from django.conf import settings

from ledger.models import Contradiction
from memory import profile
from memory.extraction import Candidate
from memory.models import Override
from memory.profile import Reinforced, Stored
from memory.scope import Scope
from memory.slots import SLOTS, Slot, drift


@dataclass(frozen=True)
class Opened:
    """Two values disagree; the ledger asks."""

    contradiction: Contradiction


@dataclass(frozen=True)
class Overridden:
    """Holds in this conversation only."""

    override: Override


@dataclass(frozen=True)
class Kept:
    """Stays in its conversation, because it is nobody's business elsewhere."""

    slot: Slot


Outcome = Stored | Reinforced | Opened | Overridden | Kept

# Only these say what is true now; what is past or denied changes no current value by itself.
_ASSERTS = {"statement", "correction", "transition"}


def consider(scope: Scope, candidate: Candidate) -> Outcome | None:
    """Pass one candidate through the gates; None when it is nothing to take note of.

    Must run inside the person's block. Safe to repeat for the same message.
    """
    slot = SLOTS[candidate.slot]
    if candidate.kind not in _ASSERTS:
        return None
    if slot.sensitive or not slot.profile:
        return Kept(slot)
    if candidate.scope == "conversation":
        return Overridden(profile.override(scope, candidate))
    if candidate.trust <= settings.MEMORY["promotion_trust"]:
        return None
    outcome = profile.propose(scope, candidate)
    if isinstance(outcome, profile.Conflict):
        return Opened(_open(scope, outcome))
    return outcome


def _open(scope: Scope, conflict: profile.Conflict) -> Contradiction:
    """Open an entry for this pair of values, or find the one that is open."""
    existing, challenger = conflict.existing, conflict.challenger
    contradiction, _ = Contradiction.objects.get_or_create(
        old_fact=existing,
        new_fact=challenger,
        status=Contradiction.Status.OPEN,
        defaults={
            "user_id": scope.user_id,
            "slot": challenger.slot,
            "drift": drift(challenger.slot, existing.value, challenger.value),
            "opened_at": scope.said_at,
        },
    )
    return contradiction
