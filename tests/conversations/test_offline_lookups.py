"""What is looked up without a model: people, plans, decisions, the product's own pages."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]
UNKNOWN = "I don’t know that yet."
ACQUAINTANCES = (
    "Anna is my best friend from university. My cousin Ben called.",
    "The plumber is called Herr Jansen. Frau Peters is my landlord.",
    "I met Anna and Ben in Paris, and Herr Jansen too. He can come on 2 December.",
)
FAMILY = (
    "My granddaughter Elsie (4) came over. Paul is one of my oldest friends.",
    "My wife Dorothea is a bookkeeper. Dorothea is 68.",
)
RELATIVES = (
    "My sister Ada is a teacher in Leeds",
    "My brother Tom moved to Oslo last year. He works for Equinor.",
    "Philippa is a nurse in York",
)
PLANS = (
    "I work in an office in Hamburg.",
    "We are moving to Graz in the spring.",
    "I was in Vienna last week.",
    "On Friday we will be flying to Lisbon.",
)
MOVERS = ("I decided to go with Elbe Movers. Elbe Movers charge 1200 euros.",)
LIKES = ("My favourite film is Paterson. My favourite game is Go. I like jazz and olives.",)


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (LIKES, "What is my favourite film?", "Paterson"),
        (ACQUAINTANCES, "Who is Anna?", "Anna is my best friend from university."),
        (FAMILY, "What is Dorothea's age?", "Dorothea is 68."),
        (FAMILY, "How old is Paul?", UNKNOWN),
        (RELATIVES, "What does my sister do for a living?", "Ada is a teacher in Leeds"),
        (RELATIVES, "Where does Tom live?", "moved to Oslo"),
        (RELATIVES, "Where does my cousin live?", UNKNOWN),
        (MOVERS, "Which movers have I decided on?", "I decided to go with Elbe Movers."),
        (PLANS, "To which town are we going to move?", "Graz"),
    ],
)
def test_what_is_asked_is_told_by_the_sentence_that_says_it(
    told: tuple[str, ...], question: str, answer: str, alice: User, talk: Talks
) -> None:
    for said in told:
        tell(alice, said)
    assert answer in talk().say(question).content


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("how do I export my data?", "/notebook/history/"),
        ("how can i delete everything you know", "/forget-everything"),
        ("can I switch the memory off?", "/notebook/"),
        ("how do i connect a language model", "OPENAI_BASE_URL"),
        ("Wo wohne ich denn eigentlich?", ""),
    ],
)
def test_a_question_about_the_product_is_answered_with_its_page(
    talk: Talks, asked: str, page: str
) -> None:
    answer = talk().say(asked).content
    assert answer
    assert page in answer
