"""What was talked about in a stretch of time, and a long talk in short."""

from collections.abc import Callable
from datetime import timedelta

from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from tests.people import Talk, tell

Talks = Callable[..., Talk]


def said(user: User, title: str, *texts: str, days_ago: int = 0) -> Conversation:
    at = now() - timedelta(days=days_ago)
    with acting_as(user):
        talk = Conversation.objects.create(user=user, title=title, started_at=at, last_at=at)
    for place, text in enumerate(texts):
        tell(user, text, talk, said_at=at + timedelta(seconds=place))
    return talk


def test_a_stretch_of_time_is_told_by_its_weightiest_talks_and_the_rest_is_counted(
    alice: User, talk: Talks
) -> None:
    said(alice, "The move", "I signed the lease for the flat in Leipzig on 1 March.", days_ago=9)
    said(alice, "The job", "I start my new job as a nurse at the Charité in May.", days_ago=6)
    said(alice, "The note", "note it anyway")
    for number in range(6):
        said(alice, f"Chat {number}", "It rains a little.")
    told = talk().say("What did we talk about in the last two weeks?").content
    assert "[The move]" in told
    assert "[The job]" in told
    assert "note it anyway" not in told
    assert "And 3 more" in told
    assert f"until={localdate()}" in told


def test_a_long_talk_is_summed_up_by_its_kept_summary_and_what_came_after(
    alice: User, talk: Talks
) -> None:
    long = said(
        alice,
        "The move",
        "I decided to go with Elbe Movers for the move.",
        "The move is on 2 December 2030.",
        "The deposit for the move is 3000 euros.",
        days_ago=2,
    )
    with acting_as(alice):
        Conversation.objects.filter(pk=long.pk).update(
            compacted_up_to=2,
            compact_summary="What was decided\n"
            "- 20 November 2026, message 1: You decided to go with Elbe Movers for the move\n\n"
            "Days, in order\n- 2 December 2030, message 2: The move is on 2 December 2030",
        )
    told = talk().say("Sum up our talk about the move").content
    for part in ("Elbe Movers", "2 December 2030", "3000 euros"):
        assert part in told


def test_a_kept_summary_tells_elsewhere_nothing_that_was_said_in_confidence(
    alice: User, talk: Talks
) -> None:
    long = said(alice, "The move", "I go with Elbe Movers for the move.", "I have cancer, we move.")
    with acting_as(alice):
        Conversation.objects.filter(pk=long.pk).update(
            compacted_up_to=2,
            compact_summary="What it was about\nCancer\n\nWhat was told\n"
            "- 20 November 2026, message 1: You go with Elbe Movers for the move\n"
            "- 20 November 2026, message 2: You have cancer, you move\n"
            "- 20 November 2026: The cancer is known",
        )
    told = talk().say("Sum up our talk about the move").content
    assert "Elbe Movers" in told
    assert "ancer" not in told
