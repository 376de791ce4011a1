"""Reading and writing entries of any namespace, whatever tier they lie in.

All in the person's open block. A writer holds the lock of one namespace of one person to the end of
the transaction, so two never act on the same entry and none waits for two locks.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

from django.utils.timezone import now

from memory.core.persistence_gate import (
    KeepingPlace,
    PersistenceRequest,
    RecordKind,
    Refused,
    decide_persistence,
)
from memory.deletion.sought import texts_in_json
from memory.language.origin import Origin
from memory.language.safety import guard
from memory.models import KEY_LENGTH, NamespaceEntry
from memory.namespaces import changes, consent, entries, hot_tier, own_memory, registered
from memory.namespaces.entries import By, StoredEntry
from memory.namespaces.registry import MOST_BYTES, Namespace, Tier

MOST_FOUND = 500
_ORIGINS: dict[str, Origin] = {
    By.OWNER: Origin.TYPED,
    By.SOFTWARE: Origin.TOOL,
    By.ASSISTANT: Origin.ASSISTANT,
}


class EntryRefused(Refused):
    """It may not be written; what to do about it is in the message."""


@dataclass
class VersionConflict(Exception):
    """Somebody wrote it since it was read; `current` is what stands there now, None for nothing."""

    current: StoredEntry | None

    def __str__(self) -> str:
        version = self.current.version if self.current else 0
        return f"It has changed since you read it and is now at version {version}. Read it again."


def read(user_id: UUID, namespace: Namespace, key: str) -> StoredEntry | None:
    """One entry, or None."""
    if namespace.own:
        return own_memory.read(user_id, namespace, key)
    entry = hot_tier.all_of(user_id, namespace).get(key)
    if entry is not None or namespace.tier is Tier.HOT:
        return entry
    return entries.read(user_id, namespace, key)


def query(
    user_id: UUID, namespace: Namespace, pattern: str = "*", limit: int = MOST_FOUND
) -> list[StoredEntry]:
    """The newest `limit` entries whose keys match, oldest first; archived ones stay archived."""
    if namespace.own:
        found = own_memory.query(user_id, namespace)
    else:
        held = hot_tier.all_of(user_id, namespace)
        kept: list[StoredEntry] = []
        if namespace.tier is not Tier.HOT:
            kept = [entries.as_stored(row) for row in entries.rows(user_id, namespace)]
        found = [entry for entry in kept if entry.key not in held] + list(held.values())
    matching = [entry for entry in found if fnmatchcase(entry.key, pattern)]
    return matching[-limit:] if limit > 0 else []


def put_back(
    user_id: UUID, namespace: Namespace, key: str, version: int, written_at: datetime
) -> None:
    """Give an entry that a copy told of, and that was just written, its version and time again."""
    rows = NamespaceEntry.objects.filter(user_id=user_id, namespace=namespace.name, key=key)
    rows.update(version=version, written_at=written_at, used_at=now())


def change(
    user_id: UUID,
    namespace: Namespace,
    key: str,
    make: Callable[[dict[str, Any] | None], dict[str, Any]],
    *,
    by: By,
    expected: int | None = None,
) -> StoredEntry:
    """Write what `make` makes of the present data (None for none), with nobody in between.

    `expected` is the version that the entry must have now, 0 for none. Raises EntryRefused,
    pydantic's ValidationError, VersionConflict and NamespaceFull.
    """
    _check_writable(namespace)
    _check_key(key)
    allowed = consent.lock_and_ask(user_id, namespace)
    current = _peek(user_id, namespace, key)
    if expected is not None and expected != (current.version if current else 0):
        raise VersionConflict(current)
    entry = StoredEntry(
        namespace.name,
        key,
        _checked(namespace, make(current.data if current else None)),
        version=current.version + 1 if current else 1,
        tier=Tier.WARM,
        written_by=by,
        written_at=now(),
    )
    request = PersistenceRequest(
        RecordKind.ENTRY, origin=_ORIGINS[by], secret=_holds_a_secret(entry.data)
    )
    decision = decide_persistence(request, allowed)
    if decision.place == KeepingPlace.NOWHERE:
        raise EntryRefused(decision.reason)
    held = decision.place == KeepingPlace.SESSION
    if held or namespace.tier is Tier.HOT:
        entry = replace(entry, tier=Tier.HOT, held=decision.reason if held else None)
        hot_tier.write(user_id, namespace, entry)
        return entry
    entries.keep(user_id, namespace, entry)
    hot_tier.remove(user_id, namespace, key)
    return entry


def remove(user_id: UUID, namespace: Namespace, key: str, *, expected: int | None = None) -> bool:
    """Remove an entry from every tier; False for none. Raises EntryRefused, VersionConflict."""
    _check_writable(namespace)
    consent.lock_and_ask(user_id, namespace)
    current = _peek(user_id, namespace, key)
    if current is None:
        return False
    if expected is not None and expected != current.version:
        raise VersionConflict(current)
    hot_tier.remove(user_id, namespace, key)
    entries.rows(user_id, namespace).filter(key=key).delete()
    return True


def telling(user_id: UUID, tells: Callable[..., bool]) -> list[StoredEntry]:
    """Entries of all tiers, expired ones too, whose key or data tell it; none is moved."""
    rows = NamespaceEntry.objects.filter(user_id=user_id).order_by("pk")
    kept = (entries.as_stored(row) for row in rows.iterator(MOST_FOUND))
    found = [*kept, *hot_tier.all_held(user_id, registered.namespaces_of(user_id).values())]
    return [entry for entry in found if tells(entry.key, *texts_in_json(entry.data))]


def drop(user_id: UUID, gone: Sequence[StoredEntry], tells: Callable[..., bool]) -> None:
    """Take these entries out, and a key that tells it out of the logs as well."""
    namespaces = registered.namespaces_of(user_id)
    # In one order, whoever drops several.
    for name in sorted({entry.namespace for entry in gone}):
        consent.lock_and_ask(user_id, namespaces[name])
    for entry in gone:
        hot_tier.remove(user_id, namespaces[entry.namespace], entry.key)
        NamespaceEntry.objects.filter(
            user_id=user_id, namespace=entry.namespace, key=entry.key
        ).delete()
        if tells(entry.key):
            changes.forget_key(user_id, entry.namespace, entry.key)


def _peek(user_id: UUID, namespace: Namespace, key: str) -> StoredEntry | None:
    """What stands there, left where it lies."""
    entry = hot_tier.all_of(user_id, namespace).get(key)
    if entry is not None or namespace.tier is Tier.HOT:
        return entry
    row = entries.rows(user_id, namespace).filter(key=key).first()
    return entries.as_stored(row) if row else None


def _check_writable(namespace: Namespace) -> None:
    if namespace.own:
        raise EntryRefused(
            f"{namespace.name} is read-only here. Use the pages or API operations for facts, "
            "memories and blocks to change it."
        )


def _check_key(key: str) -> None:
    if not 0 < len(key) <= KEY_LENGTH or not key.isprintable() or key != key.strip():
        raise EntryRefused(
            f"A key must have 1 to {KEY_LENGTH} printable characters and must not begin or end "
            "with a space."
        )


def _holds_a_secret(data: Any, name: str = "") -> bool:
    """Whether a password, a key or a card number stands anywhere in it, by shape or by name."""
    if isinstance(data, dict):
        return any(_holds_a_secret(value, str(name)) for name, value in data.items())
    if isinstance(data, list):
        return any(_holds_a_secret(value, name) for value in data)
    return isinstance(data, str) and guard.holds_a_secret(f"{name}: {data}" if name else data)


def _checked(namespace: Namespace, data: dict[str, Any]) -> dict[str, Any]:
    """The data as its schema keeps it. Raises ValidationError, or EntryRefused when too long."""
    plain = namespace.schema.model_validate(data).model_dump(mode="json", exclude_none=True)
    if len(json.dumps(plain).encode()) > MOST_BYTES:
        raise EntryRefused(f"An entry can have at most {MOST_BYTES:,} bytes.")
    return plain
