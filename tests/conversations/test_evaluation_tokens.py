"""What memory costs in a prompt, beside what: on texts few enough to be counted by hand."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from evaluation import tokens as evaluation
from evaluation.tokens import in_same_words, still_told
from memory.context.prompt_items import PromptItem
from tests.conversations.recorded import sample

LONG = (
    "Good morning to you all. The kayak stands behind the old mill by the river. "
    "It rained for three whole days last week. My sister wants to borrow the paddles in May."
)


def quiet(done: int, total: int, words: str) -> None:
    """Nobody watches."""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("kayak stands behind old mill", ["The kayak stands behind the old mill by the river."]),
        (
            "kayak stands behind old mill by river; sister wants to borrow paddles…",
            [
                "The kayak stands behind the old mill by the river.",
                "My sister wants to borrow the paddles in May.",
            ],
        ),
        # In words of our own: the sentence that shares most with it.
        ("Paddles: lent in May", ["My sister wants to borrow the paddles in May."]),
    ],
)
def test_of_a_message_the_sentences_count_that_the_line_still_tells_of(
    line: str, told: list[str]
) -> None:
    assert still_told(LONG, line) == " ".join(told)


def test_a_line_that_says_all_is_held_against_all() -> None:
    assert still_told(LONG, LONG) == LONG


def test_the_same_words_are_told_as_the_prose_tells_them() -> None:
    prose = f"On 8 May 2023 you said: “{LONG}”"
    item = PromptItem(
        "quote", uuid4(), "8 May 23", "kayak stands behind old mill", prose, said=LONG
    )
    assert in_same_words(item) == (
        "On 8 May 2023 you said: “The kayak stands behind the old mill by the river.”"
    )


def test_what_has_no_message_is_held_against_its_whole_sentence() -> None:
    item = PromptItem("fact", uuid4(), "employer", "Google", "You work at Google.")
    assert in_same_words(item) == "You work at Google."


@pytest.mark.django_db
def test_a_recording_is_measured_beside_history_messages_and_sentences(tmp_path: Path) -> None:
    def asked(question: str, answer: str, evidence: str) -> dict[str, Any]:
        return {"question": question, "answer": answer, "category": 4, "evidence": [evidence]}

    talk = sample()
    talk["conversation"]["session_1"][0]["text"] = LONG
    talk["qa"] = [asked("Where does the kayak stand?", "behind the mill", "D1:1")]
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "some.json").write_text(json.dumps([talk]), encoding="utf-8")
    found = evaluation.evaluate(tmp_path, quiet)
    assert found["questions"] == 1
    assert found["same_words_tokens"] <= found["prose_tokens"]
    assert found["saved_vs_same_words"] <= found["saved_vs_prose"]
    assert found["saved_vs_same_words"] == pytest.approx(
        1 - found["injected_tokens"] / found["same_words_tokens"], abs=0.01
    )
    assert found["answer_words_kept"] == 1.0
