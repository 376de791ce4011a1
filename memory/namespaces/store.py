"""Reading, writing, searching and removing entries of namespaces, in all tiers.

An entry is stored for a session (hot: only in the cache) or as a row (warm, or cold when
compressed). Every operation is traced. All must run in the user's transaction; writers lock the
namespace of the user until the commit.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils.timezone import localdate, now
from pydantic import ValidationError

from accounts import audit
from accounts.audit import Action
from accounts.models import User
from memory.core import tracing
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    KeepingPlace,
    PersistenceRequest,
    RecordKind,
    Refused,
    decide_persistence,
)
from memory.core.tracing import OperationOutcome, OperationVerb
from memory.deletion.sought import ErasureTarget, texts_in_json
from memory.language.origin import Origin
from memory.language.safety import guard
from memory.language.text import token_count
from memory.models import (
    KEY_LENGTH,
    MemoryChange,
    NamespaceConsent,
    NamespaceEntry,
    RegisteredNamespace,
)
from memory.namespaces import changes, entry_text, tiers
from memory.namespaces.registered import namespace_of, namespaces_of
from memory.namespaces.registry import MOST_BYTES, Namespace, Tier
from memory.namespaces.tiers import NamespaceFull, StoredEntry

By = NamespaceEntry.By
MOST_FOUND = 500
_ORIGINS: dict[str, Origin] = {
    By.OWNER: Origin.TYPED,
    By.SOFTWARE: Origin.TOOL,
    By.ASSISTANT: Origin.ASSISTANT,
}


@dataclass(frozen=True)
class WrittenEntry:
    """A written entry, and the trace id of the operation."""

    entry: StoredEntry
    trace_id: str


class EntryRefused(Refused):
    """The entry may not be written; the message says what to do."""


@dataclass
class VersionConflict(Exception):
    """The entry was changed since it was read; `current` is the present entry, None if removed."""

    current: StoredEntry | None

    def __str__(self) -> str:
        version = self.current.version if self.current else 0
        return f"It has changed since you read it and is now at version {version}. Read it again."


# --- Operations -----------------------------------------------------------------------------------


def read(user_id: UUID, name: str, key: str) -> StoredEntry | None:
    """Return an entry from any tier; None if there is none. Raises UnknownNamespace."""
    with _operation(user_id, OperationVerb.READ, name, key) as (namespace, operation):
        entry = tiers.fetch(user_id, namespace, key)
        operation.outcome = OperationOutcome.OK if entry else OperationOutcome.NOTHING
        operation.tokens_saved = _saved(namespace, entry) if entry else 0
        return entry


def query(
    user_id: UUID, name: str, pattern: str = "*", limit: int = MOST_FOUND
) -> list[StoredEntry]:
    """Return the newest `limit` entries whose keys match a pattern with `*` and `?`.

    In the order of writing; cold entries stay cold. Raises UnknownNamespace.
    """
    with _operation(user_id, OperationVerb.QUERY, name) as (namespace, operation):
        matching = [
            entry for entry in tiers.all_of(user_id, namespace) if fnmatchcase(entry.key, pattern)
        ]
        operation.outcome = OperationOutcome.OK if matching else OperationOutcome.NOTHING
        return matching[-limit:] if limit > 0 else []


def write(
    user_id: UUID,
    name: str,
    key: str,
    data: dict[str, Any],
    *,
    by: By,
    expected: int | None = None,
) -> WrittenEntry:
    """Write an entry; `expected` is the version it must have now, 0 for a new entry.

    Without consent it is stored for the session only, and `entry.held_because` says so. Raises
    UnknownNamespace, EntryRefused, NamespaceFull, VersionConflict and pydantic's ValidationError.
    """
    return change(user_id, name, key, lambda _: data, by=by, expected=expected)


def change(
    user_id: UUID,
    name: str,
    key: str,
    make: Callable[[dict[str, Any] | None], dict[str, Any]],
    *,
    by: By,
    expected: int | None = None,
) -> WrittenEntry:
    """Write the result of `make` for the present data (None if absent), under a lock.

    Raises like `write`.
    """
    with _operation(user_id, OperationVerb.WRITE, name, key) as (namespace, operation):
        _check(namespace, key)
        allowed = _lock(user_id, namespace)
        current = tiers.fetch(user_id, namespace, key, uses=False)
        if expected is not None and expected != (current.version if current else 0):
            raise VersionConflict(current)
        entry = StoredEntry(
            namespace.name,
            key,
            _validated(namespace, make(current.data if current else None)),
            version=current.version + 1 if current else 1,
            tier=namespace.tier,
            written_by=by,
            written_at=now(),
        )
        entry = _save(user_id, namespace, entry, allowed)
        if entry.held:
            # The key may be revealing, so it is not stored in the trace.
            operation.outcome, operation.key = OperationOutcome.HELD, ""
        operation.tokens_saved = _saved(namespace, entry)
        _notify(user_id, namespace, key, MemoryChange.Kind.WRITTEN)
        return WrittenEntry(entry, tracing.trace_name(operation.trace_id))


def remove(user_id: UUID, name: str, key: str, *, expected: int | None = None) -> bool:
    """Remove an entry from every tier; return False if there is none. Raises like `write`."""
    with _operation(user_id, OperationVerb.REMOVE, name, key) as (namespace, operation):
        _check(namespace)
        _lock(user_id, namespace)
        current = tiers.fetch(user_id, namespace, key, uses=False)
        if current is None:
            operation.outcome = OperationOutcome.NOTHING
            return False
        if expected is not None and expected != current.version:
            raise VersionConflict(current)
        tiers.delete(user_id, namespace, key)
        _notify(user_id, namespace, key, MemoryChange.Kind.REMOVED)
        return True


def put_back(user_id: UUID, name: str, key: str, version: int, written_at: datetime) -> None:
    """Restore the version and time of an entry that was just restored from a backup."""
    rows = NamespaceEntry.objects.filter(user_id=user_id, namespace=name, key=key)
    rows.update(version=version, written_at=written_at, used_at=now())


def allow(user: User, name: str, *, on: bool) -> int:
    """Set a user's consent to store a namespace, and return how many entries were affected.

    With consent, the session's entries are stored; without, stored entries are deleted. Returns 0
    if nothing changes. Raises UnknownNamespace, NamespaceFull, and ValueError if the namespace
    needs no consent.
    """
    verb = OperationVerb.WRITE if on else OperationVerb.REMOVE
    with _operation(user.pk, verb, name) as (namespace, _):
        if not namespace.needs_consent:
            raise ValueError(f"{name} needs no consent.")
        allowed = _lock(user.pk, namespace)
        named: dict[str, Any] = {"user": user, "namespace": name}
        if on:
            is_change = NamespaceConsent.objects.get_or_create(**named)[1]
        else:
            is_change = NamespaceConsent.objects.filter(**named).delete()[0] > 0
        if not is_change:
            return 0
        before, after = ("Off", "On") if on else ("On", "Off")
        about = f"Saving “{namespace.purpose}”"
        audit.record(user.pk, Action.ALLOWED, before=before, after=after, why=about)
        if not on:
            return NamespaceEntry.objects.filter(**named).delete()[0]
        return _keep_held(user.pk, namespace, replace(allowed, consented=True))


def granted_namespaces(user_id: UUID) -> Mapping[str, datetime]:
    """Return the names of the namespaces with the user's consent, each with its time."""
    rows = NamespaceConsent.objects.filter(user_id=user_id)
    return dict(rows.values_list("namespace", "granted_at"))


