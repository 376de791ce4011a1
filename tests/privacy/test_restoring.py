"""A copy put back into an empty account: the same memory under other ids, and what is not taken."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts import work
from accounts.isolation import acting_as
from accounts.models import AuditEvent, User
from accounts.owned import owned_models
from conversations.deletion import erase_all
from conversations.models import Conversation, Message
from conversations.search import message_search
from ledger.conflicts.undo import undo
from ledger.models import Contradiction
from memory.models import Memory, MemoryBlock, Passage, ProfileFact
from privacy import parts
from privacy.models import Restore, RestoredLine, RestorePiece
from privacy.restoring import tables
from tests.people import Talk, tables_with, tell, values
from tests.privacy.restored import Rows, brought, changed, copied, restored, rows_of
from tests.privacy.rich import SECRET, a_rich_person

for_real = pytest.mark.django_db(transaction=True)
State = Restore.State

# What of a restored account's copy is not as it was, and why.
EXCEPTED = {
    "memory.namespaceconsent": {"granted_at": "The consent is given anew, today, by the yes."},
    "ledger.resolution": {"by_whom": "A file does not speak for staff: nobody is named instead."},
    "privacy.restoredline": {"copied_at": "The first copy has its history in the audit log."},
}
# Tables that tell of what is between somebody and others, or stand in another table by now.
NOT_THERE = {*tables.NOT_TAKEN, parts.AUDIT}


@pytest.fixture
def rich(alice: User) -> bytes:
    """Alice's copy."""
    a_rich_person(alice)
    return copied(alice)


def renamed(before: Rows, after: Rows) -> Rows:
    """The rows of the first copy under the ids of the second, which are in the same order."""
    text = json.dumps({table: rows for table, rows in before.items() if table in after})
    for table, rows in before.items():
        others = after[table] if table != parts.AUDIT else after["privacy.restoredline"]
        if table in tables.NOT_TAKEN:
            continue
        assert len(rows) == len(others), table
        for row, other in zip(rows, others, strict=True):
            assert row["id"] != other["id"], table
            text = text.replace(row["id"], other["id"])
    renamed_rows: Rows = json.loads(text)
    return renamed_rows


@for_real
def test_a_copy_of_what_was_restored_is_the_same_but_for_its_ids(
    rich: bytes, alice: User, bob: User
) -> None:
    done = restored(bob, rich)
    assert (done.state, done.failure, done.left_out) == (State.READY, "", {})
    before, after = rows_of(rich), rows_of(copied(bob))
    before |= {"privacy.restoredline": before[parts.AUDIT]}
    # The order of rows is that of their ids, which keeps.
    expected = renamed({**before, parts.AUDIT: before[parts.AUDIT]}, after)
    for table in sorted(set(before) - NOT_THERE):
        excepted = {"id", *EXCEPTED.get(table, ())}
        for row, other in zip(expected[table], after[table], strict=True):
            told = {name: held for name, held in row.items() if name not in excepted}
            assert told == {name: other[name] for name in told}, table
    assert all(before[table] for table in set(before) - {"privacy.restoredline"}), "a poor person"


def test_every_table_is_restored_or_said_not_to_be() -> None:
    taken = [table.name for table in tables.TABLES]
    told = [*taken, *tables.BY_OPERATION, *tables.NOT_TAKEN]
    assert sorted(told) == sorted(name for part in parts.PARTS.values() for name in part.tables)
