"""Tables divided by owner: in partitions here, or over the workers of Citus by the SQL for it."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from accounts.database.isolation import acting_as
from accounts.models import User
from config import grants
from config.scaling import catalog, citus, partitions
from conversations.models import Message
from memory.models import MemoryChange, Passage
from tests.people import tell, values

COUNT = 3
# The newest migrations when partitions came. An older one may make any key: it ran before.
BEFORE = {
    "accounts": "0019",
    "personas": "0002",
    "memory": "0039",
    "ledger": "0006",
    "conversations": "0034",
    "privacy": "0013",
    "webhooks": "0003",
}
STUBS = """
create function create_reference_table(text) returns void language sql as 'select';
create function create_distributed_table(text, text, colocate_with text default null)
    returns void language sql as 'select';
"""


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def read(name: str) -> catalog.OwnedTable:
    with connection.cursor() as cursor:
        return catalog.read(cursor, name)


def divide_all() -> None:
    """As the owner of the tables, within a transaction of the test."""
    run("reset role; set constraints all immediate")
    for name in partitions.PARTITIONED:
        assert partitions.divide(connection, name, COUNT, lock_seconds=60)
    run(f"set role {settings.DATABASE_APP_ROLE}; set constraints all deferred")


@pytest.fixture
def owner(transactional_db: None) -> Iterator[BaseDatabaseWrapper]:
    """Connected as the owner of the tables, in a transaction that is undone."""
    with grants.as_owner() as own, transaction.atomic():
        yield own
        transaction.set_rollback(True)


@pytest.mark.usefixtures("owner")
def test_a_divided_table_has_the_keys_policies_triggers_and_rights_that_it_had() -> None:
    before = {name: read(name) for name in partitions.PARTITIONED}
    divide_all()
    run("reset role")
    for name, table in before.items():
        divided = read(name)
        assert divided.partitions == COUNT
        assert all(divided.holds_owner(key) for key in divided.keys)
        assert all(map(table.follows, (key for key in table.keys if not table.holds_owner(key))))
        kept = {key.name for key in table.keys if not table.is_redundant(key)}
        assert {key.name for key in divided.keys} == kept
        assert plain(divided.triggers) == plain(table.triggers)
        assert plain(divided.grants) == plain(table.grants)
        others = {"keys": (), "triggers": (), "grants": (), "partitions": 0}
        assert replace(divided, **others) == replace(table, **others)


def plain(definitions: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Their words, in whatever order and brackets the server shows them."""
    return {tuple(sorted(re.findall(r"[\w.]+", text))) for text in definitions}


@pytest.mark.usefixtures("owner")
def test_people_keep_what_they_had_and_go_on_in_divided_tables(alice: User, bob: User) -> None:
    run(f"set role {settings.DATABASE_APP_ROLE}")
    tell(alice, "I live in Rome")
    tell(alice, "My bike is called Blitz.")
    divide_all()
    tell(alice, "I live in Paris")
    tell(bob, "I live in Oslo")
    assert values(bob, "location") == {"Oslo"}
    assert values(alice, "location") >= {"Rome"}
    with acting_as(alice):
        assert {message.user_id for message in Message.objects.all()} == {alice.pk}
        assert "My bike is called Blitz." in Passage.objects.values_list("text", flat=True)
        assert MemoryChange.objects.filter(namespace="user.facts").count() >= 2
    assert not Message.objects.exists()


@pytest.mark.usefixtures("owner")
def test_a_partition_that_is_asked_directly_shows_nothing(alice: User) -> None:
    run(f"set role {settings.DATABASE_APP_ROLE}")
    tell(alice, "I live in Rome")
    divide_all()
    with acting_as(alice), connection.cursor() as cursor:
        assert Message.objects.exists()
        for remainder in range(COUNT):
            cursor.execute(f"select from conversations_message_p{remainder}of{COUNT}")
            assert not cursor.fetchall()


