"""Servers of language models, each with its own idea of the API: all of them answer, or it is told
plainly why not.
"""

import re
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import llm
from conversations.llm import ModelFailure, adapting
from conversations.models import Message, ModelHealth, ModelRefusal
from conversations.turns import answer_writer, turn
from tests.conversations.looking import KEYS, answer, look
from tests.fakes import model_cases
from tests.fakes.model_cases import CASES, LYON, PROMPT, Case, City, raw, refusing, words
from tests.fakes.model_server import Script, Serve, calls, failing, normal
from tests.people import tell

State = Message.State
pytestmark = pytest.mark.django_db
REWORD = re.compile(r"another way|reword|put it differently", re.IGNORECASE)


@pytest.fixture(autouse=True)
def _nothing_learned() -> None:
    """No process knows yet what a server takes."""
    adapting.forget()


def ask(user: User, text: str = "Write a poem about the sea", where: object = None) -> Message:
    exchange = turn.begin(user, where, text)
    *_, last = turn.fill(user.pk, exchange.answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer


# --- The table of cases --------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.script.endless], ids=lambda case: case.name
)
def test_whoever_sends_without_end_is_left(case: Case, serve: Serve) -> None:
    server = serve(case.script, **case.changes)
    model_cases.play(case, server)
    assert server.abandoned.wait(300)


@pytest.mark.parametrize("most", [50, 500])
def test_an_answer_is_as_long_as_was_asked_for_though_the_server_does_not_obey(
    serve: Serve, most: int
) -> None:
    serve(raw(words("word " * 7), endless=True), MODEL_MAX_TOKENS=most)
    text = ""
    with pytest.raises(ModelFailure, match="at the maximum length"):
        for piece in llm.stream(PROMPT):
            text += piece
    assert most <= len(text.split()) <= 1.2 * most + 70


def test_an_answer_in_a_script_with_more_tokens_a_word_is_not_cut_early(serve: Serve) -> None:
    told = "私はリヨンに住んでいます。" * 20
    serve(normal(told), MODEL_MAX_TOKENS=200)
    assert "".join(llm.stream(PROMPT)) == told


# --- What is learned -----------------------------------------------------------------------------


@pytest.mark.parametrize("naming", ["param", "sentence", "loc", "unnamed"])
def test_what_was_refused_is_asked_for_once_by_all_processes(serve: Serve, naming: str) -> None:
    case = Case("", refusing("stream_options", replies=["Fine."], naming=naming), asked="tools")
    server = serve(case.script)
    model_cases.play(case, server)
    adapting.forget_proofs()
    server.requests.clear()
    outcome = model_cases.play(case, server)
    assert len(outcome.requests) == 1
    assert outcome.last_request() == "max_tokens, stream, tools"


def test_several_refusals_without_a_name_are_all_found_out(serve: Serve) -> None:
    case = Case("", refusing("stream_options", "tools", naming="unnamed"), asked="tools")
    server = serve(case.script)
    for _ in range(3):
        model_cases.play(case, server)
    server.requests.clear()
    outcome = model_cases.play(case, server)
    assert outcome.last_request() == "max_tokens, stream"
    assert len(outcome.requests) == 1


def test_after_a_day_it_is_asked_for_again(serve: Serve) -> None:
    case = Case("", refusing("tools", replies=["Fine."]), asked="tools")
    server = serve(case.script)
    model_cases.play(case, server)
    server.play(normal("Fine."))
    assert "tools" not in model_cases.play(case, server).last_request()
    ModelRefusal.objects.update(expires_at=now() - timedelta(seconds=1))
    assert "tools" in model_cases.play(case, server).last_request()


def test_another_model_at_the_same_address_is_asked_for_everything(
    serve: Serve, settings: Settings
) -> None:
    case = Case("", refusing("tools", "max_tokens"), asked="tools")
    server = serve(case.script)
    model_cases.play(case, server)
    settings.CHAT_MODEL = "larger"
    server.play(normal("Fine."))
    outcome = model_cases.play(case, server)
    assert outcome.last_request() == "max_tokens, stream, stream_options, tools"


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


@pytest.mark.parametrize(
    "wrapped", ["{}", "Here it is:\n{}\nAnything else?", "```json\n{}\n```", "<think>{{</think>{}"]
)
def test_structure_is_found_in_words(serve: Serve, wrapped: str) -> None:
    text = wrapped.replace("{{", "\0").replace("{}", LYON.model_dump_json()).replace("\0", "hm")
    server = serve(refusing("response_format", replies=[text]))
    assert llm.ask(PROMPT, schema=City) == LYON
    # Where no parameter tells the shape any more, the prompt does.
    last = server.requests[-1]["messages"]
    assert '"sure"' in last[0]["content"] + last[-1]["content"]


# --- What a person and staff read ----------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        failing(400, code="invalid_request_error"),
        failing(422, code="invalid_request_error"),
        failing(404),
        failing(401),
        Script(manner="html"),
    ],
)
def test_nobody_is_told_to_reword_for_a_fault_of_the_server(
    alice: User, serve: Serve, script: Script
) -> None:
    serve(script)
    tell(alice, "My name is Ida Lund.")
    kept = ask(alice)
    assert kept.state == State.FAILED
    assert not REWORD.search(kept.failure + kept.content)
    # The notebook answers in its place.
    assert "this is from your notebook" in kept.content


def test_a_filter_is_told_to_the_person_it_is_about(alice: User, serve: Serve) -> None:
    serve(failing(400, code="content_filter"))
    assert "filter" in ask(alice).failure


