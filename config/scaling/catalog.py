"""What of an owned table has to change before it can be divided by owner, read from the catalog.

A divided table, be it in partitions or distributed, can only check keys that hold its owner's
column. Foreign keys between owned tables do so already (`accounts.database.isolation.same_owner`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.apps import apps
from django.db import models
from django.db.backends.utils import CursorWrapper

from accounts.database.owned import owned_models

# The column that says whose a row is, where it is not this one.
OWNER = "user_id"
OWNERS = {"accounts_auditevent": "pseudonym"}


@dataclass(frozen=True)
class Key:
    """A primary key, a unique constraint, or a unique index that is no constraint."""

    name: str
    columns: tuple[str, ...]
    definition: str
    constraint: bool
    primary: bool


@dataclass(frozen=True)
class ForeignKey:
    """A foreign key as its table declares it."""

    table: str
    name: str
    columns: tuple[str, ...]
    target: str
    definition: str

    @property
    def add(self) -> str:
        """Return the SQL statement that adds the foreign key."""
        return f'alter table {self.table} add constraint "{self.name}" {self.definition}'

    @property
    def drop(self) -> str:
        """Return the SQL statement that drops the foreign key."""
        return f'alter table {self.table} drop constraint "{self.name}"'


@dataclass(frozen=True)
class OwnedTable:
    """An owned table with all that belongs to it; `partitions` is 0 for an ordinary one."""

    name: str
    owner: str
    partitions: int
    keys: tuple[Key, ...]
    indexes: tuple[str, ...]
    outgoing: tuple[ForeignKey, ...]
    incoming: tuple[ForeignKey, ...]
    triggers: tuple[str, ...]
    policies: tuple[str, ...]
    grants: tuple[str, ...]
    columns: tuple[str, ...]
    nullable: frozenset[str]
    options: str
    holder: str

    def holds_owner(self, key: Key) -> bool:
        """Return whether a divided table could check the key as it is."""
        return self.owner in key.columns

    def follows(self, key: Key) -> bool:
        """Return whether adding the owner changes nothing: a column of the key names a row, made
        unique by the application, and a foreign key says that its owner is the same. An empty
        column is equal to none, with the owner or without.
        """
        same = {fk.columns[0] for fk in self.outgoing if fk.columns[1:] == (self.owner,)}
        distinct = "NULLS NOT DISTINCT" not in key.definition
        return key.primary or (distinct and bool(same & set(key.columns)))

    @cached_property
    def primary_columns(self) -> frozenset[str]:
        """The primary key columns of the divided table."""
        (primary,) = (key for key in self.keys if key.primary)
        return frozenset({*primary.columns, self.owner})

    def is_redundant(self, key: Key) -> bool:
        """Return whether the primary key of the divided table says the same."""
        return key.constraint and not key.primary and set(key.columns) == self.primary_columns

    def make(self, key: Key) -> str:
        """Return the statement that makes a key of the divided table, with the owner in it."""
        definition = key.definition
        if not self.holds_owner(key):
            definition = with_column(definition, self.owner)
        if key.constraint:
            return f'alter table {self.name} add constraint "{key.name}" {definition}'
        return definition

    def drop(self, key: Key) -> str:
        """Return the statement that removes a key."""
        if key.constraint:
            return f'alter table {self.name} drop constraint "{key.name}"'
        return f'drop index "{key.name}"'


def with_column(definition: str, column: str) -> str:
    """Return the definition of a key or an index with one more column at its end."""
    depth = 0
    for position, character in enumerate(definition):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return f"{definition[:position]}, {column}{definition[position:]}"
    raise ValueError(f"no list of columns: {definition}")


def owner_column(table: str) -> str:
    """Return the name of the column that holds the owner of a row."""
    return OWNERS.get(table, OWNER)


def owned_tables() -> list[str]:
    """Return the tables that hold rows of a person, in the order of their models."""
    return [model._meta.db_table for model in owned_models()]


def other_tables() -> list[type[models.Model]]:
    """Return the models whose tables belong to nobody, or to whoever is not known yet."""
    owned = set(owned_models())
    return [model for model in all_models() if model not in owned]


def all_models() -> list[type[models.Model]]:
    """Return all models, including automatic many-to-many tables."""
    return list(apps.get_models(include_auto_created=True))


# --- The catalog ----------------------------------------------------------------------------------

# Of the columns numbered so, of that table.
_COLUMNS = """array(
    select a.attname::text from unnest({}) with ordinality k(n, place)
    join pg_attribute a on a.attrelid = {} and a.attnum = k.n order by place)
