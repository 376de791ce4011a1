"""Many answers at once: who waits holds nothing that others need, and who breaks down says so."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings
from structlog.testing import capture_logs

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import messages, scheduling
from conversations.models import Conversation, Message
from conversations.turns import answer_writer, turn
from tests.fakes.model_server import Serve, normal
from tests.serving import Answer, Visitor, a_pool_of, served

for_real = pytest.mark.django_db(transaction=True)
EVENTS = {"Accept": "text/event-stream"}
SECONDS = 30


class Held:
    """A scripted model that answers nobody until it is told to, and knows how many wait for it."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.answer = threading.Event()

    def __call__(self, messages: list[dict[str, Any]]) -> str:
        self.asked.release()
        self.answer.wait(SECONDS)
        return "Here it is"

    def wait_for(self, count: int) -> None:
        for _ in range(count):
            assert self.asked.acquire(timeout=SECONDS), "It was never asked."


@pytest.fixture
def model(serve: Serve) -> Iterator[Held]:
    held = Held()
    serve(normal(held))
    yield held
    held.answer.set()


@pytest.fixture
def site(transactional_db: None) -> Iterator[int]:
    """The served site, with three connections for everybody."""
    with a_pool_of(3), served() as port:
        yield port


@contextmanager
def at_once(deed: Callable[[int], Answer], count: int) -> Iterator[list[Future[Answer]]]:
    with ThreadPoolExecutor(count) as threads:
        yield [threads.submit(deed, number) for number in range(count)]


def talk_of(user: User) -> Conversation:
    with acting_as(user):
        return Conversation.objects.create(user=user)


def by_the_api(visitor: Visitor) -> Callable[[int], Answer]:
    talks = [talk_of(visitor.user).pk for _ in range(8)]
    return lambda number: visitor.post(
        f"conversations/{talks[number]}/messages", {"content": f"Number {number}"}, **EVENTS
    )


def by_the_page(visitor: Visitor) -> Callable[[int], Answer]:
    places = [turn.begin(visitor.user, None, f"Number {n}").answer.pk for n in range(8)]
    return lambda number: visitor.get(f"/messages/{places[number]}/stream/")


def told(answer: Answer) -> str:
    return "".join(data for name, data in answer.events if name == "answer") or answer.text


@for_real
@pytest.mark.parametrize("door", [by_the_api, by_the_page])
def test_more_streams_than_connections_are_open_at_once_and_a_page_answers_meanwhile(
    site: int, alice: User, bob: User, model: Held, door: Callable[[Visitor], Any]
) -> None:
    stream = door(Visitor(site, alice))
    other = Visitor(site, bob)
    with at_once(stream, 8) as streams:
        model.wait_for(8)
        page = other.get("/notebook/profile/")
        model.answer.set()
    assert page.status == 200
    assert [one.result().status for one in streams] == [200] * 8
    assert all("Here it is" in told(one.result()) for one in streams)
    with acting_as(alice):
        kept = Message.objects.filter(role=Message.Role.ASSISTANT)
        assert {(one.state, one.content) for one in kept} == {("done", "Here it is")}
        assert kept.count() == 8


@for_real
def test_who_follows_an_answer_that_is_written_elsewhere_holds_no_connection_between_looks(
    site: int, alice: User, bob: User
) -> None:
    answer = turn.begin(alice, None, "Hello").answer
    elsewhere = work.claim(alice.pk, turn.KIND, answer.pk)
    assert elsewhere is not None
    reader, other = Visitor(site, alice), Visitor(site, bob)
    connection.close()
    with at_once(lambda _: reader.get(f"/messages/{answer.pk}/stream/"), 8) as readers:
        while scheduling.active() < 8:
            assert not any(one.done() for one in readers)
        page = other.get("/notebook/profile/")
        turn.answer_unattended(elsewhere)
        connection.close()
    assert page.status == 200
    assert [one.result().events[-1][0] for one in readers] == ["done"] * 8


