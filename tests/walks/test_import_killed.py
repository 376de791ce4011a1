"""kill -9 in the middle of an import: started again, it brings everything, and all of it once."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks.running.copies import EMAIL, wait_for
from config.processes.embedded import NAME, OWNER_ROLE, Cluster
from tests.live import ROOT, a_copy
from tests.privacy.exports import talk, zipped

TALKS = 250
# Whoever holds the work of a killed process is given up soon.
SOON = {"WORK_LEASE_SECONDS": "5"}


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    place = a_copy()
    place.chmod(0o711)
    running = Cluster(place)
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(place, ignore_errors=True)


def connected(cluster: Cluster) -> "psycopg.Connection[tuple[Any, ...]]":
    place = str(cluster.socket_dir)
    return psycopg.connect(host=place, dbname=NAME, user=OWNER_ROLE, autocommit=True)


def started(cluster: Cluster, file: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "import_conversations", str(file), "--user", EMAIL],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(cluster.socket_dir.parent), **SOON},
        stdout=subprocess.PIPE,
        text=True,
    )


def one(cluster: Cluster, statement: str) -> Any:
    """The first value that a statement finds."""
    with connected(cluster) as connection:
        row = connection.execute(statement).fetchone()
    return row[0] if row else None


@contextmanager
def stopped_in_a_transaction(cluster: Cluster, table: str) -> Iterator[None]:
    """Nobody can write to the table meanwhile; begins once somebody tries to."""
    with connected(cluster) as connection, connection.transaction():
        connection.execute(f"lock table {table} in share mode")
        waiting = f"select true from pg_locks where not granted and relation = '{table}'::regclass"
        wait_for(lambda: one(cluster, waiting), f"somebody who writes to {table}")
        yield


def killed(cluster: Cluster, file: Path, state: str, table: str) -> None:
    """Start it, and kill it in the middle of a transaction once some of that state is done."""
    reached = f"select true from privacy_import where state = '{state}' and done > 0"
    with started(cluster, file) as process:
        try:
            wait_for(lambda: one(cluster, reached) or process.poll() is not None, state)
            with stopped_in_a_transaction(cluster, table):
                process.kill()
                process.wait()
        finally:
            process.kill()


MESSAGES = "conversations_message m join conversations_conversation c on c.id = m.conversation_id"
WHOLE = {
    "conversations": "select count(*) from conversations_conversation"
    " where imported_from = 'chatgpt' and last_number = 2",
    "messages": f"select count(*) from {MESSAGES} where c.imported_from = 'chatgpt'",
    "places": "select count(distinct (m.conversation_id, m.number))"
    f" from {MESSAGES} where c.imported_from = 'chatgpt' and m.learned_at is not null",
    "findable": "select count(*) from memory_passage p"
    " join conversations_message m on m.id = p.message_id"
    " join conversations_conversation c on c.id = m.conversation_id"
    " where c.imported_from = 'chatgpt'",
    "proposals": "select count(*) from memory_memory where origin = 'imported'",
    "imports": "select count(*) from privacy_import where state = 'ready'",
    "pieces": "select count(*) from privacy_importpiece",
}


def test_an_import_that_is_killed_brings_everything_once(cluster: Cluster, tmp_path: Path) -> None:
    talks = [talk(str(n), f"Which tree is number {n}?", "An elm.") for n in range(TALKS - 1)]
    talks.append(talk("life", "I work at Qwertzfirm.", "Nice!"))
    file = tmp_path / "export.zip"
    file.write_bytes(zipped(conversations=talks))
    killed(cluster, file, "making", "privacy_importedrow")
    assert 0 < one(cluster, WHOLE["conversations"]) < TALKS
    killed(cluster, file, "finding", "memory_passage")
    assert one(cluster, WHOLE["messages"]) == 2 * TALKS
    assert 0 < one(cluster, WHOLE["findable"]) < 2 * TALKS
    with started(cluster, file) as process:
        printed, _ = process.communicate()
    assert "Resuming the import that was stopped." in printed
    assert {name: one(cluster, statement) for name, statement in WHOLE.items()} == {
        "conversations": TALKS,
        "messages": 2 * TALKS,
        "places": 2 * TALKS,
        "findable": 2 * TALKS,
        "proposals": 1,
        "imports": 2,
        "pieces": 0,
    }
