"""Replacing a fact by a more precise value (Russia by Moscow) or by its correction."""

from memory.core import known_facts
from memory.core.scope import Scope
from memory.facts import profile, succession
from memory.facts.profile import FactStored, ProposalResult
from memory.facts.start_dates import StartDate
from memory.language.reader.facts import FactCandidate
from memory.models import ProfileFact
from memory.slots import refines


def wider_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """Return the current fact that the candidate states more precisely.

    None if there is none, or if the candidate is part of an open conflict.
    """
    fact = profile.contradicted_fact(scope, candidate)
    if fact is None or candidate.kind != "statement":
        return None
    finer = refines(candidate.slot, candidate.value, fact.value)
    return fact if finer and not profile.is_in_conflict(scope, candidate) else None


def refine_fact(
    scope: Scope,
    candidate: FactCandidate,
    fact: ProfileFact,
    began: StartDate | None,
    *,
    corrects: bool = False,
) -> ProposalResult:
    """Replace a fact by a more precise or corrected value. Must run in the user's transaction."""
    known_facts.lock_slot(scope, candidate.slot)
    begun = fact.valid_from
    if not succession.end_replaced(fact, scope.said_at, corrected=corrects):
        # The fact changed in the meantime, so the value is proposed as usual.
        return profile.propose_fact(scope, candidate, began=began)
    outcome = profile.propose_fact(scope, candidate, began=began)
    if isinstance(outcome, FactStored):
        succession.link_to_predecessor(outcome.fact, fact, begun, scope)
    return outcome
