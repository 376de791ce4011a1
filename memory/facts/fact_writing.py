"""Saving a new fact with its evidence and log entry, and lowering the trust of its rival.

The caller holds the slot lock (`memory.core.known_facts`); constraints of the table also refuse a
second current value and duplicates.
"""

from django.utils.timezone import now

from accounts.audit import Action
from memory.core import trust
from memory.core.scope import Scope
from memory.facts import fact_columns, fact_log
from memory.language.reader.facts import FactCandidate
from memory.models import VALUE_LENGTH, Mention, ProfileFact

Status = ProfileFact.Status
SOURCES = {"model": ProfileFact.Source.REFLECTION}
"""Where a value is from, by what read it; else its owner's words, by the trained reader."""


def write(scope: Scope, candidate: FactCandidate) -> ProfileFact:
    """Save a value as a current fact."""
    fact = _written(scope, candidate, Status.CURRENT)
    fact_log.from_talk(scope, fact, Action.NOTED, after=fact.value)
    return fact


def write_challenger(
    scope: Scope, candidate: FactCandidate, existing: ProfileFact, drift: float
) -> ProfileFact:
    """Save a value as a challenger of a fact, and lower the fact's trust by `drift`.

    The ledger writes the log entry.
    """
    fact = _written(scope, candidate, Status.CHALLENGER)
    trust.drift(existing, drift, scope.message_id)
    return fact


def _written(scope: Scope, candidate: FactCandidate, status: ProfileFact.Status) -> ProfileFact:
    fact = new_fact(scope, candidate, status)
    fact.save(force_insert=True)
    _keep_mention(scope, candidate, fact)
    return fact


def mention(scope: Scope, candidate: FactCandidate, fact: ProfileFact) -> bool:
    """Save the message as evidence for a fact; return False if it was saved as evidence before."""
    if scope.message_id is None or scope.conversation_id is None:
        return False
    mentions = Mention.objects.filter(user_id=scope.user_id, fact=fact, message_id=scope.message_id)
    if mentions.exists():
        return False
    _keep_mention(scope, candidate, fact)
    return True


def _keep_mention(scope: Scope, candidate: FactCandidate, fact: ProfileFact) -> None:
    if scope.message_id is None or scope.conversation_id is None:
        return
    Mention.objects.create(
        user_id=scope.user_id,
        fact=fact,
        conversation_id=scope.conversation_id,
        message_id=scope.message_id,
        said_at=scope.said_at,
        start=candidate.start,
        end=candidate.end,
    )


def new_fact(scope: Scope, candidate: FactCandidate, status: ProfileFact.Status) -> ProfileFact:
    """Return an unsaved fact for a value that a message states."""
    frozen_now = now()
    fact = ProfileFact(
        user_id=scope.user_id,
        slot=candidate.slot,
        value=candidate.value,
        status=status,
        trust=candidate.trust,
        confidence=candidate.confidence,
        source=SOURCES.get(candidate.cue, ProfileFact.Source.USER),
        source_conversation_id=scope.conversation_id,
        source_message_id=scope.message_id,
        last_verified=scope.said_at,
        valid_from=scope.said_at,
        created_at=frozen_now,
        updated_at=frozen_now,
    )
    fact_columns.complete(fact)
    fact.value = fact.value[:VALUE_LENGTH]
    return fact