@for_real
def test_many_writers_to_one_conversation_wait_for_their_turn_without_a_connection(
    site: int, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = threading.Semaphore(0)
    begin = turn.begin

    def begin_and_tell(*given: Any, **more: Any) -> turn.Exchange:
        arrived.release()
        return begin(*given, **more)

    monkeypatch.setattr(turn, "begin", begin_and_tell)
    talk, writer, other = talk_of(alice), Visitor(site, alice), Visitor(site, bob)
    path = f"conversations/{talk.pk}/messages"
    with ExitStack() as stack:
        writing = stack.enter_context(elsewhere_in(talk))
        posts = stack.enter_context(at_once(lambda n: writer.post(path, {"content": f"{n}"}), 10))
        for _ in posts:
            assert arrived.acquire(timeout=SECONDS), "They wait for a connection."
        page = other.get("/notebook/profile/")
        writing.rollback()
    assert page.status == 200
    assert [one.result().status for one in posts] == [201] * 10
    listed = writer.read(f"{path}?limit=100").json()["results"]
    assert [one["number"] for one in listed] == list(range(1, 21))


@contextmanager
def elsewhere_in(talk: Conversation) -> Iterator["psycopg.Connection[Any]"]:
    """Another process, outside of our pool, is just saying something in this conversation."""
    given = {**connection.get_connection_params(), "autocommit": False}
    with psycopg.connect(**given) as writing:
        name = messages.name_of(talk.pk)
        writing.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        try:
            yield writing
        finally:
            writing.rollback()


@for_real
@pytest.mark.parametrize("door", [by_the_api, by_the_page])
def test_a_person_with_as_many_streams_as_they_may_have_is_told_and_nobody_else(
    site: int, alice: User, bob: User, model: Held, settings: Settings, door: Callable[..., Any]
) -> None:
    settings.STREAMS_PER_PERSON = 2
    stream, others = door(Visitor(site, alice)), door(Visitor(site, bob))
    with at_once(stream, 2) as first:
        model.wait_for(2)
        refused = stream(2)
        with at_once(others, 1) as of_another:
            model.wait_for(1)
            model.answer.set()
    assert [one.result().status for one in [*first, *of_another]] == [200] * 3
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) > 0
    assert stream(2).status == 200


@for_real
@pytest.mark.parametrize("door", [by_the_api, by_the_page])
def test_a_stream_that_breaks_down_tells_its_reader_and_the_log(
    site: int, alice: User, monkeypatch: pytest.MonkeyPatch, door: Callable[[Visitor], Any]
) -> None:
    def break_down(*_: Any) -> None:
        raise LookupError("an inner secret")

    stream = door(Visitor(site, alice))
    monkeypatch.setattr(work, "claim_here", break_down)
    with capture_logs() as lines:
        answer = stream(0)
    (line,) = [one for one in lines if one["event"] == "stream_failed"]
    assert (line["log_level"], line["error"]) == ("error", "LookupError")
    assert (line["user_id"], bool(line["answer"])) == (str(alice.pk), True)
    assert "an inner secret" not in answer.text
    said = dict(answer.events)
    assert "Your message is safe" in said["error"]
    if door is by_the_page:
        assert "Try again" in said["answer"]
        assert list(said) == ["error", "answer", "done"]
    else:
        assert json.loads(said["error"])["title"] == "The stream was interrupted"


def test_people_take_turns_and_each_persons_own_come_in_their_order() -> None:
    anna, ben = UUID(int=1), UUID(int=2)
    places, order = scheduling.Places(1), []
    places.enter(anna)

    def enter(person: UUID, name: str) -> None:
        places.enter(person)
        order.append(name)
        places.leave()

    threads = []
    for count, (person, name) in enumerate([(anna, "a1"), (anna, "a2"), (anna, "a3"), (ben, "b")]):
        threads.append(threading.Thread(target=enter, args=(person, name)))
        threads[-1].start()
        while places.waiting() <= count:
            pass
    places.leave()
    for thread in threads:
        thread.join(SECONDS)
    assert order == ["a1", "b", "a2", "a3"]


@pytest.mark.parametrize(
    ("events", "seen"),
    [
        ([(0, "a"), (1, "ab"), (2, "abc")], ["a", "ab", "abc"]),
        ([(0, "a"), (0.01, "ab"), (0.02, "abc")], ["a", "abc"]),
        ([(0, "a"), (0.01, "ab"), (0.02, None)], ["a", "ab", None]),
        ([(0, "a"), (0.01, "ab"), (1, "abc"), (1.01, None)], ["a", "abc", None]),
    ],
)
def test_a_reader_misses_no_word_when_texts_come_too_fast_to_be_seen(
    monkeypatch: pytest.MonkeyPatch, events: list[tuple[float, str | None]], seen: list[str | None]
) -> None:
    clock = iter(100 + at for at, text in events if text is not None)
    monkeypatch.setattr(turn.time, "monotonic", lambda: next(clock))
    come = (
        answer_writer.Steps([]) if text is None else answer_writer.Text(text) for _, text in events
    )
    shown = turn.without_replaced_texts(come)
    assert [one.so_far if isinstance(one, answer_writer.Text) else None for one in shown] == seen
