"""Memories that an agent proposes through the API; they wait until the user accepts them."""

from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from memory.core import allowances
from memory.core.persistence_gate import Authority, PersistenceReason
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.language.text import dedup
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.drafts import NoteDraft
from memory.notes.note_extraction import day_named
from memory.notes.note_gate import NotKept, check_note
from memory.notes.note_store import NoteKept, keep_note


def propose_memory(
    user_id: UUID, content: str, category: Memory.Category, written_by: str
) -> Memory:
    """Save a new memory that waits for approval, and return it. Raises NotKept with the reason."""
    procedural = category == Memory.Category.STYLE
    kind = Memory.Kind.PROCEDURAL if procedural else Memory.Kind.SEMANTIC
    return _propose(user_id, _draft(content, category, kind, written_by))


def propose_change(memory: Memory, content: str, written_by: str) -> Memory:
    """Save a new text for a memory, waiting for approval, and return the waiting memory.

    Returns the memory itself if the text is the same. Raises NotKept like `propose_memory`.
    """
    kind, category = Memory.Kind(memory.kind), Memory.Category(memory.category)
    draft = _draft(content, category, kind, written_by)
    if draft.content == memory.content:
        return memory
    rows = Memory.objects.for_user(memory.user_id).waiting().filter(replaces=memory)
    proposed = rows.filter(content_key=_key(draft.content)).first()
    return proposed or _propose(memory.user_id, replace(draft, replaces=memory.pk))


def _draft(
    content: str, category: Memory.Category, kind: Memory.Kind, written_by: str
) -> NoteDraft:
    content = " ".join(content.split())[:CONTENT_LENGTH]
    trust = settings.MEMORY["trust_by_origin"][Origin.TOOL]
    return NoteDraft(
        content=content,
        category=category,
        kind=kind,
        confidence=trust,
        trust=trust,
        happened_on=day_named(content, now()),
        origin=Origin.TOOL,
        written_by=written_by,
    )


def _propose(user_id: UUID, draft: NoteDraft) -> Memory:
    scope = Scope(user_id, None, None, now(), allowed=allowances.allowances_of(user_id))
    try:
        check_note(scope, draft, Authority.READ)
    except NotKept as refused:
        if refused.reason is PersistenceReason.SENSITIVE:
            # There is no conversation to which it could be limited.
            raise NotKept(PersistenceReason.SENSITIVE_BY_HAND) from None
        raise
    declined = Memory.objects.for_user(user_id).filter(status=Memory.Status.DECLINED)
    if declined.filter(content_key=_key(draft.content)).exists():
        raise NotKept("You said no to this memory before.")
    outcome = keep_note(scope, draft)
    if not isinstance(outcome, NoteKept):
        raise NotKept("I already remember that.")
    return outcome.memory


def _key(content: str) -> str:
    return dedup.make_content_key(content)[:CONTENT_LENGTH]
