"""What tells something is told from what only asks, orders or answers."""

import pytest

from memory.language.queries import query_intent, speech_acts
from tests.clock import ends_in_reasonable_time


@pytest.mark.parametrize(
    ("sentence", "only"),
    [
        ("Where is Berlin?", True),
        ("where is Berlin", True),
        ("Tell me about Berlin", True),
        ("How often did I mention Berlin?", True),
        ("Should we go to Berlin in June?", True),
        ("Did I tell you that I went to Berlin?", False),
        ("Guess where in Berlin I met Anna?", False),
        ("Berlin is lovely, right?", False),
        ("I am planning a trip to Berlin.", False),
    ],
)
def test_what_only_asks_is_told_from_what_tells_by_asking(sentence: str, only: bool) -> None:
    assert speech_acts.is_question(sentence) is only


@pytest.mark.parametrize(
    ("text", "directs"),
    [
        ("Yes, please do.", True),
        ("no thank you", True),
        ("ok, then just note it down anyway", True),
        ("Hello there!", True),
        ("Good morning. What did I say about Bern?", True),
        ("Hello, I moved to Bern.", False),
        ("Great, we found a flat.", False),
        ("Note that I moved to Bern.", False),
        ("There is a flat in Bern.", False),
    ],
)
def test_what_only_answers_or_orders_tells_nothing(text: str, directs: bool) -> None:
    assert speech_acts.has_no_statement(text) is directs


@pytest.mark.parametrize("words", ["please do ", "no thank you ", "note it down anyway ", "do it "])
def test_an_answer_given_a_thousand_times_is_read_at_once(words: str) -> None:
    with ends_in_reasonable_time():
        assert not speech_acts.has_no_statement(words * 1000 + "x")


@pytest.mark.parametrize(
    ("sentence", "only"),
    [
        ("Do you know about my asthma?", True),
        ("What medicine do I take", True),
        ("I have asthma, may I dive?", False),
        ("Did I tell you that I have asthma?", False),
        ("Can you note that I have asthma?", False),
    ],
)
def test_a_question_from_its_first_word_states_nothing_beside_it(sentence: str, only: bool) -> None:
    assert speech_acts.is_pure_question(sentence) is only


def test_a_text_without_a_sentence_asks_nothing() -> None:
    assert not speech_acts.is_all_questions("...")
    assert speech_acts.is_all_questions("Where? When?")
    assert not speech_acts.is_all_questions("Where? In Bern.")


@pytest.mark.parametrize(
    "question",
    [
        "What is my cat called?",
        "What is my work phone number?",
        "whats my car called",
        "when did i go surfing",
        "Can you tell me what my dog is called?",
        "hey do u know what my cat is called",
        "Did I tell you about my cat?",
        "I forgot what my cat is called",
        "When do I practise my cello?",
        "have i told u about my boat",
        "And my cat, what is she called?",
        "Any idea what my cat is called?",
    ],
)
def test_what_asks_only_what_is_known_of_oneself_is_known_as_that(question: str) -> None:
    assert speech_acts.asks_of_oneself(question)


@pytest.mark.parametrize(
    "text",
    [
        "Would you ride in my jeep?",
        "What should I feed my cat?",
        "Why is my cat sneezing?",
        "Does my cat need a vaccine?",
        "Do I need a licence for my boat?",
        "Where do I live now that I moved to Graz?",
        "What am I called at home, I am Zoe?",
        "Did I tell you that I have a cat?",
        "What I love is my cat.",
        "When my dog died I cried.",
    ],
)
def test_what_asks_others_or_tells_something_is_not_only_a_question_of_oneself(text: str) -> None:
    assert not speech_acts.asks_of_oneself(text)


@pytest.mark.parametrize(
    ("sentence", "only"),
    [
        ("I bought the kayak with my sister last week.", False),
        ("My cousin sold a lamp in Porto.", False),
        ("We moved from Lyon to Graz.", False),
        ("I want you to forget everything", True),
        ("I forgot when my rent is due", True),
        ("I would like a summary of our last chat", True),
        ("My dear, what was our last chat about", True),
    ],
)
def test_what_plainly_tells_is_told_from_a_question_by_how_it_begins(
    sentence: str, only: bool
) -> None:
    assert speech_acts.is_question(sentence) is only


def test_no_form_of_asking_begins_as_what_plainly_tells() -> None:
    """Or it would never be tried."""
    begins = ("i ", "we ", "he ", "she ", "they ", "it ", "my ")
    for kind, form in query_intent._COMPILED:
        assert not form.pattern.lower().startswith(begins), kind
