"""Entries of namespaces: written, read, found and removed, the same whatever tier they lie in."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.utils.timezone import now
from pydantic import ValidationError

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.deletion import erase_all
from memory import manager
from memory.manager import By, EntryRefused, NamespaceFull, StoredEntry, VersionConflict
from memory.models import MemoryChange, NamespaceEntry
from memory.namespaces import registry, tiers
from memory.namespaces.registry import NAMESPACES, Tier
from tests.people import number_changes, tell

ROOMS = tuple(
    "config evaluation webhooks privacy conversations ledger memory personas accounts".split()
)
JOHN: dict[str, Any] = {"name": "John", "relation": "work", "traits": ["blocks"], "mentioned": 5}


@pytest.fixture(params=["local memory", "Redis"])
def _either_cache(request: pytest.FixtureRequest, settings: Any, tmp_path: Path) -> Iterator[None]:
    """The hot tier where it lies: in the process, or in a Redis of this test's own."""
    if request.param == "local memory":
        yield
        return
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs redis-server")
    socket = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(socket), "--save", ""]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as server:
        while not socket.exists():
            time.sleep(0.02)
        redis = {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": f"unix://{socket}",
            "KEY_PREFIX": "hot",
        }
        settings.CACHES = settings.CACHES | {"hot": redis}
        yield
        caches["hot"].close()
        server.terminate()


@pytest.fixture
def willing(alice: User) -> User:
    """Alice, who lets every namespace be kept."""
    with acting_as(alice):
        for namespace in NAMESPACES.values():
            if namespace.needs_consent:
                manager.allow(alice, namespace.name, on=True)
    return alice


def write(user: User, name: str, key: str, data: dict[str, Any], **more: Any) -> StoredEntry:
    with acting_as(user):
        return manager.write(user.pk, name, key, data, by=By.SOFTWARE, **more).entry


def read(user: User, name: str, key: str) -> StoredEntry | None:
    with acting_as(user):
        return manager.read(user.pk, name, key)


def age(user: User, days: int) -> None:
    """As if nothing had been written or used for so many days."""
    with acting_as(user):
        then = now() - timedelta(days=days)
        NamespaceEntry.objects.filter(user=user).update(written_at=then, used_at=then)


# --- Reading and writing --------------------------------------------------------------------------


def test_what_is_written_is_read_and_counts_its_versions(willing: User) -> None:
    assert read(willing, "shared.people", "john") is None
    first = write(willing, "shared.people", "john", JOHN)
    second = write(willing, "shared.people", "john", JOHN | {"mentioned": 6})
    assert (first.version, second.version) == (1, 2)
    found = read(willing, "shared.people", "john")
    assert found is not None
    assert found.data == {"name": "John", "relation": "work", "traits": ["blocks"], "mentioned": 6}
    assert (found.version, found.tier, found.written_by) == (2, Tier.WARM, "software")


def test_every_write_has_a_trace_id_like_the_ones_in_the_log(willing: User) -> None:
    with acting_as(willing):
        made = manager.write(willing.pk, "shared.people", "john", JOHN, by=By.OWNER)
    assert made.trace_id.startswith("mem_")
    assert len(made.trace_id) == 36


@pytest.mark.parametrize(
    ("name", "key", "data"),
    [
        ("shared.people", "john", {"name": "John", "relation": "enemy"}),
        ("shared.people", "john", JOHN | {"password": "x"}),
        ("shared.people", "", JOHN),
        ("shared.people", " john", JOHN),
        ("shared.people", "j\nohn", JOHN),
        ("shared.people", "j" * 121, JOHN),
        ("user.facts", "x", {"slot": "name", "trust": 1, "value": "Eve"}),
    ],
)
def test_what_does_not_fit_is_refused(
    willing: User, name: str, key: str, data: dict[str, Any]
) -> None:
    with pytest.raises((EntryRefused, ValidationError)):
        write(willing, name, key, data)
    assert read(willing, "shared.people", "john") is None


def test_there_are_no_namespaces_but_the_registered(willing: User) -> None:
    with pytest.raises(manager.UnknownNamespace, match=r"shared\.people"):
        write(willing, "shared.secrets", "x", {})


