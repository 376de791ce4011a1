"""Writing the items of a file in batches; an interrupted job resumes where it stopped."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import IO
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from conversations.messages import UnfitText, fit
from conversations.models import Conversation, Message, MessageQuerySet
from conversations.titles import title_from
from memory.core.allowances import allowances_of
from memory.core.known_facts import KnownRecords
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.language.reading import Reading
from memory.language.safety.secrets import mask_secrets
from memory.models import Memory
from memory.notes.drafts import NoteDraft
from memory.notes.note_extraction import as_note_draft
from memory.notes.note_store import NoteAgreed, NoteKept, keep_note
from privacy.importing import counting, reading
from privacy.importing.reading import Sourced
from privacy.importing.requests import MEMORY_IS_OFF
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMemory,
    ImportedMessage,
    Skipped,
)
from privacy.models import Import, ImportedRow
from privacy.transfers import MemoryIsOff

Keyed = tuple[UUID, str, ImportedConversation | ImportedMemory]
# Maximum number of items in one transaction, and of the messages in their
# conversations.
_ITEMS, _MESSAGES = 50, 500
_TITLE, _NOTE = 120, 2_000
NOT_KEPT = "it’s private, too long, or something I never note"
SAID = "I already remember it"


def write(claim: work.Claim, row: Import, file: IO[bytes]) -> None:
    """Write the remaining items of the file. Raises PutOff, MemoryIsOff or NotAnImport."""
    for batch in _batches(islice(reading.items(file), row.done, None)):
        with acting_as(claim.user_id):
            go_on(claim, row.pk, Import.State.MAKING)
            if not hold_choices(claim.user_id).memory_on:
                raise MemoryIsOff(MEMORY_IS_OFF)
            _write(User.objects.get(pk=claim.user_id), row, batch)
            row.done += len(batch)
            row.save(update_fields=["done", "skipped"])
    with acting_as(claim.user_id):
        go_on(claim, row.pk, Import.State.MAKING)
        row.state, row.done = Import.State.FINDING, 0
        row.total = messages_of(row).count()
        row.save(update_fields=["state", "done", "total"])
        row.drop_file()


def go_on(claim: work.Claim, key: UUID, state: Import.State) -> None:
    """Lock the import until the transaction ends. Raises PutOff if it is no longer in `state`."""
    wanted = Import.owned(claim.user_id).filter(pk=key, state=state)
    if not work.still_holding(claim) or not wanted.exists():
        raise work.PutOff(0)


def messages_of(row: Import) -> MessageQuerySet:
    """Return the messages of the conversations of an import."""
    brought = ImportedRow.objects.filter(
        user_id=row.user_id, brought=row, conversation__isnull=False
    )
    return Message.objects.for_user(row.user_id).filter(
        conversation__in=brought.values("conversation")
    )


def _batches(items: Iterator[Sourced]) -> Iterator[list[Sourced]]:
    batch: list[Sourced] = []
    size = 0
    for sourced in items:
        item = sourced[1]
        length = len(item.messages) if isinstance(item, ImportedConversation) else 0
        if batch and (len(batch) == _ITEMS or size + length > _MESSAGES):
            yield batch
            batch, size = [], 0
        batch.append(sourced)
        size += length
    if batch:
        yield batch


def _write(user: User, row: Import, batch: Sequence[Sourced]) -> None:
    """Write the items of one batch that are not stored yet, each once."""
    keyed: dict[UUID, Keyed] = {}
    for source, item in batch:
        if not isinstance(item, Skipped):
            key = counting.key_of(user.pk, source, item)
            keyed.setdefault(key, (key, source, item))
    known = counting.known_among(user.pk, keyed)
    new = [entry for key, entry in keyed.items() if key not in known]
    made = _write_conversations(user, new) + _write_memories(user, row, new)
    for imported in made:
        imported.user, imported.brought = user, row
    # The row may exist if the item was imported before and deleted since.
    ImportedRow.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["id", "user"],
        update_fields=["brought", "conversation", "memory"],
    )


# --- Conversations --------------------------------------------------------------------------------


def _write_conversations(user: User, new: Sequence[Keyed]) -> list[ImportedRow]:
    made: list[tuple[Conversation, list[Message]]] = []
    for key, source, item in new:
        if isinstance(item, ImportedConversation) and (built := _build(user, key, source, item)):
            made.append(built)
    Conversation.objects.bulk_create([conversation for conversation, _ in made])
    Message.objects.bulk_create([message for _, messages in made for message in messages])
    return [ImportedRow(pk=talk.pk, conversation=talk.pk) for talk, _ in made]


def _build(
    user: User, key: UUID, source: str, item: ImportedConversation
) -> tuple[Conversation, list[Message]] | None:
    """Return an unsaved conversation with its messages; None if none can be stored."""
    latest = now()
    at = min(item.started_at or latest, latest)
    conversation = Conversation(
        pk=key, user=user, started_at=at, imported_from=Conversation.ImportedFrom(source)
    )
    messages: list[Message] = []
    for message in item.messages:
        at = min(message.said_at or at, latest)
        for content in _fitting(message):
            number = len(messages) + 1
            messages.append(
                Message(
                    pk=counting.message_key(key, number),
                    user=user,
                    conversation=conversation,
                    number=number,
                    role=Message.Role(message.role),
                    content=content,
                    said_at=at,
                )
            )
    if not messages:
        return None
    conversation.title = _title(item, messages)
    conversation.last_at = max(message.said_at for message in messages)
    conversation.last_number = conversation.imported_up_to = len(messages)
    # Exclude the messages from extraction by a language model, which would not ask for consent.
    conversation.reflected_up_to = len(messages)
    return conversation, messages


def _title(item: ImportedConversation, messages: Sequence[Message]) -> str:
    if item.title:
        return mask_secrets(item.title)[:_TITLE]
    first = next((each for each in messages if each.role == Message.Role.USER), messages[0])
    return title_from(first.content, first.said_at)


def _fitting(message: ImportedMessage) -> list[str]:
    """Return the text of a message in pieces of at most the allowed length."""
    try:
        return [fit(message.content)]
    except UnfitText as unfit:
        text, most = unfit.mended.strip(), settings.MESSAGE_MAX_LENGTH
        parts = (text[at : at + most].strip() for at in range(0, len(text), most))
        return [part for part in parts if part]


# --- Memories -------------------------------------------------------------------------------------


def _write_memories(user: User, row: Import, new: Sequence[Keyed]) -> list[ImportedRow]:
    """Save another assistant's memories as proposals; return a row for each."""
    memories = [(key, item) for key, _, item in new if isinstance(item, ImportedMemory)]
    if not memories:
        return []
    known, allowed = KnownRecords(user.pk, (), notes=True), allowances_of(user.pk)
    skipped, made = Counter(row.skipped), []
    for key, item in memories:
        scope = Scope(user.pk, None, None, _said_at(item), known=known, allowed=allowed)
        kept = keep_note(scope, _draft_of(item, scope.said_at)) if len(item.text) <= _NOTE else None
        if isinstance(kept, NoteKept):
            made.append(ImportedRow(pk=key, memory=kept.memory.pk))
        else:
            skipped[SAID if isinstance(kept, NoteAgreed) else NOT_KEPT] += 1
    row.skipped = dict(skipped)
    return made


def _said_at(item: ImportedMemory) -> datetime:
    latest = now()
    return min(item.said_at or latest, latest)


def _draft_of(item: ImportedMemory, said_at: datetime) -> NoteDraft:
    """Return the draft of a memory, with the slots that the user may have blocked."""
    read = Reading(item.text)
    tells = tuple((fact.slot, fact.value) for fact in read.facts)
    return replace(
        as_note_draft(item.text, said_at),
        origin=Origin.IMPORTED,
        source=Memory.Source.IMPORT,
        priority=Memory.Priority.NORMAL,
        tells=(*tells, ("", item.text)),
        private=bool(read.private),
    )
