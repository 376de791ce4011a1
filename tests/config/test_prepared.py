"""When a start has something to prepare, and when nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from config.processes import prepared
from config.processes.embedded import Cluster

DATABASE = ["7", "16384", "f00", True]


@pytest.fixture
def world(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A copy that was prepared, and what can be changed about it."""
    world: dict[str, Any] = {"database": DATABASE, "demo": [True], "root": tmp_path / "product"}
    (world["root"] / "static").mkdir(parents=True)
    (world["root"] / "static" / "a.css").write_text("a")
    settings.DEBUG, settings.STATIC_ROOT = False, tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / ".collected").touch()
    world["static"] = settings.STATIC_ROOT
    monkeypatch.setattr(prepared, "ROOT", world["root"])
    monkeypatch.setattr(
        prepared,
        "_ask",
        lambda cluster, sql, params=None: world["demo" if "is_demo" in sql else "database"],
    )
    world["cluster"] = Cluster(tmp_path)
    prepared.remember(world["cluster"], demo=True)
    return world


def test_a_second_start_has_nothing_to_prepare(world: dict[str, Any]) -> None:
    assert prepared.is_done(world["cluster"], demo=True)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a file is edited": lambda w: (w["root"] / "static" / "a.css").write_text("other"),
    "a migration is added": lambda w: (w["root"] / "0002_more.py").touch(),
    "another database": lambda w: w.update(database=["8", *DATABASE[1:]]),
    "an older dump was restored": lambda w: w.update(database=[*DATABASE[:2], "ba4", True]),
    "the demo people are gone": lambda w: w.update(demo=[False]),
    "the static files are gone": lambda w: (w["static"] / ".collected").unlink(),
    "the note is damaged": lambda w: (w["cluster"].data_dir / prepared.STAMP).write_text("{"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_prepared_for(world: dict[str, Any], change: str) -> None:
    CHANGES[change](world)
    assert not prepared.is_done(world["cluster"], demo=True)


def test_a_start_without_demo_people_says_so_anew(world: dict[str, Any]) -> None:
    assert not prepared.is_done(world["cluster"], demo=False)
