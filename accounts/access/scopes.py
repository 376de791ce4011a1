"""Scopes of tokens: kinds of operations, namespaces of memory, and sub-users.

A token without scopes can do everything for its owner. `read` and `write` limit it to reading or
changing; names of namespaces limit it to those. `people` always has to be named, see
`accounts.access.sub_users`.
"""

from collections.abc import Collection

from django.conf import settings
from django.utils.module_loading import import_string

READ, WRITE, PEOPLE = "read", "write", "people"
OPERATIONS = (READ, WRITE)


def of_namespaces() -> list[str]:
    """Return every namespace of memory, and every group of namespaces ("shared.*")."""
    scopes: list[str] = import_string(settings.TOKEN_SCOPES)()
    return scopes


def known_scopes() -> list[str]:
    """Return every scope that a token can have."""
    return [*OPERATIONS, PEOPLE, *of_namespaces()]


def namespaces_in(scopes: Collection[str]) -> list[str]:
    """Return the namespaces that these scopes limit a token to; empty for no limit."""
    return [scope for scope in scopes if scope not in {*OPERATIONS, PEOPLE}]


def opens(scopes: Collection[str], scope: str) -> bool:
    """Return whether these scopes allow what needs `read`, `write` or `people`."""
    limited = scope == PEOPLE or any(operation in scopes for operation in OPERATIONS)
    return scope in scopes or not limited
