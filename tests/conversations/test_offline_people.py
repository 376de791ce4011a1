"""What was told of people in so many words, by whoever asks how old they are or where they live."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk, tell

Talks = Callable[..., Talk]

TOLD = (
    "Hugo loves trains and he's nearly seven. The dog is three and barks a lot.",
    "My daughter Philippa lives My daughter Philippa lives in Ludlow. She is a midwife there.",
    "My granddaughter Elsie (4) came over. Paul is one of my oldest friends.",
    "Maud lives next door. She has a cat. She is a retired teacher.",
    "my brother joe works at tesco and he's 23",
    "My wife Dorothea is a bookkeeper. Dorothea is 68.",
    "I met Anna and Ben in Rome. She is a dentist.",
)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("How old is Hugo?", "he's nearly seven"),
        ("how old's joe", "he's 23"),
        ("How old is Elsie now?", "Elsie (4)"),
        ("What is Dorothea's age?", "Dorothea is 68."),
        (
            "What does Philippa do for a living?",
            "in Ludlow. She is a midwife there.",
        ),
        ("What does Maud do?", "retired teacher"),
        ("where does my brother work", "joe works at tesco"),
        ("Do you know where Maud lives?", "Maud lives next door."),
    ],
)
def test_what_is_asked_of_somebody_is_told_by_the_sentence_that_says_it(
    question: str, quote: str, alice: User, talk: Talks
) -> None:
    for said in TOLD:
        tell(alice, said)
    told = talk().say(question).content
    assert quote in told


WEEK = (
    "My sister Ada is a teacher in Leeds",
    "Tobi goes to the dentist tomorrow",
    "Ada has a concert tomorrow",
    "I have a meeting at the bank tomorrow",
)


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("What is Tobi doing tomorrow?", ["dentist"]),
        ("What does Tobi have on tomorrow?", ["dentist"]),
        ("What are Tobi’s plans for tomorrow?", ["dentist"]),
        ("What is Ada up to tomorrow?", ["concert"]),
        ("What are Tobi and Ada doing tomorrow?", ["dentist", "concert"]),
        ("What is Mona doing tomorrow?", []),
        ("What am I doing tomorrow?", ["dentist", "concert", "bank"]),
    ],
)
def test_what_somebody_does_on_a_day_is_told_of_them_alone(
    question: str, quotes: list[str], alice: User, talk: Talks
) -> None:
    for said in WEEK:
        tell(alice, said)
    answer = talk().say(question).content
    assert [word for word in ("dentist", "concert", "bank") if word in answer] == quotes
    assert quotes or "anything about Mona tomorrow" in answer


def test_what_somebody_is_does_not_answer_what_they_do_on_a_day(alice: User, talk: Talks) -> None:
    tell(alice, "My sister Ada is a teacher in Leeds")
    answer = talk().say("What is Ada doing today?").content
    assert "teacher" not in answer
    assert "Ada today" in answer


@pytest.mark.parametrize("question", ["How old is Paul?", "How old is Philippa?"])
def test_what_was_told_of_somebody_is_no_age_that_was_not_told(
    question: str, alice: User, talk: Talks
) -> None:
    for said in TOLD:
        tell(alice, said)
    assert "I don’t know that yet." in talk().say(question).content


def test_whoever_told_their_day_of_birth_with_its_year_is_told_their_age(
    alice: User, talk: Talks
) -> None:
    tell(alice, "I was born on 1 January 1955.")
    answer = talk().say("How old am I?")
    years = answer.said_at.year - 1955
    assert answer.content == f"You are {years}: your birthday is 1 January 1955."


def test_a_birthday_without_a_year_tells_no_age(alice: User, talk: Talks) -> None:
    tell(alice, "My birthday is 4 May.")
    assert "You are" not in talk().say("How old am I?").content


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("i live with tom and priya", "who do i live with"),
        ("I play squash with Ben on Mondays.", "Who do I play squash with?"),
    ],
)
def test_where_and_with_whom_somebody_lives_is_quoted_as_they_said_it(
    said: str, question: str, alice: User, talk: Talks
) -> None:
    tell(alice, "I live for music. We moved the sofa at 5 pm. I share your view.")
    tell(alice, said)
    assert said in talk().say(question).content


OF_RELATIVES = (
    "My sister Ada is a teacher in Leeds",
    "My brother Tom moved to Oslo last year. He works for Equinor.",
    "Philippa is a nurse in York",
)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What does Ada do?", "Ada is a teacher in Leeds"),
        ("What is Ada’s job?", "Ada is a teacher in Leeds"),
        ("What does my sister do for a living?", "Ada is a teacher in Leeds"),
        ("Where does my sister live?", "Ada is a teacher in Leeds"),
        ("Which town does Ada live in?", "Ada is a teacher in Leeds"),
        ("Where does Tom live?", "moved to Oslo"),
        ("Where does my brother work?", "works for Equinor"),
        ("What does Philippa do for a living?", "nurse in York"),
    ],
)
def test_a_value_of_somebody_else_answers_what_is_asked_of_them(
    question: str, quote: str, alice: User, talk: Talks
) -> None:
    for said in OF_RELATIVES:
        tell(alice, said)
    answer = talk().say(question).content
    assert quote in answer
    assert answer.count("\n- ") == 1


def test_a_relative_that_is_known_by_name_is_meant_by_the_kind_too(
    alice: User, talk: Talks
) -> None:
    tell(alice, "My sister Ada plays the cello")
    tell(alice, "Ada lives in Leeds now")
    assert "Ada lives in Leeds now" in talk().say("Where does my sister live?").content


@pytest.mark.parametrize(
    "question", ["Where does my cousin live?", "Where does Bea live?", "What is my job?"]
)
def test_a_value_of_somebody_else_answers_nothing_that_is_asked_of_another(
    question: str, alice: User, talk: Talks
) -> None:
    for said in OF_RELATIVES:
        tell(alice, said)
    assert talk().say(question).content == "I don’t know that yet."
