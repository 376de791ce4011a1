"""What memory costs in a prompt, beside the whole history."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation import tokens as evaluation
from tests.conversations.recorded import sample

LONG = (
    "Good morning to you all. The kayak stands behind the old mill by the river. "
    "It rained for three whole days last week. My sister wants to borrow the paddles in May."
)


def quiet(done: int, total: int, words: str) -> None:
    """Nobody watches."""


@pytest.mark.django_db
def test_a_recording_is_measured_beside_its_history_and_its_evidence_is_whole(
    tmp_path: Path,
) -> None:
    def asked(question: str, answer: str, evidence: str) -> dict[str, Any]:
        return {"question": question, "answer": answer, "category": 4, "evidence": [evidence]}

    talk = sample()
    talk["conversation"]["session_1"][0]["text"] = LONG
    talk["qa"] = [asked("Where does the kayak stand?", "behind the mill", "D1:1")]
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "some.json").write_text(json.dumps([talk]), encoding="utf-8")
    found = evaluation.evaluate(tmp_path, quiet)
    assert found["questions"] == 1
    assert found["evidence_in_prompt"] == 1.0
    assert found["saved_vs_history"] == pytest.approx(
        1 - found["injected_tokens"] / found["history_tokens"], abs=0.01
    )
