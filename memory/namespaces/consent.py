"""Which namespaces a person lets be kept for longer than a session; without consent, none.

Where consent is missing, what is written stays in the hot tier, and the writer is told so.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import connection

from accounts import audit
from accounts.audit import Action
from accounts.models import User
from memory.core.persistence_gate import (
    Allowances,
    Authority,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.models import NamespaceConsent, NamespaceEntry
from memory.namespaces import entries, hot_tier
from memory.namespaces.registry import Namespace


def granted_namespaces(user_id: UUID) -> Mapping[str, datetime]:
    """The names of the namespaces that may be kept, each with the day since when."""
    rows = NamespaceConsent.objects.filter(user_id=user_id)
    return dict(rows.values_list("namespace", "granted_at"))


def lock_and_ask(user_id: UUID, namespace: Namespace) -> Allowances:
    """Hold a person's namespace until the commit, and read what they allow of it."""
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


def grant(user: User, namespace: Namespace) -> int:
    """Let it be kept from now on, with what the session holds; how many entries that were.

    The same again changes nothing. Raises ValueError where there is nothing to consent to.
    """
    _check(namespace)
    allowed = lock_and_ask(user.pk, namespace)
    _, is_new = NamespaceConsent.objects.get_or_create(user=user, namespace=namespace.name)
    if not is_new:
        return 0
    _record(user, namespace, "Off", "On")
    request = PersistenceRequest(RecordKind.ENTRY, authority=Authority.YES)
    if not decide_persistence(request, replace(allowed, consented=True)).kept:
        return 0
    held = hot_tier.all_of(user.pk, namespace)
    for entry in held.values():
        entries.keep(user.pk, namespace, entry)
    hot_tier.forget(user.pk, namespace)
    return len(held)


def withdraw(user: User, namespace: Namespace) -> int:
    """Remove what is kept, and keep no more; how many. Raises ValueError where none is needed."""
    _check(namespace)
    lock_and_ask(user.pk, namespace)
    known, _ = NamespaceConsent.objects.filter(user=user, namespace=namespace.name).delete()
    if not known:
        return 0
    _record(user, namespace, "On", "Off")
    kept = NamespaceEntry.objects.filter(user=user, namespace=namespace.name)
    return kept.delete()[0]


def _check(namespace: Namespace) -> None:
    if not namespace.needs_consent:
        raise ValueError(f"{namespace.name} needs no consent.")


def _record(user: User, namespace: Namespace, before: str, after: str) -> None:
    about = f"Saving “{namespace.purpose}”"
    audit.record(user.pk, Action.ALLOWED, before=before, after=after, why=about)
