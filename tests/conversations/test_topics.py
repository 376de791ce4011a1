"""Topics of conversations: found by the worker, kept for nobody who keeps to themselves."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils.timezone import localtime, now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User, Work
from conversations import llm, privacy
from conversations.learning import message_learning
from conversations.llm import ModelFailure
from conversations.messages import NewMessage
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.topics import topic_detection, topic_store
from conversations.turns import turn
from tests.people import let_time_pass, tell

CHOIR = (
    "The chamber choir meets again on Sunday",
    "We sing Bach in the chamber choir",
    "I bought a new score for the chamber choir",
    "It rained on the way home",
)
BOATS = (
    "The rowing boat has a leak",
    "I patched the rowing boat with tar",
    "My brother wants to sell the rowing boat",
    "It rained all day",
)


def talk_of(user: User, *texts: str, **changes: object) -> Conversation:
    """A conversation of one day: these things were said an hour apart, and learned from."""
    with acting_as(user):
        conversation = Conversation.objects.create(user=user, **changes)
    # From ten in the morning: it ends on the day on which it began, whatever the hour is now.
    begun = localtime().replace(hour=10, minute=0, second=0, microsecond=0) - timedelta(days=3)
    for hour, text in enumerate(texts):
        tell(user, text, conversation, said_at=begun + timedelta(hours=hour))
    return conversation


def look_at(user: User, conversation: Conversation) -> None:
    """The worker's look, whether it is due or not."""
    with acting_as(user):
        topic_store.look_soon(user, conversation.pk, delay=60)
    let_time_pass(user, kind=topic_store.KIND)
    held = work.claim(user.pk, topic_store.KIND, conversation.pk)
    assert held is not None
    topic_detection.read_for(held)


def topics_of(user: User, conversation: Conversation) -> list[str]:
    with acting_as(user):
        return [one.name for one in topic_store.of_conversation(user.pk, conversation.pk)]


@pytest.fixture
def choir(alice: User) -> Conversation:
    conversation = talk_of(alice, *CHOIR)
    look_at(alice, conversation)
    return conversation


def test_a_conversation_learns_what_it_is_about(alice: User, choir: Conversation) -> None:
    with acting_as(alice):
        (found,) = topic_store.of_conversation(alice.pk, choir.pk)
        choir.refresh_from_db()
    assert (found.name, found.messages, found.weight) == ("Chamber choir", 3, 0.75)
    assert found.last_at - found.first_at == timedelta(hours=2)
    assert choir.topics_up_to == 4


def test_it_is_asked_for_once_there_is_enough_to_look_at(alice: User) -> None:
    conversation = talk_of(alice, *CHOIR)
    with acting_as(alice):
        assert not Work.objects.filter(kind=topic_store.KIND).exists()
    for text in (*BOATS[:3],):
        tell(alice, text, conversation)
    with acting_as(alice):
        waiting = Work.objects.get(kind=topic_store.KIND)
        assert waiting.subject == conversation.pk
        assert waiting.run_after <= now() + timedelta(seconds=topic_store.SOON)


def test_a_private_conversation_has_no_topics(alice: User) -> None:
    conversation = talk_of(alice, *CHOIR, privacy=Conversation.Privacy.PRIVATE)
    look_at(alice, conversation)
    with acting_as(alice):
        assert not Topic.objects.exists()


def test_a_conversation_that_becomes_private_loses_its_topics(
    alice: User, choir: Conversation
) -> None:
    with acting_as(alice):
        privacy.choose(choir, "private")
        assert not Topic.objects.exists()
        assert not ConversationTopic.objects.exists()


