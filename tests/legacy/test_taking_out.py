"""What was brought is compared with its store, copied before, taken out again, and erased."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import message_deletion
from conversations.models import Conversation, Message
from ledger import erasure
from memory.models import Memory, ProfileFact
from privacy.legacy import running, stores, undoing, validating
from privacy.models import LegacyRow
from tests.legacy import files
from tests.legacy.test_bringing import both, bring, contents
from tests.people import Talk, tell, the_fact, values

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return both(tmp_path)


def fits(user: User, path: Path) -> bool:
    return validating.validate(user, path).fits


def test_all_fits_after_a_run_and_nothing_before(alice: User, path: Path) -> None:
    assert not fits(alice, path)
    bring(alice, path)
    told = validating.validate(alice, path)
    assert told.differences == []
    assert told.there == told.here
    assert told.there["memories"] == 13


def change_message(user: User) -> None:
    Message.objects.filter(content="Boat 1 floats.").update(content="Boat 1 sinks.")


def change_fact(user: User) -> None:
    ProfileFact.objects.filter(slot="name").update(value="Rick")


def change_note(user: User) -> None:
    Memory.objects.filter(content__contains="bridge").update(content="Something else")


def lose_row(user: User) -> None:
    LegacyRow.objects.get(table="contradictions").delete()


@pytest.mark.parametrize(
    "tamper",
    [
        change_message,
        change_fact,
        change_note,
        lose_row,
    ],
)
def test_a_row_that_was_tampered_with_here_is_named(
    alice: User, path: Path, tamper: Callable[[User], None]
) -> None:
    bring(alice, path)
    with acting_as(alice):
        tamper(alice)
    assert len(validating.validate(alice, path).differences) == 1


def test_taking_it_out_leaves_everything_as_it_was_before(
    alice: User, bob: User, path: Path
) -> None:
    for user in (alice, bob):
        tell(user, "I work at Microsoft")
        tell(user, "I enjoy rowing with my sister Wilhelmina")
        Talk(user).say("I live in Oslo")
    before, strangers = contents(alice), contents(bob)
    bring(alice, path)
    assert contents(alice) != before
    done = undoing.undo(alice, path)
    assert done.stays == 0
    assert done.gone["conversations.conversation"] == 5
    assert contents(alice) == before
    assert contents(bob) == strangers
    assert not any(undoing.undo(alice, path).gone.values())


def test_only_the_files_that_are_named_are_taken_out(alice: User, path: Path) -> None:
    bring(alice, path)
    undoing.undo(alice, path / "memory.db")
    assert values(alice, "name") == {"Nick"}
    with acting_as(alice):
        assert not Message.objects.filter(content__contains="Boat").exists()


def test_a_conversation_that_went_on_stays(alice: User, path: Path) -> None:
    bring(alice, path)
    with acting_as(alice):
        talk = Conversation.objects.get(title="Boats")
    Talk(alice, talk).say("And the fourth boat?")
    assert undoing.undo(alice, path).stays == 1
    with acting_as(alice):
        assert [one.title for one in Conversation.objects.all()] == ["Boats"]
        assert talk.messages.count() == 8


def test_a_fact_that_was_said_again_stays_with_where_it_was_said(alice: User, path: Path) -> None:
    bring(alice, path)
    tell(alice, "I live in Lisbon")
    undoing.undo(alice, path)
    assert values(alice, "location") == {"Lisbon"}
    with acting_as(alice):
        assert the_fact(alice, "location").mentions.count() == 2


def test_what_is_erased_goes_from_the_originals_and_does_not_return(
    alice: User, path: Path
) -> None:
    bring(alice, path)
    with acting_as(alice):
        receipt = erasure.erase(ProfileFact.objects.get(slot="location"))
        assert receipt is not None
        assert receipt.many_left == 0
        line = LegacyRow.objects.get(source="crt_memory_two.db", original_id="mem_2")
        assert (line.original, line.value, line.made) == ({}, "", [])
    bring(alice, path)
    assert values(alice, "location") == set()
    told = validating.validate(alice, path)
    assert (told.differences, told.erased) == ([], 1)


def test_a_turn_or_a_conversation_that_is_deleted_goes_from_the_originals(
    alice: User, path: Path
) -> None:
    bring(alice, path)
    with acting_as(alice):
        message = Message.objects.get(content="Tell me of boat 1")
        message_deletion.remove_turn(alice, message, message_deletion.everything)
        assert LegacyRow.objects.get(original_id="c1-1").original == {}
        assert LegacyRow.objects.get(table="conversation_compacts").original == {}
        kites = Message.objects.get(content="They fly.").conversation
        receipt = message_deletion.remove_conversation(alice, kites, message_deletion.everything)
        assert receipt.search["left"] == []
        assert LegacyRow.objects.get(original_id="c2-1").original == {}
    assert bring(alice, path).made["conversations.conversation"] == 4
    assert validating.validate(alice, path).differences == []
    files.make(path / "memory.db", [files.exchange("c2", 2, "And owls?", "They fly too.")])
    bring(alice, path)
    with acting_as(alice):
        owls = Message.objects.get(content="And owls?")
        assert not owls.conversation.messages.filter(content="They fly.").exists()


def test_a_value_that_is_erased_before_it_was_compared_becomes_no_fact(
    alice: User, tmp_path: Path
) -> None:
    path = files.exchanges(
        tmp_path / "memory.db", [files.exchange("c3", 1, "I live in Porto", "Nice.")]
    )

    def stop(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.bring(alice, path, stop)
    with acting_as(alice):
        assert LegacyRow.objects.get(table="value").kind == LegacyRow.Kind.READ
        message = Message.objects.get(content="I live in Porto")
        message_deletion.remove_turn(alice, message, message_deletion.everything)
    bring(alice, path)
    with acting_as(alice):
        assert not ProfileFact.objects.filter(user=alice).exists()
        assert LegacyRow.objects.get(table="value").value == ""
    assert validating.validate(alice, path).differences == []


def test_a_backup_has_what_is_not_in_the_file_yet_and_can_be_brought(
    alice: User, tmp_path: Path
) -> None:
    store = files.exchanges(tmp_path / "memory.db")
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute(*files.exchange("c9", 1, "Are there owls?", "There are."))
        connection.commit()
        with pytest.raises(stores.NotAStore, match="legacy backup"):
            bring(alice, store)
        copies = list(stores.back_up(store, tmp_path / "copies"))
    assert [(copy.path.name, copy.consistent) for copy in copies] == [("memory.db", True)]
    bring(alice, tmp_path / "copies")
    with acting_as(alice):
        assert Message.objects.filter(content="Are there owls?").exists()


def test_bringing_writes_nothing_beside_or_into_the_files(alice: User, path: Path) -> None:
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    bring(alice, path)
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before


def run(*args: str) -> str:
    out = StringIO()
    call_command("legacy", *args, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_takes_each_step(alice: User, path: Path, tmp_path: Path) -> None:
    named = (str(path), "--user", alice.email)
    analysed = run("analyse", *named)
    assert run("migrate", *named, "--dry-run") == analysed
    assert "memory.db" in run("backup", *named, "--to", str(tmp_path / "copies"))
    assert run("migrate", *named) == analysed
    assert run("validate", *named).endswith("Everything here matches the old store.\n")
    assert "conversations.conversation: 5 removed" in run("rollback", *named)
    with pytest.raises(CommandError, match="differ"):
        run("validate", *named)
