"""Two database roles: the owner creates tables, the application only reads and writes rows.

Superusers bypass row-level security, so the site never connects as one; migrations do.
"""

import contextlib
from collections.abc import Iterator

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from config.processes import embedded

# Tables that only migrations write: applied migrations, permissions and content types.
READ_ONLY = ("django_migrations", "auth_permission", "django_content_type")
# PostgreSQL lets every role create large objects, which no policy covers.
MAKE_LARGE_OBJECTS = "lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)"
# Leakproof, since only then PostgreSQL uses a text index on a table with policies.
MATCH_TEXT = "pg_catalog.ts_match_vq(tsvector, tsquery)"
KEYS = ("USER", "PASSWORD", "HOST", "PORT")


@contextlib.contextmanager
def as_owner(alias: str = "default") -> Iterator[BaseDatabaseWrapper]:
    """Context manager that connects as owner of the tables: the embedded cluster's superuser, or
    the user of DATABASE_OWNER_URL. Not for processes that serve requests at the same time.
    """
    connection = connections[alias]
    if settings.EMBEDDED:
        owner = embedded.Cluster(settings.DATA_DIR).owner_environment()
    else:
        owner = settings.DATABASE_OWNER
    before = {key: connection.settings_dict[key] for key in KEYS}
    switch(connection, before | {key: owner[key] for key in KEYS if key in owner})
    try:
        yield connection
    finally:
        switch(connection, before)


def switch(connection: BaseDatabaseWrapper, login: dict[str, str]) -> None:
    """Switch a connection to another login; closes open connections of the old one."""
    if all(connection.settings_dict[key] == value for key, value in login.items()):
        return
    connection.close()
    # The pool reads the settings only once, on first use.
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()
    connection.settings_dict.update(login)


def finish(connection: BaseDatabaseWrapper) -> None:
    """Create the cache table and grant rights, as the owner, after migrations."""
    call_command("createcachetable", verbosity=0)
    grant(connection)


def grant(connection: BaseDatabaseWrapper, *more: str) -> None:
    """Grant the application's role access to all current and future tables, with `more` privileges.

    Does nothing on the role's own connection, or if the role does not exist.
    """
    role = settings.DATABASE_APP_ROLE
    tables = ", ".join(("SELECT", "INSERT", "UPDATE", "DELETE", *more))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user = %s OR NOT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)",
            [role, role],
        )
        if cursor.fetchone()[0]:
            return
        to = f"TO {connection.ops.quote_name(role)}"
        for statement in (
            f"GRANT USAGE ON SCHEMA public {to}",
            f"GRANT {tables} ON ALL TABLES IN SCHEMA public {to}",
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public {to}",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {tables} ON TABLES {to}",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES {to}",
        ):
            cursor.execute(statement)
        _take_back(cursor, connection.ops.quote_name(role))


def _take_back(cursor: CursorWrapper, role: str) -> None:
    """Revoke privileges that the application does not need; superusers also change functions."""
    cursor.execute("SELECT tablename FROM pg_tables WHERE tablename = ANY (%s)", [list(READ_ONLY)])
    if tables := ", ".join(name for (name,) in cursor.fetchall()):
        cursor.execute(f"REVOKE INSERT, UPDATE, DELETE ON {tables} FROM {role}")
    cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if cursor.fetchone() == (True,):
        cursor.execute(f"REVOKE EXECUTE ON FUNCTION {MAKE_LARGE_OBJECTS} FROM PUBLIC")
        # `memory.0002` set this on its server; a restored database may be on another.
        cursor.execute(f"ALTER FUNCTION {MATCH_TEXT} LEAKPROOF")
