"""Tools about conversations and their topics."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from memory.models import Memory
from memory.notes import note_store
from tests.conversations.tooling import SECRET, about, call, talk_of, told
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db


# --- Conversations --------------------------------------------------------------------------------


def test_conversations_are_listed_by_title_and_time_those_put_away_on_demand(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    with acting_as(alice):
        Conversation.objects.filter(pk=sailing.pk).update(title="The blue boat", archived_at=now())
        long_ago = Conversation.objects.create(
            user=alice,
            title="Boat prices",
            started_at=now() - timedelta(days=400),
            last_at=now() - timedelta(days=400),
        )
    listed = call(alice, "get_user_conversations")
    assert (len(listed.conversations), listed.total, listed.private) == (2, 2, 1)
    assert sailing.pk not in {one.id for one in listed.conversations}
    boats = call(alice, "get_user_conversations", title="boat", archived=True)
    assert [one.id for one in boats.conversations] == [sailing.pk, long_ago.pk]
    assert boats.conversations[0].archived
    assert boats.conversations[0].link == sailing.get_absolute_url()
    today = call(alice, "get_user_conversations", when="today", archived=True)
    assert (today.total, today.in_words()) == (2, "2 conversations")
    before = call(alice, "get_user_conversations", until=now() - timedelta(days=300))
    assert [one.id for one in before.conversations] == [long_ago.pk]
    inside = call(alice, "get_user_conversations", here=secret)
    assert (inside.total, inside.private) == (3, 0)


def test_a_private_title_cannot_be_guessed_by_counting(alice: User, secret: Conversation) -> None:
    counts = {
        call(alice, "get_user_conversations", title=word).private for word in (SECRET, "Nowhere")
    }
    assert counts == {1}


def test_details_tell_counts_dates_and_topics(
    alice: User, talk: Callable[..., Talk], sailing: Conversation
) -> None:
    one = talk()
    one.say("I booked the sailing course in Kiel for 3 May.")
    one.say("What else?")
    assert one.conversation is not None
    about(alice, one.conversation, "Sailing course")
    with acting_as(alice):
        Message.objects.filter(conversation=one.conversation, number=3).update(
            state=Message.State.REMOVED, content=""
        )
    found = call(alice, "get_conversation_details", conversation_id=str(one.conversation.pk))
    assert (found.messages, found.from_person, found.from_assistant) == (3, 1, 2)
    assert (found.taken_out, found.first_number, found.last_number) == (1, 1, 4)
    assert [topic.name for topic in found.topics] == ["Sailing course"]
    assert found.conversation.link == one.conversation.get_absolute_url()
    assert found.in_words() == "3 messages"


def test_a_summary_is_made_of_what_says_most_where_none_is_kept(
    alice: User, sailing: Conversation
) -> None:
    found = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert "Kiel" in found.summary
    assert (found.made, found.up_to, found.since_then) == ("now", 2, [])


def test_the_summary_of_inside_is_told_inside_with_what_was_said_since(
    alice: User, sailing: Conversation
) -> None:
    with acting_as(alice):
        Conversation.objects.filter(pk=sailing.pk).update(
            compact_summary=f"Kiel is a pretext for {SECRET}.", compacted_up_to=1
        )
    inside = call(alice, "get_conversation_summary", here=sailing)
    assert SECRET in inside.summary
    assert (inside.made, inside.up_to) == ("summary", 1)
    assert any("Johanna" in sentence for sentence in inside.since_then)
    outside = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert SECRET not in told(outside)
    details = call(alice, "get_conversation_details", conversation_id=sailing.pk)
    assert SECRET not in told(details)


def test_a_summary_leaves_out_what_was_taken_back(alice: User, sailing: Conversation) -> None:
    with acting_as(alice):
        for note in Memory.objects.active().filter(content__icontains="Kiel"):
            note_store.remove_note(note)
    found = call(alice, "get_conversation_summary", conversation_id=sailing.pk)
    assert "Kiel" not in found.summary


# --- Topics ---------------------------------------------------------------------------------------


def test_topics_lead_to_conversations_and_back(alice: User, sailing: Conversation) -> None:
    about(alice, sailing, "Sailing course", messages=2)
    other = talk_of(alice, tell(alice, "The sailing course starts at noon."))
    about(alice, other, "Sailing course", messages=1)
    about(alice, other, "Noon")
    of_one = call(alice, "get_topics_by_conversation", conversation_id=other.pk)
    assert {topic.name for topic in of_one.topics} == {"Sailing course", "Noon"}
    for name in ("Sailing course", "sailing courses", "SAILING"):
        found = call(alice, "get_conversations_by_topic", topic=name)
        assert found.found_by == "topic"
        assert {one.conversation.id for one in found.conversations} == {sailing.pk, other.pk}
    counted = call(alice, "get_topic_statistics")
    assert [(t.name, t.conversations, t.messages) for t in counted.topics] == [
        ("Sailing course", 2, 3),
        ("Noon", 1, 2),
    ]
    assert counted.in_words() == "2 topics"


def test_topics_are_narrowed_by_time(alice: User, sailing: Conversation) -> None:
    about(alice, sailing, "Sailing course")
    assert call(alice, "get_topic_statistics", when="last year").total == 0
    assert call(alice, "get_topic_statistics", since="today").total == 1
    assert call(alice, "get_conversations_by_topic", topic="sailing", when="last year").total == 0


def test_where_no_topic_has_the_name_its_words_are_looked_for(
    alice: User, sailing: Conversation
) -> None:
    found = call(alice, "get_conversations_by_topic", topic="sourdough")
    assert (found.found_by, found.total) == ("words", 1)
    assert found.conversations[0].conversation.id != sailing.pk


def test_a_word_that_nobody_said_is_stood_in_for_by_one_like_it(
    alice: User, sailing: Conversation
) -> None:
    trip = tell(alice, "The trip to Bornholm took two weeks.")
    found = call(alice, "get_conversations_by_topic", topic="travel")
    assert [one.conversation.id for one in found.conversations] == [trip.conversation_id]
    said = tell(alice, "I want to travel light.")
    found = call(alice, "get_conversations_by_topic", topic="travel")
    assert [one.conversation.id for one in found.conversations] == [said.conversation_id]
