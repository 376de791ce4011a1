"""What is understood as a question to the memory, and what is left alone."""

import pytest

from memory.language.queries.query_intent import IntentKind
from memory.language.reading import Reading

UNDERSTOOD = {
    IntentKind.UPCOMING: [
        "What's coming up?",
        "Am I free on Friday?",
        "what are my plans for tomorrow",
    ],
    IntentKind.LIST_TALKS: [
        "list my conversations about travel",
        "Which conversations mention Lisbon?",
        "In which conversation did we talk about the boat?",
    ],
    IntentKind.NOTES: ["What notes do you have on Anna?"],
    IntentKind.OPEN: ["what’s new?", "what should I settle?"],
    IntentKind.KNOW: ["What do you remember about Anna?"],
    IntentKind.BEFORE: ["Where did I live before Seattle?", "What was my previous job?"],
    IntentKind.SINCE: ["How long have I worked at Google?"],
    IntentKind.FORGET: ["forget that", "Please delete my last message"],
    IntentKind.NEVER_MIND: ["Forget it, let's move on", "Never mind"],
}


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in UNDERSTOOD.items() for text in texts]
)
def test_a_question_is_understood(kind: IntentKind, text: str) -> None:
    wish = Reading(text).intent
    assert wish is not None
    assert wish.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "I talked about running last week.",
        "I forgot my keys at work",
        "When in Rome, do as the Romans do",
        "What " * 200,
    ],
)
def test_what_states_something_or_asks_something_else_is_left_alone(text: str) -> None:
    assert Reading(text).intent is None
