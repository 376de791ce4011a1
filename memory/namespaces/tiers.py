"""The storage tiers of entries: hot (cache), warm (rows), cold (compressed rows).

A daily job compresses rows unused for long, and reading decompresses them. Functions must run in
the user's transaction; writers hold the namespace's lock (`store`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.models import QuerySet
from django.utils.timezone import now

from memory.core.persistence_gate import PersistenceReason
from memory.models import (
    Memory,
    MemoryBlock,
    MemoryChange,
    MemoryOperation,
    NamespaceEntry,
    ProfileFact,
)
from memory.models.packing import pack
from memory.namespaces.registered import namespaces_of
from memory.namespaces.registry import SESSION, Namespace, Tier

# A read updates `used_at` at most once per this interval.
_USE_COUNTS_EVERY = timedelta(hours=1)
# The number of entries that are compressed at a time.
_PIECE = 500


@dataclass(frozen=True)
class StoredEntry:
    """An entry in any tier; `held` is the reason if it is stored for the session only."""

    namespace: str
    key: str
    data: dict[str, Any]
    version: int
    tier: Tier
    written_by: str
    written_at: datetime
    held: PersistenceReason | None = None

    @property
    def held_because(self) -> str:
        """The reason why the entry is stored for the session only, as a sentence; else ''."""
        return self.held.in_full if self.held else ""


class NamespaceFull(Exception):
    """A namespace has no room for another entry; the message says what to do."""


@dataclass(frozen=True)
class Figure:
    """The number of entries of a namespace in a tier, and their bytes (None for hot)."""

    namespace: str
    tier: Tier
    entries: int
    bytes: int | None


# --- The hot tier ---------------------------------------------------------------------------------


def held_entries(
    user_id: UUID, namespaces: Iterable[Namespace]
) -> dict[str, dict[str, StoredEntry]]:
    """Return the session's entries of some namespaces, by namespace and key, oldest first.

    The cache is the process's memory on a single machine, or Redis if `REDIS_URL` is set.
    """
    places = {_cache_key(user_id, namespace.name): namespace.name for namespace in namespaces}
    return {
        places[place]: entries for place, entries in caches["hot"].get_many(list(places)).items()
    }


def release(user_id: UUID, names: Iterable[str]) -> None:
    """Delete the session's entries of some namespaces."""
    caches["hot"].delete_many([_cache_key(user_id, name) for name in names])


def held_in(user_id: UUID, namespace: Namespace) -> dict[str, StoredEntry]:
    """Return the session's entries of a namespace, by key."""
    return held_entries(user_id, [namespace]).get(namespace.name, {})


def hold(user_id: UUID, namespace: Namespace, entries: dict[str, StoredEntry]) -> None:
    """Replace the session's entries of a namespace; beyond `most` the oldest are dropped."""
    newest = dict(list(entries.items())[-namespace.most :])
    place = _cache_key(user_id, namespace.name)
    if newest:
        caches["hot"].set(place, newest, SESSION.total_seconds())
    else:
        caches["hot"].delete(place)


def _cache_key(user_id: UUID, name: str) -> str:
    return f"{user_id}/{name}"


# --- Rows -----------------------------------------------------------------------------------------


def fetch(
    user_id: UUID, namespace: Namespace, key: str, *, uses: bool = True
) -> StoredEntry | None:
    """Return an entry, or None; with `uses` it counts as used, and a cold one becomes warm."""
    if namespace.own:
        remembered = _remembered(user_id, namespace.name)
        return next((entry for entry in remembered if entry.key == key), None)
    session_entry = held_in(user_id, namespace).get(key)
    if session_entry is not None or namespace.tier is Tier.HOT:
        return session_entry
    row = _rows(user_id, namespace).filter(key=key).first()
    if row is None:
        return None
    # Only the version that was read: another transaction may have written since.
    here, moment = NamespaceEntry.objects.filter(pk=row.pk, version=row.version), now()
    if uses and row.is_cold:
        here.update(data=row.content, packed=None, used_at=moment)
    elif uses and moment - row.used_at > _USE_COUNTS_EVERY:
        here.update(used_at=moment)
    return _as_stored(row)


def all_of(user_id: UUID, namespace: Namespace) -> list[StoredEntry]:
    """Return all entries of a namespace in the order of writing; cold ones stay cold."""
    if namespace.own:
        return _remembered(user_id, namespace.name)
    session_entries = held_in(user_id, namespace)
    kept = [] if namespace.tier is Tier.HOT else map(_as_stored, _rows(user_id, namespace))
    return [
        *(entry for entry in kept if entry.key not in session_entries),
        *session_entries.values(),
    ]


def everything(user_id: UUID) -> list[StoredEntry]:
    """Return a user's entries of all namespaces and tiers, also expired ones."""
    rows = NamespaceEntry.objects.filter(user_id=user_id).order_by("pk").iterator(_PIECE)
    sessions = held_entries(user_id, namespaces_of(user_id).values())
    return [
        *map(_as_stored, rows),
        *(entry for session in sessions.values() for entry in session.values()),
    ]


def _rows(user_id: UUID, namespace: Namespace) -> QuerySet[NamespaceEntry]:
    """Return the rows of a namespace in the order of writing, without expired ones."""
    kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
    if namespace.keep is not None:
        kept = kept.filter(written_at__gt=now() - namespace.keep)
    return kept.order_by("written_at", "pk")


