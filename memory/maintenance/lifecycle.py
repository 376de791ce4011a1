"""Nightly maintenance of a user's memories: decay, merging, capacity, quality counts.

All steps run in the user's transaction and are idempotent. Nothing is deleted: merges can be
undone, decayed and retired memories can be restored.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.timezone import localdate, now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from memory.core import tracing, trust
from memory.core.slot_locks import lock_notes
from memory.facts import succession
from memory.language.text import dedup, terms
from memory.models import Memory, Merge, MergedMemory, ProfileFact, Quality, SiteQuality
from memory.namespaces import tiers
from memory.notes import note_store
from memory.notes.note_gate import NotKept, check_note_return
from memory.slots import SLOTS, alike_to, opposites, same_value

TEND_NOTES = "tend"
Status, Priority, Category = Memory.Status, Memory.Priority, Memory.Category
# A memory with fewer content words is junk.
_FEWEST_WORDS = 2


@dataclass(frozen=True)
class Figures:
    """Quality of a user's memories: counts out of `kept` current facts and active memories."""

    kept: int
    duplicates: int
    stale: int
    junk: int
    disputed: int
    never_used: int


def tend(claim: work.Claim) -> None:
    """Run a user's nightly maintenance: decay, merging, capacity, quality counts."""
    maintaining = tracing.traced_operation(claim.user_id, tracing.OperationVerb.MAINTAIN, "user")
    with acting_as(claim.user_id), maintaining:
        if not work.still_holding(claim):
            return
        frozen_now = now()
        fade(claim.user_id, frozen_now)
        consolidate_notes(claim.user_id, frozen_now)
        fold_facts(claim.user_id)
        note_store.make_room(claim.user_id)
        tiers.tend(claim.user_id)
        today = localdate(frozen_now)
        measure(claim.user_id, today)
        User.objects.filter(pk=claim.user_id).update(tended_on=today)
        work.finish(claim)


# --- Decay ---------------------------------------------------------------------------------------


def fade(user_id: UUID, at: datetime) -> int:
    """Lower the priority of memories unused for `decay_days`; return the number.

    Memories of highest priority and those written by hand are left alone.
    """
    since = at - timedelta(days=int(settings.MEMORY["decay_days"]))
    return (
        Memory.objects.for_user(user_id)
        .active()
        .filter(priority__in=[Priority.NORMAL, Priority.HIGH])
        .exclude(source=Memory.Source.MANUAL)
        .exclude(category=Category.SUMMARY)
        .annotate(last=Coalesce("last_used_at", "created_at"))
        .filter(Q(faded_at__isnull=True) | Q(faded_at__lt=since), last__lt=since)
        .update(priority=F("priority") - 1, faded_at=at, updated_at=at)
    )


# --- Merging -------------------------------------------------------------------------------------


def consolidate_notes(
    user_id: UUID, at: datetime, only: Collection[UUID] | None = None
) -> list[Merge]:
    """Merge equal memories and return the merges, each undoable; `only` limits the memories."""
    return [_merge(group, at) for group in notes_to_merge(user_id, only)]


def notes_to_merge(user_id: UUID, only: Collection[UUID] | None = None) -> list[list[Memory]]:
    """Return groups of memories to merge, best first, without pairs whose merge was undone."""
    rows = mergeable(user_id)
    notes = rows if only is None else [row for row in rows if row.pk in only]
    return list(groups_alike(notes, _kept_apart(user_id)))


def fold_facts(user_id: UUID) -> list[ProfileFact]:
    """Set aside duplicate facts and return them; not those in conflict or restored by hand."""
    rows = ProfileFact.objects.for_user(user_id).current().defer("embedding")
    asked = set(rows.filter(disputed_by__status="open").values_list("pk", flat=True))
    facts = sorted(rows, key=lambda fact: (fact.pk not in asked, -fact.trust, fact.created_at))
    put_aside = []
    for fact, into in _echoes(facts):
        brought_back = AuditEvent.objects.for_user(user_id).filter(
            subject=fact.pk, deed=AuditEvent.Action.RESTORED
        )
        if fact.pk not in asked and not brought_back.exists() and succession.fold(fact, into):
            put_aside.append(fact)
    return put_aside


def folded(user_id: UUID, since: datetime) -> list[tuple[ProfileFact, ProfileFact]]:
    """Return the duplicate facts set aside since `since`, each with the fact that remains."""
    rows = ProfileFact.objects.for_user(user_id).defer("embedding")
    facts = rows.filter(status=ProfileFact.Status.REMOVED, valid_to__gte=since, many=True)
    by_house = AuditEvent.objects.for_user(user_id).filter(
        deed=AuditEvent.Action.REMOVED, by=AuditEvent.By.HOUSE, at__gte=since
    )
    facts = facts.filter(pk__in=by_house.values("subject")).order_by("-valid_to")
    current = list(rows.current().order_by("created_at")) if (candidates := list(facts)) else []
    pairs = (
        (fact, next((note for note in current if _echo(note, fact)), None)) for fact in candidates
    )
    return [(fact, note) for fact, note in pairs if note is not None]


def undo_merge(merge: Merge) -> None:
    """Restore the memories that a merge set aside.

    Raises NotKept, and changes nothing, if it was already undone, an equal memory is active, or the
    slot was blocked.
    """
    with transaction.atomic():
        lock_notes(merge.user_id)
        mine = Merge.objects.filter(pk=merge.pk, user_id=merge.user_id, undone_at__isnull=True)
        if not mine.update(undone_at=now()):
            raise NotKept("You’ve already undone this.")
        put_aside = Memory.objects.for_user(merge.user_id).filter(
            mergedmemory__merge=merge, status=Status.MERGED
        )
        for memory in put_aside:
            check_note_return(memory)
            note_store.reopen(memory)
        trust.move_trust(merge.kept, merge.trust_before, trust.Cause.UNDONE)


