"""How often something came up counts what was told, even where it begins like a question."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]
FIRST = datetime(2026, 11, 14, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Do you know, Gerald rang today.",
        "Would you believe it, Gerald rang.",
        "Can you imagine, Gerald is eighty!",
        "Will you remember that Gerald comes on Sunday.",
        "Remind me to ring Gerald.",
        "It was Gerald, wasn't it?",
        "I saw Gerald today, isn't that nice?",
        "Did I tell you Gerald fell off the ladder?",
        "Find me a gift for Gerald, he turns eighty.",
    ],
)
def test_what_tells_of_somebody_is_a_mention_however_it_begins(
    alice: User, talk: Talks, text: str
) -> None:
    tell(alice, text, said_at=FIRST)
    tell(alice, "Gerald's knee is bad again.", said_at=FIRST + timedelta(days=3))
    assert talk().say("How often have I mentioned Gerald?").content.startswith("Twice")
    assert "14 November 2026" in talk().say("When did I first mention Gerald?").content


@pytest.mark.parametrize(
    "text", ["Who is Gerald?", "what did I say about Gerald", "Show my notes on Gerald"]
)
def test_a_question_to_the_assistant_is_still_no_mention(
    alice: User, talk: Talks, text: str
) -> None:
    tell(alice, text, said_at=FIRST)
    tell(alice, "Gerald's knee is bad again.", said_at=FIRST + timedelta(days=3))
    assert talk().say("How often have I mentioned Gerald?").content.startswith("Once")
