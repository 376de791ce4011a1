"""Vectors of an embedding endpoint: made in batches, used when complete, and never in the way."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import embedding
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from memory.models import EmbeddingModel, Passage, PassageVector, VectorProgress
from memory.retrieval import embedding_endpoint, passage_index, passage_vectors
from memory.retrieval.passage_search import search_passages
from tests.fakes import embedding_server
from tests.fakes.embedding_server import REFUSED
from tests.memory.test_retrieval import NOW, talked
from tests.people import Talk

pytestmark = pytest.mark.django_db
FILLING = (
    "We painted the fence green on Saturday",
    "That sounds nice",
    "My sister moved to Hull last year",
    "How does she like it",
    "I bake bread every other Sunday",
    "What kind of bread",
)
SPANISH = "El perro ladra, ruidoso"
QUESTION = "Which dog barks loud?"


class Endpoint:
    """The stand-in as a process, which can be killed and started again on its port."""

    def __init__(self) -> None:
        self.port = 0
        self.sent: list[dict[str, Any]] = []

    def start(self, *, answers: int | None = None) -> None:
        command = [sys.executable, embedding_server.__file__, str(self.port)]
        command += [] if answers is None else [str(answers)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.sent.append(json.loads(line))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stdout:
            self.process.stdout.close()

    @property
    def texts(self) -> list[str]:
        """All that it was sent."""
        return [text for asked in self.sent for text in asked["input"]]

    def url(self, manner: str = "v1") -> str:
        return f"http://127.0.0.1:{self.port}/{manner}"


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Endpoint]:
    server = Endpoint()
    server.start()
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.url(), "words"
    settings.EMBEDDING_QUERY_PREFIX, settings.EMBEDDING_PASSAGE_PREFIX = "query: ", "passage: "
    # A machine may be busy; a test that is about waiting says so.
    settings.EMBEDDING_QUERY_SECONDS = settings.EMBEDDING_BATCH_SECONDS = 60.0
    embedding_endpoint.reset_breaker()
    passage_vectors._vector_of.cache_clear()
    yield server
    embedding_endpoint.reset_breaker()
    server.kill()


def say(user: User, text: str) -> Message:
    """Say it in a new conversation; the answer."""
    return Talk(user).say(text)


def embed(user: User) -> None:
    """What the worker does, until nothing is left to be done."""
    with acting_as(user):
        Message.objects.for_user(user.pk).filter(learned_at=None).update(learned_at=now())
        work.enqueue(user, embedding.KIND, user.pk)
    held = work.claim(user.pk, embedding.KIND, user.pk)
    assert held
    embedding.embed_for(held)


def vectors(user: User) -> int:
    with acting_as(user):
        return PassageVector.objects.filter(user=user).count()


def found(user: User, question: str = QUESTION) -> list[str]:
    with acting_as(user):
        hits = search_passages(user.pk, question, k=3, asked_at=NOW)
    return [hit.text for hit in hits]


def many(user: User, count: int) -> None:
    for start in range(0, count, 20):
        texts = [f"Note {at}: the {at}th thing of the day" for at in range(start, start + 20)]
        talked(user, *texts, at=NOW - timedelta(days=300 - start))


# --- In use --------------------------------------------------------------------------------------


def test_what_shares_no_word_is_found_by_the_endpoints_vectors(
    alice: User, endpoint: Endpoint
) -> None:
    talked(alice, *FILLING, SPANISH)
    assert SPANISH not in found(alice)[:1]
    embed(alice)
    assert vectors(alice) == len(FILLING) + 1
    assert found(alice)[0] == SPANISH


def test_another_model_begins_anew_and_the_former_vectors_go(
    alice: User, endpoint: Endpoint, settings: Any
) -> None:
    talked(alice, *FILLING, SPANISH)
    before = found(alice)
    embed(alice)
    settings.EMBEDDING_MODEL = "other"
    passage_vectors._model.cache_clear()
    assert found(alice) == before
    embed(alice)
    assert found(alice)[0] == SPANISH
    assert vectors(alice) == len(FILLING) + 1
    assert EmbeddingModel.objects.count() == 2


# --- What is sent --------------------------------------------------------------------------------


def hide(messages: list[Message], **changes: Any) -> None:
    Message.objects.filter(pk__in=[each.pk for each in messages]).update(**changes)


@pytest.mark.parametrize(
    "hidden",
    [
        lambda said: hide(said[:1], confidential=True),
        lambda said: Conversation.objects.filter(pk=said[0].conversation_id).update(
            privacy=Conversation.Privacy.PRIVATE
        ),
    ],
    ids=["confidential", "in a private conversation"],
)
def test_what_is_private_is_never_sent(
    alice: User, endpoint: Endpoint, hidden: Callable[[list[Message]], None]
) -> None:
    talked(alice, *FILLING)
    said = talked(alice, "Ulla told me about her rash")
    with acting_as(alice):
        hidden(said)
    embed(alice)
    assert not any("Ulla" in text for text in endpoint.texts)
    with acting_as(alice):
        assert VectorProgress.objects.filter(user=alice).exists()
    # It is found in its own place as before.
    assert "Ulla told me about her rash" in found(alice, "What did Ulla tell me?")


def test_what_a_private_conversation_asks_or_looks_for_is_not_sent(
    alice: User, endpoint: Endpoint
) -> None:
    talked(alice, *FILLING)
    embed(alice)
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy=Conversation.Privacy.PRIVATE)
    before = len(endpoint.sent)
    Talk(alice, private).say("When was the rash gone?")
    with acting_as(alice):
        context = ToolContext(alice.pk, now(), private.pk)
        registry.call(context, "recall_memories", {"query": "the rash"})
    assert len(endpoint.sent) == before
    Talk(alice).say("When was the rash gone?")
    assert len(endpoint.sent) > before


def test_an_answer_that_may_repeat_what_is_private_is_not_sent(
    alice: User, endpoint: Endpoint
) -> None:
    said = talked(alice, "Ulla told me about her rash", "A rash like Ulla's heals in a week")
    with acting_as(alice):
        hide(said[:1], confidential=True)
    embed(alice)
    assert not any("Ulla" in text for text in endpoint.texts)


def test_a_password_is_sent_neither_with_its_message_nor_in_a_question(
    alice: User, endpoint: Endpoint
) -> None:
    talked(alice, "My password is hunter2-Xy7!", SPANISH)
    embed(alice)
    found(alice, "Is my password hunter2-Xy7! or another?")
    assert any("Is my password" in text for text in endpoint.texts)
    assert not any("hunter2" in text for text in endpoint.texts)


def test_with_memory_off_nothing_is_sent(alice: User, endpoint: Endpoint) -> None:
    talked(alice, *FILLING)
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    alice.refresh_from_db()
    embed(alice)
    say(alice, "Which dog barks?")
    assert endpoint.sent == []


def test_a_message_brings_work_for_its_vector(alice: User, endpoint: Endpoint) -> None:
    say(alice, "We adopted a greyhound.")
    with acting_as(alice):
        assert Work.objects.filter(user=alice, kind=embedding.KIND).exists()


# --- When it goes --------------------------------------------------------------------------------


def test_a_vector_goes_with_the_text_that_it_was_made_of(alice: User, endpoint: Endpoint) -> None:
    first, second, third = talked(alice, *FILLING[:3])
    embed(alice)
    with acting_as(alice):
        Passage.objects.filter(message=first).update(text="Something else")
        Passage.objects.filter(message=second).delete()
        # Made anew of the same text, it keeps its vector.
        passage_index.reindex_passages(alice.pk)
        left = PassageVector.objects.filter(user=alice).values_list("message_id", flat=True)
        assert list(left) == [third.pk]
    embed(alice)
    assert "passage: Something else" in endpoint.texts


# --- When the endpoint is away -------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["slow", "dripping", "broken", "short"])
def test_a_question_is_answered_by_built_in_vectors_and_the_endpoint_left_alone(
    alice: User, endpoint: Endpoint, settings: Any, manner: str
) -> None:
    talked(alice, *FILLING, SPANISH)
    without = found(alice)
    embed(alice)
    settings.EMBEDDING_BASE_URL = endpoint.url(manner)
    settings.EMBEDDING_QUERY_SECONDS = 0.5 if manner in ("slow", "dripping") else 60.0
    before = len(endpoint.sent)
    assert found(alice) == without
    found(alice, "What barks?")
    found(alice, "Who is loud?")
    assert len(endpoint.sent) <= before + 1
    # Once it is asked again, it serves.
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_QUERY_SECONDS = endpoint.url(), 60.0
    embedding_endpoint.reset_breaker()
    assert found(alice)[0] == SPANISH


def test_a_backfill_that_is_cut_off_goes_on_when_the_endpoint_is_back(
    alice: User, endpoint: Endpoint
) -> None:
    many(alice, 160)
    talked(alice, *FILLING, SPANISH)
    endpoint.kill()
    # Two requests measure the model, one brings vectors, and in the next it dies.
    endpoint.start(answers=3)
    with pytest.raises(work.PutOff) as later:
        embed(alice)
    assert later.value.seconds > 0
    assert endpoint.process.wait() == 1
    assert vectors(alice) == passage_vectors.BATCH
    assert SPANISH not in found(alice)[:1]
    endpoint.kill()
    endpoint.start()
    embedding_endpoint.reset_breaker()
    embed_again(alice)
    assert vectors(alice) == 160 + len(FILLING) + 1
    assert found(alice)[0] == SPANISH
    sent = [text for text in endpoint.texts if text == f"passage: {SPANISH}"]
    assert len(sent) == 1


def embed_again(user: User) -> None:
    """The same work, when its lease is over."""
    with acting_as(user):
        Work.objects.filter(user=user).update(lease_until=None)
    held = work.claim(user.pk, embedding.KIND, user.pk)
    assert held
    embedding.embed_for(held)
    with acting_as(user):
        assert not Work.objects.filter(user=user, kind=embedding.KIND).exists()


def test_whoever_turns_memory_off_meanwhile_has_nothing_more_sent(
    alice: User, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(alice, 80)
    embed_some = passage_vectors.embed_some

    def and_turn_off(*given: Any) -> int:
        made = embed_some(*given)
        User.objects.filter(pk=alice.pk).update(memory_on=False)
        return made

    monkeypatch.setattr(embedding, "embed_some", and_turn_off)
    embed(alice)
    assert vectors(alice) == passage_vectors.BATCH


def test_a_text_that_is_refused_holds_up_no_other(alice: User, endpoint: Endpoint) -> None:
    talked(alice, *FILLING, f"It was {REFUSED}, really", SPANISH)
    embed(alice)
    assert vectors(alice) == len(FILLING) + 2
    assert found(alice)[0] == SPANISH


# --- Who is told ---------------------------------------------------------------------------------


def test_the_privacy_page_names_the_endpoint_and_never_its_key(
    as_alice: Client, settings: Any
) -> None:
    page = reverse("privacy:page")
    assert "What you say stays on this site." in as_alice.get(page).content.decode()
    settings.EMBEDDING_BASE_URL = "https://someone:secret@vectors.example.org/v1"
    settings.EMBEDDING_MODEL, settings.EMBEDDING_API_KEY = "words", "key-7"
    told = as_alice.get(page).content.decode()
    assert "words at vectors.example.org reads your messages one by one" in " ".join(told.split())
    assert "What you say stays on this site." not in told
    assert "secret" not in told.split("Search by meaning")[1][:600]
    assert "key-7" not in told
