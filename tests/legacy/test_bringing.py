"""An earlier store is brought: what its rows become, once, in batches, and for nobody else."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.database.owned import owned_models
from accounts.models import PrivacySettings, User
from conversations.models import Conversation, ConversationTopic, Message
from ledger.models import Contradiction
from memory.models import Memory, Passage, ProfileFact, TrustChange
from privacy.legacy import running, undoing, validating
from privacy.legacy.running import CannotBring, Report
from privacy.models import LegacyRow
from tests.legacy import files
from tests.people import tell, values

pytestmark = pytest.mark.django_db
Kind = LegacyRow.Kind


def silent(_: str) -> None:
    """Who brings it is told of nothing."""


def bring(user: User, path: Path) -> Report:
    return running.bring(user, path, silent)


# Times and keys of what was done, for some days.
TRACES = {"memory.memoryoperation", "memory.memorychange"}


def contents(user: User) -> dict[str, list[dict[str, Any]]]:
    """All that is kept of a person, table by table, but for the traces of what was done."""
    with acting_as(user):
        return {
            model._meta.label_lower: list(
                model._default_manager.filter(user_id=user.pk).order_by("pk").values()
            )
            for model in owned_models()
            if model._meta.label_lower not in TRACES
        }


@pytest.fixture
def threads(tmp_path: Path) -> Path:
    return files.threads(tmp_path)


# --- Threads --------------------------------------------------------------------------------------


def test_values_that_agree_become_one_fact_and_others_a_conflict(
    alice: User, threads: Path
) -> None:
    report = bring(alice, threads)
    assert values(alice, "name") == {"Nick"}
    assert values(alice, "location") == {"Lisbon"}
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "challenger") == {"Microsoft"}
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
        assert (entry.old_fact.value, entry.new_fact.value) == ("Google", "Microsoft")
        assert entry.old_support == 2
    assert dict(report.conflicts) == {"employer": 1}


def test_trust_time_source_and_mode_are_those_of_the_store(alice: User, threads: Path) -> None:
    bring(alice, threads)
    at = datetime.fromtimestamp(files.BEGAN + 120, UTC)
    with acting_as(alice):
        fact = ProfileFact.objects.get(slot="employer", status="current")
        assert (fact.trust, fact.confidence, fact.source) == (0.95, 0.9, "user")
        assert fact.source_message is not None
        assert fact.source_message.said_at == at
        change = TrustChange.objects.get(fact=fact)
        assert (change.before, change.after) == (0.8, 0.95)
        line = LegacyRow.objects.get(source="crt_memory_two.db", original_id="mem_2")
        assert line.original["sse_mode"] == "C"
        assert line.original["timestamp"] == files.BEGAN + 120
        assert set(line.original["vector_json"]) == {"sha256", "bytes"}


def test_memories_without_a_clear_value_become_notes_or_nothing(alice: User, threads: Path) -> None:
    bring(alice, threads)
    with acting_as(alice):
        lines = {line.original["text"]: line for line in LegacyRow.objects.filter(table="memories")}
        kinds = {text: line.kind for text, line in lines.items()}
        notes = {note.content: note for note in Memory.objects.for_user(alice.pk)}
        assert Message.objects.get(content__contains="diabetes").confidential
    assert kinds["I have been diagnosed with diabetes"] == Kind.WITHHELD
    assert kinds["I used to live in Rome"] == Kind.EARLIER
    assert notes["I used to live in Rome"].status == "superseded"
    said_by_system = notes["The user seems to enjoy astronomy."]
    assert (said_by_system.source, said_by_system.status) == ("system", "waiting")
    bridge = next(note for text, note in notes.items() if "bridge" in text)
    assert (bridge.status, bridge.trust) == ("active", 0.95)


def test_a_thread_is_a_conversation_in_the_order_of_time(alice: User, threads: Path) -> None:
    bring(alice, threads)
    with acting_as(alice):
        talks = Conversation.objects.for_user(alice.pk)
        assert talks.count() == 3
        first = talks.order_by("-last_number")[0]
        said = list(first.messages.order_by("number").values_list("number", "role", "content"))
        assert said[:3] == [
            (1, "user", "My name is Nick"),
            (2, "assistant", "Hello Nick!"),
            (3, "user", "I work at Google"),
        ]
        assert [number for number, *_ in said] == list(range(1, len(said) + 1))
        assert Passage.objects.filter(user=alice).count() > 5
        versions = LegacyRow.objects.filter(table="thread").values_list("schema_version", flat=True)
        assert set(versions) == {2}


def test_what_was_known_before_is_not_changed_and_gains_evidence(
    alice: User, threads: Path
) -> None:
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        before = ProfileFact.objects.filter(slot="employer").values().get()
    bring(alice, threads)
    with acting_as(alice):
        held = ProfileFact.objects.filter(pk=before["id"])
        assert held.values().get() == before
        assert held.get().mentions.count() == 2
    assert values(alice, "employer", "challenger") == {"Google"}


# --- One row an interaction -----------------------------------------------------------------------


def test_an_interaction_becomes_two_messages_of_its_time(alice: User, tmp_path: Path) -> None:
    bring(alice, files.exchanges(tmp_path / "memory.db"))
    with acting_as(alice):
        talk = Conversation.objects.get(title="Boats")
        said = list(talk.messages.order_by("number").values_list("role", "content", "said_at"))
        at = datetime(2025, 10, 4, 12, 1, 0, 123456, UTC)
        assert said[2:4] == [
            ("user", "Tell me of boat 1", at),
            ("assistant", "Boat 1 floats.", at),
        ]
        assert (talk.compact_summary, talk.compacted_up_to) == ("They spoke of two boats.", 4)
        link = ConversationTopic.objects.get(conversation=talk)
        assert (link.topic.name, link.messages) == ("Boats", 2)
        named = LegacyRow.objects.get(table="memory_topics")
        assert {name.split(" ")[0] for name in named.joined} == {
            "conversations.message",
            "conversations.topic",
        }


SAID = [
    ("I live in Lisbon", {"location": {"Lisbon"}}, {}),
    ("My sister works at Initech", {}, {}),
    ("I used to work at Initech", {}, {}),
    ("Next year I will move to Porto", {}, {}),
    ("What if I lived in Porto?", {}, {}),
    ("My name is Nick and I work at Google", {"name": {"Nick"}, "employer": {"Google"}}, {}),
]


@pytest.mark.parametrize(("said", "current", "challenging"), SAID)
def test_of_what_was_said_in_an_interaction_only_own_values_of_now_become_facts(
    alice: User, tmp_path: Path, said: str, current: Any, challenging: Any
) -> None:
    path = files.exchanges(tmp_path / "memory.db", [files.exchange("c3", 1, said, "I see.")])
    bring(alice, path)
    for slot in ("location", "employer", "name"):
        assert values(alice, slot) == current.get(slot, set())
        assert values(alice, slot, "challenger") == challenging.get(slot, set())


def test_values_of_interactions_agree_disagree_and_end(alice: User, tmp_path: Path) -> None:
    path = files.exchanges(
        tmp_path / "memory.db",
        [
            files.exchange("c3", 1, "I work at Google", "Fine."),
            files.exchange("c3", 2, "I live in Rome", "Nice. Where do you live now?"),
            files.exchange("c4", 3, "As I said, I work at Google Inc.", "I know."),
            files.exchange("c4", 4, "I work at Microsoft", "Since when?"),
            files.exchange("c4", 5, "I no longer live in Rome", "I see."),
        ],
    )
    report = bring(alice, path)
    held = {values(alice, "employer").pop(), values(alice, "employer", "challenger").pop()}
    assert any("Google" in value for value in held)
    assert "Microsoft" in held
    assert values(alice, "location") == set()
    assert dict(report.conflicts) == {"employer": 1}
    with acting_as(alice):
        google = ProfileFact.objects.get(value_key="google")
        said = [mention.message.content for mention in google.mentions.order_by("said_at")]
        assert said == ["I work at Google", "As I said, I work at Google Inc."]
        mention = google.mentions.order_by("said_at")[0]
        assert mention.message.content[mention.start : mention.end] == "Google"
        assert google.valid_from == mention.message.said_at
    assert validating.validate(alice, path).differences == []
    undoing.undo(alice, path)
    with acting_as(alice):
        assert not ProfileFact.objects.for_user(alice.pk).exists()
        assert not LegacyRow.objects.filter(user=alice).exists()


def test_who_wants_to_be_asked_is_asked_once_for_a_value_of_interactions(
    alice: User, tmp_path: Path
) -> None:
    with acting_as(alice):
        PrivacySettings.objects.update_or_create(user=alice, defaults={"promotion": "ask"})
    said = [files.exchange("c3", n, "I work at Google", "Fine.") for n in (1, 2)]
    path = files.exchanges(tmp_path / "memory.db", said)
    bring(alice, path)
    assert values(alice, "employer") == set()
    with acting_as(alice):
        note = Memory.objects.for_user(alice.pk).get()
        assert (note.status, note.value) == ("waiting", "Google")
    assert validating.validate(alice, path).differences == []


# --- Once, and as was said before -----------------------------------------------------------------


def both(directory: Path) -> Path:
    files.threads(directory)
    files.exchanges(directory / "memory.db")
    return directory


def test_a_dry_run_reports_what_the_run_does_and_keeps_nothing(alice: User, tmp_path: Path) -> None:
    path = both(tmp_path)
    before = contents(alice)
    told = list(running.rehearse(alice, path, silent).lines())
    assert contents(alice) == before
    assert list(bring(alice, path).lines()) == told
    assert list(running.rehearse(alice, path, silent).lines()) == told
    assert "  conversations: 5" in told


def test_bringing_it_twice_brings_nothing_more(alice: User, tmp_path: Path) -> None:
    path = both(tmp_path)
    first = bring(alice, path)
    before = contents(alice)
    assert bring(alice, path) == first
    assert contents(alice) == before


@pytest.mark.parametrize("batches", [1, 2, 4, 6])
def test_who_is_interrupted_goes_on_where_it_stopped(
    alice: User, bob: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    path = both(tmp_path)
    monkeypatch.setattr(running, "BATCH", 4)
    left = batches

    def stop(_: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.bring(alice, path, stop)
    with acting_as(alice):
        assert LegacyRow.objects.exists()
    assert bring(alice, path) == bring(bob, path)
    for table in (Message, ProfileFact, Memory, Contradiction):
        with acting_as(alice):
            hers = table._default_manager.filter(user_id=alice.pk).count()
        with acting_as(bob):
            assert table._default_manager.filter(user_id=bob.pk).count() == hers > 0


def test_rows_that_come_later_are_brought_beside_those_that_are_here(
    alice: User, threads: Path
) -> None:
    bring(alice, threads)
    files.make(threads / "crt_memory_one.db", [files.memory(8, "I live in Porto")])
    bring(alice, threads)
    assert values(alice, "location") == {"Lisbon"}
    assert values(alice, "location", "challenger") == {"Porto"}


def test_a_row_that_was_changed_there_is_named_and_stays_as_it_is(
    alice: User, threads: Path
) -> None:
    bring(alice, threads)
    files.make(threads / "crt_memory_three.db", ["update memories set trust = 0.1"])
    assert bring(alice, threads).changed == 1


def test_nothing_is_brought_while_memory_is_off(alice: User, threads: Path) -> None:
    alice.memory_on = False
    alice.save()
    with pytest.raises(CannotBring, match="turned memory off"):
        bring(alice, threads)


def test_what_is_left_is_brought_once_memory_is_on_again(
    alice: User, threads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "BATCH", 2)

    def turn_off(_: str) -> None:
        User.objects.filter(pk=alice.pk).update(memory_on=False)

    with pytest.raises(CannotBring):
        running.bring(alice, threads, turn_off)
    assert values(alice, "location") == set()
    User.objects.filter(pk=alice.pk).update(memory_on=True)
    bring(alice, threads)
    assert values(alice, "location") == {"Lisbon"}


def test_a_stranger_has_nothing_of_it(alice: User, bob: User, threads: Path) -> None:
    tell(bob, "I work at Initech")
    before = contents(bob)
    bring(alice, threads)
    assert contents(bob) == before


# --- Faults ---------------------------------------------------------------------------------------


def kinds_of(user: User, table: str = "memories") -> Counter[str]:
    with acting_as(user):
        return Counter(LegacyRow.objects.filter(table=table).values_list("kind", flat=True))


def test_files_and_columns_may_be_missing(alice: User, tmp_path: Path) -> None:
    files.make(
        tmp_path / "crt_memory_old.db",
        [
            "create table memories (text text, timestamp text)",
            files.inserted("memories", text="I live in Lisbon", timestamp="2024-05-01 10:00:00"),
        ],
    )
    bring(alice, tmp_path)
    # Nobody wrote down how far it is believed, so its owner is asked.
    assert kinds_of(alice) == {Kind.NOTE: 1}
    with acting_as(alice):
        note = Memory.objects.for_user(alice.pk).get()
        assert (note.content, note.trust, note.status) == ("I live in Lisbon", 0.5, "active")


def test_rows_with_one_id_are_all_kept(alice: User, tmp_path: Path) -> None:
    files.thread(
        tmp_path, "one", [files.memory(1, "I like rowing"), files.memory(1, "I like rowing a lot")]
    )
    bring(alice, tmp_path)
    with acting_as(alice):
        places = LegacyRow.objects.filter(original_id="mem_1").values_list("place", flat=True)
        assert sorted(places) == [0, 1]


def test_rows_without_words_become_nothing_and_are_kept(alice: User, tmp_path: Path) -> None:
    files.thread(tmp_path, "one", [files.memory(1, None), files.memory(2, "  ")])
    files.exchanges(
        tmp_path / "memory.db",
        [files.exchange("c3", 1, None, None), files.exchange("c3", 2, None, "Are you there?")],
    )
    bring(alice, tmp_path)
    assert kinds_of(alice)[Kind.EMPTY] == 3
    with acting_as(alice):
        message = Message.objects.get(content="Are you there?")
        assert (message.number, message.role) == (1, "assistant")


def test_odd_encodings_are_read_and_kept_as_they_were(alice: User, tmp_path: Path) -> None:
    odd = "My café has 30 chairs".encode("latin-1")
    files.exchanges(
        tmp_path / "memory.db",
        [
            files.exchange("c3", 1, odd, "Fine."),
            files.exchange("c3", 2, b"one\0two", "Fine.", timestamp="yesterday"),
        ],
    )
    bring(alice, tmp_path)
    with acting_as(alice):
        line = LegacyRow.objects.get(original_id="c3-1")
        assert line.original["user_prompt"] == {"text": odd.hex()}
        said = Message.objects.filter(conversation=line.conversation, role="user")
        assert list(said.order_by("number").values_list("content", flat=True)) == [
            "My café has 30 chairs",
            "onetwo",
        ]
        # Whose time cannot be read was said when the one before it was.
        assert len(set(said.values_list("said_at", flat=True))) == 1


def test_of_a_file_that_is_cut_off_what_can_be_read_is_brought(alice: User, tmp_path: Path) -> None:
    files.cut_off(files.exchanges(tmp_path / "memory.db", many=400))
    report = bring(alice, tmp_path)
    assert report.faults
    assert 0 < report.rows["memories", Kind.MESSAGES] < 400
    with acting_as(alice):
        versions = LegacyRow.objects.filter(table="thread").values_list("schema_version", flat=True)
        assert set(versions) == {1}
    assert list(running.rehearse(alice, tmp_path, silent).lines()) == list(report.lines())


def test_a_file_that_is_none_is_named_and_passed_over(alice: User, threads: Path) -> None:
    (threads / "crt_memory_broken.db").write_bytes(b"no database at all" * 99)
    report = bring(alice, threads)
    assert report.faults == [
        "crt_memory_broken.db is not a readable SQLite file, so it was skipped."
    ]
    assert values(alice, "name") == {"Nick"}
