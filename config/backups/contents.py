"""SQL that a backup asks and the restored database answers alike: rows, policies, migrations."""

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal
from pydantic import BaseModel

Connection = psycopg.Connection[Any]


class Table(BaseModel):
    """A table's columns, and the sum over its rows of 60 bits of each row's SHA-256."""

    columns: list[str]
    rows: int
    checksum: str


_TABLES = SQL("""
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
""")
# With views, sequences and foreign tables; without what an extension or another relation owns.
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
# Of which tables the connected role does not see all rows.
FILTERED = SQL("""
    SELECT c.relname {}
    AND (row_security_active(c.oid) OR NOT has_table_privilege(c.oid, 'SELECT'))
    ORDER BY c.relname
""").format(_TABLES)
# A line for each table that has any: its name, what is switched on, and its policies.
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
# Which of some tables do not hide the rows of others, even from their owner.
NOT_SECURED = SQL("""
    SELECT c.relname {} AND c.relname = ANY(%s) AND NOT (c.relrowsecurity
    AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
""").format(_TABLES)
# Which tables a role may not use.
CLOSED = SQL("SELECT c.relname {} AND NOT has_table_privilege(%s, c.oid, 'SELECT')").format(_TABLES)
HAS_VECTORS = SQL("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')")
HAS_ROLE = SQL("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)")
# How many a role has open here, beside this one.
CONNECTIONS = SQL("""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()
""")
# Delete all that the owner of the tables made.
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
    """A query for the number of a table's rows and their checksum, as one text."""
    return SQL(
        "SELECT count(*) || ' ' || coalesce(sum(('x' || left(encode(sha256(convert_to("
        "whole_row_::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0) "
        "FROM (SELECT {} FROM public.{}) AS whole_row_"
    ).format(SQL(", ").join(map(Identifier, columns)), Identifier(table))


def read_table(connection: Connection, name: str, columns: list[str]) -> Table:
    """Count and check the rows that the connection's snapshot shows."""
    rows, checksum = ask(connection, rows_and_checksum(name, columns)).split()
    return Table(columns=columns, rows=int(rows), checksum=checksum)


def ask(connection: Connection, query: SQL | Composed, *values: object) -> Any:
    """The one value that a query returns."""
    row = connection.execute(query, values or None).fetchone()
    return row[0] if row else None


def ask_all(connection: Connection, query: SQL | Composed, *values: object) -> list[Any]:
    """The first column of every row that a query returns."""
    rows = connection.execute(query, values or None).fetchall()
    return [row[0] for row in rows]


def checks_of_rows(tables: Mapping[str, Table]) -> str:
    """SQL that fails unless the tables hold the rows that were counted."""
    return "".join(
        _require(
            rows_and_checksum(name, table.columns),
            f"{table.rows} {table.checksum}",
            f"the table {name} does not contain the rows that were backed up",
        )
        for name, table in tables.items()
    )


def check_of_row_security(lines: str) -> str:
    """SQL that fails unless the row-level security of all tables is what it was."""
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
