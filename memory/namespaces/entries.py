"""Rows of the warm and the cold tier; in the person's open block, under the namespace's lock."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import now

from memory.core.persistence_gate import PersistenceReason
from memory.models import NamespaceEntry
from memory.namespaces.registry import Namespace, Tier

By = NamespaceEntry.By
# Reading writes down that an entry is in use no more often than this.
_USE_COUNTS_EVERY = timedelta(hours=1)


@dataclass(frozen=True)
class StoredEntry:
    """An entry of any tier: `data` as its schema dumps it, `held` why for a session only."""

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
        """The same as a sentence; '' where it is kept."""
        return self.held.in_full if self.held else ""


class NamespaceFull(Exception):
    """A namespace has no room for one more entry; what to do about it is in the message."""


def rows(user_id: UUID, namespace: Namespace) -> QuerySet[NamespaceEntry]:
    """What is kept, in the order of writing, without what has had its time."""
    kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
    if namespace.keep is not None:
        kept = kept.filter(written_at__gt=now() - namespace.keep)
    return kept.order_by("written_at", "pk")


def read(user_id: UUID, namespace: Namespace, key: str) -> StoredEntry | None:
    """One entry; from the archive it comes back to the warm tier."""
    row = rows(user_id, namespace).filter(key=key).first()
    if row is None:
        return None
    entry = as_stored(row)
    _note_use([row])
    return entry


def as_stored(row: NamespaceEntry) -> StoredEntry:
    """A row as its reader sees it."""
    return StoredEntry(
        row.namespace,
        row.key,
        row.content,
        row.version,
        Tier.COLD if row.is_cold else Tier.WARM,
        row.written_by,
        row.written_at,
    )


def _note_use(used: Iterable[NamespaceEntry]) -> None:
    """What is read is in use: warm again, and for a while not to be archived."""
    moment = now()
    for row in used:
        if row.is_cold:
            # Only the very version that was read: a writer may have come in between.
            here = NamespaceEntry.objects.filter(pk=row.pk, version=row.version)
            here.update(data=row.content, packed=None, used_at=moment)
        elif moment - row.used_at > _USE_COUNTS_EVERY:
            NamespaceEntry.objects.filter(pk=row.pk).update(used_at=moment)


def keep(user_id: UUID, namespace: Namespace, entry: StoredEntry) -> StoredEntry:
    """Write an entry over the former one of its key, or as new. Raises NamespaceFull."""
    former = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name, key=entry.key)
    values = {
        "data": entry.data,
        "packed": None,
        "version": entry.version,
        "written_by": entry.written_by,
        "written_at": entry.written_at,
        "used_at": entry.written_at,
    }
    if not former.update(**values):
        _make_room(user_id, namespace)
        NamespaceEntry.objects.create(
            user_id=user_id, namespace=namespace.name, key=entry.key, **values
        )
    return entry


def _make_room(user_id: UUID, namespace: Namespace) -> None:
    kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
    too_many = kept.count() + 1 - namespace.most
    if too_many <= 0:
        return
    if not namespace.rolling:
        raise NamespaceFull(
            f"{namespace.name} already has {namespace.most} entries, the most it can hold. "
            "Remove one first."
        )
    oldest = kept.order_by("written_at", "pk").values("pk")[:too_many]
    NamespaceEntry.objects.filter(pk__in=oldest).delete()
