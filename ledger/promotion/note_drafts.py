"""Drafts of the memories that store facts outside the profile."""

from django.conf import settings
from django.utils.text import capfirst

from ledger.promotion.gates import SourcedCandidate
from memory.language.origin import Origin
from memory.models import Memory
from memory.notes.drafts import NoteDraft
from memory.slots import SLOTS

# The category of a memory by slot; a fact by default.
_CATEGORIES = {
    "likes": Memory.Category.PREFERENCE,
    "dislikes": Memory.Category.PREFERENCE,
    "interests": Memory.Category.PREFERENCE,
    "preferences": Memory.Category.STYLE,
    "current_project": Memory.Category.TOPIC,
}


def draft_of(sourced: SourcedCandidate) -> NoteDraft:
    """Return the draft of a memory with the candidate's statement."""
    candidate, slot = sourced.candidate, SLOTS[sourced.candidate.slot]
    content, kind = slot.note.format(value=candidate.value), Memory.Kind.SEMANTIC
    category = _CATEGORIES.get(candidate.slot, Memory.Category.FACT)
    if category == Memory.Category.STYLE:
        # 'Keep answers short' is clearer than 'Asked for: keep answers short'.
        content = capfirst(candidate.value)
        kind = Memory.Kind.PROCEDURAL
    return NoteDraft(
        content=content,
        category=category,
        kind=kind,
        confidence=candidate.confidence,
        trust=min(candidate.trust, settings.MEMORY["promotion_trust"]),
        slot=candidate.slot,
        value=candidate.value,
        origin=sourced.origin,
        ask=sourced.origin == Origin.MODEL,
    )
