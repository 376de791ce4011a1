"""Entries of namespaces: written, read, found and removed, the same whatever tier they lie in."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.utils.timezone import now
from pydantic import ValidationError

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.deletion import erase_all
from memory import manager
from memory.manager import By, EntryRefused, NamespaceFull, StoredEntry, VersionConflict
from memory.models import MemoryChange, NamespaceEntry
from memory.namespaces import tiers
from memory.namespaces.registry import NAMESPACES, Tier

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


def test_who_read_an_older_version_does_not_overwrite_the_newer(willing: User) -> None:
    write(willing, "shared.people", "john", JOHN, expected=0)
    write(willing, "shared.people", "john", JOHN | {"mentioned": 6}, expected=1)
    with pytest.raises(VersionConflict, match="at version 2") as conflict:
        write(willing, "shared.people", "john", JOHN | {"mentioned": 7}, expected=1)
    assert conflict.value.current is not None
    assert conflict.value.current.data["mentioned"] == 6
    with pytest.raises(VersionConflict):
        write(willing, "shared.people", "john", JOHN, expected=0)


def test_the_namespaces_have_the_names_that_are_documented() -> None:
    groups = {
        "altitude": {"session", "history", "patterns", "coaching"},
        "focus": {"fast", "slow", "lanes", "consent", "gates"},
        "reasoning": {"strategies", "escalations", "routing"},
        "learning": {"patterns", "feedback", "generalizations"},
        "shared": {"north_stars", "priorities", "people"},
    }
    documented = {f"{group}.{name}" for group, names in groups.items() for name in names}
    assert {name for name in NAMESPACES if not name.startswith("user.")} == documented


def test_a_full_namespace_lets_the_oldest_go_or_refuses_what_has_no_room(willing: User) -> None:
    for number in range(21):
        session = {"day": "2026-11-24", "turns": number, "summary": f"Session {number}"}
        write(willing, "altitude.history", f"s{number}", session)
    with acting_as(willing):
        held = manager.query(willing.pk, "altitude.history")
    assert [entry.key for entry in held] == [f"s{number}" for number in range(1, 21)]
    for number in range(20):
        write(willing, "shared.priorities", f"p{number}", {"rank": number, "text": "Rest"})
    with pytest.raises(NamespaceFull, match="Remove one"):
        write(willing, "shared.priorities", "p20", {"rank": 20, "text": "Rest"})
    write(willing, "shared.priorities", "p3", {"rank": 1, "text": "Rest more"})


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


def test_what_had_its_time_is_gone_before_the_worker_comes(willing: User) -> None:
    write(willing, "reasoning.routing", "r1", {"route": "model", "strategy": "ask_first"})
    age(willing, 91)
    assert read(willing, "reasoning.routing", "r1") is None
    with acting_as(willing):
        tiers.tend(willing.pk)
        assert not NamespaceEntry.objects.exists()