def unregister_namespace(user: User, namespace: Namespace) -> None:
    """Delete a registered namespace with its entries in every tier."""
    _lock(user.pk, namespace)
    tiers.release(user.pk, [namespace.name])
    for model in (NamespaceEntry, NamespaceConsent):
        model._default_manager.filter(user_id=user.pk, namespace=namespace.name).delete()
    RegisteredNamespace.objects.filter(user=user, name=namespace.name).delete()


# --- Erasing --------------------------------------------------------------------------------------


def find_matching_entries(user_id: UUID, target: ErasureTarget) -> list[StoredEntry]:
    """Return the entries whose key or data contains what is to be erased.

    All namespaces and tiers, also expired entries; none changes its tier.
    """
    return [
        entry
        for entry in tiers.everything(user_id)
        if target.is_in(entry.key, *texts_in_json(entry.data))
    ]


def erase_entries(user_id: UUID, entries: Sequence[StoredEntry], target: ErasureTarget) -> None:
    """Remove entries from every tier, and keys that contain what is erased from the logs."""
    with tracing.traced_operation(user_id, OperationVerb.FORGET, "entries"):
        namespaces = namespaces_of(user_id)
        # In sorted order, to avoid deadlocks.
        for name in sorted({entry.namespace for entry in entries}):
            _lock(user_id, namespaces[name])
        for entry in entries:
            namespace, key = namespaces[entry.namespace], entry.key
            tiers.delete(user_id, namespace, key)
            if target.is_in(key):
                changes.forget_key(user_id, namespace.name, key)
                key = ""
            _notify(user_id, namespace, key, MemoryChange.Kind.REMOVED)


def forget_entries(user_id: UUID) -> None:
    """Delete the session's entries after everything was deleted, and notify followers."""
    with tracing.traced_operation(user_id, OperationVerb.FORGET, "everything"):
        tiers.release(user_id, namespaces_of(user_id))
        changes.clear_changes(user_id)


# --- Writing --------------------------------------------------------------------------------------


