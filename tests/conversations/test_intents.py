"""What a message wants is told by its nearest examples; each part of it gets its own answer."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations.notebook import intents, message_parts, people
from memory.language import Reading
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "asks", "name"),
    [
        ("hey hey, good afternoon", False, "greeting"),
        ("thank you kindly", False, "thanks"),
        ("right, off to sleep, night", False, "goodbye"),
        ("our old dog passed away today", False, "sorrow"),
        ("I got accepted!!", False, "joy"),
        ("write a birthday card for my aunt", True, "task"),
        ("what is the capital of Mongolia?", True, "knowledge"),
        ("what's my cousin called?", True, "memory_question"),
        ("no, that is not right", False, "correction"),
        ("guten morgen", False, "greeting"),
        ("muchas gracias", False, "thanks"),
    ],
)
def test_a_message_is_told_by_its_nearest_examples(said: str, asks: bool, name: str) -> None:
    assert intents.rank(said, asks=asks)[0].name == name


@pytest.mark.parametrize(
    "said",
    [
        "The plumber comes on Tuesday at nine.",
        "We watched a film with Ola.",
        "I bought a bookcase for the hall.",
    ],
)
def test_a_plain_statement_is_taken_for_nothing_else(said: str) -> None:
    read = intents.read(said, asks=False)
    assert read is None or read.name == "statement"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("how do I export my data?", "/notebook/history/"),
        ("how can i delete everything you know", "/forget-everything"),
        ("can I switch the memory off?", "/notebook/"),
        ("how do I log out?", "/accounts/logout/"),
        ("how do i connect a language model", "OPENAI_BASE_URL"),
    ],
)
def test_a_question_about_the_product_is_answered_with_its_page(
    talk: Talks, asked: str, page: str
) -> None:
    assert page in talk().say(asked).content


@pytest.mark.django_db
def test_two_questions_get_two_answers(alice: User, talk: Talks) -> None:
    tell(alice, "My sister Nora is 31. My brother Ben lives in Hull.")
    answer = talk().say("How old is Nora? Where does Ben live?").content
    assert "“How old is Nora?” and “Where does Ben live?”:" in answer
    assert "31" in answer
    assert "Hull" in answer


@pytest.mark.django_db
def test_a_task_takes_a_model_and_quotes_nothing(alice: User, talk: Talks) -> None:
    tell(alice, "My landlord Mr Patel must mend the boiler.")
    answer = talk().say("Write an email to my landlord about the boiler").content
    assert "takes a language model" in answer
    assert "Mr Patel" not in answer


@pytest.mark.django_db
def test_sorrow_gets_a_human_line_and_no_question(talk: Talks) -> None:
    answer = talk().say("My grandmother died last night.").content
    assert "sorry" in answer
    assert "?" not in answer


@pytest.mark.django_db
def test_another_language_is_kept_and_found(alice: User, talk: Talks) -> None:
    here = talk()
    assert "I read facts in English so far" in here.say("Ich wohne mit meiner Schwester.").content
    assert "Schwester" in talk().say("Wohne ich mit meiner Schwester?").content


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked", ["¿Dónde vivo?", "Wo wohne ich denn eigentlich?", "Où est-ce que j'habite ?", "Come?"]
)
def test_a_question_in_another_language_always_gets_an_answer(talk: Talks, asked: str) -> None:
    assert talk().say(asked).content


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("if i change my phone how do i get all this out like a backup", "a"),
        ("when i was small we had goats", ""),
        ("How old is Nora? Where does Ben live?", "qq"),
        ("What can you do?", "a"),
        ("tell me everything I said about Lukas", "q"),
        ("What's the capital of Peru?", "t"),
        ("Write a poem about rain.", "t"),
    ],
)
def test_each_part_that_asks_is_known_by_what_it_asks_of(text: str, kinds: str) -> None:
    asked = message_parts.asking_parts(message_parts.read(Reading(text)))
    assert "".join(part.kind for part in asked) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "Right then, I'll leave it there, the soup is boiling over, so goodnight and God bless.",
        "You were very kind to listen to me all this while, thanks a million for it, dear.",
    ],
)
def test_a_long_farewell_or_thanks_is_one_where_it_is_sure(text: str) -> None:
    part = message_parts.read(Reading(text))[0]
    assert people.is_human_line(part.intent, part.text)


def test_a_question_in_the_middle_of_a_long_message_is_not_passed_over() -> None:
    told = [f"We painted room {number} of the house in white." for number in range(8)]
    text = " ".join([*told, "How old is Nora?", *told])
    asked = message_parts.asking_parts(message_parts.read(Reading(text)))
    assert [part.text for part in asked] == ["How old is Nora?"]


def test_somebody_is_spoken_to_by_the_given_name() -> None:
    assert people.as_addressed("Noreen Gilmartin") == "Noreen"
    assert people.as_addressed("Dr. Okafor") == "Dr. Okafor"
    assert people.as_addressed("Sister Agnes") == "Sister Agnes"
