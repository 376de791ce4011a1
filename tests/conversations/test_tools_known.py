"""Tools about facts, numbers and all of it: what they tell, and to whom."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation
from memory.models import Memory, ProfileFact
from tests.conversations.tooling import (
    call,
    talk_of,
    told,
)
from tests.people import Talk, dispute, tell

pytestmark = pytest.mark.django_db


# --- Facts ----------------------------------------------------------------------------------------


def test_facts_are_found_by_slot_by_words_and_by_question(alice: User) -> None:
    message = tell(alice, "I work at Initech and I live in Lisbon.")
    for wanted in (
        {"slots": ["employer"]},
        {"query": "work"},
        {"query": "Initech"},
        {"query": "Where do I work?"},
    ):
        (fact,) = call(alice, "find_personal_variables", **wanted).facts
        assert (fact.value, fact.sentence) == ("Initech", "Works at Initech")
        assert fact.said_in.id == message.conversation_id
        assert fact.said_at == message.get_absolute_url()
        assert fact.link.endswith(f"#fact-{fact.id}")
        assert (fact.times_said, fact.disputed, fact.gives_way) == (1, False, False)
    everything = call(alice, "find_personal_variables")
    assert {fact.slot for fact in everything.facts} == {"employer", "location"}
    assert everything.in_words() == "2 facts"
    few = call(alice, "find_personal_variables", limit=1)
    assert (len(few.facts), few.total) == (1, 2)
    assert call(alice, "find_personal_variables", query="tortoise").in_words() == "nothing found"


def test_a_disputed_fact_says_so_and_what_stands_against_it(alice: User) -> None:
    dispute(alice)
    (fact,) = call(alice, "find_personal_variables", slots=["employer"]).facts
    assert fact.disputed
    assert fact.against == ["Works at Microsoft"]
    assert fact.trust_in_words == "Disputed"


def test_what_holds_in_one_conversation_is_told_in_it_alone(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "Call me Alice")
    one = talk()
    one.say("call me Tortuga in this chat")
    inside = call(alice, "find_personal_variables", here=one.conversation)
    assert [held.value for held in inside.here_only] == ["Tortuga"]
    assert "Tortuga" not in told(call(alice, "find_personal_variables"))


def test_a_fact_of_before_is_told_when_it_is_asked_for(alice: User) -> None:
    tell(alice, "I work at Initech")
    with acting_as(alice):
        ProfileFact.objects.update(status="past", valid_to=now())
    assert call(alice, "find_personal_variables", slots=["employer"]).facts == []
    (fact,) = call(alice, "find_personal_variables", slots=["employer"], past=True).facts
    assert fact.until is not None
    assert fact.sentence == "Worked at Initech"


def test_a_fact_from_a_conversation_that_became_private_names_it_no_more(alice: User) -> None:
    message = tell(alice, "I live in Lisbon.")
    there = talk_of(alice, message)
    with acting_as(alice):
        privacy.choose(there, "private")
    (fact,) = call(alice, "find_personal_variables").facts
    assert (fact.value, fact.said_in, fact.said_at) == ("Lisbon", None, "")
    (fact,) = call(alice, "find_personal_variables", here=there).facts
    assert fact.said_in.id == there.pk


# --- Numbers, and all of it -----------------------------------------------------------------------


def test_insights_count_what_is_kept_and_how_it_grew(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    with acting_as(alice):
        old = Conversation.objects.create(
            user=alice, started_at=now() - timedelta(days=70), archived_at=now()
        )
        notes = Memory.objects.active().count()
    told = call(alice, "memory_insights", months=6)
    assert (told.conversations, told.private, told.archived) == (4, 1, 1)
    assert (told.from_person, told.from_assistant) == (4, 0)
    assert told.notes == notes > 0
    assert told.first_at == old.started_at
    assert len(told.months) == 6
    assert told.months == sorted(told.months, key=lambda month: month.month)
    assert told.months[-1].month == now().date().replace(day=1)
    assert (told.months[-1].conversations, told.months[-1].messages) == (3, 4)
    assert sum(month.conversations for month in told.months) == 4
    assert told.in_words().endswith("4 conversations")


def test_an_export_holds_facts_notes_timeline_and_the_list_of_conversations(
    alice: User, sailing: Conversation, secret: Conversation
) -> None:
    tell(alice, "I work at Initech")
    made = call(alice, "memory_export")
    assert [fact.value for fact in made.profile if fact.slot == "employer"] == ["Initech"]
    assert any("sailing" in note.text.lower() for note in made.notes)
    assert any(strand.sentence.startswith("Employer: Initech") for strand in made.timeline)
    assert sailing.pk in {talk.id for talk in made.conversations}
    assert (made.private_conversations, made.left_out) == (1, {})
    assert made.links["profile"] == "/notebook/profile/"
    json.loads(told(made))


def test_an_export_is_bounded_and_says_where_the_rest_is(
    alice: User, sailing: Conversation
) -> None:
    made = call(alice, "memory_export", parts=["conversations"], limit=1)
    assert (len(made.conversations), made.profile, made.notes) == (1, [], [])
    assert made.left_out == {"conversations": 1}
    assert made.more == {"conversations": "/api/v1/conversations"}
