"""Deleting facts and memories for good, with all rows that say the same.

Only the ledger's erasure may import this module; it also handles conflicts, the history and the
data of other packages. All other code in memory closes rows and keeps them.
"""

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from memory.deletion import sources
from memory.deletion.redaction_terms import RedactionTerms
from memory.models import (
    Memory,
    MemoryQuerySet,
    Mention,
    Merge,
    MergedMemory,
    Override,
    ProfileFact,
    SharedFact,
    TrustChange,
)
from memory.slots import same_value


@dataclass(frozen=True)
class ErasureScope:
    """The rows to erase, the messages that state them, and messages that contain their words."""

    facts: Sequence[ProfileFact]
    notes: Sequence[Memory] = ()
    overrides: Sequence[Override] = ()
    redaction_terms: Sequence[RedactionTerms] = ()
    message_ids: frozenset[UUID] = frozenset()
    mentioned: frozenset[UUID] = frozenset()

    @property
    def fact_ids(self) -> frozenset[UUID]:
        """The ids of the facts."""
        return frozenset(fact.pk for fact in self.facts)

    @property
    def note_ids(self) -> frozenset[UUID]:
        """The ids of the memories."""
        return frozenset(note.pk for note in self.notes)

    @property
    def slots(self) -> frozenset[str]:
        """The slots of the facts."""
        return frozenset(fact.slot for fact in self.facts)


def find_matching_rows(fact: ProfileFact) -> ErasureScope:
    """Return a fact and all rows that say the same (six queries); empty if it was deleted."""
    of_slot = list(ProfileFact.objects.for_user(fact.user_id).filter(slot=fact.slot).defer(*_HEAVY))
    facts = [row for row in of_slot if row.value_key == fact.value_key]
    if fact.pk not in {row.pk for row in facts}:
        return ErasureScope([])
    mentions = _mentions(fact.user_id, facts)
    words = _words(fact.slot, facts, mentions, of_slot)
    here = Override.objects.filter(user_id=fact.user_id, slot=fact.slot)
    overrides = [override for override in here if words.match_value(override.value)]
    message_ids = _where_said(facts, mentions, overrides)
    talks = {mention.conversation_id for mention in mentions} | {
        row.source_conversation_id for row in facts
    }
    notes = [
        note
        for note in _all_notes(fact.user_id)
        if _note_tells(note, facts, words, message_ids, talks)
    ]
    message_ids |= _messages_of(notes) | _said_again(fact.user_id, facts, notes)
    mentioned = sources.with_words(fact.user_id, words) - message_ids
    return ErasureScope(facts, notes, overrides, [words], message_ids, mentioned)


def only_these_rows(
    user_id: UUID, facts: Iterable[ProfileFact], notes: Iterable[Memory]
) -> ErasureScope:
    """Return these rows as they are now, with the memories that say one of the facts ended."""
    fact_rows = ProfileFact.objects.for_user(user_id).filter(pk__in={fact.pk for fact in facts})
    going = list(fact_rows.defer(*_HEAVY))
    keys = {fact.pk for fact in going}
    rows = Memory.objects.for_user(user_id).defer(*_HEAVY)
    named = list(rows.filter(Q(pk__in={note.pk for note in notes}) | Q(ends__in=keys)))
    slots = {fact.slot for fact in going}
    others = ProfileFact.objects.for_user(user_id).filter(slot__in=slots).exclude(pk__in=keys)
    staying = list(others.defer(*_HEAVY))
    mentions = _mentions(user_id, going)
    words = [
        _words(fact.slot, [fact], mentions, [fact, *(o for o in staying if o.slot == fact.slot)])
        for fact in going
    ]
    message_ids = (
        _where_said(going, mentions) | _messages_of(named) | _said_again(user_id, going, named)
    )
    return ErasureScope(going, named, [], words, message_ids)


def wordings_of(note: Memory) -> list[Memory]:
    """Return a memory with its predecessors and all memories merged into them."""
    rows, notes = _all_notes(note.user_id), {note.pk: note}
    waiting = {note.pk}
    while waiting:
        merged = MergedMemory.objects.filter(user_id=note.user_id, merge__kept__in=waiting)
        before = rows.filter(Q(superseded_by__in=waiting) | Q(pk__in=merged.values("memory")))
        new = {earlier.pk: earlier for earlier in before if earlier.pk not in notes}
        notes |= new
        waiting = set(new)
    return list(notes.values())