SAID = "Write a poem about marzipan"


@pytest.mark.parametrize(
    ("script", "parameter", "instead"),
    [
        (refusing("max_tokens"), "max_tokens", "max_completion_tokens"),
        (refusing("tools"), "tools", ""),
        (failing(400, code="invalid_request_error"), "", ""),
        (failing(401), "", ""),
    ],
)
def test_staff_see_what_was_refused_and_nothing_that_was_said(
    alice: User, admin_client: Client, serve: Serve, script: Script, parameter: str, instead: str
) -> None:
    serve(script)
    ask(alice, SAID)
    told = admin_client.get("/healthz").json()["language_model"]
    assert [(row["refused"], row["instead"]) for row in told] == [(parameter, instead)]
    assert told[0]["since"]
    assert told[0]["status"] == script.status or parameter
    page = admin_client.get("/admin/conversations/modelrefusal/")
    assert page.status_code == 200
    shown = page.content.decode() + str(told)
    assert parameter in shown
    assert "marzipan" not in shown


# --- One person's request ------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["context_length_exceeded", "content_filter", "invalid_request"])
def test_one_persons_400_pauses_the_model_for_nobody(
    alice: User, bob: User, serve: Serve, code: str
) -> None:
    server = serve(failing(400, code=code))
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


@pytest.mark.parametrize(("seconds", "said"), [(600, "10 minutes"), (90_000, "later")])
def test_how_long_a_server_is_busy_is_told(serve: Serve, seconds: int, said: str) -> None:
    serve(failing(429, retry_after=seconds))
    with pytest.raises(ModelFailure, match=said):
        list(llm.stream(PROMPT))


@pytest.mark.parametrize("spoken", [True, False])
def test_a_prompt_that_is_too_long_for_the_server_is_shortened_and_the_question_kept(
    alice: User, serve: Serve, spoken: bool
) -> None:
    server = serve(normal("word " * 300))
    where = None
    for number in range(8):
        where = ask(alice, f"Write poem number {number} about the sea", where).conversation
    script = Script(replies=("Short.",), most_characters=9_000)
    server.play(script if spoken else replace(script, most_characters=8_000))
    server.requests.clear()
    kept = ask(alice, "Write the last poem about the sea", where)
    assert (kept.state, kept.content) == (State.DONE, "Short.")
    last = server.requests[-1]["messages"]
    assert last[0]["role"] == "system"
    assert last[-1]["content"] == "Write the last poem about the sea"
    assert 2 <= len(last) < len(server.requests[0]["messages"])


# --- Bounds of what comes ------------------------------------------------------------------------


def test_an_endless_answer_is_kept_as_cut_and_says_so(alice: User, serve: Serve) -> None:
    server = serve(raw(words("word " * 10), endless=True), MODEL_MAX_TOKENS=100)
    kept = ask(alice)
    assert kept.state == State.CUT
    assert "at the maximum length" in kept.failure
    assert len(kept.content) < 1_000
    assert server.abandoned.wait(300)


def test_calls_without_number_or_bound_are_few_and_small(alice: User, serve: Serve) -> None:
    many = calls(*[("x" * 10_000, "y" * 10_000)] * 3, *[("recall_memories", {})] * 3_000)
    server = serve(Script(replies=(many, "Done."), only_whole=True), MODEL_MAX_TOKENS=0)
    kept = ask(alice)
    assert len(kept.steps) <= 12
    assert len(str(server.requests[-1])) < 60_000


@pytest.mark.parametrize("wanted", ["words", "structure"])
def test_background_answers_are_bounded_too(serve: Serve, wanted: str) -> None:
    serve(normal('{"name": "' + "x" * 200_000 + '", "sure": true}'))
    with pytest.raises(ModelFailure) as caught:
        llm.ask(PROMPT, schema=City) if wanted == "structure" else llm.ask(PROMPT)
    assert caught.value.situation == "length"


def test_a_long_answer_from_before_costs_later_turns_nothing(alice: User, serve: Serve) -> None:
    server = serve(normal("Fine."))
    first = ask(alice)
    with acting_as(alice):
        Message.objects.filter(pk=first.pk).update(content="a word or two. " * 70_000)
    began = time.process_time()
    kept = ask(alice, "Write another poem", first.conversation)
    assert kept.content == "Fine."
    # Reading a megabyte once takes seconds; a turn reads none of it.
    assert time.process_time() - began < 3
    sent = server.requests[-1]["messages"]
    assert sum(len(message["content"]) for message in sent) < 100_000


def test_without_a_word_from_the_server_a_prompt_is_bounded(alice: User, serve: Serve) -> None:
    server = serve(normal("word " * 1_500), MODEL_CONTEXT=0, MODEL_MAX_TOKENS=0)
    where = None
    for number in range(14):
        where = ask(alice, f"Write poem number {number} about the sea", where).conversation
    sent = server.requests[-1]["messages"]
    assert sum(len(message["content"].split()) for message in sent) < 16_000
    assert sent[-1]["content"] == "Write poem number 13 about the sea"
    # The newest stayed.
    assert sent[-3]["content"] == "Write poem number 12 about the sea"


def test_a_message_that_is_too_long_alone_is_told(alice: User, serve: Serve) -> None:
    serve(normal("Fine."), MODEL_CONTEXT=3_000)
    kept = ask(alice, "Write about the sea and the sand. " * 500)
    assert "This message is too long" in kept.failure
    assert kept.state == State.FAILED