def _lock(user_id: UUID, namespace: Namespace) -> Allowances:
    """Lock a user's namespace until the commit, and return the user's allowances for it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select pg_advisory_xact_lock(hashtextextended(%(lock)s, 0)),
                   (select memory_on from accounts_user where id = %(user)s),
                   exists (select from memory_namespaceconsent
                           where user_id = %(user)s and namespace = %(name)s)
            """,
            {"lock": f"{namespace.name} {user_id}", "user": user_id, "name": namespace.name},
        )
        _, memory_on, consented = cursor.fetchone()
    return Allowances(memory_on=memory_on, consented=consented or not namespace.needs_consent)


def _save(
    user_id: UUID, namespace: Namespace, entry: StoredEntry, allowed: Allowances
) -> StoredEntry:
    """Store an entry in the tier that the user allows, and return the stored entry."""
    origin = _ORIGINS[entry.written_by]
    secret = _holds_a_secret(entry.data)
    request = PersistenceRequest(RecordKind.ENTRY, origin=origin, secret=secret)
    decision = decide_persistence(request, allowed)
    if decision.place == KeepingPlace.NOWHERE:
        raise EntryRefused(decision.reason)
    others = tiers.held_in(user_id, namespace)
    was_held = others.pop(entry.key, None)
    if decision.place == KeepingPlace.SESSION:
        entry = replace(entry, tier=Tier.HOT, held=decision.reason)
    if entry.tier is Tier.HOT:
        tiers.hold(user_id, namespace, others | {entry.key: entry})
        return entry
    tiers.keep(user_id, namespace, entry)
    if was_held:
        tiers.hold(user_id, namespace, others)
    return entry


def _keep_held(user_id: UUID, namespace: Namespace, allowed: Allowances) -> int:
    """Store the session's entries as rows if that is allowed; return the number."""
    request = PersistenceRequest(RecordKind.ENTRY, authority=Authority.YES)
    if not decide_persistence(request, allowed).kept:
        return 0
    entries = tiers.held_in(user_id, namespace)
    for entry in entries.values():
        tiers.keep(user_id, namespace, entry)
    tiers.release(user_id, [namespace.name])
    return len(entries)


def _notify(user_id: UUID, namespace: Namespace, key: str, kind: MemoryChange.Kind) -> None:
    """Notify the subscribers of this process; triggers notify followers of changed rows."""
    changes.tell_after_commit(user_id, namespace.name, key)
    if namespace.tier is Tier.HOT:
        changes.announce(user_id, namespace.name, key, kind)


@contextmanager
def _operation(
    user_id: UUID, verb: OperationVerb, name: str, key: str = ""
) -> Iterator[tuple[Namespace, tracing.Operation]]:
    """Trace an operation on a namespace with its outcome. Raises UnknownNamespace."""
    namespace = namespace_of(user_id, name)
    with tracing.traced_operation(user_id, verb, name, key) as operation:
        try:
            yield namespace, operation
        except VersionConflict:
            operation.outcome = OperationOutcome.CONFLICT
            raise
        except (EntryRefused, NamespaceFull, ValidationError):
            operation.outcome = OperationOutcome.REFUSED
            raise


def _saved(namespace: Namespace, entry: StoredEntry) -> int:
    """Return how many tokens the compact form of an entry saves against sentences."""
    plain = entry_text.sentences(namespace, entry.data)
    line = entry_text.line(namespace, entry.data, localdate())
    return token_count.count_tokens(plain) - token_count.count_tokens(line)


# --- Checks ---------------------------------------------------------------------------------------


def _check(namespace: Namespace, key: str = "any") -> None:
    if namespace.own:
        raise EntryRefused(
            f"{namespace.name} is read-only here. Use the pages or API operations for facts, "
            "memories and blocks to change it."
        )
    if not 0 < len(key) <= KEY_LENGTH or not key.isprintable() or key != key.strip():
        raise EntryRefused(
            f"A key must have 1 to {KEY_LENGTH} printable characters and must not begin or end "
            "with a space."
        )


def _validated(namespace: Namespace, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data normalised by the schema.

    Raises ValidationError, or EntryRefused if it is too long.
    """
    plain = namespace.schema.model_validate(data).model_dump(mode="json", exclude_none=True)
    if len(json.dumps(plain).encode()) > MOST_BYTES:
        raise EntryRefused(f"An entry can have at most {MOST_BYTES:,} bytes.")
    return plain


def _holds_a_secret(data: Any, name: str = "") -> bool:
    """Return whether JSON data contains a password, a key or a card number."""
    if isinstance(data, dict):
        return any(_holds_a_secret(value, str(name)) for name, value in data.items())
    if isinstance(data, list):
        return any(_holds_a_secret(value, name) for value in data)
    return isinstance(data, str) and guard.holds_a_secret(f"{name}: {data}" if name else data)
