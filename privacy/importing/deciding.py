"""The user's decisions about facts and memories that an import suggests."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Prefetch, Q
from django.utils.timezone import localtime

from accounts.support.refusals import Refused
from ledger.promotion import proposals
from ledger.promotion.proposals import Accepted
from memory.facts.past_facts import PAST_SLOTS
from memory.models import Memory, MemoryQuerySet, TrustChange
from memory.notes.note_gate import NotKept
from memory.slots import SLOTS, Slot
from privacy.models import Import, ImportedRow

# Maximum number of answers per request.
_AT_ONCE = 500


class NotOffered(Refused):
    """Raised when an answer names values no longer waiting, or several for a single-valued slot."""


@dataclass(frozen=True)
class OfferedValue:
    """A value waiting for a decision, with the time of each message that says it."""

    memory: Memory
    said: tuple[datetime, ...]

    @property
    def count(self) -> int:
        """Return how many messages say the value."""
        return len(self.said)

    @property
    def first_at(self) -> datetime:
        """Return when the value was first said."""
        return self.said[0]

    @property
    def last_at(self) -> datetime:
        """Return when the value was last said."""
        return self.said[-1]


@dataclass(frozen=True)
class OfferedSlot:
    """A slot of the profile with the values an import has for it, newest first."""

    slot: Slot
    values: tuple[OfferedValue, ...]

    @property
    def has_past(self) -> bool:
        """Return whether the slot can store earlier values."""
        return self.slot.key in PAST_SLOTS


@dataclass(frozen=True)
class OfferedNotes:
    """Memories of one conversation, or of one month if they have no conversation."""

    key: str
    notes: tuple[Memory, ...]


def waiting_of(row: Import) -> MemoryQuerySet:
    """Return the proposals of an import: memories that wait for the user's decision."""
    rows = ImportedRow.objects.filter(user_id=row.user_id, brought=row)
    talks = rows.filter(conversation__isnull=False).values("conversation")
    own = rows.filter(memory__isnull=False).values("memory")
    waits = proposals.waiting(row.user_id)
    return waits.filter(Q(source_conversation__in=talks) | Q(pk__in=own)).defer("embedding")


def slots_of(row: Import) -> list[OfferedSlot]:
    """Return the slots with the values waiting for a decision, in profile order."""
    again = TrustChange.objects.filter(
        user_id=row.user_id, cause=TrustChange.Cause.AGREEMENT, message__isnull=False
    )
    agreed = Prefetch("trust_changes", again.select_related("message"), to_attr="said_again")
    facts = list(_facts(waiting_of(row)).prefetch_related(agreed))
    offered = []
    for key, slot in SLOTS.items():
        values = [_offered(memory) for memory in facts if memory.slot == key]
        if values:
            values.sort(key=lambda value: value.last_at, reverse=True)
            offered.append(OfferedSlot(slot, tuple(values)))
    return offered


def notes_of(row: Import, most: int) -> list[OfferedNotes]:
    """Return at most `most` waiting memories, grouped by conversation or month, newest first."""
    notes = sorted(_notes(waiting_of(row))[:most], key=_key)
    groups = [OfferedNotes(key, tuple(same)) for key, same in groupby(notes, key=_key)]
    return sorted(groups, key=lambda group: group.notes[0].said_at, reverse=True)


def decide(
    row: Import,
    slot: str,
    chosen: Collection[UUID],
    *,
    keep_past: bool,
    among: Collection[UUID] = (),
) -> dict[UUID, Accepted]:
    """Decide on the values of a slot, or those in `among`: the chosen become facts; the others past
    values with `keep_past`, otherwise declined. Return the result of each by memory id.

    Raises NotOffered, or NotKept if the profile may not store one; then nothing changes.
    """
    offered = next((offer for offer in slots_of(row) if offer.slot.key == slot), None)
    values = [
        value
        for value in (offered.values if offered else ())
        if not among or value.memory.pk in among
    ]
    if offered is None or not {value.memory.pk for value in values}.issuperset(chosen):
        raise NotOffered("You’ve already answered this.")
    if len(chosen) > 1 and not offered.slot.many:
        raise NotOffered("Choose one of these, or none.")
    done = {}
    with transaction.atomic():
        for value in reversed(values):
            if value.memory.pk not in chosen:
                done[value.memory.pk] = _leave(value, keep_past=keep_past and offered.has_past)
        for value in values:
            if value.memory.pk in chosen:
                done[value.memory.pk] = proposals.accept(value.memory)
    return done


def answer_notes(row: Import, keys: Collection[UUID], *, keep: bool) -> dict[UUID, Accepted]:
    """Accept or decline memories; return the results by id. Those already known are only closed."""
    notes = _notes(waiting_of(row)).filter(pk__in=keys)[:_AT_ONCE]
    with transaction.atomic():
        return dict(_answers(notes, keep=keep))


def decline_all(row: Import) -> dict[UUID, Accepted]:
    """Decline the next few hundred proposals of an import, facts first; return results by id."""
    return dict(_answers(waiting_of(row).order_by("-slot", "pk")[:_AT_ONCE], keep=False))


def _answers(notes: MemoryQuerySet, *, keep: bool) -> Iterator[tuple[UUID, Accepted]]:
    for memory in notes:
        try:
            if keep:
                yield memory.pk, proposals.accept(memory)
            else:
                proposals.decline(memory)
                yield memory.pk, Accepted()
        except NotKept as refused:
            if refused.reason is not None:
                raise
            proposals.close_proposal(memory)


def _leave(value: OfferedValue, *, keep_past: bool) -> Accepted:
    if keep_past:
        try:
            return proposals.accept_as_past(value.memory, value.first_at, value.last_at)
        except NotKept as refused:
            if refused.reason is not None:
                raise
            # The value is still current in the profile, and stays current.
            proposals.close_proposal(value.memory)
            return Accepted()
    proposals.decline(value.memory)
    return Accepted()


def _facts(rows: MemoryQuerySet) -> MemoryQuerySet:
    sensitive = [key for key, slot in SLOTS.items() if slot.sensitive]
    return rows.filter(ends=None).exclude(slot="").exclude(slot__in=sensitive)


def _notes(rows: MemoryQuerySet) -> MemoryQuerySet:
    return rows.exclude(pk__in=_facts(rows).order_by().values("pk"))


def _key(note: Memory) -> str:
    if note.source_conversation_id is not None:
        return str(note.source_conversation_id)
    return f"{localtime(note.said_at):%Y-%m}"


def _offered(memory: Memory) -> OfferedValue:
    again = [change.message.said_at for change in getattr(memory, "said_again", ())]
    return OfferedValue(memory, tuple(sorted([memory.said_at, *again])))