def test_every_namespace_of_the_registry_says_what_it_is_for() -> None:
    assert {name.partition(".")[0] for name in NAMESPACES} == {
        "altitude",
        "focus",
        "reasoning",
        "learning",
        "shared",
        "user",
    }
    assert all(one.purpose and one.sentences for one in NAMESPACES.values())
    assert NAMESPACES["altitude.history"].most == 20
    assert registry.matching(["shared.*", "focus.slow"]) == {
        "shared.north_stars",
        "shared.priorities",
        "shared.people",
        "focus.slow",
    }


def test_who_read_an_older_version_does_not_overwrite_the_newer(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN, expected=0)
    write(willing, "shared.people", "john", JOHN | {"mentioned": 6}, expected=1)
    with pytest.raises(VersionConflict, match="at version 2") as conflict:
        write(willing, "shared.people", "john", JOHN | {"mentioned": 7}, expected=1)
    assert conflict.value.current is not None
    assert conflict.value.current.data["mentioned"] == 6
    with pytest.raises(VersionConflict):
        write(willing, "shared.people", "john", JOHN, expected=0)


def test_a_rolling_namespace_lets_the_oldest_go(willing: User) -> None:
    for number in range(25):
        session = {"day": "2026-11-24", "turns": number, "summary": f"Session {number}"}
        write(willing, "altitude.history", f"s{number}", session)
    with acting_as(willing):
        held = manager.query(willing.pk, "altitude.history")
    assert [entry.key for entry in held] == [f"s{number}" for number in range(5, 25)]


def test_another_refuses_what_has_no_room(willing: User) -> None:
    for number in range(20):
        write(willing, "shared.priorities", f"p{number}", {"rank": number, "text": "Rest"})
    with pytest.raises(NamespaceFull, match="Remove one"):
        write(willing, "shared.priorities", "p20", {"rank": 20, "text": "Rest"})
    write(willing, "shared.priorities", "p3", {"rank": 1, "text": "Rest more"})


def test_keys_are_found_by_pattern_in_the_order_of_writing(willing: User) -> None:
    for name in ("anna", "john", "ann"):
        write(willing, "shared.people", name, {"name": name})
    with acting_as(willing):
        found = manager.query(willing.pk, "shared.people", "an*")
        newest = manager.query(willing.pk, "shared.people", "*", limit=1)
    assert [entry.key for entry in found] == ["anna", "ann"]
    assert [entry.key for entry in newest] == ["ann"]


