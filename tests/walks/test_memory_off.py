"""Off means off: on every path that reaches a prompt or could learn, and the pages stay."""

import json
from collections.abc import Callable

import pytest
from django.test import Client, override_settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning, note_consent
from conversations.models import Conversation, LearningOutcome, Message
from conversations.turns import answer_writer, turn
from ledger.promotion import proposals
from memory.models import Memory, Passage, ProfileFact
from tests.fakes.model_server import ModelServer, normal
from tests.people import PASSWORD, Api, Talk, let_time_pass, said, tell

TOLD = "I'm Nick, I work at Google and I booked a flight to Lisbon for the 12th of May"
SECRETS_OF_THE_NOTEBOOK = ("Nick", "Google", "Lisbon")


def switch_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(memory_on=False)
    user.refresh_from_db()


@pytest.fixture
def off(alice: User) -> User:
    """Alice, with something in the notebook, who then turned memory off."""
    told = tell(alice, TOLD)
    tell(alice, "Remember that my sister visits me in Ghent in March", told.conversation)
    switch_off(alice)
    return alice


def kept(user: User) -> tuple[int, int, int]:
    with acting_as(user):
        notes = Memory.objects.exclude(category=Memory.Category.SUMMARY)
        return (ProfileFact.objects.count(), notes.count(), Passage.objects.count())


def test_nothing_is_learned_in_a_turn(off: User, talk: Callable[..., Talk]) -> None:
    before = kept(off)
    talk(off).say("I live in Bergen, I love rowing, and I sold the boat on 3 May 2024")
    assert kept(off) == before


def test_nothing_is_learned_by_the_worker(off: User) -> None:
    before = kept(off)
    said(off, "I live in Bergen and I sold the boat on 3 May 2024")
    let_time_pass(off)
    work.do_waiting_work()
    assert kept(off) == before
    with acting_as(off):
        assert not Message.objects.filter(learned_at__isnull=True, role="user").exists()


def test_what_was_said_meanwhile_is_not_made_up_for_when_it_is_on_again(off: User) -> None:
    with acting_as(off):
        conversation = Conversation.objects.get()
    message = said(off, "I moved to Bergen on 3 May 2024", conversation)
    message_learning.learn_now(message)
    User.objects.filter(pk=off.pk).update(memory_on=True)
    before = kept(off)
    message_learning.learn_now(message)
    let_time_pass(off)
    work.do_waiting_work()
    assert kept(off) == before


def test_a_model_is_told_nothing_remembered(off: User, transactional_db: None) -> None:
    with (
        ModelServer(normal("Hello.")) as server,
        override_settings(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="x"),
    ):
        Talk(off).say("Write me a rhyme about what you know about me.")
        sent = json.dumps(server.requests, default=str)
    assert "rhyme" in sent
    assert not any(word in sent for word in SECRETS_OF_THE_NOTEBOOK)


@pytest.mark.parametrize(
    "question", ["What is my name?", "What do you know about me?", "When do I fly?", "Hello"]
)
def test_the_answer_without_a_model_uses_nothing_and_says_so(
    off: User, talk: Callable[..., Talk], question: str
) -> None:
    answer = talk(off).say(question)
    assert not any(word in answer.content for word in SECRETS_OF_THE_NOTEBOOK)
    assert "Memory is off" in answer.content
    assert (answer.recalled, answer.used_facts, answer.used_conversations) == ([], [], 0)


def test_the_pages_to_see_and_delete_stay(off: User) -> None:
    client = Client()
    client.login(email=off.email, password=PASSWORD)
    assert b"Google" in client.get("/notebook/profile/").content
    assert b"Lisbon" in client.get("/notebook/memories/").content
    with acting_as(off):
        fact = ProfileFact.objects.get(slot="employer")
    assert client.post(f"/notebook/facts/{fact.pk}/remove/").status_code == 302


def test_switched_off_between_a_turn_and_its_answer_nothing_is_learned_or_used(
    alice: User,
) -> None:
    tell(alice, TOLD)
    before = kept(alice)
    exchange = turn.begin(alice, None, "I live in Bergen and I love rowing. Where do I work?")
    switch_off(alice)
    *_, last = turn.fill(alice.pk, exchange.answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    assert "Memory is off" in last.answer.content
    assert not any(word in last.answer.content for word in SECRETS_OF_THE_NOTEBOOK)
    assert last.answer.recalled == []
    let_time_pass(alice)
    work.do_waiting_work()
    assert kept(alice) == before


@pytest.mark.parametrize("door", ["page", "api", "word"])
def test_what_stayed_in_its_conversation_is_not_noted_anyway(
    alice: User, talk: Callable[..., Talk], door: str
) -> None:
    here = talk(alice)
    assert here.say("I'm allergic to penicillin").content.endswith(note_consent.OFFER)
    with acting_as(alice):
        note = LearningOutcome.objects.get(kind=LearningOutcome.Kind.WITHHELD)
    switch_off(alice)
    before = kept(alice)
    if door == "page":
        client = Client()
        client.force_login(alice)
        page = client.post(f"/notes/{note.pk}/anyway/", follow=True)
        assert "Memory is off" in page.content.decode()
    elif door == "api":
        reply = Api(alice).post(f"notes/{note.pk}/anyway")
        assert 400 <= reply.status_code < 500
    else:
        here.say("note it anyway")
    assert kept(alice) == before
    with acting_as(alice):
        note.refresh_from_db()
    assert note.kind == LearningOutcome.Kind.WITHHELD


PASTE = "I live in Rome and I work at the bakery next to the bridge."


def test_what_is_pasted_asks_for_no_yes(off: User) -> None:
    exchange = turn.begin(off, None, PASTE, pasted=[PASTE])
    *_, _last = turn.fill(off.pk, exchange.answer.pk)
    with acting_as(off):
        assert not proposals.waiting(off.pk).exists()
