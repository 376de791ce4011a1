"""Proposing values to the profile: a value becomes a fact, reinforces one, or conflicts with one.

Nothing here overwrites a fact. A different value for a filled single-valued slot returns Conflict,
and both values stay; only `revision`, called by the ledger or for a change by hand, ends facts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings

from memory.core import trust
from memory.core.known_facts import KnownRecords, read_live_facts
from memory.core.scope import Scope
from memory.core.slot_locks import lock_slot
from memory.facts import fact_writing, validity
from memory.facts.start_dates import StartDate
from memory.language.reader.facts import FactCandidate
from memory.language.text import dedup
from memory.models import Override, ProfileFact
from memory.slots import SLOTS, agrees, alike_to, drift, opposites, same_value, spelled_otherwise


@dataclass(frozen=True)
class FactStored:
    """Result: a new fact was saved."""

    fact: ProfileFact


@dataclass(frozen=True)
class FactReinforced:
    """Result: a message repeated a known fact."""

    fact: ProfileFact


@dataclass(frozen=True)
class Conflict:
    """Result: two values that cannot both be true. Both are saved; `existing` stays current."""

    existing: ProfileFact
    challenger: ProfileFact


ProposalResult = FactStored | FactReinforced | Conflict


def propose_fact(
    scope: Scope,
    candidate: FactCandidate,
    began: StartDate | None = None,
    *,
    beside: Sequence[str] = (),
) -> ProposalResult:
    """Propose a value to the profile and return the outcome. Must run in the user's transaction.

    Idempotent: a message is saved as evidence once, and raises trust once. `began` is the stated
    start of the value. `beside` are other values in the same message, which are never treated as
    another spelling of this value.
    """
    slots = alike_to(candidate.slot) | opposites(candidate.slot)
    known = scope.known
    if known is None or not known.holds(candidate.slot):
        known = KnownRecords(scope.user_id, [candidate.slot])
    live = known.live(slots)
    same = _find_same(live, candidate)
    existing = _find_conflicting(live, candidate)
    if existing is not None and existing.value in beside:
        existing = None
    if same is not None:
        return _agree(scope, candidate, same, existing, began)
    if existing is None:
        fact = fact_writing.write(scope, candidate)
        known.add(fact)
        begin_changed = began is not None and validity.begin_as_told(fact, began)
        if not begin_changed and known.has_past(fact.slot):
            validity.start_after_last_value(fact)
        return FactStored(fact)
    far = value_distance(existing, candidate)
    challenger = fact_writing.write_challenger(scope, candidate, existing, far)
    known.add(challenger)
    if began is not None:
        validity.begin_as_told(challenger, began)
    return Conflict(existing, challenger)


def set_confirmed_trust(fact: ProfileFact) -> None:
    """Set full trust for a fact that the user confirmed."""
    trust.move_trust(fact, settings.MEMORY["manual_trust"], trust.Cause.CONFIRMED)


def keep_origin(fact: ProfileFact, origin: str) -> None:
    """Copy the origin of a memory to the fact made from it: confirming does not make it typed."""
    if fact.origin != origin:
        fact.origin = origin
        fact.save(update_fields=["origin", "updated_at"])


def contradicted_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """Return the current fact that contradicts the candidate; None if there is none."""
    return _find_conflicting(_live(scope, {candidate.slot, *opposites(candidate.slot)}), candidate)


def _live(scope: Scope, slots: Iterable[str]) -> list[ProfileFact]:
    return scope.known.live(slots) if scope.known else read_live_facts(scope.user_id, slots)


def _find_conflicting(live: Iterable[ProfileFact], candidate: FactCandidate) -> ProfileFact | None:
    """Return the current fact that contradicts the candidate; None if there is none.

    That is another value of a single-valued slot, else the same value in the opposite slot, else
    the only value that may be another spelling of the candidate's.
    """
    current = [fact for fact in live if fact.status == ProfileFact.Status.CURRENT]
    if not SLOTS[candidate.slot].many:
        return next((fact for fact in current if fact.slot == candidate.slot), None)
    contrary = (fact for fact in current if fact.slot in opposites(candidate.slot))
    opposite = next((f for f in contrary if same_value(f.slot, f.value, candidate.value)), None)
    respelled = [f for f in current if spelled_otherwise(f.slot, f.value, candidate.value)]
    return opposite or (respelled[0] if len(respelled) == 1 else None)


def value_distance(existing: ProfileFact, challenger: ProfileFact | FactCandidate) -> float:
    """Return the distance of two values, 0..1; liking and disliking the same thing is 1."""
    if existing.slot != challenger.slot:
        return 1.0
    return drift(existing.slot, existing.value, challenger.value)


def matching_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """Return the current fact with the same meaning in the same or a similar slot, else None."""
    for fact in _live(scope, alike_to(candidate.slot)):
        alike = dedup.tells_the_same(fact.slot, fact.value, candidate.value)
        if fact.status == ProfileFact.Status.CURRENT and (alike or _agrees(fact, candidate)):
            return fact
    return None


def is_in_conflict(scope: Scope, candidate: FactCandidate) -> bool:
    """Return whether the candidate repeats a challenger in an open conflict."""
    same = _find_same(_live(scope, alike_to(candidate.slot)), candidate)
    return same is not None and same.status == ProfileFact.Status.CHALLENGER


def override_in_conversation(scope: Scope, candidate: FactCandidate) -> Override:
    """Save a value for this conversation only; for single-valued slots it replaces the old one."""
    if scope.conversation_id is None:
        raise ValueError("An override needs the conversation it applies to.")
    lock_slot(scope.user_id, candidate.slot)
    here = Override.objects.filter(
        user_id=scope.user_id, conversation_id=scope.conversation_id, slot=candidate.slot
    )
    override = here.filter(value=candidate.value).first()
    if override is not None:
        return override
    if not SLOTS[candidate.slot].many:
        here.delete()
    return Override.objects.create(
        user_id=scope.user_id,
        conversation_id=scope.conversation_id,
        slot=candidate.slot,
        value=candidate.value,
        message_id=scope.message_id,
    )


def _find_same(live: Iterable[ProfileFact], candidate: FactCandidate) -> ProfileFact | None:
    """Return the current fact with the same value, else a challenger with it, else None.

    Current facts come first because equality is not transitive: 'Portland' equals the current
    'Portland, Oregon' and also its challenger 'Portland, Maine'. "Into photography" equals "loves
    photography"; if both are saved, the fact in the candidate's own slot is returned.
    """
    slots = alike_to(candidate.slot)
    facts = [fact for fact in live if fact.slot in slots and _agrees(fact, candidate)]
    current = ProfileFact.Status.CURRENT
    return min(
        facts, key=lambda fact: (fact.status != current, fact.slot != candidate.slot), default=None
    )


def _agrees(fact: ProfileFact, candidate: FactCandidate) -> bool:
    return agrees(candidate.slot, fact.value, candidate.value)


def _agree(
    scope: Scope,
    candidate: FactCandidate,
    fact: ProfileFact,
    existing: ProfileFact | None,
    began: StartDate | None,
) -> ProposalResult:
    new = reinforce(scope, candidate, fact)
    if new and began is not None and same_value(fact.slot, fact.value, candidate.value):
        # "In Russia since 2010" says nothing about the start of Moscow.
        validity.begin_as_told_again(fact, began, scope)
    if fact.status != ProfileFact.Status.CHALLENGER or existing is None:
        return FactReinforced(fact)
    if new:
        # Lower the trust of the current value by its distance from the repeated challenger.
        trust.drift(existing, value_distance(existing, fact), scope.message_id)
    return Conflict(existing, fact)


def reinforce(scope: Scope, candidate: FactCandidate, fact: ProfileFact) -> bool:
    """Raise the trust of a repeated fact; return False if this message was already counted."""
    new = fact_writing.mention(scope, candidate, fact)
    if new:
        fact.last_verified = max(fact.last_verified, scope.said_at)
        trust.agree(fact, scope.message_id, also=("last_verified",))
    return new