def _as_stored(row: NamespaceEntry) -> StoredEntry:
    tier = Tier.COLD if row.is_cold else Tier.WARM
    return StoredEntry(
        row.namespace, row.key, row.content, row.version, tier, row.written_by, row.written_at
    )


def _remembered(user_id: UUID, name: str) -> list[StoredEntry]:
    """Return the site's own memory as entries, in the order of writing.

    The key is the id, for a memory block the label.
    """
    if name == "user.facts":
        rows: Any = ProfileFact.objects.for_user(user_id).current().defer("embedding")
        rows = rows.prefetch_related("disputed_by").order_by("created_at", "pk")
    elif name == "user.blocks":
        rows = MemoryBlock.objects.filter(user_id=user_id).order_by("updated_at", "pk")
    else:
        rows = Memory.objects.for_user(user_id).filter(status=Memory.Status.ACTIVE)
        one_kind = rows.filter if name == "user.summaries" else rows.exclude
        rows = one_kind(category=Memory.Category.SUMMARY).order_by("created_at", "pk")
        rows = rows.defer("embedding", "terms", "original")
    return [
        StoredEntry(
            name,
            row.label if isinstance(row, MemoryBlock) else str(row.pk),
            _data(row),
            getattr(row, "version", 1),
            Tier.WARM,
            NamespaceEntry.By.ASSISTANT,
            row.updated_at,
        )
        for row in rows
    ]


def _data(row: ProfileFact | Memory | MemoryBlock) -> dict[str, Any]:
    if isinstance(row, ProfileFact):
        return {
            "slot": row.slot,
            "trust": round(row.trust, 1),
            "last_verified": row.last_verified.date().isoformat(),
            "disputed": any(entry.is_open for entry in row.disputed_by.all()),
            "value": row.value,
        }
    if isinstance(row, Memory):
        day = row.said_at.date().isoformat()
        return {"day": day, "trust": round(row.trust, 1), "text": row.content}
    return {"text": row.content}


def keep(user_id: UUID, namespace: Namespace, entry: StoredEntry) -> None:
    """Insert or overwrite the row of an entry. Raises NamespaceFull."""
    kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
    values = {
        "data": entry.data,
        "packed": None,
        "version": entry.version,
        "written_by": entry.written_by,
        "written_at": entry.written_at,
        "used_at": entry.written_at,
    }
    if kept.filter(key=entry.key).update(**values):
        return
    too_many = kept.count() + 1 - namespace.most
    if too_many > 0 and not namespace.rolling:
        raise NamespaceFull(
            f"{namespace.name} already has {namespace.most} entries, the most it can hold. "
            "Remove one first."
        )
    if too_many > 0:
        oldest = kept.order_by("written_at", "pk").values("pk")[:too_many]
        NamespaceEntry.objects.filter(pk__in=oldest).delete()
    named = {"user_id": user_id, "namespace": namespace.name, "key": entry.key}
    NamespaceEntry.objects.create(**named, **values)


def delete(user_id: UUID, namespace: Namespace, key: str) -> None:
    """Remove an entry from every tier."""
    session_entries = held_in(user_id, namespace)
    if session_entries.pop(key, None):
        hold(user_id, namespace, session_entries)
    if namespace.tier is not Tier.HOT:
        NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name, key=key).delete()


# --- Moving between tiers -------------------------------------------------------------------------


def tend(user_id: UUID) -> int:
    """Delete expired entries and compress unused ones; return the number compressed.

    Must run in the user's transaction.
    """
    end_logs(user_id)
    archived = 0
    for namespace in namespaces_of(user_id).values():
        if namespace.keep is not None:
            kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
            kept.filter(written_at__lte=now() - namespace.keep).delete()
        archived += archive(user_id, namespace)
    return archived


def archive(user_id: UUID, namespace: Namespace) -> int:
    """Compress the entries that were unused for long, and return the number.

    Concurrent writers wait for the row lock.
    """
    if namespace.cold_after is None:
        return 0
    unused = NamespaceEntry.objects.filter(
        user_id=user_id,
        namespace=namespace.name,
        packed__isnull=True,
        used_at__lte=now() - namespace.cold_after,
    )
    archived = 0
    while rows := list(unused.order_by("pk").select_for_update()[:_PIECE]):
        for row in rows:
            row.packed, row.data = pack(row.data), None
        archived += NamespaceEntry.objects.bulk_update(rows, ["packed", "data"])
    return archived


def end_logs(user_id: UUID) -> None:
    """Delete old rows of the logs of changes and operations."""
    changes = MemoryChange.objects.filter(user_id=user_id)
    changes.filter(at__lt=_days_ago("changes_days")).delete()
    operations = MemoryOperation.objects.filter(user_id=user_id)
    operations.filter(at__lt=_days_ago("traces_days")).delete()


def _days_ago(setting: str) -> datetime:
    return now() - timedelta(days=settings.MEMORY[setting])


def tier_figures(user_id: UUID) -> list[Figure]:
    """Return the number of entries by tier, for a user's namespaces that have entries."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select namespace, packed is not null, count(*),
                   sum(coalesce(length(packed), octet_length(data::text)))
            from memory_namespaceentry where user_id = %s group by 1, 2 order by 1, 2
            """,
            [user_id],
        )
        rows = [
            Figure(name, Tier.COLD if is_cold else Tier.WARM, entries, int(size))
            for name, is_cold, entries, size in cursor.fetchall()
        ]
    session_entries = held_entries(user_id, namespaces_of(user_id).values())
    return [
        Figure(name, Tier.HOT, len(entries), None) for name, entries in session_entries.items()
    ] + rows
