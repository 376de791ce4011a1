"""An earlier store is brought: what its rows become, once, in batches, and for nobody else."""

from pathlib import Path
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.database.owned import owned_models
from accounts.models import PrivacySettings, User
from conversations.models import Conversation, Message
from ledger.models import Contradiction
from memory.models import Memory, Passage, ProfileFact
from privacy.legacy import running, validating
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


def test_private_and_past_memories_become_no_facts(alice: User, threads: Path) -> None:
    bring(alice, threads)
    with acting_as(alice):
        lines = LegacyRow.objects.filter(table="memories")
        kinds = {line.original["text"]: line.kind for line in lines}
        assert Message.objects.get(content__contains="diabetes").confidential
    assert kinds["I have been diagnosed with diabetes"] == Kind.WITHHELD
    assert kinds["I used to live in Rome"] == Kind.EARLIER


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


def test_nothing_is_brought_while_memory_is_off(alice: User, threads: Path) -> None:
    alice.memory_on = False
    alice.save()
    with pytest.raises(CannotBring, match="turned memory off"):
        bring(alice, threads)


def test_a_stranger_has_nothing_of_it(alice: User, bob: User, threads: Path) -> None:
    tell(bob, "I work at Initech")
    before = contents(bob)
    bring(alice, threads)
    assert contents(bob) == before


def test_rows_with_one_id_are_all_kept(alice: User, tmp_path: Path) -> None:
    files.thread(
        tmp_path, "one", [files.memory(1, "I like rowing"), files.memory(1, "I like rowing a lot")]
    )
    bring(alice, tmp_path)
    with acting_as(alice):
        places = LegacyRow.objects.filter(original_id="mem_1").values_list("place", flat=True)
        assert sorted(places) == [0, 1]


def test_of_a_file_that_is_cut_off_what_can_be_read_is_brought(alice: User, tmp_path: Path) -> None:
    files.cut_off(files.exchanges(tmp_path / "memory.db", many=400))
    report = bring(alice, tmp_path)
    assert report.faults
    assert 0 < report.rows["memories", Kind.MESSAGES] < 400
    with acting_as(alice):
        versions = LegacyRow.objects.filter(table="thread").values_list("schema_version", flat=True)
        assert set(versions) == {1}
    assert list(running.rehearse(alice, tmp_path, silent).lines()) == list(report.lines())
