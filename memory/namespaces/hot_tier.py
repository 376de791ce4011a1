"""The hot tier: what lives as long as a session, in the cache and nowhere else.

Local memory of the process in a copy on one's own machine, Redis where `REDIS_URL` names one. One
value a namespace and person; whoever writes holds the namespace's lock (`consent.lock_and_ask`).
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from memory.namespaces.entries import StoredEntry
from memory.namespaces.registry import SESSION, Namespace


def _cache() -> BaseCache:
    return caches["hot"]


def _place(user_id: UUID, namespace: Namespace) -> str:
    return f"{user_id}:{namespace.name}"


def all_of(user_id: UUID, namespace: Namespace) -> dict[str, StoredEntry]:
    """Every entry by key, in the order of writing."""
    return _cache().get(_place(user_id, namespace)) or {}


def all_held(user_id: UUID, namespaces: Iterable[Namespace]) -> list[StoredEntry]:
    """Every entry of these namespaces."""
    held = _cache().get_many([_place(user_id, namespace) for namespace in namespaces])
    return [entry for entries in held.values() for entry in entries.values()]


def write(user_id: UUID, namespace: Namespace, entry: StoredEntry) -> None:
    """Put one entry in; of one entry too many the oldest goes."""
    held = all_of(user_id, namespace)
    held.pop(entry.key, None)
    held[entry.key] = entry
    while len(held) > namespace.most:
        del held[next(iter(held))]
    _save(user_id, namespace, held)


def remove(user_id: UUID, namespace: Namespace, key: str) -> bool:
    """Take one entry out; False when there is none."""
    held = all_of(user_id, namespace)
    if held.pop(key, None) is None:
        return False
    _save(user_id, namespace, held)
    return True


def forget(user_id: UUID, namespace: Namespace) -> None:
    """Take all of a namespace out."""
    _cache().delete(_place(user_id, namespace))


def forget_all(user_id: UUID, namespaces: Iterable[Namespace]) -> None:
    """Take out all that is held of these namespaces: the session is over."""
    _cache().delete_many([_place(user_id, namespace) for namespace in namespaces])


def _save(user_id: UUID, namespace: Namespace, held: Mapping[str, StoredEntry]) -> None:
    _cache().set(_place(user_id, namespace), held, SESSION.total_seconds())
