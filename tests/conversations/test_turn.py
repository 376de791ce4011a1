"""A turn: what was said is safe first, and it is answered once, whatever breaks on the way."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import message_learning, message_outcomes
from conversations.models import Conversation, LearningOutcome, Message
from conversations.turns import answer_writer, responder, streaming_answer, turn
from memory.language import reading
from memory.models import Mention, ProfileFact
from tests.fakes.model_server import Script, Serve, cut, failing, normal, slow
from tests.people import let_time_pass, said, together, values

State = Message.State
alone = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)


@pytest.fixture
def serve(serve: Serve, settings: Settings) -> Serve:
    """With waits that a test can sit out."""
    settings.MODEL_CONNECT_TIMEOUT = settings.MODEL_READ_TIMEOUT = 2.0
    return serve


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Callable[..., None]:
    """Let a model's answer come in these pieces, each written down at once."""
    monkeypatch.setattr(streaming_answer, "SAVE_EVERY", 0)
    settings.OPENAI_API_KEY = "key-for-tests"

    def answer_with(*texts: str) -> None:
        monkeypatch.setattr(
            answer_writer.responder, "stream", lambda asked, draft: (t for t in texts)
        )

    return answer_with


def begin(user: User, text: str = "I work at Google", **more: Any) -> turn.Exchange:
    return turn.begin(user, more.pop("conversation", None), text, **more)


def fill(answer: Message) -> Message:
    """Read the answer to its end; what was kept."""
    *_, last = turn.fill(answer.user_id, answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer


def again(message: Message) -> Message:
    with acting_as(message.user_id):
        return Message.objects.get(pk=message.pk)


def waiting(user: User, **conditions: Any) -> list[str]:
    with acting_as(user):
        # What waits until a conversation has rested or grown is none of the turn's.
        later = ("reflect", "compact")
        rows = Work.objects.filter(user=user, **conditions).exclude(kind__in=later)
        return sorted(rows.values_list("kind", flat=True))


def wait_for(condition: Callable[[], Any], seconds: float = 10) -> Any:
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "It never happened."
        time.sleep(0.02)
    return found


@alone
def test_a_message_is_kept_with_its_work_before_anything_is_answered(alice: User) -> None:
    exchange = begin(alice)
    assert again(exchange.question).content == "I work at Google"
    assert again(exchange.answer).state == State.WAITING
    assert waiting(alice) == ["answer", "learn"]


@for_real
def test_the_same_form_sent_eight_times_at_once_makes_one_message(alice: User) -> None:
    made = together(*[lambda: begin(alice, client_key="one form").answer.pk] * 8)
    assert len(set(made)) == 1
    assert isinstance(made[0], UUID)
    with acting_as(alice):
        assert Message.objects.count() == 2
        assert Conversation.objects.count() == 1


@alone
def test_other_words_under_a_key_that_was_used_are_not_swallowed(alice: User) -> None:
    # The reply got lost, the text was changed, and the same form was sent once more.
    begin(alice, "I work at Google", client_key="one form")
    begin(alice, "I work at Google, in Zürich", client_key="one form")
    with acting_as(alice):
        assert Message.objects.filter(content="I work at Google, in Zürich").exists()


@alone
def test_the_same_words_of_a_form_that_was_sent_elsewhere_are_not_swallowed(alice: User) -> None:
    # A page that was left open is sent with the key and the words of another one.
    other = said(alice, "Hello").conversation
    begin(alice, client_key="one form")
    there = begin(alice, client_key="one form", conversation=other)
    afresh = begin(alice, client_key="one form")
    assert there.question.conversation_id == other.pk
    assert (there.replayed, afresh.replayed) == (False, True)


@for_real
def test_two_readers_at_once_get_one_answer(alice: User, serve: Serve) -> None:
    server = serve(slow("This is the one and only answer", pause=0.05))
    answer = begin(alice).answer
    first, second = together(lambda: fill(answer), lambda: fill(answer))
    assert first.content == second.content == "This is the one and only answer"
    assert len(server.requests) == 1
    assert waiting(alice) == []


@for_real
def test_a_later_reader_follows_what_is_being_written(
    alice: User, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming_answer, "SAVE_EVERY", 0.05)
    server = serve(slow("word " * 30, pause=0.06))
    answer = begin(alice).answer
    writer = threading.Thread(target=together, args=[lambda: fill(answer)])
    writer.start()
    wait_for(lambda: again(answer).content)
    seen = list(turn.fill(alice.pk, answer.pk))
    writer.join(10)
    texts = [event.so_far for event in seen if isinstance(event, answer_writer.Text)]
    assert len(texts) > 1
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))
    assert isinstance(seen[-1], answer_writer.FinishedAnswer)
    assert seen[-1].answer.content == again(answer).content
    assert len(server.requests) == 1


