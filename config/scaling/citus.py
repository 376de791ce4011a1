"""Owned tables distributed by Citus: the SQL that does it, and what stands in its way.

The rules are those that Citus documents; nothing here asks it. A distributed table is divided by
its owner's column over the workers, a reference table is whole on each of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import models
from django.db.backends.utils import CursorWrapper

from config.scaling.catalog import OwnedTable, other_tables, owned_tables, read

# All others lie where the rows of the same owner of this one do.
FIRST = "conversations_conversation"
# Which owned tables stay whole on the coordinator, and why.
WHOLE = {
    "accounts_work": "a row may have no owner, and workers look for those of all people",
    "accounts_subuser": "a person may be created by one account only, whoever that is",
    "conversations_calendarfeed": "it is looked up by its digest before the owner is known",
    "memory_lessonsupport": "a trigger counts those of all people",
    "memory_profileshare": "it is looked up by its token before the owner is known",
    "memory_sharedfact": "it belongs to a page of memory_profileshare",
}
TRIGGERS = "no trigger without citus.enable_unsafe_triggers"
# Settings without which the tables would be refused, or show nobody's rows.
SETTINGS = """\
alter system set citus.enable_unsafe_triggers = on;
alter system set citus.propagate_set_commands = 'local';
select pg_reload_conf();"""


@dataclass(frozen=True)
class Obstacle:
    """A rule of Citus that a table breaks as it is; `solved` if the SQL here changes that."""

    table: str
    rule: str
    what: str
    solved: bool


def distributed(cursor: CursorWrapper) -> list[OwnedTable]:
    """Return the tables to distribute over the workers, in the order of distribution."""
    names = [name for name in owned_tables() if name not in WHOLE]
    return [read(cursor, name) for name in sorted(names, key=lambda name: name != FIRST)]


def references(tables: Iterable[OwnedTable]) -> list[str]:
    """Return the tables that distributed ones refer to and that belong to nobody."""
    tables = list(tables)
    divided = {table.name for table in tables}
    wanted = {key.target for table in tables for key in table.outgoing} - divided
    # A reference table may only refer to others of its kind.
    referred = {model._meta.db_table: set(_referred(model)) for model in other_tables()}
    while more := {name for table in wanted for name in referred.get(table, ())} - wanted:
        wanted |= more
    return sorted(wanted)


def _referred(model: type[models.Model]) -> Iterator[str]:
    for field in model._meta.local_fields:
        if isinstance(field, models.ForeignKey) and getattr(field, "db_constraint", True):
            yield field.related_model._meta.db_table


def obstacles(tables: Iterable[OwnedTable]) -> Iterator[Obstacle]:
    """Yield each broken rule, table by table."""
    tables = list(tables)
    divided = {table.name for table in tables}
    for table in tables:
        yield from _of_keys(table)
        yield from _of_references(table, divided)
        yield from _of_rules(table)


def _of_keys(table: OwnedTable) -> Iterator[Obstacle]:
    if table.owner in table.nullable:
        yield Obstacle(table.name, "the distribution column is never null", table.owner, False)
    rule = "a unique key holds the distribution column"
    for key in table.keys:
        if not table.holds_owner(key):
            yield Obstacle(table.name, rule, key.name, table.follows(key))


def _of_references(table: OwnedTable, divided: set[str]) -> Iterator[Obstacle]:
    rule = "a foreign key between distributed tables holds the distribution column"
    for key in table.outgoing:
        if key.target in divided and table.owner not in key.columns:
            yield Obstacle(table.name, rule, key.name, False)
    rule = "only a distributed table refers to a distributed table"
    for key in table.incoming:
        if key.table not in divided:
            yield Obstacle(table.name, rule, f"{key.name} of {key.table}", key.table in WHOLE)


def _of_rules(table: OwnedTable) -> Iterator[Obstacle]:
    for trigger in table.triggers:
        yield Obstacle(table.name, TRIGGERS, trigger, " FOR EACH ROW " in trigger)
    for policy in table.policies:
        if "select" in policy.lower().split(" using ")[-1]:
            yield Obstacle(table.name, "a policy has no subquery", policy, False)


def statements(tables: Iterable[OwnedTable]) -> Iterator[str]:
    """Yield the SQL that distributes the tables and the tables they refer to.

    Foreign keys go first and come back last, so that no order of tables is needed. Those of tables
    that stay whole do not come back: the application deletes their rows.
    """
    tables = list(tables)
    divided = {table.name for table in tables}
    foreign = dict.fromkeys(key for table in tables for key in (*table.outgoing, *table.incoming))
    yield from (key.drop for key in foreign)
    for table in tables:
        yield from _keys_with_owner(table)
    for name in references(tables):
        yield f"select create_reference_table('{name}')"
    for table in tables:
        beside = "" if table.name == FIRST else f", colocate_with => '{FIRST}'"
        yield f"select create_distributed_table('{table.name}', '{table.owner}'{beside})"
    yield from (key.add for key in foreign if key.table in divided)


def _keys_with_owner(table: OwnedTable) -> Iterator[str]:
    # First those that the new primary key takes the place of.
    for key in sorted(table.keys, key=table.is_redundant, reverse=True):
        if table.is_redundant(key):
            yield table.drop(key)
        elif not table.holds_owner(key):
            yield table.drop(key)
            yield table.make(key)
