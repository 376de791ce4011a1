"""What a copy says of choices, and entries of other software: kept by the operations that keep them
always, so that each is allowed, bounded and written into the history like any other.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from accounts import privacy
from accounts.models import PrivacySettings, User
from memory import manager
from memory.manager import granted_namespaces, namespaces_of
from privacy.restoring.lines import InvalidLine

_Numbered = Iterable[tuple[int, dict[str, Any]]]
_ENTRIES, _REGISTERED = "memory.namespaceentry", "memory.registerednamespace"


def settle(user: User, rows: _Numbered) -> None:
    """The choices of the privacy page."""
    for _, told in rows:
        privacy.choose(user.pk, **{name: told[name] for name in PrivacySettings.exported})


def register(user: User, rows: _Numbered) -> None:
    """The namespaces that their owner registered. Raises InvalidLine for one that does not fit."""
    for number, told in rows:
        limits = {name: told[name] for name in ("most", "rolling", "keep_days")}
        try:
            manager.register_namespace(
                user, told["name"], told["purpose"], told["schema"], **limits
            )
        except (ValueError, ValidationError):
            raise InvalidLine(_REGISTERED, number, "this namespace can’t be registered.") from None


def consent_to(user: User, rows: _Numbered) -> None:
    """The namespaces that may be kept. What is no namespace here is passed over."""
    namespaces = namespaces_of(user.pk)
    for _, told in rows:
        namespace = namespaces.get(told["namespace"])
        if namespace is not None and namespace.needs_consent and not namespace.own:
            manager.allow(user, namespace.name, on=True)


def keep_entries(user: User, rows: _Numbered) -> int:
    """The entries of namespaces that may be kept; returns how many others there were.

    Raises InvalidLine for one that its namespace refuses.
    """
    namespaces = namespaces_of(user.pk)
    allowed, left_out = granted_namespaces(user.pk), 0
    for number, told in rows:
        name, key = told["namespace"], told["key"]
        namespace = namespaces.get(name)
        if namespace is None or namespace.own or (namespace.needs_consent and name not in allowed):
            left_out += 1
            continue
        by = manager.By(told["written_by"])
        try:
            manager.write(user.pk, name, key, told["data"], by=by)
            manager.put_back(user.pk, name, key, told["version"], told["written_at"])
        except (ValueError, ValidationError):
            raise InvalidLine(_ENTRIES, number, f"{name} can’t keep an entry like this.") from None
    return left_out