@alone
@pytest.mark.parametrize(
    ("script", "state", "text", "words"),
    [
        (normal("All is well"), State.DONE, "All is well", ""),
        (slow("Too late", first_pause=4), State.FAILED, "", "didn’t answer in time"),
        (failing(429), State.FAILED, "", "busy right now"),
        (failing(500), State.FAILED, "", "having trouble right now"),
        (failing(401), State.FAILED, "", "didn’t accept its key"),
        (cut("one two three four five"), State.CUT, "one two three ", "stopped halfway"),
        ("nonsense", State.FAILED, "", "wasn’t readable"),
    ],
    ids=["normal", "too slow", "429", "500", "key", "cut", "nonsense"],
)
def test_whatever_the_model_does_the_question_is_kept_and_the_person_is_told(
    alice: User, serve: Serve, script: Script | str, state: str, text: str, words: str
) -> None:
    serve(script)
    exchange = begin(alice)
    answer = fill(exchange.answer)
    if state == State.FAILED:
        assert answer.content.startswith(responder.STANDS_IN)
        text = answer.content
    assert (answer.state, answer.content) == (state, text)
    assert words in answer.failure
    assert bool(answer.failure) == (state != State.DONE)
    assert again(exchange.question).content == "I work at Google"
    assert again(exchange.answer).failure == answer.failure
    assert values(alice, "employer") == {"Google"}
    assert waiting(alice) == []


@alone
def test_an_answer_stopped_before_it_began_stays_empty(alice: User, serve: Serve) -> None:
    server = serve(normal("Nobody wants this"))
    answer = begin(alice).answer
    turn.stop(alice, answer)
    let_time_pass(alice)
    work.do_waiting_work()
    assert (again(answer).state, again(answer).content) == (State.STOPPED, "")
    assert server.requests == []
    assert waiting(alice) == []


@alone
def test_stopping_and_asking_again_at_once_never_leaves_half_an_answer_as_whole(
    alice: User, pieces: Callable[..., None]
) -> None:
    pieces("one ", "two ", "three ", "four")
    answer = begin(alice).answer
    writing = turn.fill(alice.pk, answer.pk)
    next(writing)
    turn.stop(alice, answer)
    turn.retry(alice, answer)
    for _ in writing:
        pass
    let_time_pass(alice)
    assert fill(answer).content == "one two three four"
    assert again(answer).state == State.DONE


def die_while_answering(user: User, text: str) -> Message:
    """A process claimed the answer, wrote so much, and was killed."""
    answer = begin(user).answer
    assert work.claim(user.pk, turn.KIND, answer.pk)
    with acting_as(user):
        Message.objects.filter(pk=answer.pk).update(state=State.WRITING, content=text)
    let_time_pass(user)
    return answer


@alone
@pytest.mark.parametrize("who", ["a reader", "the worker"])
def test_an_answer_left_half_way_by_a_killed_process_keeps_its_text(
    alice: User, serve: Serve, who: str
) -> None:
    server = serve(normal("Another answer"))
    answer = die_while_answering(alice, "The first half")
    if who == "a reader":
        fill(answer)
    work.do_waiting_work()
    kept = again(answer)
    assert (kept.state, kept.content) == (State.CUT, "The first half")
    assert kept.failure == answer_writer.HALF_WAY
    assert server.requests == []
    assert waiting(alice) == []


@alone
def test_a_process_that_slept_through_its_lease_does_not_write_over_its_successor(
    alice: User, pieces: Callable[..., None]
) -> None:
    pieces("The ", "sleeper ", "speaks")
    answer = begin(alice).answer
    sleeper = turn.fill(alice.pk, answer.pk)
    next(sleeper), next(sleeper)
    let_time_pass(alice)
    successor = fill(answer)
    *_, last = sleeper
    assert again(answer).content == successor.content == last.answer.content
    assert again(answer).state == State.CUT
    assert waiting(alice, kind=turn.KIND) == []


@alone
def test_an_answer_nobody_reads_is_written_by_the_worker(alice: User, serve: Serve) -> None:
    serve(normal("Written all the same"))
    answer = begin(alice).answer
    work.do_waiting_work()
    assert again(answer).state == State.WAITING
    let_time_pass(alice)
    work.do_waiting_work()
    assert again(answer).content == "Written all the same"
    assert waiting(alice) == []


