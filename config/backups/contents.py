"""SQL run on both the original and the restored database: rows, policies, migrations."""

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal
from pydantic import BaseModel

Connection = psycopg.Connection[Any]


class Table(BaseModel):
    """A table's columns, number of rows, and checksum: the sum of 60 bits of each row's SHA-256."""

    columns: list[str]
    rows: int
    checksum: str


_TABLES = SQL("""
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
""")
# With views, sequences and foreign tables; without those owned by an extension or a relation.
_RELATIONS = SQL("""
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
    AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
        AND d.objid = c.oid AND d.objsubid = 0 AND d.deptype IN ('a', 'e', 'i'))
""")
HAS_RELATIONS = SQL("SELECT EXISTS (SELECT {})").format(_RELATIONS)
COLUMNS = SQL("""
    SELECT c.relname, (
        SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ) {} AND NOT c.relispartition ORDER BY c.relname
""").format(_TABLES)
# Tables of which the connected role cannot see all rows.
FILTERED = SQL("""
    SELECT c.relname {}
    AND (row_security_active(c.oid) OR NOT has_table_privilege(c.oid, 'SELECT'))
    ORDER BY c.relname
""").format(_TABLES)
# A line for each table with row-level security: name, state, and policies.
ROW_SECURITY = SQL("""
    SELECT coalesce(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), '') FROM (
        SELECT concat_ws(' ', c.relname, CASE WHEN c.relrowsecurity THEN 'enabled' END,
            CASE WHEN c.relforcerowsecurity THEN 'forced' END, p.names) AS line
        FROM (SELECT c.* {}) AS c LEFT JOIN (
            SELECT polrelid, string_agg(polname, ' ' ORDER BY polname) AS names
            FROM pg_policy GROUP BY polrelid
        ) AS p ON p.polrelid = c.oid
        WHERE c.relrowsecurity OR c.relforcerowsecurity OR p.names IS NOT NULL
    ) AS lines
""").format(_TABLES)
MIGRATIONS = SQL("SELECT app, name FROM public.django_migrations ORDER BY app, name")
# Tables, among those given, without forced row-level security or policies.
NOT_SECURED = SQL("""
    SELECT c.relname {} AND c.relname = ANY(%s) AND NOT (c.relrowsecurity
    AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
""").format(_TABLES)
# Tables that a role may not read.
CLOSED = SQL("SELECT c.relname {} AND NOT has_table_privilege(%s, c.oid, 'SELECT')").format(_TABLES)
HAS_VECTORS = SQL("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')")
HAS_ROLE = SQL("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)")
# The number of other connections of a role.
CONNECTIONS = SQL("""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()
""")
# Delete everything that the owner of the tables created.
EMPTY = SQL("""
    DO $do$ BEGIN
        EXECUTE (SELECT coalesce(string_agg(format('DROP %s IF EXISTS public.%I CASCADE', CASE
            c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN
            'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, c.relname), '; '), 'SELECT')
            {});
        EXECUTE (SELECT coalesce(string_agg(format('DROP ROUTINE IF EXISTS %s CASCADE',
            f.oid::regprocedure), '; '), 'SELECT') FROM pg_proc f
            WHERE f.pronamespace = 'public'::regnamespace AND NOT EXISTS (
                SELECT FROM pg_depend d WHERE d.objid = f.oid AND d.deptype = 'e'));
    END $do$;
""").format(_RELATIONS)


def rows_and_checksum(table: str, columns: list[str]) -> Composed:
    """Return a query for the number of rows of a table and their checksum, as one text."""
    return SQL(
        "SELECT count(*) || ' ' || coalesce(sum(('x' || left(encode(sha256(convert_to("
        "whole_row_::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0) "
        "FROM (SELECT {} FROM public.{}) AS whole_row_"
    ).format(SQL(", ").join(map(Identifier, columns)), Identifier(table))


def read_table(connection: Connection, name: str, columns: list[str]) -> Table:
    """Count the rows of a table and compute their checksum, in the connection's snapshot."""
    rows, checksum = ask(connection, rows_and_checksum(name, columns)).split()
    return Table(columns=columns, rows=int(rows), checksum=checksum)


def ask(connection: Connection, query: SQL | Composed, *values: object) -> Any:
    """Return the single value of a query."""
    row = connection.execute(query, values or None).fetchone()
    return row[0] if row else None


def ask_all(connection: Connection, query: SQL | Composed, *values: object) -> list[Any]:
    """Return the first column of all rows of a query."""
    rows = connection.execute(query, values or None).fetchall()
    return [row[0] for row in rows]


def checks_of_rows(tables: Mapping[str, Table]) -> str:
    """Return SQL that fails unless the tables have the counted rows."""
    return "".join(
        _require(
            rows_and_checksum(name, table.columns),
            f"{table.rows} {table.checksum}",
            f"the table {name} does not contain the rows that were backed up",
        )
        for name, table in tables.items()
    )


def check_of_row_security(lines: str) -> str:
    """Return SQL that fails unless row-level security of all tables is unchanged."""
    return _require(
        ROW_SECURITY,
        lines,
        "row-level security has changed since the backup was made",
    )


def _require(query: SQL | Composed, answer: str, otherwise: str) -> str:
    return (
        SQL(
            "DO $do$ BEGIN IF ({}) IS DISTINCT FROM {} THEN RAISE EXCEPTION USING MESSAGE = {}; "
            "END IF; END $do$;\n"
        )
        .format(query, Literal(answer), Literal(otherwise))
        .as_string(None)
    )
