"""Servers of language models, each with its own idea of the API: all of them answer, or it is told
plainly why not.
"""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from pytest_django import Settings

from accounts.models import User
from conversations import llm
from conversations.llm import adapting
from conversations.models import Message, ModelHealth, ModelRefusal
from conversations.turns import answer_writer, turn
from tests.conversations.looking import KEYS, answer, look
from tests.fakes import model_cases
from tests.fakes.model_cases import CASES, PROMPT, Case, refusing
from tests.fakes.model_server import Script, Serve, failing, normal
from tests.people import tell

State = Message.State
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_learned() -> None:
    """No process knows yet what a server takes."""
    adapting.forget()


def ask(user: User, text: str = "Write a poem about the sea", where: object = None) -> Message:
    exchange = turn.begin(user, where, text)
    *_, last = turn.fill(user.pk, exchange.answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_server_answers_or_is_told_of_plainly(case: Case, serve: Serve) -> None:
    server = serve(case.script, **case.changes)
    outcome = model_cases.play(case, server)
    assert outcome.answered == case.answers
    if case.text:
        assert outcome.text == case.text
    if case.requests is not None:
        assert len(outcome.requests) == case.requests
    for name in case.holds:
        assert outcome.requests[-1].get(name)
    for name in case.lacks:
        assert not outcome.requests[-1].get(name)
    if case.script.endless:
        assert server.abandoned.wait(300)


def test_an_answer_in_a_script_with_more_tokens_a_word_is_not_cut_early(serve: Serve) -> None:
    told = "私はリヨンに住んでいます。" * 20
    serve(normal(told), MODEL_MAX_TOKENS=200)
    assert "".join(llm.stream(PROMPT)) == told


def test_what_a_model_refused_is_asked_for_by_no_process_for_a_day(
    serve: Serve, settings: Settings
) -> None:
    case = Case("", refusing("tools", replies=["Fine."]), asked="tools")
    server = serve(case.script)
    model_cases.play(case, server)
    adapting.forget_proofs()
    server.requests.clear()
    outcome = model_cases.play(case, server)
    assert len(outcome.requests) == 1
    assert outcome.last_request() == "max_tokens, stream, stream_options"
    server.play(normal("Fine."))
    settings.CHAT_MODEL = "larger"
    assert "tools" in model_cases.play(case, server).last_request()
    settings.CHAT_MODEL = "small"
    ModelRefusal.objects.update(expires_at=now() - timedelta(seconds=1))
    assert "tools" in model_cases.play(case, server).last_request()


def test_a_server_that_took_a_request_before_is_not_asked_again_for_one_persons_400(
    serve: Serve,
) -> None:
    server = serve(normal("Fine."))
    case = Case("", server._script, asked="tools")
    model_cases.play(case, server)
    server.play(failing(400, code="invalid_request_error"))
    server.requests.clear()
    assert model_cases.play(case, server).answered == "not accepted"
    assert len(server.requests) == 1
    server.play(normal("Fine."))
    assert "tools" in model_cases.play(case, server).last_request()


def test_one_persons_400_pauses_the_model_for_nobody(alice: User, bob: User, serve: Serve) -> None:
    server = serve(failing(400, code="content_filter"))
    look(alice, tell(alice, KEYS).conversation)
    assert not ModelHealth.objects.exists()
    server.play(normal(answer()))
    server.requests.clear()
    look(bob, tell(bob, KEYS).conversation)
    assert server.requests


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(alice: User, serve: Serve) -> None:
    serve(failing(429, retry_after=400))
    look(alice, tell(alice, KEYS).conversation)
    pause = (ModelHealth.objects.get().resumes_at - now()).total_seconds()
    assert 300 < pause <= 401


def test_a_prompt_that_is_too_long_for_the_server_is_shortened_and_the_question_kept(
    alice: User, serve: Serve
) -> None:
    server = serve(normal("word " * 300))
    where = None
    for number in range(8):
        where = ask(alice, f"Write poem number {number} about the sea", where).conversation
    server.play(Script(replies=("Short.",), most_characters=9_000))
    server.requests.clear()
    kept = ask(alice, "Write the last poem about the sea", where)
    assert (kept.state, kept.content) == (State.DONE, "Short.")
    last = server.requests[-1]["messages"]
    assert last[0]["role"] == "system"
    assert last[-1]["content"] == "Write the last poem about the sea"
    assert 2 <= len(last) < len(server.requests[0]["messages"])


def test_a_message_that_is_too_long_alone_is_told(alice: User, serve: Serve) -> None:
    serve(normal("Fine."), MODEL_CONTEXT=3_000)
    kept = ask(alice, "Write about the sea and the sand. " * 500)
    assert "This message is too long" in kept.failure
    assert kept.state == State.FAILED
