"""What several tests of conversations stand on."""

from collections.abc import Iterator

import pytest
from django.utils.timezone import now

from accounts.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from conversations.tools.table import Asking
from tests.conversations.tooling import SECRET, private_talk, talk_of
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
def inside(alice: User) -> Iterator[Asking]:
    with acting_as(alice):
        yield Asking(alice.pk, now())
