"""The measure of the guard, on texts few enough to be counted by hand."""

import json
from pathlib import Path

import pytest

from evaluation import report, sharing_guard
from evaluation.measuring import Unreadable

LEAKS, SAFE = "Compare the stone with the others first.", "Ask Zbigniew Nowak for it."


def silent(done: int, total: int, what: str) -> None:
    pass


def put(folder: Path, name: str, content: object) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def text(words: str, value: str, kind: str) -> dict[str, object]:
    return {"full_text": words, "spans": [{"entity_type": kind, "entity_value": value}]}


def test_a_text_and_a_value_leak_when_they_are_accepted(tmp_path: Path) -> None:
    rows = [
        text(LEAKS, "users", "ORGANIZATION"),
        text(SAFE, "Zbigniew Nowak", "PERSON"),
        text("Ask a plain question, dear colleagues.", "Mr.", "TITLE"),
    ]
    put(tmp_path / "pii", "texts.json", rows)
    put(tmp_path / "lessons", "clean.json", {"everyday": ["Write the steps as a list.", SAFE]})
    put(tmp_path / "lessons", "adversarial.json", [{"kind": "hint", "text": SAFE}])
    found = sharing_guard.evaluate(tmp_path, silent)
    assert (found["texts"], found["leak_rate"]) == (2, 0.5)
    assert found["carrier"] == {"organisation": 1.0, "person": 0.0}
    assert (found["clean_accepted"], found["adversarial_accepted"]) == (0.5, 0.0)
    flat = report.flat({"guard": found})
    assert (flat["guard.leak_rate"], flat["guard.carrier.person"]) == (0.5, 0.0)


def test_a_carrier_that_lets_nothing_by_measures_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "pii", "texts.json", [text(SAFE, "Zbigniew", "PERSON")])
    monkeypatch.setattr(sharing_guard, "CARRIERS", ("Ask Zbigniew about {}.",))
    with pytest.raises(Unreadable, match="refused whatever it holds"):
        sharing_guard.evaluate(tmp_path, silent)
