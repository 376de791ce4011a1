"""Promoting candidates from a message to facts, through the gates of the profile."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from accounts.support import formatting
from ledger import decisions
from ledger.conflicts import auto_settling
from ledger.conflicts.auto_settling import is_by_hand
from ledger.conflicts.opening import EntryDraft
from ledger.promotion.fact_ends import ask_whether_over, end_at_once
from ledger.promotion.gates import Gates, SourcedCandidate, request_of
from ledger.promotion.note_drafts import draft_of
from ledger.promotion.outcomes import (
    ConflictOpened,
    NotedOutsideProfile,
    Outcome,
    OverrideKept,
    WithheldPrivate,
)
from ledger.promotion.promotion_policy import is_worthy
from memory.core.persistence_gate import (
    Authority,
    KeepingPlace,
    PersistenceDecision,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.core.scope import Scope
from memory.facts.past_facts import PAST_SLOTS, keep_past_fact, read_past_time
from memory.facts.profile import (
    Conflict,
    FactReinforced,
    contradicted_fact,
    is_in_conflict,
    matching_fact,
    override_in_conversation,
    propose_fact,
)
from memory.facts.refinement import refine_fact, wider_fact
from memory.facts.start_dates import StartDate, read_start_date, start_date_of_words
from memory.language.origin import Origin
from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.substitution import put_right, renames
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_store import (
    NoteAgreed,
    keep_note,
    settle_slot,
    update_waiting_note,
    was_declined,
)
from memory.slots import SLOTS, WITH_NAMES, same_value

_SINCE = " since "


def consider_all(
    scope: Scope, text: str, sourced_candidates: Sequence[SourcedCandidate], gates: Gates
) -> Iterator[Outcome]:
    """Yield the outcome of each candidate of a message; `text` is the message.

    Ended values come last, and for a single-valued slot only if the message gives no new one: "I
    left Google for Meta" is one conflict, not two. Runs within `acting_as(user)`. Idempotent.
    """
    scope = replace(scope, allowed=gates.allowed)
    changed: set[str] = set()
    for sourced in sorted(
        sourced_candidates, key=lambda item: item.candidate.kind not in CURRENT_KINDS
    ):
        candidate = sourced.candidate
        new = candidate.kind in CURRENT_KINDS or candidate.slot not in changed
        outcome = (consider if new else _record_past_fact)(scope, text, sourced, gates)
        if outcome is not None:
            if not SLOTS[candidate.slot].many:
                changed.add(candidate.slot)
            yield outcome


def consider(scope: Scope, text: str, sourced: SourcedCandidate, gates: Gates) -> Outcome | None:
    """Return the outcome of one candidate; None if there is nothing to save.

    Only values that the user typed and stated plainly enter the profile without asking.
    """
    candidate, request = sourced.candidate, request_of(sourced)
    # Also for past and denied values: a sensitive one makes the whole message confidential.
    decision = decide_persistence(request, gates.allowed)
    if decision.place == KeepingPlace.NOWHERE:
        return _kept_out(scope, sourced, gates, decision)
    if candidate.kind not in CURRENT_KINDS:
        # Not in a private conversation, nor for users who want to be asked.
        open_to_it = decide_persistence(replace(request, worthy=True), gates.allowed)
        at_once = open_to_it.place == KeepingPlace.PROFILE
        return (
            (end_at_once(scope, sourced) if at_once else None)
            or ask_whether_over(scope, sourced)
            or _record_past_fact(scope, text, sourced, gates)
        )
    if decision.place == KeepingPlace.CONVERSATION:
        return OverrideKept(override_in_conversation(scope, candidate))
    # Judged last, because it may query the user's earlier decisions.
    request = _judged(request, scope, sourced, gates)
    decision = decide_persistence(request, gates.allowed)
    if decision.place == KeepingPlace.PROFILE:
        return _refine(scope, text, request, sourced, gates) or _promote(
            scope, text, candidate, gates
        )
    if request.worthy and decision.reason == PersistenceReason.ASK_FIRST:
        return _ask(scope, text, sourced)
    return _suppose(scope, text, sourced, gates)


def _judged(
    request: PersistenceRequest, scope: Scope, sourced: SourcedCandidate, gates: Gates
) -> PersistenceRequest:
    """Return the request completed by the user's earlier messages and decisions."""
    candidate = sourced.candidate
    typed = sourced.origin == Origin.TYPED
    worthy = typed and (_is_worthy(scope, candidate, gates) or _corrects(scope, candidate))
    return replace(
        request, worthy=worthy, known=gates.allowed.ask and _is_no_news(scope, candidate)
    )


def _kept_out(
    scope: Scope, sourced: SourcedCandidate, gates: Gates, decision: PersistenceDecision
) -> Outcome | None:
    """Return the outcome for a value that may not leave its conversation without consent."""
    if decision.reason == PersistenceReason.SENSITIVE:
        fact = matching_fact(scope, sourced.candidate)
        if fact is not None and fact.slot == sourced.candidate.slot:
            return _said_again(scope, sourced, gates, fact)
    return WithheldPrivate(SLOTS[decision.slot or sourced.candidate.slot])


