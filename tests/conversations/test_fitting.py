"""A prompt that fits a small model: the question, the newest of the talk, and tools if they fit."""

import pytest
from pytest_django import Settings

from conversations.llm import ChatMessage, Function, ModelFailure, context_fitting

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
