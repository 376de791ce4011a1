"""Rows of an earlier store that become values for the profile, notes and histories of trust.

Values are only read here; `settling` compares them.
"""

from collections.abc import Iterable
from uuid import UUID

from django.utils.timezone import now

from conversations.learning.message_outcomes import may_answer, put_after_last, stated_candidates
from conversations.models import Message
from ledger.promotion.gates import SourcedCandidate
from ledger.promotion.note_drafts import draft_of
from memory.core import KeepingPlace
from memory.language import CURRENT_KINDS, Origin, make_content_key
from memory.models import CONTENT_LENGTH, Memory, TrustChange
from memory.notes import NoteDraft, was_declined
from privacy.legacy import memories
from privacy.legacy.batches import VALUE, Batch, name_of
from privacy.legacy.conversation_rows import ConversationRows, said_at
from privacy.legacy.memories import LegacyMemory
from privacy.legacy.rows import SourceRow, checksum, key_made, moment_of, share_of, text_of
from privacy.models import LegacyRow
from privacy.restoring import tables

Kind = LegacyRow.Kind
_TOLD_BY = (Memory.Status.ACTIVE, Memory.Status.WAITING)


class MemoryRows:
    """Makes values and notes of the rows of one batch."""

    def __init__(self, batch: Batch, conversations: ConversationRows) -> None:
        self.batch = batch
        self._conversations = conversations
        self._notes_in_use: dict[str, Memory] = {}
        self._asked: set[str] = set()

    def look_up_notes(self, new: Iterable[SourceRow]) -> None:
        """Look up the notes in use that say what a row of the batch says."""
        words = (" ".join(text_of(row.original, "text").split()) for row in new)
        keys = {make_content_key(text)[:CONTENT_LENGTH] for text in words if text}
        notes = Memory.objects.for_user(self.batch.user.pk).active().filter(content_key__in=keys)
        for note in notes.exclude(category=Memory.Category.SUMMARY):
            self._notes_in_use[note.content_key] = note

    def bring(self, row: SourceRow) -> None:
        """Make messages of an interaction, or a value or a note of a memory: its columns tell."""
        if {"text", "memory_id"} & set(row.original):
            self._bring_memory(row)
        else:
            self._bring_values(row, self._conversations.bring_interaction(row))

    def bring_trust_change(self, row: SourceRow) -> None:
        """Make a line of the history of a fact or a note; others are kept as they were."""
        record = self.batch.record(row, Kind.KEPT)
        about = self.batch.record_of(row, "memories", text_of(row.original, "memory_id"))
        before = share_of(row.original, "old_trust", -1.0)
        after = share_of(row.original, "new_trust", -1.0)
        made = [name.split(" ") for name in about.made] if about else []
        fields = {"memory.profilefact": "fact_id", "memory.memory": "memory_id"}
        named = {fields[label]: key for label, key in made if label in fields}
        if not named or min(before, after) < 0 or about is None:
            return
        record.kind, record.conversation = Kind.TRUST, about.conversation
        record.said_at = at = moment_of(row.original) or about.said_at or now()
        change = TrustChange(
            pk=key_made(record.pk, "trust"),
            user=self.batch.user,
            before=before,
            after=after,
            cause=TrustChange.Cause.AGREEMENT if after >= before else TrustChange.Cause.DRIFT,
            at=at,
            **named,
        )
        self.batch.others.append(change)
        record.made.append(name_of(change))

    def _bring_values(self, row: SourceRow, interaction: LegacyRow) -> None:
        """Add the values that an interaction's user says of themselves, each with its record."""
        if not row.said or interaction.conversation is None:
            return
        message = key_made(interaction.pk, Message.Role.USER)
        reading = self.batch.reading_of(message, row.said)
        if memories.reads_nothing(reading):
            return
        if may_answer(row.said):
            last = self._conversations.last_before(message, interaction.conversation)
            put_after_last(reading, last)
        for number, sourced in enumerate(stated_candidates(reading)):
            place = memories.judge(sourced, self.batch.gates).place
            if sourced.candidate.kind not in CURRENT_KINDS:
                # What is over by their own word keeps what they said before from the profile.
                if sourced.origin == Origin.TYPED and place != KeepingPlace.NOWHERE:
                    self._record_value(interaction, number, sourced)
            elif place == KeepingPlace.PROFILE:
                self._record_value(interaction, number, sourced)
            elif place in (KeepingPlace.WAITS, KeepingPlace.MEMORY):
                self._add_waiting_note(interaction, number, sourced)

    def _record_value(
        self, interaction: LegacyRow, number: int, sourced: SourcedCandidate
    ) -> LegacyRow:
        """Add the record of a value, to be compared with the others of its slot."""
        candidate = sourced.candidate
        original = {
            "trust": round(candidate.trust, 6),
            "confidence": round(candidate.confidence, 6),
            "start": candidate.start,
            "end": candidate.end,
            "said": candidate.kind,
        }
        message = key_made(interaction.pk, Message.Role.USER)
        record = LegacyRow(
            pk=key_made(interaction.pk, f"{VALUE} {number}"),
            user=self.batch.user,
            source=interaction.source,
            table=VALUE,
            original_id=interaction.original_id,
            place=interaction.place,
            checksum=checksum(original),
            kind=Kind.READ,
            joined=[f"{Message._meta.label_lower} {message}"],
            conversation=interaction.conversation,
            said_at=interaction.said_at,
            slot=candidate.slot,
            value=candidate.value[:500],
            original=original,
        )
        self.batch.records.append(record)
        return record

    def _add_waiting_note(
        self, interaction: LegacyRow, number: int, sourced: SourcedCandidate
    ) -> None:
        """Add a note of a value that its owner has to agree to, once for the same words."""
        user, candidate = self.batch.user, sourced.candidate
        if was_declined(user.pk, candidate.slot, candidate.value):
            return
        draft = draft_of(sourced)
        key = make_content_key(draft.content)[:CONTENT_LENGTH]
        notes = Memory.objects.for_user(user.pk).filter(content_key=key)
        if key in self._asked or notes.filter(status__in=_TOLD_BY).exists():
            return
        self._asked.add(key)
        record = self._record_value(interaction, number, sourced)
        record.kind = Kind.NOTE
        note = self._note_from(record, draft, key_made(interaction.pk, Message.Role.USER))
        note.status, note.slot, note.value = Memory.Status.WAITING, draft.slot, record.value
        tables.mend(note)
        self.batch.others.append(note)
        record.made.append(name_of(note))

    def _bring_memory(self, row: SourceRow) -> None:
        """Make a message of what the user said; beside that a value, or a note."""
        memory = memories.from_original(row.original)
        record = self.batch.record(row, Kind.NOTE if memory.text else Kind.EMPTY)
        conversation = self._conversations.conversation_of(row, record)
        record.said_at = said_at(row, conversation)
        if not memory.text:
            return
        message = None
        if memory.by_owner:
            message = self._conversations.message_with(record, conversation, memory.text)
        reading = self.batch.reading_of(message, memory.text)
        judged = memories.value_of(memory, reading, self.batch.gates)
        if judged is not None:
            candidate, decision = judged
            if decision.place in (KeepingPlace.NOWHERE, KeepingPlace.CONVERSATION):
                record.kind, record.why = Kind.WITHHELD, decision.reason.code
                return
            if decision.place == KeepingPlace.PROFILE:
                record.kind = Kind.READ
                record.slot, record.value = candidate.slot, candidate.value[:500]
                return
        self._add_note(record, memory, message)

    def _add_note(self, record: LegacyRow, memory: LegacyMemory, message: UUID | None) -> None:
        assert record.said_at is not None
        user, allowed = self.batch.user, self.batch.gates.allowed
        judged = memories.note_of(memory, user.pk, record.said_at, allowed)
        if isinstance(judged, str):
            record.kind, record.why = Kind.WITHHELD, judged
            return
        draft, place = judged
        note = self._note_from(record, draft, message)
        if place == KeepingPlace.WAITS:
            note.status = Memory.Status.WAITING
        if memory.deprecated:
            record.kind, note.status = Kind.EARLIER, Memory.Status.SUPERSEDED
            note.ended_at = record.said_at
        tables.mend(note)
        same = self._notes_in_use.get(note.content_key)
        if note.status == Memory.Status.ACTIVE and same is not None:
            record.kind = Kind.SAME_NOTE
            record.joined.append(name_of(same))
            return
        if note.status == Memory.Status.ACTIVE:
            self._notes_in_use[note.content_key] = note
        self.batch.others.append(note)
        record.made.append(name_of(note))

    def _note_from(self, record: LegacyRow, draft: NoteDraft, message: UUID | None) -> Memory:
        assert record.said_at is not None
        at = now()
        return Memory(
            pk=key_made(record.pk, "note"),
            user=self.batch.user,
            kind=draft.kind,
            category=draft.category,
            priority=draft.priority,
            content=draft.content,
            mode=draft.mode,
            original=draft.original,
            significance=draft.significance,
            trust=draft.trust,
            confidence=draft.confidence,
            source=draft.source,
            origin=draft.origin,
            source_conversation_id=record.conversation,
            source_message_id=message,
            said_at=record.said_at,
            happened_on=draft.happened_on,
            created_at=at,
            updated_at=at,
        )