def _said_again(
    scope: Scope, sourced: SourcedCandidate, gates: Gates, fact: ProfileFact
) -> Outcome | None:
    """Return the outcome for a private fact that was saved with consent and is stated again."""
    consented = decide_persistence(
        replace(request_of(sourced), authority=Authority.YES), gates.allowed
    )
    if consented.place != KeepingPlace.PROFILE:
        return WithheldPrivate(SLOTS[consented.slot or fact.slot])
    if sourced.candidate.kind not in CURRENT_KINDS:
        return ask_whether_over(scope, sourced, authority=Authority.YES)
    outcome = propose_fact(scope, replace(sourced.candidate, value=fact.value))
    return outcome if isinstance(outcome, FactReinforced) else WithheldPrivate(SLOTS[fact.slot])


def _is_worthy(
    scope: Scope, candidate: FactCandidate, gates: Gates, note: Memory | None = None
) -> bool:
    """Return whether a value enters the profile without asking; `note` is an earlier proposal."""
    judge, confirmations, edits = gates.classifier, 0, 0
    if judge is not None:
        confirmations = decisions.confirmations_of(note) if note else 0
        edits = decisions.edits_of(scope.user_id, candidate.slot)
    return is_worthy(
        candidate.slot, candidate.trust, candidate.confidence, confirmations, edits, by=judge
    )


def _corrects(scope: Scope, candidate: FactCandidate) -> bool:
    """Return whether the candidate corrects a saved value ("No, I meant Lisbon")."""
    if candidate.kind != "correction" or SLOTS[candidate.slot].many:
        return False
    return contradicted_fact(scope, candidate) is not None


def _is_no_news(scope: Scope, candidate: FactCandidate) -> bool:
    """Return whether the candidate is already known or in conflict with a fact."""
    if matching_fact(scope, candidate) is not None:
        return True
    return contradicted_fact(scope, candidate) is not None


def _refine(
    scope: Scope,
    text: str,
    request: PersistenceRequest,
    sourced: SourcedCandidate,
    gates: Gates,
) -> Outcome | None:
    """Replace a fact that the candidate states more precisely or corrects; return the outcome."""
    candidate = sourced.candidate
    if (
        decide_persistence(replace(request, known=False), gates.allowed).place
        != KeepingPlace.PROFILE
    ):
        return None
    wider = wider_fact(scope, candidate)
    wrong = _corrected_fact(scope, text, candidate) if wider is None else None
    former = wider or wrong or _unnamed_before(scope, candidate)
    if former is None:
        return None
    began = read_start_date(text, candidate.start, candidate.end, scope.said_at)
    outcome = refine_fact(scope, candidate, former, began, corrects=former is wrong)
    if isinstance(outcome, Conflict):
        return None
    scope.reread()
    settle_slot(scope.user_id, outcome.fact, scope.known)
    return outcome


def _corrected_fact(scope: Scope, text: str, candidate: FactCandidate) -> ProfileFact | None:
    """Return the only value of a multi-valued slot that the candidate corrects ("Mochi, not Miso");
    None if the user wrote or confirmed it by hand.
    """
    if not SLOTS[candidate.slot].many:
        return None
    corrects = candidate.kind == "correction"

    def is_meant(fact: ProfileFact) -> bool:
        named = candidate.slot in WITH_NAMES
        if named and renames(fact.value, candidate.value, text, corrects=corrects):
            return True
        right = put_right(fact.value, text, denied=True) if corrects else ""
        return same_value(fact.slot, right, candidate.value)

    corrected = [fact for fact in _current(scope, candidate.slot) if is_meant(fact)]
    return corrected[0] if len(corrected) == 1 and not is_by_hand(corrected[0]) else None


