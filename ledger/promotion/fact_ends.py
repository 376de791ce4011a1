"""Ending facts that the user says are over, or asking whether they are."""

from dataclasses import replace

from ledger.conflicts.auto_settling import is_by_hand
from ledger.models import Contradiction
from ledger.promotion.gates import SourcedCandidate
from ledger.promotion.note_drafts import draft_of
from ledger.promotion.outcomes import ConflictOpened, FactEnded, NotedOutsideProfile
from memory import manager
from memory.core.persistence_gate import Authority
from memory.core.scope import Scope
from memory.facts.profile import matching_fact
from memory.language.origin import Origin
from memory.language.reader.facts import TYPED_TRUST
from memory.models import ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_store import keep_note
from memory.slots import alike_to

OVER = "No longer: "


def end_at_once(scope: Scope, sourced: SourcedCandidate) -> FactEnded | None:
    """End a fact that the user clearly says is over. None if the user has to be asked: they wrote
    or confirmed it by hand, only negated it, or are already asked about it.
    """
    candidate = sourced.candidate
    surely = candidate.kind == "past" or candidate.changes
    if sourced.origin != Origin.TYPED or not surely or candidate.trust < TYPED_TRUST:
        return None
    fact = matching_fact(scope, candidate)
    if fact is None or fact.slot != candidate.slot or fact.source_message_id == scope.message_id:
        return None
    return end_known(scope, fact)


def end_known(scope: Scope, fact: ProfileFact) -> FactEnded | None:
    """End a fact that the user says is over. None if the user has to be asked: they wrote or
    confirmed it by hand, or are already asked about it.
    """
    asked = Contradiction.objects.for_user(scope.user_id).open().filter(old_fact=fact)
    if is_by_hand(fact) or asked.exists():
        return None
    manager.end(fact, scope.said_at, why="You said so.")
    scope.reread()
    return FactEnded(fact)


def ask_whether_over(
    scope: Scope, sourced: SourcedCandidate, *, authority: Authority = Authority.READ
) -> NotedOutsideProfile | ConflictOpened | None:
    """Propose to end a fact that a message puts in the past or negates.

    Facts in an open question are not asked about again.
    """
    candidate = sourced.candidate
    fact = matching_fact(scope, candidate)
    if fact is None or fact.slot not in alike_to(candidate.slot):
        return None
    return ask_about_end(scope, sourced, fact, authority=authority)


def ask_about_end(
    scope: Scope,
    sourced: SourcedCandidate,
    fact: ProfileFact,
    *,
    authority: Authority = Authority.READ,
) -> NotedOutsideProfile | ConflictOpened | None:
    """Propose to end a fact."""
    asked = Contradiction.objects.for_user(scope.user_id).open().filter(old_fact=fact)
    if (entry := asked.order_by("opened_at").first()) is not None:
        return ConflictOpened(entry)
    outcome = keep_note(scope, _ending(sourced, fact), authority=authority)
    return None if outcome is None else NotedOutsideProfile(outcome)


def _ending(sourced: SourcedCandidate, fact: ProfileFact) -> NoteDraft:
    content = f"{OVER}{fact.sentence}"
    return replace(draft_of(sourced), ask=True, content=content, value=fact.value, ends=fact.pk)
