"""Measuring recall on tiny talks written by hand in the layout of the public sets."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from evaluation import retrieval as evaluation
from evaluation.retrieval import Ranked, evaluate
from memory.models import Passage

pytestmark = pytest.mark.django_db


def quiet(done: int, total: int, words: str) -> None:
    """Nobody watches."""


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    talk = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I joined a pottery class yesterday!"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Nice. I bought a red canoe."},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [
            {"speaker": "Ada", "dia_id": "D2:1", "text": "Look", "blip_caption": "a blue bowl"},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "The canoe leaks already."},
        ],
    }
    questions = [
        {"question": "When did Ada join a pottery class?", "category": 2, "evidence": ["D1:1"]},
        {"question": "What did Ben buy?", "category": 4, "evidence": ["D1:2; D2:02"]},
        {"question": "What did Ada buy?", "category": 5, "evidence": ["D1:2"]},
        {"question": "Nothing to find?", "category": 1, "evidence": ["D9:9"]},
        {"question": "Nothing named?", "category": 1, "evidence": []},
    ]
    sample = {"sample_id": "hand-1", "conversation": talk, "qa": questions}
    write(tmp_path / "locomo" / "some.json", [sample])
    return tmp_path


@pytest.fixture
def beam(tmp_path: Path) -> Path:
    def message(number: int, role: str, content: str, **more: Any) -> dict[str, Any]:
        return {"id": number, "role": role, "content": content, **more}

    batch = {
        "batch_number": 1,
        "turns": [
            [
                message(0, "user", "My rent is 900 euros ->-> 1,1", time_anchor="March-15-2024"),
                message(1, "assistant", "Noted."),
            ],
            [message(2, "user", "My rent is 950 euros now"), message(3, "assistant", "")],
        ],
    }
    probing = {
        "knowledge_update": [
            {
                "question": "What is my rent?",
                "source_chat_ids": {"original_info": [0], "updated_info": [2]},
            }
        ],
        "abstention": [{"question": "What is my dog called?"}],
    }
    write(tmp_path / "beam" / "100K" / "1" / "chat.json", [batch])
    write(tmp_path / "beam" / "100K" / "1" / "probing_questions.json", probing)
    return tmp_path


@pytest.fixture
def realmem(tmp_path: Path) -> Path:
    def talk(key: str, day: str, *turns: dict[str, Any]) -> dict[str, Any]:
        return {"session_uuid": key, "current_time": f"{day} (Monday)", "dialogue_turns": turns}

    def turn(speaker: str, content: str, **more: Any) -> dict[str, Any]:
        return {"speaker": speaker, "content": content, "is_query": False, **more}

    write(
        tmp_path / "realmem" / "someone.json",
        {
            "dialogues": [
                talk("aa", "2025-12-01", turn("User", "I am learning about wine")),
                talk("bb", "2025-12-02", turn("User", "My garden has roses")),
                talk(
                    "cc",
                    "2025-12-03",
                    turn("User", "Which wine should I study?", is_query=True, category_name="Plan"),
                    turn("Assistant", "Rioja", memory_used=[{"session_uuid": "aa"}]),
                    turn("User", "And later?", is_query=True, category_name="Plan"),
                    turn("Assistant", "Port", memory_used=[{"session_uuid": "zz"}]),
                ),
            ]
        },
    )
    return tmp_path


def test_turns_are_found_in_a_talk_of_two_people(locomo: Path) -> None:
    figures = evaluate(locomo, quiet)["locomo"]
    assert figures["questions"] == 2
    assert figures["recall@10"] == 1.0
    assert figures["mrr"] > 0.5
    assert set(figures["by_kind"]) == {"2", "4"}


def test_questions_about_the_wrong_speaker_are_counted_apart(locomo: Path) -> None:
    figures = evaluate(locomo, quiet)["locomo"]
    assert figures["apart"]["5"]["questions"] == 1


def test_both_sides_of_a_contradiction_are_looked_for(beam: Path) -> None:
    figures = evaluate(beam, quiet)["beam"]
    assert figures["questions"] == 1
    assert figures["both_sides@10"] == {"knowledge_update": 1.0}


def test_only_earlier_sessions_can_be_found(realmem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    search = evaluation.search_passages

    def watched(*args: Any, **kwargs: Any) -> Any:
        hits = search(*args, **kwargs)
        seen.append({hit.text for hit in hits})
        return hits

    monkeypatch.setattr(evaluation, "search_passages", watched)
    figures = evaluate(realmem, quiet)["realmem"]
    # The second query names a session that does not exist, so it is no question.
    assert figures["questions"] == 1
    assert seen == [{"I am learning about wine", "My garden has roses"}]
    assert figures["mrr"] == 1.0


def test_sets_that_are_not_there_are_named(tmp_path: Path, locomo: Path) -> None:
    assert evaluate(locomo, quiet)["skipped"] == ["beam", "realmem"]
    assert evaluate(tmp_path / "nowhere", quiet) == {"skipped": ["locomo", "beam", "realmem"]}


def test_nothing_is_left_behind(locomo: Path, beam: Path, realmem: Path, alice: User) -> None:
    evaluate(locomo, quiet)
    assert list(User.objects.all()) == [alice]
    for user in User.objects.all():
        with acting_as(user):
            for model in (Conversation, Message, Passage):
                assert not model.objects.exists()
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('app.user_id', true)")
        assert cursor.fetchone()[0] in ("", None)


def test_progress_is_told_recording_by_recording(locomo: Path, beam: Path) -> None:
    told: list[tuple[int, int, str]] = []
    evaluate(locomo, lambda *step: told.append(step))
    assert told == [(0, 1, "locomo: hand-1"), (0, 1, "beam: 1")]


def test_the_figures_are_those_of_the_definitions() -> None:
    ranked = Ranked("any", (1, 12, None))
    assert ranked.recall(10) == pytest.approx(1 / 3)
    assert ranked.recall(20) == pytest.approx(2 / 3)
    assert ranked.reciprocal() == 1.0
    assert ranked.gain(10) == pytest.approx(1 / (1 + 1 / 1.58496 + 0.5), abs=1e-3)
    assert Ranked("any", (None,)).reciprocal() == 0.0
