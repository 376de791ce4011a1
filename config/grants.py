"""Two roles: the owner makes the tables, the application only reads and writes their rows.

Row-level security means nothing to a superuser, so the site never connects as one. Migrations do.
"""

import contextlib
from collections.abc import Iterator

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from config.processes import embedded

# What only migrations write: what was migrated, and which rights and kinds of rows there are.
READ_ONLY = ("django_migrations", "auth_permission", "django_content_type")
# Everybody may make large objects in a new database, outside every table and its policies.
MAKE_LARGE_OBJECTS = "lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)"
# It reveals nothing of its arguments: only then is an index on words used behind a policy.
MATCH_TEXT = "pg_catalog.ts_match_vq(tsvector, tsquery)"
KEYS = ("USER", "PASSWORD", "HOST", "PORT")


@contextlib.contextmanager
def as_owner(alias: str = "default") -> Iterator[BaseDatabaseWrapper]:
    """Connect as the owner of the tables for the length of the block: the embedded cluster's
    superuser, or the user of DATABASE_OWNER_URL. Not for a process that serves requests meanwhile.
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
    """Use another login from now on; what is open under the old one is closed."""
    if all(connection.settings_dict[key] == value for key, value in login.items()):
        return
    connection.close()
    # The pool is made from the settings once, on first use.
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()
    connection.settings_dict.update(login)


def finish(connection: BaseDatabaseWrapper) -> None:
    """What has to follow migrations, as the owner: the cache's table and the rights on all."""
    call_command("createcachetable", verbosity=0)
    grant(connection)


def grant(connection: BaseDatabaseWrapper, *more: str) -> None:
    """Let the application's role use every table there is and will be, with `more` privileges.

    Nothing happens on its own connection, or where the server has no such role.
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
    """Take back what the application has no use for; a superuser also sets up the server for it."""
    cursor.execute("SELECT tablename FROM pg_tables WHERE tablename = ANY (%s)", [list(READ_ONLY)])
    if tables := ", ".join(name for (name,) in cursor.fetchall()):
        cursor.execute(f"REVOKE INSERT, UPDATE, DELETE ON {tables} FROM {role}")
    cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if cursor.fetchone() == (True,):
        cursor.execute(f"REVOKE EXECUTE ON FUNCTION {MAKE_LARGE_OBJECTS} FROM PUBLIC")
        # `memory.0002` said so of the server it ran on; a restored database may be on another.
        cursor.execute(f"ALTER FUNCTION {MATCH_TEXT} LEAKPROOF")
