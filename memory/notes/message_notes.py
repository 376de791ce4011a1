"""Memories that reword, replace or retract what a message says.

Messages never change. If a memory contains (nearly) a whole message, a change of the memory also
applies wherever the message is quoted.
"""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, TextField, Value
from django.db.models.functions import Coalesce, Length, NullIf
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from memory.models import Memory, MemoryQuerySet, Mention, ProfileFact
from memory.notes.note_extraction import SHORT_LINE, WHOLE_NOTE


def edited_notes(user_id: UUID, messages: Collection[UUID]) -> dict[UUID, str]:
    """Return, by message id, the text of the newest memory that rewords the message.

    Either the user edited that memory, or it replaced an older one.
    """
    replaced = Memory.objects.filter(superseded_by=OuterRef("pk"))
    edited = _telling_all(user_id, messages).active()
    edited = edited.filter(Q(source=Memory.Source.MANUAL) | Q(Exists(replaced)))
    last_of_each = {note.source_message_id: note for note in edited.order_by("created_at")}
    return {pk: note.original or note.content for pk, note in last_of_each.items() if pk}


def superseded_messages(user_id: UUID, messages: Collection[UUID]) -> dict[UUID, UUID]:
    """Return, by id of a later message, the earlier message whose memory it replaced."""
    notes = _telling_all(user_id, messages).filter(
        status=Memory.Status.SUPERSEDED, superseded_by__status=Memory.Status.ACTIVE
    )
    replaced = notes.exclude(superseded_by__source_message=F("source_message"))
    pairs = replaced.values_list("superseded_by__source_message", "source_message")
    return {later: earlier for later, earlier in pairs if later and earlier}


def edited_notes_since(user_id: UUID, since: date) -> MemoryQuerySet:
    """Return the memories that the user edited, about a day from `since` on."""
    edited = Memory.objects.for_user(user_id).active().filter(source=Memory.Source.MANUAL)
    return edited.filter(happened_on__gte=since)


def retracted_messages(user_id: UUID, messages: Collection[UUID]) -> set[UUID]:
    """Return the ids of the messages whose memory or fact the user retracted."""
    notes = _telling_all(user_id, messages).filter(status=Memory.Status.REMOVED)
    facts = Mention.objects.filter(
        user=user_id, message__in=messages, fact__status=ProfileFact.Status.REMOVED
    )
    return {
        *notes.values_list("source_message", flat=True),
        *facts.values_list("message", flat=True),
    }


def _telling_all(user_id: UUID, messages: Collection[UUID]) -> MemoryQuerySet:
    """Return the memories that contain all, or nearly all, of one of the messages."""
    length = Length("source_message__content")
    note = Length(Coalesce(NullIf("original", Value("")), "content", output_field=TextField()))
    rows = Memory.objects.for_user(user_id).filter(source_message__in=messages)
    return rows.filter(
        LessThanOrEqual(length, SHORT_LINE), GreaterThanOrEqual(note, length * WHOLE_NOTE)
    )
