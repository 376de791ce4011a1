"""The product with a real small language model: `make test-model`. However weak it is."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.attacks.borne_out import unborne
from conversations.learning import listening_runs
from conversations.models import Conversation, Message
from conversations.turns import answer_writer, turn
from memory.models import Memory
from tests.people import tell
from tests.personas import test_story as story
from tests.personas.test_story import people

__all__ = ["people"]

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-model" / "bin" / "python"
WINDOW = 4096

pytestmark = [
    pytest.mark.skipif("REAL_MODEL" not in os.environ, reason="make test-model runs it"),
    pytest.mark.skipif(not PYTHON.exists(), reason="not installed: make model installs it"),
    pytest.mark.django_db,
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with the model, loaded."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PYTHON, ROOT / "benchmarks/support/small_model.py", "--port", str(port)]
    server = subprocess.Popen([*command, "--context", str(WINDOW)], stdout=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 120
        while not _is_ready(base):
            assert server.poll() is None, "The model's server ended by itself."
            assert time.monotonic() < until, "The model was not loaded in time."
            time.sleep(0.5)
        yield f"{base}/v1"
    finally:
        server.kill()
        server.wait()


def _is_ready(base: str) -> bool:
    try:
        with urlopen(f"{base}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


@pytest.fixture
def small(address: str, settings: Settings) -> None:
    settings.OPENAI_BASE_URL, settings.CHAT_MODEL = address, "smollm2"
    settings.MODEL_TRUST = "strict"
    settings.MODEL_MAX_TOKENS, settings.MODEL_ANSWER_SECONDS = 16, 300.0
    settings.MODEL_READ_TIMEOUT, settings.BACKGROUND_SECONDS = 300.0, 300.0
    settings.MEMORY = settings.MEMORY | {"reflection_delay": 0.0}


def ask(user: User, text: str, talk: Conversation | None = None) -> Message:
    exchange = turn.begin(user, talk, text)
    *_, last = turn.fill(user.pk, exchange.answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer


def test_what_is_known_is_right_and_forgotten_at_a_word_whatever_it_would_say(
    alice: User, small: None
) -> None:
    talk = tell(alice, "My name is Ida Lund. I like jazz.").conversation
    assert "Ida Lund" in ask(alice, "What is my name?", talk).content
    assert ask(alice, "Forget that I like jazz.", talk).steps[0]["state"] == "asked"
    assert "Done" in ask(alice, "yes", talk).content


def test_no_active_note_says_what_was_not_said(alice: User, small: None) -> None:
    text = "I don't eat fish, and my sister moved to Lisbon last spring."
    message = tell(alice, text)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
    work.do_waiting_work()
    with acting_as(alice):
        notes = Memory.objects.for_user(alice.pk).active().filter(source="reflection")
        assert [note.content for note in notes if unborne(note.content, text)] == []


@pytest.mark.django_db(transaction=True)
def test_of_three_people_of_one_role_nothing_personal_crosses_whatever_it_writes(
    people: tuple[User, User, User],
    small: None,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.BACKGROUND_SECONDS = 20.0
    alice, bob, carol = people
    story.joins(alice)
    story.works(alice, *story.DAY_1)
    story.joins(bob)
    assert story.NEXT not in story.read_by(bob)
    story.staff_release(story.NEXT)

    answers = story.works(bob, *story.DAY_2)
    for_bob = "\n".join(f"{one.content}{story.prompt_of(one)}" for one in answers)
    assert story.NEXT in for_bob
    assert story.words_of(story.ALICE, for_bob + story.read_by(bob)) == []

    story.joins(carol)
    answers = story.works(carol, story.DAY_3)
    for_carol = "\n".join(f"{one.content}{story.prompt_of(one)}" for one in answers)
    assert story.NEXT in for_carol
    everybody = (*story.ALICE, *story.BOB)
    assert story.words_of(everybody, for_carol + story.read_by(carol)) == []
    assert story.words_of(everybody, caplog.text) == []
