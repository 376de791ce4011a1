"""Moving entries between tiers by age and use, ending those that have had their time, and figures.

The worker does it once a day for each person; what is read comes back by itself (`entries.read`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils.timezone import now

from memory.models import MemoryChange, MemoryOperation, NamespaceEntry
from memory.models.packing import pack
from memory.namespaces import hot_tier, registered
from memory.namespaces.registry import Namespace, Tier

# How many entries are compressed at a time.
_PIECE = 500


@dataclass(frozen=True)
class Figure:
    """How much lies in one tier of one namespace; bytes of the data alone, None for the hot one."""

    namespace: str
    tier: Tier
    entries: int
    bytes: int | None


def tend(user_id: UUID) -> int:
    """Remove expired entries and archive unused ones; how many. In the person's open block."""
    end_logs(user_id)
    archived = 0
    for namespace in registered.namespaces_of(user_id).values():
        if namespace.keep is not None:
            kept = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name)
            kept.filter(written_at__lte=now() - namespace.keep).delete()
        archived += archive(user_id, namespace)
    return archived


def archive(user_id: UUID, namespace: Namespace) -> int:
    """Compress the entries that were not used for long, each where it stands; how many."""
    if namespace.cold_after is None:
        return 0
    unused = NamespaceEntry.objects.filter(
        user_id=user_id,
        namespace=namespace.name,
        packed__isnull=True,
        used_at__lte=now() - namespace.cold_after,
    )
    return sum(_pack(piece) for piece in _in_pieces(list(unused.values_list("pk", flat=True))))


def _in_pieces(keys: list[UUID]) -> Iterator[list[UUID]]:
    for start in range(0, len(keys), _PIECE):
        yield keys[start : start + _PIECE]


def _pack(keys: list[UUID]) -> int:
    """Whoever writes one of them meanwhile waits, and finds it in the archive."""
    waiting = NamespaceEntry.objects.filter(pk__in=keys, packed__isnull=True)
    rows = list(waiting.order_by("pk").select_for_update())
    for row in rows:
        row.packed, row.data = pack(row.data), None
    return NamespaceEntry.objects.bulk_update(rows, ["packed", "data"], batch_size=_PIECE)


def end_logs(user_id: UUID) -> None:
    """Remove what the logs of changes and of operations have held for long enough."""
    changes = MemoryChange.objects.filter(user_id=user_id)
    changes.filter(at__lt=_days_ago("changes_days")).delete()
    operations = MemoryOperation.objects.filter(user_id=user_id)
    operations.filter(at__lt=_days_ago("traces_days")).delete()


def _days_ago(setting: str) -> datetime:
    return now() - timedelta(days=settings.MEMORY[setting])


def tier_figures(user_id: UUID) -> list[Figure]:
    """How much lies where, only of namespaces that hold something; in the person's open block."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select namespace, packed is not null, count(*),
                   sum(coalesce(length(packed), octet_length(data::text)))
            from memory_namespaceentry where user_id = %s group by 1, 2 order by 1, 2
            """,
            [user_id],
        )
        found = [
            Figure(name, Tier.COLD if is_cold else Tier.WARM, entries, int(size))
            for name, is_cold, entries, size in cursor.fetchall()
        ]
    namespaces = registered.namespaces_of(user_id)
    hot = {name: len(hot_tier.all_of(user_id, place)) for name, place in namespaces.items()}
    return [Figure(name, Tier.HOT, count, None) for name, count in hot.items() if count] + found
