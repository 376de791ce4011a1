"""A finer value replaces a wider one (Moscow, Russia), which stays in the history, unasked."""

from memory.core import known_facts
from memory.core.scope import Scope
from memory.facts import profile, succession
from memory.facts.profile import Outcome, Stored
from memory.facts.start_dates import Beginning
from memory.language.extraction import FactCandidate
from memory.models import ProfileFact
from memory.slots import refines


def wider_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """The current value that the candidate states more closely, where none waits to be settled."""
    held = profile.contradicted_fact(scope, candidate)
    if held is None or candidate.kind != "statement":
        return None
    finer = refines(candidate.slot, candidate.value, held.value)
    return held if finer and not profile.waits_to_be_settled(scope, candidate) else None


def refine_fact(
    scope: Scope, candidate: FactCandidate, held: ProfileFact, began: Beginning | None
) -> Outcome:
    """Let the finer value take its place. Must run inside the person's block."""
    known_facts.hold(scope, candidate.slot)
    begun = held.valid_from
    if not succession.make_way(held, scope.said_at):
        # Changed a moment ago: it is a value like any other then.
        return profile.propose_fact(scope, candidate, began=began)
    outcome = profile.propose_fact(scope, candidate, began=began)
    if isinstance(outcome, Stored):
        succession.come_after(outcome.fact, held, begun, scope)
    return outcome
