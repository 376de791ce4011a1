"""Converting rows of an earlier store to profile values, memories and trust histories, by the usual
gates. Values are only recorded here; `settling` compares them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from conversations.learning.message_outcomes import may_answer, put_after_last, stated_candidates
from conversations.models import Message
from ledger.promotion.gates import Gates, SourcedCandidate, request_of
from ledger.promotion.note_drafts import draft_of
from ledger.promotion.promotion_policy import is_worthy
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    KeepingPlace,
    PersistenceDecision,
    PersistenceReason,
    decide_persistence,
)
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.reading import Reading
from memory.language.safety.claims import find_claim
from memory.language.safety.guard import holds_a_secret
from memory.language.safety.sensitivity import is_private_text
from memory.language.text.compression import truncate_at_clause
from memory.language.text.dedup import make_content_key
from memory.models import CONTENT_LENGTH, Memory, ProfileFact, TrustChange
from memory.notes.drafts import NoteDraft
from memory.notes.note_extraction import as_note_draft
from memory.notes.note_gate import NotKept, check_note
from memory.notes.note_store import was_declined
from privacy.legacy.conversation_rows import VALUE, Batch, ConversationRows, name_of, said_at
from privacy.legacy.stores import (
    SourceRow,
    checksum,
    key_made,
    moment_of,
    number_of,
    share_of,
    text_of,
)
from privacy.models import LegacyRow
from privacy.restoring import tables

Source = ProfileFact.Source
_OWNER = "user"
_SOURCES = {source.value: source for source in (Source.USER, Source.SYSTEM, Source.FALLBACK)}
_SOURCES["reflection"] = Source.REFLECTION
# Default trust and confidence, for rows without these columns.
_TRUST, _CONFIDENCE = 0.5, 0.5
UNFIT = "unfit"


@dataclass(frozen=True)
class LegacyMemory:
    """A memory as stored in its row; trust and confidence from 0 to 1."""

    text: str
    source: ProfileFact.Source
    trust: float
    confidence: float
    mode: Memory.Mode | None
    deprecated: bool

    @property
    def by_owner(self) -> bool:
        """Return whether the memory was said by the user."""
        return self.source == Source.USER


def from_original(original: Mapping[str, Any]) -> LegacyMemory:
    """Return the content of a row of `memories`; missing columns get defaults."""
    source = text_of(original, "source").lower() or _OWNER
    mode = text_of(original, "sse_mode").upper()
    return LegacyMemory(
        text=text_of(original, "text"),
        source=_SOURCES.get(source, Source.IMPORT),
        trust=share_of(original, "trust", _TRUST),
        confidence=share_of(original, "confidence", _CONFIDENCE),
        mode=Memory.Mode(mode) if mode in Memory.Mode.values else None,
        deprecated=number_of(original, "deprecated") != 0,
    )


def reads_nothing(reading: Reading) -> bool:
    """Return whether no facts are extracted from a message: a question, an order, or unreadable."""
    return bool(
        reading.is_unreadable
        or reading.asks_to_forget
        or reading.orders_gravely
        or reading.only_asks
    )


def judge(sourced: SourcedCandidate, gates: Gates) -> PersistenceDecision:
    """Return where the gates let a value be stored that was said in an interaction."""
    candidate = sourced.candidate
    worthy = sourced.origin == Origin.TYPED and is_worthy(
        candidate.slot, candidate.trust, candidate.confidence, by=gates.classifier
    )
    return decide_persistence(replace(request_of(sourced), worthy=worthy), gates.allowed)


def value_of(
    memory: LegacyMemory, reading: Reading, gates: Gates
) -> tuple[FactCandidate, PersistenceDecision] | None:
    """Return the single current value in a user's memory, and where it may be stored; else None."""
    if memory.deprecated or not memory.by_owner:
        return None
    facts = reading.facts
    if len(facts) != 1 or facts[0].kind not in CURRENT_KINDS or _has_others_words(reading):
        return None
    worthy = is_worthy(facts[0].slot, memory.trust, memory.confidence, by=gates.classifier)
    request = replace(request_of(SourcedCandidate(facts[0])), worthy=worthy)
    return facts[0], decide_persistence(request, gates.allowed)


def note_of(
    memory: LegacyMemory, user_id: UUID, at: datetime, allowed: Allowances
) -> tuple[NoteDraft, KeepingPlace] | str:
    """Return the draft of a memory and where it may be stored; or the code of the refusing gate."""
    draft = _draft(memory, at)
    if holds_a_secret(memory.text):
        return PersistenceReason.SECRET.code
    if is_private_text(memory.text):
        return PersistenceReason.SENSITIVE.code
    scope = Scope(user_id, None, None, at, allowed=allowed)
    try:
        decision = check_note(scope, draft, Authority.READ)
    except NotKept as refused:
        return refused.code or UNFIT
    return draft, decision.place


