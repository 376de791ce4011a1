"""Playing recorded dialogues: both shapes, dated, twice without adding anything."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome, Message
from conversations.replay import Dialogue, NotADialogue, load, play
from memory.models import Mention
from tests.people import let_time_pass, values

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
TWO_PEOPLE = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Caroline",
            "speaker_b": "Melanie",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Caroline", "dia_id": "D1:1", "text": "I work at Google"},
                {"speaker": "Melanie", "dia_id": "D1:2", "text": "I work at Microsoft"},
            ],
            "session_10_date_time": "9:01 am on 2 June, 2023",
            "session_10": [
                {
                    "speaker": "Caroline",
                    "dia_id": "D10:1",
                    "text": "Look!",
                    "blip_caption": "a red bicycle",
                }
            ],
            "session_2_date_time": "12:30 am on 20 May, 2023",
            "session_2": [{"speaker": "Melanie", "dia_id": "D2:1", "text": "I enjoy painting"}],
        },
    }
]
Write = Callable[[Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(content: Any) -> Path:
        path = tmp_path / "dialogues.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return to_file


def play_all(dialogue: Dialogue, user: User) -> list[Any]:
    return list(play(dialogue, user))


def counts(user: User) -> tuple[int, ...]:
    with acting_as(user):
        return tuple(m.objects.count() for m in (Conversation, Message, LearningOutcome, Mention))


def test_daily_exchanges_become_a_dated_conversation_each(alice: User, write: Write) -> None:
    (dialogue,) = load(write(DAILY))
    assert (dialogue.name, dialogue.user_speaker, dialogue.count) == ("Nick", "Nick", 6)
    play_all(dialogue, alice)
    with acting_as(alice):
        first, second = Conversation.objects.order_by("started_at")
        assert (first.title, second.title) == ("Nick, 2023-05-01", "Nick, 2023-05-03")
        said = list(first.messages.order_by("number"))
    assert [(m.number, m.role) for m in said] == [
        (1, "user"), (2, "assistant"), (3, "user"), (4, "assistant"),
    ]  # fmt: skip
    assert said[0].said_at == datetime(2023, 5, 1, 9, tzinfo=UTC)
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "interests") == {"hiking"}
    assert values(alice, "languages") == {"German"}


@pytest.mark.parametrize(
    ("speaker", "employer"), [("", "Google"), ("Melanie", "Microsoft"), ("Nobody", "Google")]
)
def test_only_what_the_person_says_is_learned_from(
    alice: User, write: Write, speaker: str, employer: str
) -> None:
    (dialogue,) = load(write(TWO_PEOPLE), speaker=speaker)
    play_all(dialogue, alice)
    assert values(alice, "employer") == {employer}
    with acting_as(alice):
        assert LearningOutcome.objects.exclude(message__role="user").count() == 0


def test_sessions_follow_their_numbers_and_pictures_say_what_they_show(
    alice: User, write: Write
) -> None:
    (dialogue,) = load(write(TWO_PEOPLE))
    assert [session.turns[0].at.isoformat() for session in dialogue.sessions] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-20T00:30:00+00:00",
        "2023-06-02T09:01:00+00:00",
    ]
    assert dialogue.sessions[2].turns[0].text == "Look! [shares a picture: a red bicycle]"


@pytest.mark.parametrize("content", [DAILY, TWO_PEOPLE], ids=["daily", "two people"])
def test_playing_twice_adds_nothing(alice: User, write: Write, content: Any) -> None:
    (dialogue,) = load(write(content))
    first = play_all(dialogue, alice)
    before = counts(alice)
    second = play_all(dialogue, alice)
    assert counts(alice) == before
    assert (first[-1].added, second[-1].added) == (dialogue.count, 0)


@pytest.mark.parametrize("turns", [1, 2, 3, 5])
def test_playing_on_after_an_interruption_completes_it(
    alice: User, write: Write, turns: int
) -> None:
    (dialogue,) = load(write(DAILY))
    playing = play(dialogue, alice)
    for _ in range(turns):
        next(playing)
    playing.close()
    *_, last = play(dialogue, alice)
    assert last.added == dialogue.count - turns
    with acting_as(alice):
        assert [c.last_number for c in Conversation.objects.order_by("started_at")] == [4, 2]


def test_a_message_kept_but_not_yet_learned_from_when_playing_stopped_is_learned_from(
    alice: User, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dialogue,) = load(write(DAILY))

    def killed(_: Message) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as first:
        first.setattr("conversations.replay.message_learning.learn_now", killed)
        with pytest.raises(KeyboardInterrupt):
            play_all(dialogue, alice)
    play_all(dialogue, alice)
    let_time_pass(alice)
    work.do_waiting_work()
    assert values(alice, "employer") == {"Google"}


def test_progress_counts_every_turn(alice: User, write: Write) -> None:
    (dialogue,) = load(write(DAILY))
    seen = play_all(dialogue, alice)
    assert [step.done for step in seen] == [1, 2, 3, 4, 5, 6]
    assert {step.total for step in seen} == {6}
    assert seen[-1].session == "Nick, 2023-05-03"


def test_the_same_dialogue_in_two_accounts_is_two_dialogues(
    alice: User, bob: User, write: Write
) -> None:
    (dialogue,) = load(write(DAILY))
    play_all(dialogue, alice)
    assert play_all(dialogue, bob)[-1].added == dialogue.count
    assert counts(alice) == counts(bob)


def test_turns_that_no_message_may_be_are_mended_or_left_out(alice: User, write: Write) -> None:
    exchanges = [
        {"query": "I work at\u0000 Google", "response": "  "},
        {"query": "x" * 30_000, "response": "\u0007"},
    ]
    (dialogue,) = load(write({"Nick": {"history": {"2023-05-01": exchanges}}}))
    assert [len(turn.text) for turn in dialogue.sessions[0].turns] == [16, 20_000]
    play_all(dialogue, alice)
    assert values(alice, "employer") == {"Google"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not json", "is not a JSON file"),
        ({"Nick": {"history": {"yesterday": []}}}, "has a format that isn’t recognised"),
        ({"Nick": {"history": {"2023-05-01": [{"query": "Hi"}]}}}, "format that isn’t recognised"),
        ({"Nick": {"history": []}}, "a format that isn’t recognised"),
        ([{"sample_id": "x"}], "has a format that isn’t recognised"),
        ("null", "a format that isn’t recognised"),
        ({}, "contains no dialogues"),
        ({"Nick": {"other": 1}}, "contains no dialogues"),
    ],
)
def test_an_unknown_shape_says_so(write: Write, content: Any, words: str) -> None:
    with pytest.raises(NotADialogue, match=words):
        load(write(content))


def command(*args: str) -> str:
    out = StringIO()
    call_command("replay", *args, stdout=out)
    return out.getvalue()


def test_the_command_says_what_it_plays_and_what_came_of_it(alice: User, write: Write) -> None:
    said = command(str(write(DAILY)), "--user", "ALICE@example.org")
    assert "Replaying Nick: 2 sessions, 6 messages; Nick is alice@example.org." in said
    assert "Added 6 messages; 6 in all." in said
    assert "2 conversations, 6 messages, 4 facts, 0 open conflicts." in said


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--user", "nobody@example.org"], "There is no account with the address"),
        (["--user", "alice@example.org", "--only", "Somebody"], "Choose one with --only: Nick"),
    ],
)
def test_the_command_says_what_is_missing(
    alice: User, write: Write, args: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        command(str(write(DAILY)), *args)
    with pytest.raises(CommandError, match="I cannot read"):
        command("/nonexistent.json", "--user", "alice@example.org")