@pytest.mark.usefixtures("owner")
def test_a_query_reads_one_partition_even_where_only_the_policy_names_the_owner(
    alice: User,
) -> None:
    divide_all()
    with acting_as(alice):
        for rows in (Passage.objects.filter(user=alice), Passage.objects.all()):
            plan = rows.explain()
            removed = "Subplans Removed: 2" in plan
            shown = {part for part in range(COUNT) if f"memory_passage_p{part}of{COUNT}" in plan}
            assert len(shown) == 1
            assert removed or "Append" not in plan


@pytest.mark.usefixtures("owner")
def test_a_table_with_so_many_partitions_is_left_and_another_number_divides_it_anew(
    alice: User,
) -> None:
    run(f"set role {settings.DATABASE_APP_ROLE}")
    tell(alice, "I live in Rome")
    divide_all()
    run("reset role; set constraints all immediate")
    assert partitions.divide(connection, "conversations_message", COUNT, 60) == []
    assert partitions.divide(connection, "conversations_message", 5, 60)
    assert read("conversations_message").partitions == 5
    run(f"set role {settings.DATABASE_APP_ROLE}")
    with acting_as(alice):
        assert Message.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_prints_the_sql_and_changes_nothing() -> None:
    printed = io.StringIO()
    call_command("partition", "memory_memory", "--dry-run", "--partitions", "7", stdout=printed)
    assert "partition by hash (user_id);" in printed.getvalue()
    assert read("memory_memory").partitions != 7


@pytest.mark.django_db(transaction=True)
def test_a_table_that_is_not_among_the_big_ones_is_refused() -> None:
    with pytest.raises(CommandError, match="accounts_user"):
        call_command("partition", "accounts_user")


def test_a_newer_migration_makes_no_key_that_a_divided_table_cannot_have() -> None:
    divided = {model for model in map(_model, partitions.PARTITIONED) if model}
    wrong = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if name[:4] <= BEFORE.get(app, "9999"):
            continue
        for operation in migration.operations:
            fields = dict(getattr(operation, "fields", ()))
            fields |= {operation.name: operation.field} if hasattr(operation, "field") else {}
            wrong += [
                f"{app}.{name}: {field}"
                for field, made in fields.items()
                if isinstance(made, models.ForeignKey)
                and made.db_constraint
                and str(made.remote_field.model).lower() in divided
            ]
    assert not wrong, "Give them db_constraint=False, and same_owner in the same migration."


def _model(table: str) -> str:
    found = [model for model in catalog.all_models() if model._meta.db_table == table]
    return found[0]._meta.label_lower


# --- Citus ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_every_table_of_people_can_be_distributed_or_says_why_not() -> None:
    with connection.cursor() as cursor:
        tables = citus.distributed(cursor)
    assert [obstacle for obstacle in citus.obstacles(tables) if not obstacle.solved] == []
    assert set(citus.WHOLE) <= set(catalog.owned_tables())
    whole = set(catalog.owned_tables()) - set(citus.WHOLE)
    assert {table.name for table in tables} == whole


@pytest.mark.usefixtures("owner")
def test_the_sql_for_citus_leaves_nothing_that_breaks_its_rules() -> None:
    run(STUBS)
    with connection.cursor() as cursor:
        tables = citus.distributed(cursor)
        for statement in citus.statements(tables):
            cursor.execute(statement)
        after = citus.distributed(cursor)
    # A trigger needs a setting, which the script makes.
    left = [each for each in citus.obstacles(after) if each.rule != citus.TRIGGERS]
    assert left == []


@pytest.mark.django_db
def test_a_key_without_the_owner_is_found() -> None:
    table = read("memory_memory")
    key = replace(table.keys[0], name="a_key", columns=("content",), primary=False)
    empty = replace(table, keys=(*table.keys, key), nullable=table.nullable | {"content"})
    assert "a_key" in {each.what for each in citus.obstacles([empty]) if not each.solved}


@pytest.mark.django_db
def test_what_distributed_tables_refer_to_is_whole_on_each_worker() -> None:
    with connection.cursor() as cursor:
        found = citus.references(citus.distributed(cursor))
    assert {"accounts_user", "personas_persona", "memory_embeddingmodel"} <= set(found)
    assert not set(found) & set(catalog.owned_tables())
