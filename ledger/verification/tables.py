"""Reading every table of the database, to find remains of a user's data.

Tables come from the PostgreSQL catalogue, so those of later migrations are included. Rows are read
in batches, and only those that may contain the target.
"""

import json
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection

from accounts.database.isolation import PERSON, PSEUDONYM
from accounts.models import User
from memory.models import Lesson, unpack_json

_PIECE = 500
_TEXTS = ("text", "varchar", "bpchar", "json", "jsonb", "uuid", "_text", "_varchar", "_uuid")
# Vectors of words, which reveal nothing by themselves and are deleted with their row; and exports,
# which are searched as files.
_UNREAD = {
    ("memory_memory", "terms"),
    ("memory_passage", "terms"),
    ("privacy_exportpiece", "data"),
}
# Columns with kinds and places in the software's own words.
_OURS = frozenset({"slot", "namespace"})


@dataclass
class Table:
    """A table: its text columns, and the SQL condition for rows of the acting user."""

    name: str
    key: str = "id"
    texts: list[str] = field(default_factory=list)
    bytes: list[str] = field(default_factory=list)
    mine: str = ""

    @property
    def text_sql(self) -> str:
        """Return the SQL expression of all text of a row."""
        return f"concat_ws(E'\\n', {', '.join(f'{_quoted(name)}::text' for name in self.texts)})"


@dataclass(frozen=True)
class Row:
    """A row that may contain the target, by column."""

    table: str
    key: str
    values: dict[str, Any]


def of_the_database() -> list[Table]:
    """Return every table with a column that may contain text."""
    tables: dict[str, Table] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "select c.relname, a.attname, t.typname from pg_class c"
            " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
            " join pg_type t on t.oid = a.atttypid"
            " where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace"
            " order by c.relname, a.attnum"
        )
        rows = cursor.fetchall()
    owners = {(name, column) for name, column, _ in rows}
    for name, column, kind in rows:
        table = tables.setdefault(name, Table(name, key=column, mine=_mine(name, owners)))
        if kind in _TEXTS:
            table.texts.append(column)
        elif kind == "bytea" and (name, column) not in _UNREAD:
            table.bytes.append(column)
    return [table for table in tables.values() if table.texts or table.bytes]


def _mine(name: str, columns: Collection[tuple[str, str]]) -> str:
    if name == User._meta.db_table:
        return f"id = {PERSON}"
    if name == Lesson._meta.db_table:
        # Rows that belong to no user: row-level security shows those that this user may read.
        return "true"
    if (name, "user_id") in columns:
        return f"user_id = {PERSON}"
    return f"pseudonym = {PSEUDONYM}" if (name, "pseudonym") in columns else ""


def count(tables: Collection[Table]) -> int:
    """Return the number of rows of the acting user in all tables, in one query."""
    each = " + ".join(
        f"(select count(*) from {_quoted(table.name)} where {table.mine})"  # noqa: S608
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(f"select {each or '0'}")
        return int(cursor.fetchone()[0])


def rows(table: Table, fragments: Collection[str], *, folded: bool) -> Iterator[Row]:
    """Yield the acting user's rows that contain one of these lower-case strings.

    With `folded` also all rows that are not ASCII, since letters may be encoded differently.
    """
    pairs = ", ".join(f"'{name}', {_quoted(name)}" for name in table.texts)
    holds = f"lower({table.text_sql}) like any(%s)"
    if folded:
        holds = f"({holds} or {table.text_sql} ~ '[^[:ascii:]]')"
    sql = (
        f"select {_quoted(table.key)}::text, jsonb_build_object({pairs})"  # noqa: S608
        f" from {_quoted(table.name)} where {table.mine} and {holds}"
    )
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, [[f"%{part}%" for part in fragments]])
        while piece := cursor.fetchmany(_PIECE):
            for key, values in piece:
                yield Row(table.name, key, _decoded(values))


def packed_rows(table: Table) -> Iterator[Row]:
    """Yield the acting user's rows with binary columns, unpacked or as text."""
    for column in table.bytes:
        name = _quoted(column)
        with connection.chunked_cursor() as cursor:
            cursor.execute(
                f"select {_quoted(table.key)}::text, {name} from {_quoted(table.name)}"  # noqa: S608
                f" where {table.mine} and {name} is not null"
            )
            while piece := cursor.fetchmany(_PIECE):
                for key, value in piece:
                    yield Row(table.name, key, {column: _unpacked(bytes(value))})


def naming(table: Table, user_id: UUID, email: str) -> int:
    """Return how many rows, of any user, contain a user's key or e-mail address."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"select count(*) from {_quoted(table.name)} t where position(%s in t::text) > 0"  # noqa: S608
            " or position(lower(%s) in lower(t::text)) > 0",
            [str(user_id), email],
        )
        return int(cursor.fetchone()[0])


def fixed_value_columns(name: str) -> frozenset[str]:
    """Return the columns of a table whose values come from a fixed list or name a slot."""
    chosen = {
        field.column
        for model in apps.get_models()
        if model._meta.db_table == name
        for field in model._meta.concrete_fields
        if field.choices and field.column
    }
    return frozenset(chosen) | _OURS


def _unpacked(value: bytes) -> Any:
    try:
        return unpack_json(value)
    except (zlib.error, KeyError, IndexError, ValueError):
        # Other bytes: decode whatever text they contain.
        return value.decode("utf-8", "ignore")


def _decoded(values: Any) -> dict[str, Any]:
    return dict(json.loads(values) if isinstance(values, str) else values)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
