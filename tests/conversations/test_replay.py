"""Playing recorded dialogues: dated, and twice without adding anything."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome
from conversations.replay import Dialogue, load, play
from tests.people import values

pytestmark = pytest.mark.django_db

DAILY = {
    "Nick": {
        "history": {
            "2023-05-01": [
                {"query": "I'm Nick and I work at Google", "response": "Hello, Nick."},
                {"query": "I enjoy hiking", "response": "How lovely."},
            ],
            "2023-05-03": [{"query": "I speak German", "response": "Wie schön."}],
        }
    }
}


@pytest.fixture
def dialogue(tmp_path: Path) -> Dialogue:
    path = tmp_path / "dialogues.json"
    path.write_text(json.dumps(DAILY))
    (loaded,) = load(path)
    return loaded


def test_daily_exchanges_become_a_dated_conversation_each(alice: User, dialogue: Dialogue) -> None:
    assert (dialogue.name, dialogue.user_speaker, dialogue.count) == ("Nick", "Nick", 6)
    list(play(dialogue, alice))
    with acting_as(alice):
        first, second = Conversation.objects.order_by("started_at")
        assert (first.title, second.title) == ("Nick, 2023-05-01", "Nick, 2023-05-03")
        said = list(first.messages.order_by("number"))
        assert not LearningOutcome.objects.exclude(message__role="user").exists()
    assert [(m.number, m.role) for m in said] == [
        (1, "user"), (2, "assistant"), (3, "user"), (4, "assistant"),
    ]  # fmt: skip
    assert said[0].said_at == datetime(2023, 5, 1, 9, tzinfo=UTC)
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "interests") == {"hiking"}
    assert values(alice, "languages") == {"German"}


@pytest.mark.parametrize("turns", [1, 3, 6])
def test_playing_again_adds_only_what_is_missing(
    alice: User, dialogue: Dialogue, turns: int
) -> None:
    playing = play(dialogue, alice)
    for _ in range(turns):
        next(playing)
    playing.close()
    *_, last = play(dialogue, alice)
    assert last.added == dialogue.count - turns
    with acting_as(alice):
        assert [c.last_number for c in Conversation.objects.order_by("started_at")] == [4, 2]
