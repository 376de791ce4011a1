"""What a token opens: kinds of operations, namespaces of memory, and people whom it created.

A token without scopes opens all that its owner may do for themselves. `read` and `write` limit it
to operations that read or change something, with neither it does both; names of namespaces limit it
to these. `people` is never opened unless it is named: see `accounts.access.sub_users`.
"""

from collections.abc import Collection

from django.conf import settings
from django.utils.module_loading import import_string

READ, WRITE, PEOPLE = "read", "write", "people"
OPERATIONS = (READ, WRITE)


def of_namespaces() -> list[str]:
    """Every namespace of memory, and every group of them ("shared.*")."""
    scopes: list[str] = import_string(settings.TOKEN_SCOPES)()
    return scopes


def known_scopes() -> list[str]:
    """Every scope that a token can have."""
    return [*OPERATIONS, PEOPLE, *of_namespaces()]


def namespaces_in(scopes: Collection[str]) -> list[str]:
    """The namespaces that a token with these scopes is limited to; empty for no limit."""
    return [scope for scope in scopes if scope not in {*OPERATIONS, PEOPLE}]


def opens(scopes: Collection[str], scope: str) -> bool:
    """Whether a token with these scopes opens what needs `read`, `write` or `people`."""
    limited = scope == PEOPLE or any(operation in scopes for operation in OPERATIONS)
    return scope in scopes or not limited
