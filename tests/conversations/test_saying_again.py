"""Other words in the place of the last ones, an answer written once more, and the numbers after."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.deletion import message_deletion
from conversations.turns import answer_writer, turn
from ledger.models import Contradiction
from tests.conversations.taking_out import (
    State,
    again,
    alone,
    fill,
    for_real,
    messages_of,
    numbers,
    question_of,
    remove,
)
from tests.people import Talk, let_time_pass, said, tell, together, values


@alone
def test_other_words_take_the_place_of_the_last_ones(alice: User) -> None:
    there = Talk(alice)
    there.say("I like tea")
    answer = there.say("I work at Qwertzfirm")
    made = turn.resend(alice, question_of(answer), "I work at Zephyrsoft")
    list(turn.fill(alice.pk, made.answer.pk))
    assert numbers(answer.conversation) == [1, 2, 3, 4]
    assert messages_of(answer.conversation)[2].content == "I work at Zephyrsoft"
    assert values(alice, "employer") == {"Zephyrsoft"}
    with acting_as(alice):
        assert not Contradiction.objects.exists()


@alone
def test_all_after_an_earlier_message_goes_with_it(alice: User) -> None:
    there = Talk(alice)
    first = there.say("I work at Qwertzfirm")
    there.say("I live in Lyon")
    there.say("I like olives")
    turn.resend(alice, question_of(first), "The boiler leaks", up_to=6)
    assert numbers(first.conversation) == [1, 2]
    assert again(first.conversation).last_number == 2
    assert values(alice, "location") == set()
    assert "The boiler leaks" in again(first.conversation).title


@alone
def test_the_same_other_words_sent_twice_are_said_once(alice: User) -> None:
    question = question_of(Talk(alice).say("I work at Qwertzfirm"))
    first = turn.resend(alice, question, "I work at Zephyrsoft", "one form")
    second = turn.resend(alice, question, "I work at Zephyrsoft", "one form")
    assert first.question.pk == second.question.pk
    assert numbers(question.conversation) == [1, 2]


@alone
def test_more_than_was_shown_never_goes_unasked(alice: User) -> None:
    there = Talk(alice)
    question = question_of(there.say("I work at Qwertzfirm"))
    there.say("Said in another window")
    with pytest.raises(message_deletion.ConversationContinued):
        turn.resend(alice, question, "Other words", up_to=2)
    assert numbers(question.conversation) == [1, 2, 3, 4]


@alone
def test_what_was_pasted_stays_pasted_in_other_words(alice: User) -> None:
    text = "Look at this: I work at Zephyrsoft and live in a town called Alphaville."
    exchange = turn.begin(alice, None, text, pasted=[text[14:]])
    list(turn.fill(alice.pk, exchange.answer.pk))
    made = turn.resend(alice, again(exchange.question), f"Hm. {text}")
    list(turn.fill(alice.pk, made.answer.pk))
    assert again(made.question).pasted == [[18, 4 + len(text)]]
    assert values(alice, "employer") == set()


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Callable[..., None]:
    """Let a model's answer come in these pieces; an exception among them is raised."""
    settings.OPENAI_API_KEY = "key-for-tests"

    def answer_with(*texts: str | Exception) -> None:
        def stream(asked: object, draft: object) -> Any:
            for text in texts:
                if isinstance(text, Exception):
                    raise text
                yield text

        monkeypatch.setattr(answer_writer.responder, "stream", stream)

    return answer_with


@alone
def test_the_last_answer_is_written_once_more(alice: User, pieces: Callable[..., None]) -> None:
    pieces("The first")
    answer = Talk(alice).say("Tell me something")
    pieces("The ", "second")
    turn.regenerate(alice, answer)
    assert (again(answer).state, again(answer).content) == (State.WAITING, "The first")
    assert fill(answer).content == "The second"
    assert (again(answer).state, again(answer).content) == (State.DONE, "The second")
    assert numbers(answer.conversation) == [1, 2]


@alone
@pytest.mark.parametrize(
    ("texts", "content", "state"),
    [
        ((KeyError("x"),), "The first", State.DONE),
        (("Half ", KeyError("x")), "Half ", State.CUT),
    ],
)
def test_a_failure_at_once_leaves_the_former_answer(
    alice: User, pieces: Callable[..., None], texts: Any, content: str, state: str
) -> None:
    pieces("The first")
    answer = Talk(alice).say("Tell me something")
    pieces(*texts)
    turn.regenerate(alice, answer)
    kept = fill(answer)
    assert (kept.content, kept.state, kept.failure) == (content, state, answer_writer.TROUBLE)
    assert (again(answer).content, again(answer).state) == (content, state)
    with acting_as(alice):
        assert not Work.objects.filter(kind=turn.KIND).exists()


@pytest.mark.slow
@alone
def test_a_killed_process_costs_neither_the_former_answer_nor_the_new_one(
    alice: User, pieces: Callable[..., None]
) -> None:
    pieces("The first")
    answer = Talk(alice).say("Tell me something")
    turn.regenerate(alice, answer)
    assert work.claim(alice.pk, turn.KIND, answer.pk)
    pieces("The second")
    let_time_pass(alice)
    work.do_waiting_work()
    assert (again(answer).content, again(answer).state) == ("The second", State.DONE)


@for_real
def test_numbers_hold_with_writers_and_a_deleter_at_once(alice: User) -> None:
    first = tell(alice, "The first")
    middle = [tell(alice, f"Number {n}", first.conversation) for n in range(6)]
    deeds: list[Callable[[], Any]] = [
        *(lambda m=m: remove(alice, m) for m in middle[:3]),  # type: ignore[misc]
        *(lambda: said(alice, "At the same time", first.conversation) for _ in range(5)),
        lambda: turn.resend(alice, middle[4], "Put differently"),
    ]
    results = together(*deeds)
    assert [r for r in results if isinstance(r, Exception)] == []
    assert numbers(first.conversation) == list(range(1, again(first.conversation).last_number + 1))


@alone
def test_only_the_last_answer_is_written_once_more(alice: User) -> None:
    there = Talk(alice)
    first = there.say("Tell me something")
    there.say("And more")
    with pytest.raises(turn.NotTheLast):
        turn.regenerate(alice, first)
