"""What several tests of conversations stand on."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.utils.timezone import now
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from conversations.tools.tool import ToolContext
from memory.language.reader.network import Network, ReadText
from tests.conversations.looking import FIRST_DAY, KEYS, MOVED
from tests.conversations.tooling import SECRET, private_talk, talk_of
from tests.fakes.model_server import ModelServer, Script, Serve
from tests.people import tell


@pytest.fixture
def sailing(alice: User) -> Conversation:
    """A talk of Alice's about sailing, and another about bread."""
    message = tell(alice, "I booked the sailing course in Kiel for 3 May, it costs 400 euros.")
    tell(alice, "We decided to sail with Johanna on the blue boat.", message.conversation)
    tell(alice, "I bake sourdough bread every Sunday.")
    return talk_of(alice, message)


@pytest.fixture
def secret(alice: User) -> Conversation:
    return private_talk(alice, f"I plan a sailing trip to {SECRET} in June with my sister.")


@pytest.fixture
def inside(alice: User) -> Iterator[ToolContext]:
    with acting_as(alice):
        yield ToolContext(alice.pk, now())


@pytest.fixture(autouse=True)
def _keys_are_left_to_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """These stand for all that a model alone can read: the trained reader finds nothing there."""
    read = Network.read

    def read_others(
        reader: Network, text: str, sentences: Sequence[tuple[int, int]], context: str = ""
    ) -> ReadText:
        for_a_model = any(one in text for one in (FIRST_DAY, KEYS, MOVED))
        return ReadText((), ()) if for_a_model else read(reader, text, sentences, context)

    monkeypatch.setattr(Network, "read", read_others)


@pytest.fixture
def serve(settings: Settings) -> Iterator[Serve]:
    """Start a model with this script and point the product at it; short waits, no second try,
    unless settings are given that say otherwise.
    """
    started: list[ModelServer] = []
    settings.OPENAI_API_KEY, settings.CHAT_MODEL = "key-for-tests", "small"
    settings.MODEL_CONNECT_TIMEOUT = settings.MODEL_READ_TIMEOUT = 5.0
    settings.MODEL_RETRIES = 0

    def start(script: Script | str, **changes: Any) -> ModelServer:
        server = ModelServer(script).__enter__()
        started.append(server)
        settings.OPENAI_BASE_URL = server.url
        for name, value in changes.items():
            setattr(settings, name, value)
        return server

    yield start
    for server in started:
        server.__exit__()
