"""What the embedded database needs once, before any table: the application's role and pgvector."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

APP_ROLE = "throughline"


def make_role(connection: "psycopg.Connection[Any]") -> None:
    """Create the application's role, or take back powers it must not have."""
    row = connection.execute(
        "SELECT rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR NOT rolcanlogin"
        " FROM pg_roles WHERE rolname = %s",
        [APP_ROLE],
    ).fetchone()
    if row is None or row[0]:
        verb = "CREATE" if row is None else "ALTER"
        powers = "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE"
        connection.execute(f"{verb} ROLE {APP_ROLE} {powers}")


def make_extension(connection: "psycopg.Connection[Any]") -> None:
    """Create pgvector, or bring it to the version the binaries have."""
    row = connection.execute(
        "SELECT default_version = installed_version FROM pg_available_extensions"
        " WHERE name = 'vector'"
    ).fetchone()
    if row is None or row[0] is None:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    elif not row[0]:
        connection.execute("ALTER EXTENSION vector UPDATE")
