"""From something said to something known: the gates a candidate passes before it is a fact."""

from dataclasses import dataclass, replace

from django.conf import settings

from ledger.models import Contradiction
from memory import memories, profile
from memory.drafts import Draft
from memory.extraction import Candidate
from memory.models import Memory, Override
from memory.origin import Origin
from memory.profile import Reinforced, Stored
from memory.scope import Scope
from memory.slots import SLOTS, Slot


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


@dataclass(frozen=True)
class Supposed:
    """Not sure enough for the profile, or not typed by the person: a note beside it."""

    outcome: memories.Outcome


Outcome = Stored | Reinforced | Opened | Overridden | Kept | Supposed

# Only these say what is true now; what is past or denied changes no current value by itself.
# What a note about a slot is; a fact where nothing is said.
_CATEGORIES = {
    "likes": Memory.Category.PREFERENCE,
    "dislikes": Memory.Category.PREFERENCE,
    "interests": Memory.Category.PREFERENCE,
    "preferences": Memory.Category.STYLE,
    "current_project": Memory.Category.TOPIC,
}
_ASSERTS = {"statement", "correction", "transition"}


def consider(scope: Scope, candidate: Candidate, origin: Origin = Origin.TYPED) -> Outcome | None:
    """Pass one candidate through the gates; None when it is nothing to take note of.

    Only what the person typed, plainly enough, enters the profile without asking. Must run inside
    the person's block. Safe to repeat for the same message.
    """
    slot = SLOTS[candidate.slot]
    # First of all, and of what is past or denied too: it makes the whole message confidential.
    if slot.sensitive or not slot.profile:
        return Kept(slot)
    if candidate.kind not in _ASSERTS:
        return None
    if candidate.scope == "conversation":
        return Overridden(profile.override(scope, candidate))
    if origin == Origin.TYPED and (_is_plain(candidate) or _corrects(scope, candidate)):
        return _promote(scope, candidate)
    return _suppose(scope, candidate, origin)


def _is_plain(candidate: Candidate) -> bool:
    return candidate.trust > float(settings.MEMORY["promotion_trust"])


def _corrects(scope: Scope, candidate: Candidate) -> bool:
    """Whether it takes back what is noted ("No, I meant Lisbon"): then the ledger asks."""
    one_value = not SLOTS[candidate.slot].many
    return candidate.kind == "correction" and one_value and profile.holds(scope.user_id, candidate)


def _promote(scope: Scope, candidate: Candidate) -> Outcome:
    outcome = profile.propose(scope, candidate)
    if isinstance(outcome, profile.Conflict):
        return Opened(_open(scope, outcome))
    memories.settle_slot(scope.user_id, outcome.fact)
    return outcome


def _suppose(scope: Scope, candidate: Candidate, origin: Origin) -> Outcome | None:
    """Keep it beside the profile; what is said often enough is sure enough."""
    if profile.holds(scope.user_id, candidate):
        return None
    outcome = memories.keep(scope, _draft(candidate, origin))
    if outcome is None:
        return None
    sure = outcome.memory.trust > settings.MEMORY["promotion_trust"]
    if sure and outcome.memory.origin == origin == Origin.TYPED:
        return _promote(scope, replace(candidate, trust=outcome.memory.trust))
    return Supposed(outcome)


def _draft(candidate: Candidate, origin: Origin) -> Draft:
    slot = SLOTS[candidate.slot]
    content, kind = slot.note.format(value=candidate.value), Memory.Kind.SEMANTIC
    category = _CATEGORIES.get(candidate.slot, Memory.Category.FACT)
    if category == Memory.Category.STYLE:
        # 'Keep answers short' says it better than 'Prefers keep answers short'.
        content = candidate.value[:1].upper() + candidate.value[1:]
        kind = Memory.Kind.PROCEDURAL
    return Draft(
        content=content,
        category=category,
        kind=kind,
        confidence=candidate.confidence,
        trust=min(candidate.trust, settings.MEMORY["promotion_trust"]),
        slot=candidate.slot,
        value=candidate.value,
        origin=origin,
    )


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
            "drift": profile.distance(existing, challenger),
            "opened_at": scope.said_at,
        },
    )
    return contradiction