def _unnamed_before(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """Return the unnamed relative or pet, if only one, that the candidate names: "sister Ada"."""
    if candidate.slot not in WITH_NAMES or candidate.kind != "statement":
        return None
    words = _words(candidate.value)
    unnamed = [fact for fact in _current(scope, candidate.slot) if _words(fact.value) < words]
    return unnamed[0] if len(unnamed) == 1 and not is_by_hand(unnamed[0]) else None


def _named_before(scope: Scope, candidate: FactCandidate) -> ProfileFact | None:
    """Return the only named relative or pet that a candidate without name means: "my sister"."""
    if candidate.slot not in WITH_NAMES:
        return None
    words = _words(candidate.value)
    named = [fact for fact in _current(scope, candidate.slot) if words < _words(fact.value)]
    return named[0] if len(named) == 1 else None


def _current(scope: Scope, slot: str) -> list[ProfileFact]:
    live = scope.known.live([slot]) if scope.known else []
    return [f for f in live if f.status == ProfileFact.Status.CURRENT and f.slot == slot]


def _words(value: str) -> set[str]:
    return set(value.lower().split())


def _named_beside(scope: Scope, text: str, candidate: FactCandidate) -> list[str]:
    """Return the known names of relatives or pets that a message mentions beside the candidate."""
    if candidate.slot not in WITH_NAMES:
        return []
    said, new = {word.strip(".,;:!?()\"'“”") for word in _words(text)}, _words(candidate.value)
    known = [(fact.value, _words(fact.value) - new) for fact in _current(scope, candidate.slot)]
    return [value for value, names in known if names and names <= said]


def _promote(scope: Scope, text: str, candidate: FactCandidate, gates: Gates) -> Outcome:
    if (named := _named_before(scope, candidate)) is not None:
        candidate = replace(candidate, value=named.value)
    opening = EntryDraft(scope, text, candidate)
    outcome = propose_fact(
        scope, candidate, opening.began, beside=_named_beside(scope, text, candidate)
    )
    if isinstance(outcome, Conflict):
        entry = opening.entry(outcome)
        if gates.settle_by_rule:
            auto_settling.settle_if_clear(entry)
        else:
            auto_settling.settle_plain_change(entry)
        scope.reread()
        return ConflictOpened(entry)
    settle_slot(scope.user_id, outcome.fact, scope.known)
    return outcome


def _suppose(scope: Scope, text: str, sourced: SourcedCandidate, gates: Gates) -> Outcome | None:
    """Save the value as a memory; one said often enough enters the profile."""
    if sourced.origin == Origin.TYPED and is_in_conflict(scope, sourced.candidate):
        # A conflict is open already; a proposal would outlive its resolution.
        return _promote(scope, text, sourced.candidate, gates)
    fact = matching_fact(scope, sourced.candidate)
    if fact is not None:
        return _said_since(scope, text, sourced, fact)
    noted = _ask(scope, text, sourced)
    if noted is None or not isinstance(noted.outcome, NoteAgreed):
        return noted
    note = noted.outcome.memory
    sure = replace(sourced.candidate, trust=note.trust)
    # If the value was not typed the first time, typing it now adds no certainty.
    request = replace(
        request_of(sourced),
        origin=sourced.origin if note.origin == Origin.TYPED else Origin(note.origin),
        worthy=note.origin == Origin.TYPED and _is_worthy(scope, sure, gates, note),
    )
    if decide_persistence(request, gates.allowed).place == KeepingPlace.PROFILE:
        return _promote(scope, text, sure, gates)
    return noted


def _said_since(
    scope: Scope, text: str, sourced: SourcedCandidate, fact: ProfileFact
) -> Outcome | None:
    """Reinforce a known fact if the message gives its start."""
    candidate = sourced.candidate
    began = read_start_date(text, candidate.start, candidate.end, scope.said_at)
    if began is None or sourced.origin != Origin.TYPED or fact.slot != candidate.slot:
        return None
    if not same_value(fact.slot, fact.value, candidate.value):
        return None
    outcome = propose_fact(scope, candidate, began)
    return outcome if isinstance(outcome, FactReinforced) else None


def _ask(scope: Scope, text: str, sourced: SourcedCandidate) -> NotedOutsideProfile | None:
    """Save the value as a proposal; None if it was mentioned in passing or declined before."""
    candidate = sourced.candidate
    if was_declined(scope.user_id, candidate.slot, candidate.value):
        return None
    began = read_start_date(text, candidate.start, candidate.end, scope.said_at)
    draft = _dated(draft_of(sourced), began)
    outcome = keep_note(scope, draft)
    if outcome is None:
        return None
    if began is not None and _begins_better(outcome.memory, began):
        update_waiting_note(outcome.memory, scope, draft.content)
    return NotedOutsideProfile(outcome)


def _dated(draft: NoteDraft, began: StartDate | None) -> NoteDraft:
    """Return the draft with the start, if known: "Works at Google since March 2026"."""
    if began is None or draft.category == Memory.Category.STYLE:
        return draft
    since = formatting.told_in_full(began.day, began.exactly)
    return replace(draft, content=f"{draft.content}{_SINCE}{since}")


def _begins_better(memory: Memory, began: StartDate) -> bool:
    """Return whether the proposal has no start, or a later or less precise one."""
    if memory.status != Memory.Status.WAITING or memory.category == Memory.Category.STYLE:
        return False
    start_date = start_date_of_words(memory.content.rpartition(_SINCE)[2], memory.said_at)
    return start_date is None or began.is_better_than(start_date.day, start_date.exactly)


def _record_past_fact(
    scope: Scope, text: str, sourced: SourcedCandidate, gates: Gates
) -> Outcome | None:
    """Save a value that had already ended when it was stated to the history."""
    candidate = sourced.candidate
    if candidate.kind != "past" or candidate.slot not in PAST_SLOTS:
        return None
    request = replace(request_of(sourced), kind=RecordKind.PAST_FACT)
    plain = sourced.origin == Origin.TYPED and _is_worthy(scope, candidate, gates)
    if not plain or candidate.scope == "conversation":
        return None
    if decide_persistence(request, gates.allowed).place != KeepingPlace.PROFILE:
        return None
    when = read_past_time(text, candidate.start, candidate.end, scope.said_at)
    if when is None:
        return None
    kept = keep_past_fact(scope, candidate, when)
    scope.reread()
    return kept
