"""A finer value replaces a wider one (Moscow, Russia), which stays in the history, unasked."""

from memory.core import known_facts
from memory.core.scope import Scope
from memory.facts import profile, succession
from memory.facts.profile import Outcome, Stored
from memory.facts.start_dates import Beginning
from memory.language.extraction import Candidate
from memory.models import ProfileFact
from memory.slots import refines


def wider(scope: Scope, candidate: Candidate) -> ProfileFact | None:
    """The current value that the candidate states more closely, where none waits to be settled."""
    held = profile.against(scope, candidate)
    if held is None or candidate.kind != "statement":
        return None
    finer = refines(candidate.slot, candidate.value, held.value)
    return held if finer and not profile.is_waiting(scope, candidate) else None


def refine(
    scope: Scope, candidate: Candidate, held: ProfileFact, began: Beginning | None
) -> Outcome:
    """Let the finer value take its place. Must run inside the person's block."""
    known_facts.hold(scope, candidate.slot)
    begun = held.valid_from
    if not succession.make_way(held, scope.said_at):
        # Changed a moment ago: it is a value like any other then.
        return profile.propose(scope, candidate, began=began)
    outcome = profile.propose(scope, candidate, began=began)
    if isinstance(outcome, Stored):
        succession.come_after(outcome.fact, held, begun, scope)
    return outcome