"""
_KEYS = f"""
    select i.relname, {_COLUMNS.format("x.indkey::int[]", "x.indrelid")},
           coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.oid)), c.oid is not null,
           x.indisprimary
    from pg_index x join pg_class i on i.oid = x.indexrelid
    left join pg_constraint c on c.conindid = i.oid and c.contype in ('p', 'u')
         and c.conrelid = x.indrelid
    where x.indrelid = %s::regclass and x.indisunique order by not x.indisprimary, i.relname
"""  # noqa: S608
_INDEXES = """
    select pg_get_indexdef(indexrelid) from pg_index
    where indrelid = %s::regclass and not indisunique order by indexrelid::regclass::text
"""
_FOREIGN_KEYS = f"""
    select conrelid::regclass::text, conname, {_COLUMNS.format("conkey", "conrelid")},
           confrelid::regclass::text, pg_get_constraintdef(oid)
    from pg_constraint where contype = 'f' and conparentid = 0 and {{}} = %s::regclass
    order by conrelid::regclass::text, conname
"""  # noqa: S608
_TRIGGERS = """
    select pg_get_triggerdef(oid) from pg_trigger
    where tgrelid = %s::regclass and not tgisinternal order by tgname
"""
_POLICIES = """
    select format('create policy %%I on %%I as %%s for %%s to %%s%%s%%s', policyname, tablename,
                  permissive, cmd, array_to_string(roles, ', '), ' using (' || qual || ')',
                  ' with check (' || with_check || ')')
    from pg_policies where schemaname = 'public' and tablename = %s order by policyname
"""
_GRANTS = """
    select format('grant %%s on %%I to %%s', string_agg(privilege_type, ', '), relname,
                  case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
    from pg_class, aclexplode(relacl) where oid = %s::regclass and grantee <> relowner
    group by relname, grantee
"""
# Of a divided table the options stand on its partitions.
_TABLE = """
    select (select count(*) from pg_inherits where inhparent = c.oid),
           coalesce(array_to_string(coalesce(reloptions, (
               select p.reloptions from pg_inherits join pg_class p on p.oid = inhrelid
               where inhparent = c.oid limit 1)), ', '), ''),
           quote_ident(pg_get_userbyid(relowner)),
           array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0
                 and not attisdropped and attgenerated = '' order by attnum),
           array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0
                 and not attisdropped and not attnotnull)
    from pg_class c where oid = %s::regclass
"""


def read(cursor: CursorWrapper, name: str) -> OwnedTable:
    """Read a table of the schema `public`. Raises ProgrammingError where there is none."""
    ((partitions, options, holder, columns, nullable),) = _rows(cursor, _TABLE, name)
    return OwnedTable(
        name=name,
        owner=owner_column(name),
        partitions=partitions,
        keys=tuple(
            Key(key, tuple(of), _whole(definition), constraint, primary)
            for key, of, definition, constraint, primary in _rows(cursor, _KEYS, name)
        ),
        indexes=tuple(_whole(text) for text in _texts(cursor, _INDEXES, name)),
        outgoing=_foreign_keys(cursor, "conrelid", name),
        incoming=_foreign_keys(cursor, "confrelid", name),
        triggers=_texts(cursor, _TRIGGERS, name),
        policies=_texts(cursor, _POLICIES, name),
        grants=_texts(cursor, _GRANTS, name),
        columns=tuple(columns),
        nullable=frozenset(nullable),
        options=options,
        holder=holder,
    )


def _whole(definition: str) -> str:
    """An index of a divided table is shown as one of the table without its partitions."""
    return definition.replace(" ON ONLY ", " ON ", 1)


def _foreign_keys(cursor: CursorWrapper, side: str, name: str) -> tuple[ForeignKey, ...]:
    return tuple(
        ForeignKey(table, key, tuple(columns), target, definition)
        for table, key, columns, target, definition in _rows(
            cursor, _FOREIGN_KEYS.format(side), name
        )
    )


def _rows(cursor: CursorWrapper, query: str, name: str) -> list[tuple[Any, ...]]:
    cursor.execute(query, [name])
    return list(cursor.fetchall())


def _texts(cursor: CursorWrapper, query: str, name: str) -> tuple[str, ...]:
    return tuple(text for (text,) in _rows(cursor, query, name))
