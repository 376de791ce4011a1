"""Judging answers in code, on a tiny talk written by hand in the layout of the public set."""

import json
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from conversations import replay
from evaluation import questions as evaluation
from evaluation.questions import JudgedQuestion, as_oneself, judge, told


def sample() -> dict[str, Any]:
    said = [
        ("Ada", "I joined a pottery class yesterday! The teacher is Tom Weaver."),
        ("Ben", "Nice. I bought a red canoe."),
        ("Ada", "I play the violin and the clarinet."),
        ("Ada", "A canoe would be fun."),
    ]
    return {
        "sample_id": "hand-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": speaker, "dia_id": f"D1:{place}", "text": text}
                for place, (speaker, text) in enumerate(said, start=1)
            ],
            "session_2_date_time": "9:00 am on 1 June, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "The canoe leaks already."}],
        },
        "qa": [
            {"question": "Who teaches Ada's pottery class?", "answer": "Tom Weaver", "category": 4},
            {
                "question": "When did Ada join a pottery class?",
                "answer": "7 May 2023",
                "category": 2,
            },
            {
                "question": "What instruments does Ada play?",
                "answer": "violin, clarinet",
                "category": 1,
            },
            {"question": "What did Ada buy?", "answer": "a canoe", "category": 5},
        ],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "some.json").write_text(json.dumps([sample()]), encoding="utf-8")
    return tmp_path


def quiet(done: int, total: int, words: str) -> None:
    """Nobody watches."""


def test_questions_are_asked_as_the_person_would_ask_them() -> None:
    assert as_oneself("When did Ada join?", "Ada") == "When did I join?"
    assert as_oneself("What is Ada's job?", "Ada") == "What is my job?"
    assert as_oneself("What instruments does Ada play?", "Ada") == "What instruments do I play?"
    assert as_oneself("Where has Ada camped?", "Ada") == "Where have I camped?"
    assert as_oneself("Who is Ben?", "Ada") == "Who is Ben?"


def test_what_is_counted_is_counted_from_the_recording(folder: Path) -> None:
    (dialogue,) = replay.load(folder / "locomo" / "some.json")
    asked = evaluation.questions(sample(), dialogue)
    canoe = [one for one in asked if "canoe" in one.text]
    assert {one.kind for one in canoe} == {"how often"}
    for one in canoe:
        assert one.number == (2 if "conversations" in one.text else 1)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("7 May 2023", (date(2023, 5, 7), date(2023, 5, 7))),
        ("May 7, 2023", (date(2023, 5, 7), date(2023, 5, 7))),
        ("The sunday before 25 May 2023", (date(2023, 5, 21), date(2023, 5, 21))),
        ("The week before 9 June 2023", (date(2023, 6, 2), date(2023, 6, 8))),
        ("The weekend before 17 July 2023", (date(2023, 7, 15), date(2023, 7, 16))),
        ("June 2023", (date(2023, 6, 1), date(2023, 6, 30))),
        ("2022", (date(2022, 1, 1), date(2022, 12, 31))),
        ("The week of 29 May to 4 June 2023:", (date(2023, 5, 29), date(2023, 6, 4))),
        ("the weekend of 15 and 16 July 2023", (date(2023, 7, 15), date(2023, 7, 16))),
    ],
)
def test_days_are_read_from_truths_and_from_answers(text: str, days: tuple[date, date]) -> None:
    assert told(text) == days


MAY_7 = (date(2023, 5, 7), date(2023, 5, 7))


@pytest.mark.parametrize(
    ("asked", "answer", "verdict"),
    [
        (JudgedQuestion("when", "?", days=MAY_7), "7 May 2023: it was said on 8 May 2023", "right"),
        (JudgedQuestion("when", "?", days=MAY_7), "8 May 2023, not on 7 May 2023", "wrong"),
        (JudgedQuestion("when", "?", days=MAY_7), "May 2023", "wrong"),
        (
            JudgedQuestion("when", "?", days=MAY_7),
            "I do not know the day itself. 9 May 2023",
            "silent",
        ),
        (JudgedQuestion("how often", "?", number=2), "Twice, in 1 conversation.", "right"),
        (JudgedQuestion("how often", "?", number=2), "3 times, in 2 conversations.", "wrong"),
        (JudgedQuestion("how often", "?", number=0), "Never, as far as I have kept it", "right"),
        (JudgedQuestion("who", "?", items=("Tom Weaver",)), "It was Tom Weaver.", "right"),
        (JudgedQuestion("who", "?", items=("Tom Weaver",)), "It was Tom.", "wrong"),
        (JudgedQuestion("who", "?", items=("Tom Weaver",)), "I have no note about that.", "silent"),
        (JudgedQuestion("list", "?", items=("violin", "flute")), "You play violins.", "right"),
        (
            JudgedQuestion("list", "?", items=("violin", "flute", "drum")),
            "You play violins.",
            "wrong",
        ),
    ],
)
def test_an_answer_is_right_wrong_or_silent(
    asked: JudgedQuestion, answer: str, verdict: str
) -> None:
    assert judge(asked, answer, 1).verdict == verdict


@pytest.mark.django_db
def test_a_whole_recording_is_played_asked_and_judged(folder: Path) -> None:
    result = evaluation.evaluate(folder, quiet)
    assert result["built with"]["when"] == {"right": 1, "wrong": 0, "silent": 0, "sources": ANY}
    assert result["built with"]["who"]["wrong"] == 0
    assert result["built with"]["list"]["right"] == 1
    assert result["right"] == result["built with"]["right"]
    assert result["many"]["read"]["questions"] >= result["built with"]["questions"]
    assert result["many"]["held out"]["questions"] == 0


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert evaluation.evaluate(tmp_path, quiet) == {"skipped": ["locomo"]}