def test_one_that_becomes_private_while_it_is_looked_at_gets_none(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = talk_of(alice, *CHOIR)
    keep = topic_detection._keep

    def keep_late(held: work.Claim, look: topic_detection._Look) -> None:
        assert look.keyphrases
        with acting_as(alice):
            privacy.choose(Conversation.objects.get(pk=conversation.pk), "private")
        keep(held, look)

    monkeypatch.setattr(topic_detection, "_keep", keep_late)
    look_at(alice, conversation)
    with acting_as(alice):
        assert not Topic.objects.exists()


def answer(user: User, text: str, conversation: Conversation) -> None:
    """What a recorded dialogue's other side says."""
    message_learning.learn_now(
        turn.record(user, conversation, NewMessage(Message.Role.ASSISTANT, text, author="Zora"))
    )


def test_confidential_messages_and_answers_to_them_feed_no_topic(alice: User) -> None:
    conversation = talk_of(alice)
    for text in CHOIR:
        tell(alice, text, conversation)
        answer(alice, f"Tell me more. {text}", conversation)
    with acting_as(alice):
        Message.objects.filter(conversation=conversation, role="user").update(confidential=True)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == []
    with acting_as(alice):
        Message.objects.filter(conversation=conversation).update(confidential=False)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == ["Chamber choir"]


def test_with_memory_off_nothing_is_found(alice: User) -> None:
    conversation = talk_of(alice, *CHOIR)
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == []


def test_what_was_said_while_memory_was_off_is_not_made_up_for(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    alice.refresh_from_db()
    conversation = talk_of(alice, *CHOIR)
    User.objects.filter(pk=alice.pk).update(memory_on=True)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == []


def test_who_wants_to_be_asked_first_gets_no_topics_unasked(alice: User) -> None:
    conversation = talk_of(alice, *CHOIR)
    with acting_as(alice):
        PrivacySettings.objects.create(user=alice, promotion=PrivacySettings.Promotion.ASK)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == []


def test_a_deleted_conversation_takes_its_links_and_what_only_it_was_about(
    alice: User, choir: Conversation
) -> None:
    boats = talk_of(alice, *BOATS)
    look_at(alice, boats)
    with acting_as(alice):
        choir.delete()
        assert [one.name for one in Topic.objects.all()] == ["Rowing boat"]


def the_topic(user: User, name: str) -> Topic:
    with acting_as(user):
        return topic_store.topics_in_use(user.pk).get(name=name)


def test_a_name_given_by_hand_stays(alice: User, choir: Conversation) -> None:
    with acting_as(alice):
        topic_store.rename(topic_store.topics_in_use(alice.pk).get(), "  Sunday   evenings ")
    look_at(alice, choir)
    other = talk_of(alice, "The chamber choir sang", "My chamber choir won", "Fine", "Bye")
    look_at(alice, other)
    assert topics_of(alice, choir) == topics_of(alice, other) == ["Sunday evenings"]


def test_with_the_name_of_another_topic_the_two_become_one_and_stay_so(
    alice: User, choir: Conversation
) -> None:
    boats = talk_of(alice, *BOATS)
    look_at(alice, boats)
    with acting_as(alice):
        now_called = topic_store.rename(the_topic(alice, "Rowing boat"), "chamber choir")
        (figures,) = topic_store.statistics(alice.pk)
    assert now_called.name == figures.name == "Chamber choir"
    assert (figures.conversations, figures.messages) == (2, 6)
    look_at(alice, boats)
    assert topics_of(alice, boats) == ["Chamber choir"]


def test_a_topic_taken_off_does_not_come_back_from_the_same_conversation(
    alice: User, choir: Conversation
) -> None:
    with acting_as(alice):
        topic_store.remove(topic_store.topics_in_use(alice.pk).get())
        assert topic_store.statistics(alice.pk) == []
        assert topic_store.conversations_about(alice.pk, "Chamber choir") == []
    look_at(alice, choir)
    assert topics_of(alice, choir) == []


@pytest.fixture
def with_model() -> Iterator[None]:
    with override_settings(OPENAI_BASE_URL="http://127.0.0.1:9/v1"):
        yield


@pytest.mark.usefixtures("with_model")
def test_a_model_that_fails_changes_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModelFailure("It did not answer.", "slow", True)

    monkeypatch.setattr(llm, "ask", fail)
    conversation = talk_of(alice, *CHOIR)
    look_at(alice, conversation)
    assert topics_of(alice, conversation) == ["Chamber choir"]


@pytest.mark.usefixtures("with_model")
def test_a_model_is_shown_nothing_confidential(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def ask(messages: list[llm.ChatMessage], **_: object) -> topic_detection.TopicNames:
        seen.extend(message["content"] for message in messages)
        return topic_detection.TopicNames(topics=[])

    monkeypatch.setattr(llm, "ask", ask)
    conversation = talk_of(alice, *CHOIR)
    secret = tell(alice, "The chamber choir knows of Wilhelmina", conversation)
    with acting_as(alice):
        Message.objects.filter(pk=secret.pk).update(confidential=True)
    look_at(alice, conversation)
    assert "Bach" in " ".join(seen)
    assert "Wilhelmina" not in " ".join(seen)
