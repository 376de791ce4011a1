"""A finer value replaces a wider one (Moscow, Russia), or the right one a wrong one, unasked."""

from memory.core import known_facts
from memory.core.scope import Scope
from memory.facts import profile, succession
from memory.facts.profile import FactStored, ProposalResult
from memory.facts.start_dates import StartDate
from memory.language.reader.facts import FactCandidate
from memory.models import ProfileFact
from memory.slots import refines


def wider_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """The current value that the candidate states more closely, where none waits to be settled."""
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
    """Let the finer value take its place, or the right one that of one that never was true. Must
    run inside the person's block.
    """
    known_facts.lock_slot(scope, candidate.slot)
    begun = fact.valid_from
    if not succession.end_replaced(fact, scope.said_at, corrected=corrects):
        # Changed a moment ago: it is a value like any other then.
        return profile.propose_fact(scope, candidate, began=began)
    outcome = profile.propose_fact(scope, candidate, began=began)
    if isinstance(outcome, FactStored):
        succession.link_to_predecessor(outcome.fact, fact, begun, scope)
    return outcome
