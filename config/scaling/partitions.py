"""Hash partitions by owner for the big tables: a table keeps all rows of a user in one of them."""

from collections.abc import Iterator

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from config.scaling.catalog import OwnedTable, read

# The tables that grow with each message; measured in docs/scaling.md.
PARTITIONED = (
    "conversations_message",
    "memory_passage",
    "memory_passagevector",
    "memory_memoryoperation",
    "memory_memorychange",
    "memory_memory",
    "memory_profilefact",
    "accounts_auditevent",
)


def divide(owner: BaseDatabaseWrapper, name: str, partitions: int, lock_seconds: int) -> list[str]:
    """Divide a table and return the statements run; none if it already has that many partitions.

    One transaction blocks all access to the table, and writes to the tables that refer to it.
    Raises OperationalError if the lock is not granted within `lock_seconds`.
    """
    with transaction.atomic(using=owner.alias), owner.cursor() as cursor:
        cursor.execute("select set_config('lock_timeout', %s, true)", [f"{lock_seconds}s"])
        cursor.execute(f"lock table {name} in access exclusive mode")
        table = read(cursor, name)
        if table.partitions == partitions:
            return []
        run = list(statements(table, partitions))
        for statement in run:
            cursor.execute(statement)
    if not owner.in_atomic_block:
        with owner.cursor() as cursor:
            # Index-only scans need the visibility map that vacuum writes.
            cursor.execute(f"vacuum analyze {name}")
    return run


def statements(table: OwnedTable, partitions: int) -> Iterator[str]:
    """Yield the statements that divide a table and recreate its keys, triggers and policies."""
    name, whole = table.name, f"{table.name}_whole"
    for key in table.incoming:
        yield key.drop
    # Forced row-level security hides the rows from the owner of the table too.
    yield f"alter table {name} no force row level security"
    yield f"alter table {name} rename to {whole}"
    yield (
        f"create table {name} (like {whole} including all excluding indexes)"
        f" partition by hash ({table.owner})"
    )
    yield f"alter table {name} owner to {table.holder}"
    options = f" with ({table.options})" if table.options else ""
    for remainder in range(partitions):
        yield from _partition(
            table, f"{name}_p{remainder}of{partitions}", options, (partitions, remainder)
        )
    columns = ", ".join(f'"{column}"' for column in table.columns)
    yield f"insert into {name} ({columns}) select {columns} from {whole}"  # noqa: S608
    # Dropping it removes its foreign keys and frees the names of its keys and indexes.
    yield f"drop table {whole}"
    yield from (table.make(key) for key in table.keys if not table.is_redundant(key))
    yield from table.indexes
    yield from (key.add for key in dict.fromkeys((*table.outgoing, *table.incoming)))
    yield from table.triggers
    yield from table.grants
    yield f"alter table {name} enable row level security"
    yield f"alter table {name} force row level security"
    yield from table.policies
    yield f"analyze {name}"


def _partition(table: OwnedTable, name: str, options: str, part: tuple[int, int]) -> Iterator[str]:
    yield (
        f"create table {name} partition of {table.name}"
        f" for values with (modulus {part[0]}, remainder {part[1]}){options}"
    )
    yield f"alter table {name} owner to {table.holder}"
    # Without a policy, so that a query of the partition itself returns no rows.
    yield f"alter table {name} enable row level security"
    yield f"alter table {name} force row level security"
