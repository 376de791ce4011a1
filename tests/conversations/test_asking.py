"""What is understood as a question to the memory, and what is left alone."""

import pytest

from memory.language.queries.query_intent import (
    MAX_INTENT_LENGTH,
    IntentKind,
    read_intent,
    split_sentences,
)
from tests.clock import ends_in_reasonable_time

UNDERSTOOD = {
    IntentKind.RECAP: [
        "What did we talk about last week?",
        "What did we talk about between March and May?",
        "What did we talk about the past week?",
        "What did we talk about the week before last?",
        "What did we talk about several weeks ago?",
        "what have we talked about so far",
        "What did we discuss in June?",
        "So, what were we talking about yesterday?",
        "What were our chats about?",
    ],
    IntentKind.LAST: [
        "When did I last mention Lisbon?",
        "When did I last mention Dr. Moll?",
        "When did we last talk about the move?",
        "when was the last time I talked about my brother?",
        "When was running last mentioned?",
        "How long is it since I talked about chess?",
    ],
    IntentKind.FIRST: [
        "When did I first mention Lisbon?",
        "When was the first time we talked about the move?",
    ],
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
    IntentKind.HOW_OFTEN: [
        "How often did I talk about running?",
        "How many times have I mentioned Anna?",
        "In how many conversations did we talk about camping?",
        "how many messages mention Lisbon?",
        "How often has the garden come up?",
    ],
    IntentKind.COUNT_TALKS: [
        "How many conversations do I have?",
        "how many chats have we had this month?",
        "How many conversations are there in all?",
    ],
    IntentKind.LIST_TALKS: [
        "List my conversations",
        "list my conversations about travel",
        "Show me all my chats from March",
        "Which conversations mention Lisbon?",
        "In which conversation did we talk about the boat?",
    ],
    IntentKind.SUM_UP: [
        "Sum up this conversation",
        "Summarise our talk about the move",
        "Could you summarize our last conversation?",
        "Please give me a summary of this chat",
        "What was our last conversation about?",
        "Sum this conversation up, please",
        "Sum our last chat up",
        "Summarise, please, this chat",
        "give me a summary of this talk",
        "Can you give me a short summary?",
        "I'd like a quick recap of this conversation, please.",
        "A brief summary, please",
    ],
    IntentKind.SAID: [
        "What did I say about Lisbon in March?",
        "What did I tell you about my sister?",
        "Show me everything I said about the boat",
    ],
    IntentKind.NOTES: [
        "Show my notes about running",
        "What notes do you have on Anna?",
        "List my notes",
    ],
    IntentKind.WHO: [
        "Who is Anna?",
        "who's Tom",
        "Whose birthday did I celebrate?",
        "Who helped me move?",
    ],
    IntentKind.WHEN: [
        "When did I go to the museum?",
        "When is my sister's wedding?",
        "Do you remember when I went to the museum?",
        "What year did I move?",
        "On which day did I buy the boat?",
    ],
    IntentKind.WHICH: [
        "Which books have I read?",
        "What instruments do I play?",
        "Where have I camped?",
        "What are my plans?",
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
    IntentKind.FIRST_TOLD: [
        "What did I tell you first?",
        "What was the first thing I ever said to you?",
    ],
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
    wish = read_intent(text)
    assert wish is not None
    assert wish.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "I talked about running last week.",
        "When I was young I lived in Rome.",
        "We last talked about the move in March.",
        "I forgot my keys at work",
        "I will never forget what I saw in Lisbon.",
        "Don't forget that I live in Rome",
        "Forget that I live in Rome",
        "I read many books, which are all about ships.",
        "My notes about running are in a drawer",
        "I asked who is Anna and nobody knew",
        "Which is nice.",
        "What a day!",
        "Who knows.",
        "Anna, who is my sister, came by",
        "When in Rome, do as the Romans do",
        "My name is Nick",
        "I gave my boss a summary of the project",
        "What would please my mother",
        "I have three conversations to prepare",
        "Summaries are useful to me",
        "How lovely",
        "",
        "?",
        "...",
        "What " * 200,
    ],
)
def test_what_states_something_or_asks_something_else_is_left_alone(text: str) -> None:
    assert read_intent(text) is None


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("When did I last mention Lisbon?", "Lisbon"),
        ("How often did I talk about my old “boat”?", "my old “boat"),
        ("List my conversations about travel, please", "travel"),
        ("Summarise our talk about the move", "the move"),
        ("What did I say about Anna in March?", "Anna in March"),
        ("I moved to Lisbon. When did I last mention Rome?", "Rome"),
        ("Show my notes on Anna.", "Anna"),
    ],
)
def test_what_is_asked_about_is_said_in_the_askers_own_words(text: str, about: str) -> None:
    wish = read_intent(text)
    assert wish is not None
    assert wish.about == about


def test_what_one_said_oneself_is_told_from_what_both_said() -> None:
    own, both = (
        read_intent("When did I last mention Rome?"),
        read_intent("When did we last talk about Rome?"),
    )
    assert own is not None
    assert both is not None
    assert own.mine
    assert not both.mine


def test_conversations_are_told_from_messages() -> None:
    talks = read_intent("In how many conversations did we talk about Rome?")
    messages = read_intent("How often did we talk about Rome?")
    assert talks is not None
    assert messages is not None
    assert (talks.talks, messages.talks) == (True, False)


def test_the_conversation_that_is_meant_is_named() -> None:
    here, before = (
        read_intent("Sum up this conversation"),
        read_intent("Sum up our last conversation"),
    )
    assert here is not None
    assert before is not None
    assert (here.which, before.which) == ("this", "our last")


def test_an_apostrophe_of_either_kind_is_one() -> None:
    curly = read_intent("what’s new?")
    assert curly is not None
    assert curly.kind is IntentKind.OPEN


def test_a_text_made_to_be_slow_is_read_at_once() -> None:
    with ends_in_reasonable_time():
        for word in ("what ", "which conversations of ", "show me all my ", "forget it ", "when "):
            read_intent((word * 300)[: MAX_INTENT_LENGTH - 1] + "?")


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
