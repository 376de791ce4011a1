"""What an import says about its owner: nothing enters the profile without their decision."""

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

# So many are answered at once; whoever has more answers again.
_AT_ONCE = 500


class NotOffered(Refused):
    """The answer names what does not wait here any more, or several values where one holds."""


@dataclass(frozen=True)
class OfferedValue:
    """A value that waits, and when it was said: each time a message."""

    memory: Memory
    said: tuple[datetime, ...]

    @property
    def count(self) -> int:
        """How many messages say it."""
        return len(self.said)

    @property
    def first_at(self) -> datetime:
        """When it was said first."""
        return self.said[0]

    @property
    def last_at(self) -> datetime:
        """When it was said last."""
        return self.said[-1]


@dataclass(frozen=True)
class OfferedSlot:
    """A kind of fact with the values that an import has of it, the newest first."""

    slot: Slot
    values: tuple[OfferedValue, ...]

    @property
    def has_past(self) -> bool:
        """Whether earlier values can be kept."""
        return self.slot.key in PAST_SLOTS


@dataclass(frozen=True)
class OfferedNotes:
    """Memories of one conversation, or of one month where they came without one."""

    key: str
    notes: tuple[Memory, ...]


def waiting_of(row: Import) -> MemoryQuerySet:
    """What of an import waits for its owner's yes."""
    rows = ImportedRow.objects.filter(user_id=row.user_id, brought=row)
    talks = rows.filter(conversation__isnull=False).values("conversation")
    own = rows.filter(memory__isnull=False).values("memory")
    waits = proposals.waiting(row.user_id)
    return waits.filter(Q(source_conversation__in=talks) | Q(pk__in=own)).defer("embedding")


def slots_of(row: Import) -> list[OfferedSlot]:
    """The kinds of facts with their values, in the order of the profile."""
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
    """The memories by conversation or month, the newest first; no more than so many."""
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
    """One decision about the values of a slot, all or those that are named in `among`: those that
    are chosen hold, of the others each becomes a past value, or is declined. What came of each, by
    its id.

    Raises NotOffered, and NotKept where the profile may not have it: then all go on waiting.
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
    """Yes or no to memories; what is known already is let go. What came of the others."""
    notes = _notes(waiting_of(row)).filter(pk__in=keys)[:_AT_ONCE]
    with transaction.atomic():
        return dict(_answers(notes, keep=keep))


def decline_all(row: Import) -> dict[UUID, Accepted]:
    """No to all of an import that waits; facts first, and no more than some hundreds at once."""
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
            # The profile says that it is still true: that stays so.
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
