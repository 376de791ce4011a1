"""What is understood as a question to the memory, and what is left alone."""

import pytest

from memory.language.queries.asked_slots import asked_about
from memory.language.queries.query_intent import (
    MAX_INTENT_LENGTH,
    IntentKind,
    split_sentences,
)
from memory.language.reading import Reading
from tests.clock import ends_in_reasonable_time

UNDERSTOOD = {
    IntentKind.UPCOMING: [
        "What's coming up?",
        "What's on this week?",
        "what is happening on friday",
        "What have I got on tomorrow?",
        "do i have anything on saturday?",
        "Am I free on Friday?",
        "any appointments next week?",
        "What appointments do I have coming up?",
        "What does my week look like?",
        "how is next week looking?",
        "anything on the 14th?",
        "Remind me what's on this weekend",
        "what are my plans for tomorrow",
        "Have I got anything planned?",
    ],
    IntentKind.LIST_TALKS: [
        "List my conversations",
        "list my conversations about travel",
        "Show me all my chats from March",
        "Which conversations mention Lisbon?",
        "In which conversation did we talk about the boat?",
    ],
    IntentKind.NOTES: [
        "Show my notes about running",
        "What notes do you have on Anna?",
        "List my notes",
    ],
    IntentKind.OPEN: ["What's new?", "What is open?", "Anything new?", "what should I settle?"],
    IntentKind.KNOW: ["What do you know about my work?", "What do you remember about Anna?"],
    IntentKind.BEFORE: [
        "Where did I work before?",
        "Where did I live before Seattle?",
        "What was my previous job?",
        "Where did I use to live?",
    ],
    IntentKind.SINCE: ["Since when do I live here?", "How long have I worked at Google?"],
    IntentKind.FORGET: [
        "Forget what I just said",
        "forget that",
        "Please delete my last message",
        "Could you remove what I said?",
    ],
    IntentKind.NEVER_MIND: [
        "Forget it, let's move on",
        "forget it",
        "Never mind",
        "forget about it.",
    ],
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
        "I read many books, which are all about ships.",
        "Which is nice.",
        "When in Rome, do as the Romans do",
        "What would please my mother",
        "",
        "What " * 200,
    ],
)
def test_what_states_something_or_asks_something_else_is_left_alone(text: str) -> None:
    assert Reading(text).intent is None


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("List my conversations about travel, please", "travel"),
        ("What do you know about my old “boat”?", "my old “boat"),
        ("I moved to Lisbon. List my chats about Rome", "Rome"),
        ("Show my notes on Anna.", "Anna"),
    ],
)
def test_what_is_asked_about_is_said_in_the_askers_own_words(text: str, about: str) -> None:
    wish = Reading(text).intent
    assert wish is not None
    assert wish.about == about


def test_an_apostrophe_of_either_kind_is_one() -> None:
    curly = Reading("what’s new?").intent
    assert curly is not None
    assert curly.kind is IntentKind.OPEN


def test_a_text_made_to_be_slow_is_read_at_once() -> None:
    with ends_in_reasonable_time():
        for word in ("what ", "which conversations of ", "show me all my ", "forget it ", "when "):
            assert Reading((word * 300)[: MAX_INTENT_LENGTH - 1] + "?").last_asked
            assert Reading(word * 300).intent is None


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "who else sees what i type in here?? like could my work",
            ["who else sees what i type in here??", "like could my work"],
        ),
        ("the vet rang. we come at 2.15", ["the vet rang.", "we come at 2.15"]),
        ("it takes approx. three hours", ["it takes approx. three hours"]),
        ("Ask Dr. Moll about it", ["Ask Dr. Moll about it"]),
    ],
)
def test_a_sentence_ends_before_a_small_letter_too(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("When am I seeing my sister, and where do I live now?", ("location",)),
        ("What do I have on this week, and where do I live again?", ("location",)),
        ("My name is Ann, I'm 34, and I love it here.", ()),
        ("What is the capital of France, and how many people live there?", ()),
        ("Recommend a book, something short", ()),
    ],
)
def test_a_question_about_oneself_is_heard_behind_another(
    text: str, slots: tuple[str, ...]
) -> None:
    assert asked_about(text) == slots
