"""A prompt that fits a small model: the question, the newest of the talk, and tools if they fit."""

import pytest
from pytest_django import Settings

from accounts.models import User
from conversations import llm
from conversations.llm import ChatMessage, Function, ModelFailure, context, context_fitting
from conversations.models import Message
from conversations.turns import answer_writer, turn
from tests.fakes.model_server import Serve, normal

TOOL = Function("look", "Look something up. " * 20, {"type": "object", "properties": {}})
RULES = "Be brief. " * 20


def talk(length: int) -> list[ChatMessage]:
    return [{"role": "user", "content": f"message number {n} " * 10} for n in range(length)]


@pytest.fixture
def small(settings: Settings) -> Settings:
    settings.OPENAI_BASE_URL, settings.MODEL_TOOLS = "http://127.0.0.1:9/v1", "auto"
    settings.MODEL_CONTEXT, settings.MODEL_MAX_TOKENS = 600, 100
    return settings


def test_the_newest_of_a_talk_is_kept_without_a_gap_and_the_question_always(
    small: Settings,
) -> None:
    said = talk(30)
    fitted = context_fitting.fit(RULES, "", said, ())
    assert 1 < len(fitted.talk) < 30
    assert fitted.talk == said[-len(fitted.talk) :]


def test_more_room_keeps_more(small: Settings) -> None:
    kept = []
    for small.MODEL_CONTEXT in (400, 800, 1600, 100_000):
        kept.append(len(context_fitting.fit(RULES, "", talk(30), ()).talk))
    assert kept == sorted(kept)
    assert kept[-1] == 30


@pytest.mark.parametrize(
    ("wish", "window", "offered"),
    [
        ("auto", 8000, True),
        ("auto", 500, False),
        ("off", 8000, False),
        ("on", 500, True),
    ],
)
def test_tools_are_offered_by_wish_and_by_what_fits(
    small: Settings, wish: str, window: int, offered: bool
) -> None:
    small.MODEL_TOOLS, small.MODEL_CONTEXT = wish, window
    fitted = context_fitting.fit(RULES, "Call tools.", talk(6), [TOOL])
    assert bool(fitted.functions) == offered
    assert ("Call tools." in fitted.rules["content"]) == offered


def test_a_question_that_does_not_fit_is_told_and_not_cut(small: Settings) -> None:
    with pytest.raises(ModelFailure, match="too long"):
        context_fitting.fit(RULES, "", [{"role": "user", "content": "very long " * 2000}], ())


@pytest.mark.parametrize(
    ("told", "size"),
    [
        ({"max_model_len": 4096}, 4096),
        ({"context_length": 8192}, 8192),
        ({"meta": {"n_ctx": 2048, "n_ctx_train": 8192}}, 2048),
        ({"default_generation_settings": {"n_ctx": 1024}}, 1024),
        ({"context_length": "many"}, None),
        ({}, None),
    ],
)
def test_a_server_tells_its_size_in_many_ways(told: dict[str, object], size: int | None) -> None:
    assert context._size(told) == size


def test_a_prompt_is_bounded_where_the_server_does_not_tell(serve: Serve) -> None:
    serve(normal("Fine."), MODEL_CONTEXT=0)
    assert llm.window() == context.DEFAULT


@pytest.mark.django_db
def test_what_the_server_counted_is_told_from_what_was_reckoned(alice: User, serve: Serve) -> None:
    for script, estimated in ((normal("Fine.", usage=(10, 2)), False), (normal("Fine."), True)):
        serve(script)
        exchange = turn.begin(alice, None, "Write a poem")
        *_, last = turn.fill(alice.pk, exchange.answer.pk)
        assert isinstance(last, answer_writer.FinishedAnswer)
        assert last.answer.tokens_estimated is estimated
        assert last.answer.state == Message.State.DONE
