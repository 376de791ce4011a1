"""Whether a text may be stored as a memory, and why not."""

from django.conf import settings

from memory.core import allowances
from memory.core.persistence_gate import (
    Authority,
    PersistenceDecision,
    PersistenceRequest,
    RecordKind,
    Refused,
    decide_persistence,
)
from memory.core.scope import Scope
from memory.language.reading import Reading
from memory.language.safety import guard, sensitivity
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_extraction import SURELY_WORTH, is_noteworthy
from memory.slots import SLOTS

_SHORTEST = 3


class NotKept(Refused):
    """A text may not be stored as a memory; the message says why and what to do."""


def judge(
    scope: Scope, draft: NoteDraft, *, authority: Authority = Authority.READ
) -> PersistenceDecision:
    """Return the persistence gate's decision on a memory.

    The user's allowances are read unless they are in the scope.
    """
    allowed = scope.allowed or allowances.allowances_of(scope.user_id, scope.conversation_id)
    floors = settings.MEMORY
    text = draft.original or draft.content
    # A model marks private text itself; where the words seem private, the user is asked.
    by_words = authority == Authority.READ and draft.source != ProfileFact.Source.REFLECTION
    private = draft.private or (by_words and sensitivity.is_private_text(text))
    faint = draft.confidence < floors["confidence_floor"] or draft.trust < floors["trust_floor"]
    request = PersistenceRequest(
        RecordKind.NOTE,
        slot=draft.slot,
        value=draft.value,
        tells=draft.tells,
        origin=draft.origin,
        authority=authority,
        secret=any(map(guard.holds_a_secret, {text, draft.content, draft.value})),
        sensitive=private or (draft.slot != "" and SLOTS[draft.slot].sensitive),
        faint=faint,
        doubtful=draft.ask,
    )
    return decide_persistence(request, allowed)


def why_not(text: str, *, typed_in_talk: bool = False) -> str:
    """Return why a text cannot become a memory, in words for the user; '' if it can.

    The trained classifier of instructions errs on hasty typing. Text that was typed in a
    conversation and is surely worth storing is therefore checked by the rules alone.
    """
    if len(text.strip()) < _SHORTEST:
        return "Write a few words to remember."
    tells = typed_in_talk and is_noteworthy(Reading(text), SURELY_WORTH)
    return guard.explain_refusal(text, by_rules_alone=tells)


def check_note(scope: Scope, draft: NoteDraft, authority: Authority) -> PersistenceDecision:
    """Return the persistence gate's decision on a memory. Raises NotKept if it is refused."""
    decision = judge(scope, draft, authority=authority)
    if not decision.kept:
        raise NotKept(decision.reason)
    if reason := why_not(draft.content):
        raise NotKept(reason)
    return decision


def check_note_return(memory: Memory) -> None:
    """Raise NotKept unless a memory may be used again; memory may be off."""
    request = PersistenceRequest(
        RecordKind.NOTE, slot=memory.slot, value=memory.value, authority=Authority.CHANGE
    )
    decision = decide_persistence(request, allowances.allowances_of(memory.user_id))
    if not decision.kept:
        raise NotKept(decision.reason)
