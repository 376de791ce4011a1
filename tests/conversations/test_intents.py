"""What a message wants is told by its nearest examples; each part of it gets its own answer."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations.notebook import message_parts, standard_answers
from memory.language.reading import Reading
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "courtesy"),
    [
        ("hey hey, good afternoon", "greeting"),
        ("thank you kindly", "thanks"),
        ("right, off to sleep, night", "goodbye"),
    ],
)
def test_which_courtesy_it_is_is_told_by_its_nearest_examples(said: str, courtesy: str) -> None:
    assert standard_answers.courtesy_of(said) == courtesy


@pytest.mark.parametrize(
    ("said", "feeling"),
    [
        ("our old dog passed away today", "sorrow"),
        ("I got accepted!!", "joy"),
        ("The plumber comes on Tuesday at nine.", ""),
        ("We watched a film with Ola.", ""),
        ("I bought a bookcase for the hall.", ""),
    ],
)
def test_only_what_surely_tells_a_feeling_gets_a_line(said: str, feeling: str) -> None:
    assert standard_answers.feeling_of(said) == feeling


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
    assert "need a language model" in answer
    assert "Mr Patel" not in answer


@pytest.mark.django_db
def test_sorrow_gets_a_human_line_and_no_question(talk: Talks) -> None:
    answer = talk().say("My grandmother died last night.").content
    assert "sorry" in answer
    assert "?" not in answer


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


def test_a_question_in_the_middle_of_a_long_message_is_not_passed_over() -> None:
    told = [f"We painted room {number} of the house in white." for number in range(8)]
    text = " ".join([*told, "How old is Nora?", *told])
    asked = message_parts.asking_parts(message_parts.read(Reading(text)))
    assert [part.text for part in asked] == ["How old is Nora?"]


def test_somebody_is_spoken_to_by_the_given_name() -> None:
    assert standard_answers.as_addressed("Noreen Gilmartin") == "Noreen"
    assert standard_answers.as_addressed("Dr. Okafor") == "Dr. Okafor"
