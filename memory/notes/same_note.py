"""Finding the saved note that says the same as a new one, and whether it may be replaced."""

from collections.abc import Sequence
from uuid import UUID

from memory.language.text import dedup, terms
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.drafts import NoteDraft
from memory.slots import alike_to


def find(
    notes: Sequence[Memory], content: str, meaning: terms.Float32Array | None, draft: NoteDraft
) -> Memory | None:
    """Return the note in use, paused or waiting that says the same; None for none."""
    if draft.slot:
        # What is told about a slot is the same when the value is, whatever the sentence.
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
    # One that goes for good meanwhile has none any more.
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
    """Return whether a note may be replaced: not one written by hand, paused or always in mind."""
    by_hand = note.source == Memory.Source.MANUAL or note.status == Memory.Status.PAUSED
    return not by_hand and note.priority != Memory.Priority.CORE


def is_fuller(draft: NoteDraft, note: Memory) -> bool:
    """Return whether a value says all that the known one does, and more."""
    return bool(draft.slot) and dedup.content_stem_ids(note.value) < dedup.content_stem_ids(
        draft.value
    )


def find_kept_before(user_id: UUID, content: str) -> Memory | None:
    """Return the latest memory with these words, whatever its status; None for none."""
    key = dedup.make_content_key(" ".join(content.split())[:CONTENT_LENGTH])[:CONTENT_LENGTH]
    rows = Memory.objects.for_user(user_id).exclude(category=Memory.Category.SUMMARY)
    return rows.filter(content_key=key).order_by("-said_at", "-pk").first()
