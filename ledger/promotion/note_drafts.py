"""The note beside the profile that says what somebody told."""

from django.conf import settings
from django.utils.text import capfirst

from ledger.promotion.gates import SourcedCandidate
from memory.language.origin import Origin
from memory.models import Memory
from memory.notes.drafts import NoteDraft
from memory.slots import SLOTS

# What a note about a slot is; a fact where nothing is said.
_CATEGORIES = {
    "likes": Memory.Category.PREFERENCE,
    "dislikes": Memory.Category.PREFERENCE,
    "interests": Memory.Category.PREFERENCE,
    "preferences": Memory.Category.STYLE,
    "current_project": Memory.Category.TOPIC,
}


def draft_of(sourced: SourcedCandidate) -> NoteDraft:
    """Return the draft of a note with what was said."""
    candidate, slot = sourced.candidate, SLOTS[sourced.candidate.slot]
    content, kind = slot.note.format(value=candidate.value), Memory.Kind.SEMANTIC
    category = _CATEGORIES.get(candidate.slot, Memory.Category.FACT)
    if category == Memory.Category.STYLE:
        # 'Keep answers short' says it better than 'Asked for: keep answers short'.
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