def delete(user_id: UUID, erasure: ErasureScope) -> None:
    """Delete the rows of an erasure with all dependent rows; shared pages show later edits."""
    facts, notes = erasure.fact_ids, erasure.note_ids
    _relink_successors(user_id, facts)
    Override.objects.filter(
        user_id=user_id, pk__in=[override.pk for override in erasure.overrides]
    ).delete()
    Memory.objects.for_user(user_id).filter(pk__in=notes).delete()
    # A merge without merged memories cannot be undone.
    Merge.objects.filter(user_id=user_id, mergedmemory__isnull=True).delete()
    ProfileFact.objects.for_user(user_id).filter(pk__in=facts).delete()


def shared_pages(user_id: UUID, facts: Collection[UUID]) -> int:
    """Return how many shared pages show one of the facts."""
    chosen = SharedFact.objects.filter(user_id=user_id, fact__in=facts)
    return chosen.values("share").distinct().count()


# --- Finding rows --------------------------------------------------------------------------------

_HEAVY = ("embedding",)
Category = Memory.Category


def _mentions(user_id: UUID, facts: Sequence[ProfileFact]) -> list[Mention]:
    rows = Mention.objects.filter(user_id=user_id, fact__in=facts)
    return list(rows.select_related("message"))


def _words(
    slot: str,
    facts: Sequence[ProfileFact],
    mentions: Sequence[Mention],
    of_slot: Sequence[ProfileFact],
) -> RedactionTerms:
    """Return the wordings of a value; "Russia" is not one for Moscow, although the values agree."""
    values = {fact.pk: fact.value for fact in facts}
    typed = {
        wording
        for mention in mentions
        if mention.fact_id in values
        and (wording := mention.message.content[mention.start : mention.end])
        and same_value(slot, wording, values[mention.fact_id])
    }
    staying = {fact.value for fact in of_slot if fact.pk not in values}
    return RedactionTerms(slot, frozenset(typed | set(values.values())), frozenset(staying))


def _all_notes(user_id: UUID) -> MemoryQuerySet:
    return Memory.objects.for_user(user_id).defer(*_HEAVY, "terms").order_by("-said_at", "pk")


def _note_tells(
    note: Memory,
    facts: Sequence[ProfileFact],
    words: RedactionTerms,
    message_ids: Container[UUID | None],
    talks: Container[UUID | None],
) -> bool:
    """Return whether a memory contains the value; generated summaries of its conversations do."""
    if note.ends_id in {fact.pk for fact in facts}:
        return True
    if note.slot == words.slot and words.match_value(note.value):
        return True
    texts = [note.content, note.original, note.value, *note.key_spans]
    if words.occur_in(*texts):
        return True
    if note.category == Category.SUMMARY:
        return note.source != Memory.Source.MANUAL and note.source_conversation_id in talks
    return note.source_message_id in message_ids and words.all_words_occur_in(*texts)


# --- Finding messages ----------------------------------------------------------------------------


def _where_said(
    facts: Sequence[ProfileFact], mentions: Sequence[Mention], overrides: Sequence[Override] = ()
) -> frozenset[UUID]:
    message_ids: set[UUID | None] = {mention.message_id for mention in mentions}
    message_ids |= {fact.source_message_id for fact in facts}
    message_ids |= {override.message_id for override in overrides}
    return frozenset(key for key in message_ids if key is not None)


def _messages_of(notes: Iterable[Memory]) -> frozenset[UUID]:
    return frozenset(note.source_message_id for note in notes if note.source_message_id)


def _said_again(
    user_id: UUID, facts: Sequence[ProfileFact], notes: Sequence[Memory]
) -> frozenset[UUID]:
    """Return the ids of the messages that raised the trust of the rows."""
    again = TrustChange.objects.filter(
        Q(fact__in=facts) | Q(memory__in=notes),
        user_id=user_id,
        cause=TrustChange.Cause.AGREEMENT,
        message__isnull=False,
    )
    return frozenset(key for key in again.values_list("message", flat=True) if key is not None)


# --- Deleting ------------------------------------------------------------------------------------


def _relink_successors(user_id: UUID, going: Collection[UUID]) -> None:
    """Link the successor of a deleted fact to its predecessor, and to its shared pages."""
    facts = ProfileFact.objects.for_user(user_id)
    for fact_id in going:
        before = facts.values_list("replaces", flat=True).get(pk=fact_id)
        later = facts.filter(replaces=fact_id)
        by_hand = later.filter(source=ProfileFact.Source.MANUAL)
        shown = SharedFact.objects.filter(user_id=user_id, fact=fact_id)
        SharedFact.objects.bulk_create(
            [
                SharedFact(user_id=user_id, share_id=share, fact_id=key)
                for share in shown.values_list("share", flat=True)
                for key in by_hand.values_list("pk", flat=True)
            ],
            ignore_conflicts=True,
        )
        later.update(replaces=before)