@pytest.fixture
def break_off_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], Counter[str]]:
    """Let the database break off when this is called for the first time; how often it was called
    is counted.
    """

    def arrange(place: Any, name: str) -> Counter[str]:
        usual, called = getattr(place, name), Counter[str]()

        def break_off(*args: Any, **more: Any) -> Any:
            called["times"] += 1
            if called["times"] == 1:
                with connection.cursor() as cursor:
                    cursor.execute("select pg_terminate_backend(pg_backend_pid())")
            return usual(*args, **more)

        monkeypatch.setattr(place, name, break_off)
        return called

    return arrange


@for_real
def test_an_answer_waits_for_a_database_that_breaks_off_before_its_first_word(
    alice: User, serve: Serve, break_off_once: Callable[[Any, str], Counter[str]]
) -> None:
    serve(normal("An answer all the same"))
    exchange = begin(alice)
    built = break_off_once(answer_writer.prompt, "build")
    answer = fill(exchange.answer)
    assert (answer.state, answer.content) == (State.DONE, "An answer all the same")
    assert built["times"] == 2


@for_real
def test_a_yes_is_carried_out_anew_with_its_answer_when_the_database_breaks_off(
    alice: User, break_off_once: Callable[[Any, str], Counter[str]]
) -> None:
    talk = fill(begin(alice, "I like jazz").answer).conversation
    fill(begin(alice, "Forget that I like jazz", conversation=talk).answer)
    exchange = begin(alice, "yes", conversation=talk)
    # The last that is done before the answer is kept.
    break_off_once(streaming_answer.listening_runs, "listen_soon")
    answer = fill(exchange.answer)
    assert (answer.state, answer.content[:4]) == (State.DONE, "Done")
    assert values(alice, "likes") == set()


@alone
def test_a_failure_to_learn_never_touches_the_turn_and_is_made_good_later(
    alice: User, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(masked: str, read: object) -> None:
        raise ValueError(masked)

    serve(normal("An answer all the same"))
    exchange = begin(alice)
    with monkeypatch.context() as broken:
        broken.setattr(reading, "fact_candidates", break_down)
        assert fill(exchange.answer).content == "An answer all the same"
    assert again(exchange.question).learned_at is None
    # The answer is findable all the same: that needs no reading of it.
    assert waiting(alice) == ["learn"]
    let_time_pass(alice)
    work.do_waiting_work()
    assert again(exchange.question).learned_at is not None
    assert values(alice, "employer") == {"Google"}
    assert waiting(alice) == []


@alone
def test_half_learned_is_not_learned(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    message = said(alice, "I'm Nick, I work at Google and live in Seattle")
    consider, calls = message_outcomes.candidate_promotion.consider, Counter[str]()

    def fail_at_the_second(*args: Any) -> Any:
        calls["made"] += 1
        if calls["made"] == 2:
            raise RuntimeError
        return consider(*args)

    with monkeypatch.context() as broken:
        broken.setattr(message_outcomes.candidate_promotion, "consider", fail_at_the_second)
        message_learning.learn_now(message)
    with acting_as(alice):
        assert (ProfileFact.objects.count(), LearningOutcome.objects.count()) == (0, 0)


@for_real
def test_one_message_learned_from_by_four_at_once_is_noted_once(alice: User) -> None:
    message = said(alice, "I'm Nick, I work at Google and enjoy hiking")
    together(*[lambda: message_learning.learn_now(message)] * 4)
    with acting_as(alice):
        assert (LearningOutcome.objects.count(), Mention.objects.count()) == (3, 3)
    assert waiting(alice) == []


@for_real
def test_two_messages_with_two_values_at_once_are_one_fact_and_one_question(alice: User) -> None:
    first, second = said(alice, "I work at Google"), said(alice, "I work at Microsoft")
    together(lambda: message_learning.learn_now(first), lambda: message_learning.learn_now(second))
    sides = values(alice, "employer"), values(alice, "employer", "challenger")
    assert sorted(sides, key=str) in ([{"Google"}, {"Microsoft"}], [{"Microsoft"}, {"Google"}])
    assert waiting(alice) == []


@alone
def test_the_model_gets_the_profile_and_the_talk_so_far(alice: User, serve: Serve) -> None:
    server = serve(normal("Noted."))
    first = begin(alice, "I'm Nick and I work at Google")
    fill(first.answer)
    talk = first.question.conversation
    fill(turn.begin(alice, talk, "Is Google a good place to work?").answer)
    rules, *rest = server.requests[-1]["messages"]
    assert "Works at Google." in rules["content"]
    assert [(m["role"], m["content"]) for m in rest] == [
        ("user", "I'm Nick and I work at Google"),
        ("assistant", "Noted."),
        ("user", "Is Google a good place to work?"),
    ]
