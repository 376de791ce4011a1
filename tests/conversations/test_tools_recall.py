"""Tools that find what was said, by words and by time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils.timezone import now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolContext, ToolRefused
from memory.notes import note_store
from tests.conversations.tooling import call, past
from tests.people import Talk

pytestmark = pytest.mark.django_db


def test_recall_finds_messages_and_notes_with_dates_links_and_reasons(
    alice: User, sailing: Conversation
) -> None:
    with acting_as(alice):
        note_store.write_by_hand(alice.pk, "Sailing needs a licence")
    found = call(alice, "recall_memories", query="What about the sailing course?").found
    message = next(one for one in found if "Kiel" in one.text)
    assert message.kind == "message"
    assert message.speaker == "person"
    assert message.conversation.id == sailing.pk
    assert message.link.startswith(sailing.get_absolute_url())
    assert {"s", "rho", "w", "R", "meaning"} <= message.why.keys()
    (note,) = [one for one in found if one.kind == "note"]
    assert note.text == "Sailing needs a licence"
    assert note.link.endswith(f"#memory-{note.id}")
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert not any("sourdough" in one.text for one in found)
    assert len(call(alice, "recall_memories", query="sailing course", limit=1).found) == 1


def test_recall_with_a_time_finds_what_was_said_then(alice: User) -> None:
    at = now()
    old = past(alice, "I sailed around Bornholm.", at - timedelta(days=40))
    older = past(alice, "I painted the kitchen blue.", at - timedelta(days=45))
    new = past(alice, "I sailed to Kiel.", at)
    since, until = at - timedelta(days=50), at - timedelta(days=30)

    def messages(**more: Any) -> list[UUID]:
        found = call(alice, "recall_memories_with_time", **more).found
        return [one.id for one in found if one.kind == "message"]

    assert messages(since=since, until=until) == [old.pk, older.pk]
    assert messages(since=since, until=until, order="oldest") == [older.pk, old.pk]
    assert messages(since=since, until=until, query="sailed") == [old.pk]
    assert messages(since=since.date(), until=until.date(), query="sail", order="best") == [old.pk]
    assert messages(when="today") == [new.pk]
    assert messages(when="today", query="kitchen") == []
    assert messages(since=since, said_by="assistant") == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_a_tool_is_called_with_is_answered_or_refused_in_words(
    inside: ToolContext, data: st.DataObject
) -> None:
    tool = registry.tools()[data.draw(st.sampled_from(sorted(registry.tools())))]
    names = st.sampled_from([*tool.schema()["properties"], "other"])
    arguments = data.draw(st.dictionaries(names, JSON | st.text(max_size=60), max_size=3))
    with suppress(ToolRefused):
        result = registry.call(inside, tool.name, arguments)
        assert registry.in_words(result)
        assert result.model_dump_json()


def test_an_answer_that_repeats_a_confidence_is_told_of_in_its_own_conversation_alone(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    message = here.say("I was diagnosed with lymphoma by doctor Brzezinski last week.")
    here.say("What was I diagnosed with last week?")
    there = talk().say("Hello there").conversation
    with acting_as(alice):
        for name, words in (
            ("recall_memories", {"query": "lymphoma diagnosed", "said_by": "anyone"}),
            ("search_conversations", {"query": "lymphoma"}),
            ("recall_memories_with_time", {"when": "today", "said_by": "anyone"}),
        ):
            asking = ToolContext(alice.pk, now(), there.pk)
            assert "Brzezinski" not in registry.call(asking, name, words).model_dump_json()
        question = Message.objects.get(conversation=message.conversation, number=1)
        with pytest.raises(ToolRefused):
            registry.foresee(
                ToolContext(alice.pk, now(), there.pk),
                "forget_message",
                {"message_id": question.pk},
            )
