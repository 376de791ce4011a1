"""The report names every followed figure that was measured, and no other."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from conversations.evaluation import report

FOUND = {
    "retrieval": {"skipped": ["beam"], "locomo": {"recall@10": 0.81, "mrr": 0.64}},
    "extraction": {"slot_recall": 0.7, "skipped": []},
}


def test_followed_figures_stand_by_their_keys() -> None:
    flat = report.flat(FOUND)
    assert flat["locomo.recall_at_10"] == 0.81
    assert flat["extraction.slot_recall"] == 0.7
    assert "beam.recall_at_10" not in flat


def test_the_page_shows_a_chart_a_table_and_what_is_missing() -> None:
    page = report.in_words(FOUND)
    assert "bar [0.81, 0.64, 0.7]" in page
    assert "| locomo, mrr | 0.64 |" in page
    assert "Not there, so not measured: beam." in page


@pytest.mark.django_db
def test_the_command_says_what_it_skips_and_writes_both_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    call_command("evaluate", "all", data=tmp_path / "data", out=tmp_path / "out")
    written = json.loads((tmp_path / "out" / "report.json").read_text())
    assert written["retrieval"]["skipped"] == ["locomo", "beam", "realmem"]
    assert (tmp_path / "out" / "report.md").read_text().startswith("# What was measured")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no folder"):
        call_command("evaluate", data=tmp_path / "none", out=tmp_path / "out")