def _draft(memory: LegacyMemory, at: datetime) -> NoteDraft:
    """Return a memory as a draft with its own text, shortened if too long."""
    line = " ".join(memory.text.split())
    fits = len(line) <= CONTENT_LENGTH
    read = as_note_draft(line, at)
    return replace(
        read,
        content=line if fits else truncate_at_clause(line, CONTENT_LENGTH),
        original="" if fits else line,
        mode=memory.mode or (Memory.Mode.LOSSLESS if fits else Memory.Mode.COMPRESSED),
        key_spans=(),
        trust=_trust_in(memory),
        confidence=memory.confidence,
        source=memory.source,
        origin=Origin.TYPED if memory.by_owner else Origin.ASSISTANT,
    )


def _trust_in(memory: LegacyMemory) -> float:
    """Return the memory's trust; for a claim that is unchecked, at most that of pasted text."""
    if find_claim(memory.text) is None:
        return memory.trust
    return min(memory.trust, float(settings.MEMORY["trust_by_origin"][Origin.PASTED]))


def _has_others_words(reading: Reading) -> bool:
    return bool(reading.foreign or reading.only_asks or reading.orders_gravely)


Kind = LegacyRow.Kind
_TOLD_BY = (Memory.Status.ACTIVE, Memory.Status.WAITING)


class MemoryRows:
    """Makes profile values and memories from the rows of one batch."""

    def __init__(self, batch: Batch, conversations: ConversationRows) -> None:
        self.batch = batch
        self._conversations = conversations
        self._notes_in_use: dict[str, Memory] = {}
        self._asked: set[str] = set()

    def look_up_notes(self, new: Iterable[SourceRow]) -> None:
        """Load the active memories with the same text as a row of the batch."""
        words = (" ".join(text_of(row.original, "text").split()) for row in new)
        keys = {make_content_key(text)[:CONTENT_LENGTH] for text in words if text}
        notes = Memory.objects.for_user(self.batch.user.pk).active().filter(content_key__in=keys)
        for note in notes.exclude(category=Memory.Category.SUMMARY):
            self._notes_in_use[note.content_key] = note

    def bring(self, row: SourceRow) -> None:
        """Make messages of an interaction row, or a value or memory of a memory row."""
        if {"text", "memory_id"} & set(row.original):
            self._bring_memory(row)
        else:
            self._bring_values(row, self._conversations.bring_interaction(row))

    def bring_trust_change(self, row: SourceRow) -> None:
        """Add to the trust history of a fact or memory; else store only the LegacyRow."""
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
        """Record the values that the user states in an interaction, each with its LegacyRow."""
        if not row.said or interaction.conversation is None:
            return
        message = key_made(interaction.pk, Message.Role.USER)
        reading = self.batch.reading_of(message, row.said)
        if reads_nothing(reading):
            return
        if may_answer(row.said):
            last = self._conversations.last_before(message, interaction.conversation)
            put_after_last(reading, last)
        for number, sourced in enumerate(stated_candidates(reading)):
            place = judge(sourced, self.batch.gates).place
            if sourced.candidate.kind not in CURRENT_KINDS:
                # A value that the user ended keeps earlier statements of it out of the profile.
                if sourced.origin == Origin.TYPED and place != KeepingPlace.NOWHERE:
                    self._record_value(interaction, number, sourced)
            elif place == KeepingPlace.PROFILE:
                self._record_value(interaction, number, sourced)
            elif place in (KeepingPlace.WAITS, KeepingPlace.MEMORY):
                self._add_waiting_note(interaction, number, sourced)

    def _record_value(
        self, interaction: LegacyRow, number: int, sourced: SourcedCandidate
    ) -> LegacyRow:
        """Add the LegacyRow of a value, to be compared with the others of its slot."""
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
        """Add a proposal for a value that needs the user's consent, unless the same text exists."""
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
        """Make a message of the user's statement, and a profile value or a memory."""
        memory = from_original(row.original)
        record = self.batch.record(row, Kind.NOTE if memory.text else Kind.EMPTY)
        conversation = self._conversations.conversation_of(row, record)
        record.said_at = said_at(row, conversation)
        if not memory.text:
            return
        message = None
        if memory.by_owner:
            message = self._conversations.message_with(record, conversation, memory.text)
        reading = self.batch.reading_of(message, memory.text)
        judged = value_of(memory, reading, self.batch.gates)
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
        judged = note_of(memory, user.pk, record.said_at, allowed)
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
