"""Private facts: not saved outside their conversation until the user consents.

Consent covers one slot in one message, and is logged. The saved fact or memory is marked as
sensitive and never shown on a shared page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction

from accounts import audit
from accounts.audit import Action
from ledger.promotion.gates import is_surely_said
from memory.core.allowances import allowances_of
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    PersistenceDecision,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.core.scope import Scope
from memory.facts.profile import Conflict, propose_fact, set_confirmed_trust
from memory.language.origin import ForeignSpan, Origin, origin_of
from memory.language.reader.facts import FactCandidate
from memory.language.reading import Reading
from memory.language.safety.guard import INSTRUCTION_REFUSAL, explain_refusal, holds_a_secret
from memory.language.safety.instructions import has_instruction_clause
from memory.language.safety.sensitivity import tells_allergy
from memory.language.text.dedup import content_stem_ids
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_gate import NotKept
from memory.notes.note_store import keep_note
from memory.slots import Slot

# The reason in the log of each row saved so.
WHY = "It is private, but you asked me to note it anyway."
# How many significant words beside its facts make a sentence a memory of its own.
_SAYS_MORE = 2
_NOTHING = "I couldn’t find anything to note in that message. Say it again in one sentence."


@dataclass(frozen=True)
class _PrivateSentence:
    """A sentence about the slot, and the facts that it states."""

    sentence: str
    stated: Sequence[FactCandidate]
    says_more: bool


def judge(slot: Slot, text: str, allowed: Allowances) -> PersistenceDecision:
    """Return the gate's decision on saving a private slot of a message with consent."""
    return decide_persistence(
        PersistenceRequest(
            RecordKind.FACT,
            slot=slot.key,
            authority=Authority.YES,
            secret=holds_a_secret(text),
            sensitive=True,
        ),
        allowed,
    )


def note_with_consent(
    scope: Scope, text: str, slot: Slot, foreign: Sequence[ForeignSpan] = ()
) -> list[ProfileFact | Memory]:
    """Save what a message says about one private slot, with the user's consent; return the rows.

    Plain statements become facts; a sentence that says more becomes a memory with its own text.
    Raises NotKept with the reason if nothing is saved.
    """
    allowed = scope.allowed or allowances_of(scope.user_id, scope.conversation_id)
    scope = replace(scope, allowed=allowed)
    decision = judge(slot, text, allowed)
    if not decision.kept:
        raise NotKept(decision.reason)
    made: dict[object, ProfileFact | Memory] = {}
    with transaction.atomic():
        for private_sentence in _private_sentences(text, slot, foreign):
            for fact in (_as_fact(scope, candidate) for candidate in private_sentence.stated):
                made[fact.pk] = fact
            note = (
                _as_note(scope, private_sentence.sentence, slot)
                if private_sentence.says_more
                else None
            )
            if note is not None:
                made[note.pk] = note
    if not made:
        order = INSTRUCTION_REFUSAL if has_instruction_clause(text) else ""
        raise NotKept(explain_refusal(text) or order or _NOTHING)
    return list(made.values())


def _private_sentences(
    text: str, slot: Slot, foreign: Sequence[ForeignSpan]
) -> Iterator[_PrivateSentence]:
    """Yield the sentences about the slot. Implied, denied and reported values are not facts."""
    reading = Reading(text)
    for start, end, kind in reading.sentence_slots:
        inside = [candidate for candidate in reading.facts if start <= candidate.start < end]
        of_kind = [candidate for candidate in inside if candidate.slot == slot.key]
        if kind != slot.key and not of_kind:
            continue
        typed = origin_of(foreign, start, end) == Origin.TYPED
        candidates = [candidate for candidate in of_kind if typed and is_surely_said(candidate)]
        sentence = " ".join(text[start:end].split())
        more = not candidates or _says_more(sentence, candidates)
        yield _PrivateSentence(sentence, candidates, more)


def _says_more(sentence: str, facts: Sequence[FactCandidate]) -> bool:
    """Return whether the sentence has more than one significant word beyond the facts; for an
    allergy, any.
    """
    known_stems = {stem for fact in facts for stem in content_stem_ids(fact.value)}
    least = 1 if tells_allergy(sentence) else _SAYS_MORE
    return len(content_stem_ids(sentence) - known_stems) >= least


def _as_fact(scope: Scope, candidate: FactCandidate) -> ProfileFact:
    outcome = propose_fact(scope, replace(candidate, scope="profile", kind="statement"))
    if isinstance(outcome, Conflict):
        raise NotKept("Your profile says the opposite. Settle that conflict first.")
    set_confirmed_trust(outcome.fact)
    _log(scope, outcome.fact, outcome.fact.value)
    return outcome.fact


def _as_note(scope: Scope, sentence: str, slot: Slot) -> Memory | None:
    """Save the sentence as a memory; None if it may not be stored or contains an instruction."""
    if has_instruction_clause(sentence):
        return None
    outcome = keep_note(
        scope,
        NoteDraft(
            content=sentence,
            category=Memory.Category.FACT,
            kind=Memory.Kind.SEMANTIC,
            priority=Memory.Priority.HIGH,
            confidence=1.0,
            trust=settings.MEMORY["manual_trust"],
            significance=1.0,
            slot=slot.key,
            value=sentence,
        ),
        authority=Authority.YES,
    )
    if outcome is None:
        return None
    _log(scope, outcome.memory, outcome.memory.content)
    return outcome.memory


def _log(scope: Scope, noted: ProfileFact | Memory, value: str) -> None:
    audit.record(
        scope.user_id,
        Action.ACCEPTED,
        subject=noted.pk,
        slot=noted.slot,
        conversation=scope.conversation_id,
        message=scope.message_id,
        after=value,
        why=WHY,
    )
