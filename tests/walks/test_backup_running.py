"""A copy is backed up while people talk to it, and restored on another machine."""

import tempfile
import threading
from pathlib import Path

import psycopg
import pytest

from benchmarks.running.copies import Copy
from benchmarks.running.kills import AcceptedMessages, answer, say
from config.processes.embedded import NAME, OWNER_ROLE, Cluster
from tests.external import manage
from tests.live import a_copy

pytestmark = pytest.mark.slow
CONTENTS = "select content from conversations_message where conversation_id = %s and role = 'user'"


def test_what_was_accepted_before_the_backup_is_there_on_another_machine(tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    with Copy(answer, a_copy()) as copy:
        talks = [copy.ask("POST", "/api/v1/conversations", {})[1]["id"] for _ in range(2)]
        said = [AcceptedMessages(talk) for talk in talks]
        for messages in said:
            say(copy, messages, "I enjoy rowing")
        ended = threading.Event()

        def talk_on(messages: AcceptedMessages) -> None:
            number = 0
            while not ended.is_set():
                number += 1
                say(copy, messages, f"I enjoy hobby{number}")

        writers = [threading.Thread(target=talk_on, args=[messages]) for messages in said]
        for writer in writers:
            writer.start()
        before = [list(messages.contents) for messages in said]
        copy.manage("backup", str(file))
        assert (copy.place / "last-backup.json").exists()
        ended.set()
        for writer in writers:
            writer.join()
        in_use = manage("restore", file, "--nothing-erased", "--replace", "--yes",
                        DATA_DIR=str(copy.place))  # fmt: skip
        assert "The site is still using this database" in in_use.stderr

    with tempfile.TemporaryDirectory(prefix="throughline-copy-") as folder:
        place = Path(folder) / "data"
        place.mkdir()
        done = manage("restore", file, "--nothing-erased", DATA_DIR=str(place))
        try:
            assert done.returncode == 0, done.stderr
            holds_what_was_said(Cluster(place), said, before)
        finally:
            Cluster(place).stop()


def holds_what_was_said(
    cluster: Cluster, said: list[AcceptedMessages], before: list[list[str]]
) -> None:
    with psycopg.connect(
        host=str(cluster.socket_dir), dbname=NAME, user=OWNER_ROLE, autocommit=True
    ) as asked:
        for messages, early in zip(said, before, strict=True):
            kept = [content for (content,) in asked.execute(CONTENTS, [messages.talk]).fetchall()]
            assert set(early) <= set(kept) <= set(messages.contents)
            assert len(kept) == len(set(kept))
        # What the server itself is told when tables are made, which no dump holds.
        row = asked.execute("select proleakproof from pg_proc where proname = 'ts_match_vq'")
        assert row.fetchone() == (True,)
        row = asked.execute(
            "select has_function_privilege('throughline', 'lo_creat(integer)', 'execute')"
        )
        assert row.fetchone() == (False,)
