"""Finding the saved memory with the same meaning as a new one, and whether to replace it."""

from collections.abc import Sequence
from uuid import UUID

from memory.language.text import dedup, terms
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.drafts import NoteDraft
from memory.slots import alike_to


def find(
    notes: Sequence[Memory], content: str, meaning: terms.Float32Array | None, draft: NoteDraft
) -> Memory | None:
    """Return the active, paused or waiting memory with the same meaning; None if there is none."""
    if draft.slot:
        # Memories of a slot are compared by value, not by sentence.
        slots, key = alike_to(draft.slot), dedup.make_content_key(content)
        for row in notes:
            same_value = row.slot in slots and dedup.tells_the_same(
                draft.slot, row.value, draft.value
            )
            if (same_value and row.ends_id == draft.ends) or row.content_key == key:
                return row
        return None
    likely = dedup.likely(dedup.make_content_key(content), [row.content_key for row in notes])
    rows = [notes[position] for position in likely]
    if not rows:
        return None
    # A memory that was deleted in the meantime has no embedding.
    vectors = dict(
        Memory.objects.for_user(rows[0].user_id)
        .filter(pk__in=[row.pk for row in rows])
        .values_list("pk", "embedding")
    )
    for row in rows:
        if row.pk in vectors and dedup.says_the_same(
            content, row.content, meaning, vectors[row.pk]
        ):
            return row
    return None


def gives_way(note: Memory) -> bool:
    """Return whether a memory may be replaced: not if by hand, paused or of highest priority."""
    by_hand = note.source == Memory.Source.MANUAL or note.status == Memory.Status.PAUSED
    return not by_hand and note.priority != Memory.Priority.CORE


def is_fuller(draft: NoteDraft, note: Memory) -> bool:
    """Return whether a draft's value contains all words of a memory's value, and more."""
    return bool(draft.slot) and dedup.content_stem_ids(note.value) < dedup.content_stem_ids(
        draft.value
    )


def find_kept_before(user_id: UUID, content: str) -> Memory | None:
    """Return the latest memory with these words, with any status; None if there is none."""
    key = dedup.make_content_key(" ".join(content.split())[:CONTENT_LENGTH])[:CONTENT_LENGTH]
    rows = Memory.objects.for_user(user_id).exclude(category=Memory.Category.SUMMARY)
    return rows.filter(content_key=key).order_by("-said_at", "-pk").first()