def mergeable(user_id: UUID) -> list[Memory]:
    """Return all active memories except summaries and claims, best first (others merge into it)."""
    rows = Memory.objects.for_user(user_id).active().exclude(category=Category.SUMMARY)
    rows = rows.filter(claim="")
    return list(rows.defer("original", "terms").order_by("-priority", "-trust", "-said_at"))


def _kept_apart(user_id: UUID) -> set[frozenset[UUID]]:
    undone = MergedMemory.objects.filter(user_id=user_id, merge__undone_at__isnull=False)
    pairs = undone.values_list("merge__kept_id", "memory_id")
    return {frozenset(pair) for pair in pairs}


def groups_alike(
    rows: Sequence[Memory], kept_apart: Iterable[frozenset[UUID]] = ()
) -> Iterator[list[Memory]]:
    """Yield groups of two or more memories with the same meaning, best first in each."""
    apart = set(kept_apart)
    keys = [row.content_key for row in rows]
    taken: set[UUID] = set()
    for best in rows:
        if best.pk in taken:
            continue
        group = [best]
        for position in dedup.likely(best.content_key, keys):
            other = rows[position]
            if other.pk in taken or other.pk == best.pk:
                continue
            if frozenset((best.pk, other.pk)) not in apart and _are_similar(best, other):
                group.append(other)
        if len(group) > 1:
            taken |= {row.pk for row in group}
            yield group


def _are_similar(note: Memory, other: Memory) -> bool:
    if note.slot != other.slot:
        return False
    return dedup.says_the_same(
        note.content, other.content, note.embedding, other.embedding, loosely=True
    )


@transaction.atomic
def _merge(group: list[Memory], at: datetime) -> Merge:
    note, *others = group
    merge = Merge.objects.create(
        user_id=note.user_id, kept=note, trust_before=note.trust, made_at=at
    )
    MergedMemory.objects.bulk_create(
        MergedMemory(user_id=note.user_id, merge=merge, memory=other) for other in others
    )
    for other in others:
        other.status, other.superseded_by, other.ended_at = Status.MERGED, note, at
        other.save(update_fields=["status", "superseded_by", "ended_at", "updated_at"])
    step = float(settings.MEMORY["agreement_step"])
    after = 1.0 - (1.0 - note.trust) * (1.0 - step) ** len(others)
    trust.move_trust(note, after, trust.Cause.MERGED)
    return merge


# --- Quality counts ------------------------------------------------------------------------------


def figures(user_id: UUID, at: datetime) -> Figures:
    """Return the quality figures of a user's facts and memories at a moment."""
    facts = list(ProfileFact.objects.for_user(user_id).current().defer("embedding"))
    notes = mergeable(user_id)
    since = at - timedelta(days=int(settings.MEMORY["stale_days"]))
    return Figures(
        kept=len(facts) + len(notes),
        duplicates=sum(len(group) - 1 for group in groups_alike(notes))
        + sum(1 for _ in _echoes(facts)),
        stale=sum((fact.last_used_at or fact.last_verified) < since for fact in facts)
        + sum((note.last_used_at or note.said_at) < since for note in notes),
        junk=sum(is_junk(note) for note in notes),
        disputed=_disputed(user_id, facts),
        never_used=sum(not fact.uses for fact in facts) + sum(not note.uses for note in notes),
    )


def is_junk(note: Memory) -> bool:
    """Return whether a memory says too little, or is trusted too little, to be useful."""
    hardly_believed = note.trust < settings.MEMORY["trust_floor"]
    return hardly_believed or len(terms.content_words(note.content)) < _FEWEST_WORDS


def measure(user_id: UUID, day: date) -> Quality | None:
    """Save a user's figures of the day and add them to the site's; None if already done."""
    counted = asdict(figures(user_id, now()))
    quality, new = Quality.objects.get_or_create(user_id=user_id, day=day, defaults=counted)
    if not new:
        return None
    SiteQuality.objects.get_or_create(day=day)
    sums = {name: F(name) + count for name, count in counted.items()}
    SiteQuality.objects.filter(day=day).update(people=F("people") + 1, **sums)
    return quality


def _echoes(facts: Sequence[ProfileFact]) -> Iterator[tuple[ProfileFact, ProfileFact]]:
    """Yield each fact that repeats an earlier fact in the list, with that earlier fact."""
    for position, fact in enumerate(facts):
        earlier = next((other for other in facts[:position] if _echo(other, fact)), None)
        if earlier is not None:
            yield fact, earlier


def _echo(fact: ProfileFact, other: ProfileFact) -> bool:
    alike = fact.slot in alike_to(other.slot)
    return alike and same_value(other.slot, fact.value, other.value)


def _disputed(user_id: UUID, facts: Sequence[ProfileFact]) -> int:
    rivals = list(ProfileFact.objects.for_user(user_id).challengers().defer("embedding"))
    return sum(any(_stand_against(fact, rival) for rival in rivals) for fact in facts)


def _stand_against(fact: ProfileFact, rival: ProfileFact) -> bool:
    if not SLOTS[fact.slot].many:
        return fact.slot == rival.slot
    return rival.slot in opposites(fact.slot) and same_value(fact.slot, fact.value, rival.value)