def test_what_is_removed_is_gone_from_every_tier(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    write(willing, "focus.fast", "now", {"turn": 3})
    with acting_as(willing):
        assert manager.remove(willing.pk, "shared.people", "john")
        assert manager.remove(willing.pk, "focus.fast", "now")
        assert not manager.remove(willing.pk, "shared.people", "john")
    assert read(willing, "shared.people", "john") is None
    assert read(willing, "focus.fast", "now") is None


def test_nobody_reads_what_is_somebody_elses(willing: User, bob: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    write(willing, "focus.fast", "now", {"turn": 3})
    assert read(bob, "shared.people", "john") is None
    assert read(bob, "focus.fast", "now") is None
    with acting_as(bob):
        assert manager.read(willing.pk, "shared.people", "john") is None
        assert not NamespaceEntry.objects.exists()


def test_the_persons_own_memory_is_read_like_any_other(alice: User) -> None:
    tell(alice, "My name is Alice Adams. I live in Lisbon.")
    with acting_as(alice):
        facts = manager.query(alice.pk, "user.facts")
        told = {entry.data["slot"]: entry.data["value"] for entry in facts}
        one = manager.read(alice.pk, "user.facts", facts[0].key)
    assert told == {"name": "Alice Adams", "location": "Lisbon"}
    assert one == facts[0]


def test_no_other_code_names_the_table_of_entries() -> None:
    ours = [path for room in ROOMS for path in (Path(settings.BASE_DIR) / room).rglob("*.py")]
    naming = {
        str(path.relative_to(settings.BASE_DIR))
        for path in ours
        if re.search(r"NamespaceEntry|memory_namespaceentry", path.read_text(encoding="utf-8"))
    }
    behind_the_door = ("memory/namespaces/", "memory/models/", "memory/migrations/")
    assert {path for path in naming if not path.startswith(behind_the_door)} == {
        # What a statement is about, for the traces.
        "memory/core/tracing.py"
    }


# --- Consent --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_either_cache")
def test_without_consent_it_is_held_for_the_session_and_says_so(alice: User) -> None:
    held = write(alice, "shared.people", "john", JOHN)
    assert held.tier is Tier.HOT
    assert "for only two hours" in held.held_because
    found = read(alice, "shared.people", "john")
    assert found is not None
    assert found.data["name"] == "John"
    with acting_as(alice):
        assert not NamespaceEntry.objects.exists()
        assert not MemoryChange.objects.filter(namespace="shared.people").exists()
    caches["hot"].clear()
    assert read(alice, "shared.people", "john") is None


@pytest.mark.usefixtures("_either_cache")
def test_consent_keeps_what_the_session_holds(alice: User) -> None:
    write(alice, "shared.people", "john", JOHN)
    write(alice, "shared.people", "john", JOHN | {"mentioned": 6})
    with acting_as(alice):
        assert manager.allow(alice, "shared.people", on=True) == 1
        assert manager.allow(alice, "shared.people", on=True) == 0
    caches["hot"].clear()
    found = read(alice, "shared.people", "john")
    assert found is not None
    assert (found.data["mentioned"], found.version, found.tier) == (6, 2, Tier.WARM)


def test_withdrawing_consent_removes_what_was_kept(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    with acting_as(willing):
        assert manager.allow(willing, "shared.people", on=False) == 1
        assert not NamespaceEntry.objects.exists()
        lines = AuditEvent.objects.for_user(willing.pk).filter(
            why__contains=NAMESPACES["shared.people"].purpose
        )
        assert [line.after for line in lines.order_by("at")] == ["On", "Off"]
    assert write(willing, "shared.people", "john", JOHN).tier is Tier.HOT


@pytest.mark.usefixtures("_either_cache")
def test_with_memory_off_nothing_is_kept(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    willing.memory_on = False
    willing.save()
    held = write(willing, "shared.people", "john", JOHN | {"mentioned": 9})
    assert "Memory is off" in held.held_because
    with acting_as(willing):
        assert NamespaceEntry.objects.get().data["mentioned"] == 5


@pytest.mark.usefixtures("_either_cache")
def test_forgetting_everything_forgets_entries_in_every_tier(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    write(willing, "focus.fast", "now", {"turn": 3})
    erase_all.forget_everything(willing)
    assert read(willing, "shared.people", "john") is None
    assert read(willing, "focus.fast", "now") is None
    with acting_as(willing):
        assert [change.kind for change in MemoryChange.objects.all()] == ["cleared"]


# --- Tiers ----------------------------------------------------------------------------------------


def test_what_is_not_used_moves_to_the_archive_and_reads_the_same(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN | {"note": "Straße, naïve, 日本"})
    before = read(willing, "shared.people", "john")
    age(willing, 31)
    with acting_as(willing):
        assert tiers.tend(willing.pk) == 1
        assert tiers.tend(willing.pk) == 0
        assert NamespaceEntry.objects.get().data is None
        assert {figure.tier for figure in tiers.tier_figures(willing.pk)} == {Tier.COLD}
        archived = manager.query(willing.pk, "shared.people")
    found = read(willing, "shared.people", "john")
    assert before is not None
    assert found is not None
    assert archived[0].data == found.data == before.data
    assert (found.tier, found.version) == (Tier.COLD, before.version)
    back = read(willing, "shared.people", "john")
    assert back is not None
    assert back.tier is Tier.WARM


def test_what_lies_in_the_archive_can_be_written_over(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    age(willing, 31)
    with acting_as(willing):
        tiers.tend(willing.pk)
    again = write(willing, "shared.people", "john", JOHN | {"mentioned": 6}, expected=1)
    assert (again.version, again.tier) == (2, Tier.WARM)


def test_what_had_its_time_is_gone_before_the_worker_comes(willing: User) -> None:
    write(willing, "reasoning.routing", "r1", {"route": "model", "strategy": "ask_first"})
    age(willing, 91)
    assert read(willing, "reasoning.routing", "r1") is None
    with acting_as(willing):
        tiers.tend(willing.pk)
        assert not NamespaceEntry.objects.exists()


def test_moving_to_another_tier_is_no_change(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN)
    age(willing, 31)
    with acting_as(willing):
        tiers.tend(willing.pk)
    read(willing, "shared.people", "john")
    with acting_as(willing):
        number_changes()
        changes = MemoryChange.objects.filter(namespace="shared.people")
        assert [(change.number, change.kind) for change in changes] == [(1, "written")]
