"""One's own private matters: offered by what they mean, and answered from what was noted."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome, Message
from memory.facts import blocked_slots
from memory.models import Memory
from tests.people import Talk, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]
OFFER = "Should I note it anyway?"


def notes(user: User) -> set[str]:
    with acting_as(user):
        return {note.content for note in Memory.objects.active()}


def noted(talk: Talks, *texts: str) -> None:
    """Said in a conversation of its own each, and noted at its owner's word where it is private."""
    for text in texts:
        here = talk()
        if here.say(text).content.endswith(OFFER):
            here.say("yes")


def ask(talk: Talks, question: str) -> Message:
    """Asked in a conversation of its own."""
    return talk().say(question)


# --- What is private by what it means ------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "I have a severe allergy to penicillin",
        "I'm allergic to bee stings and carry an EpiPen",
        "I broke my leg in 2012",
        "My doctor says I have high blood pressure",
        "I am dyslexic",
    ],
)
def test_a_matter_of_the_body_is_offered_however_it_is_put(
    talk: Talks, alice: User, said: str
) -> None:
    here = talk()
    assert here.say(said).content.endswith(OFFER)
    assert notes(alice) == set()
    assert "as sensitive" in here.say("yes").content


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I have a severe nut allergy", "nut allergy"),
        ("I am allergic to shellfish", "allergic to shellfish"),
        ("I'm allergic to peanuts and penicillin", "allergic to peanuts"),
    ],
)
def test_a_food_to_avoid_is_noted_at_once_and_ticked_on_no_page(
    talk: Talks, alice: User, as_alice: Client, said: str, value: str
) -> None:
    talk().say(said)
    assert values(alice, "diet") == {value}
    page = as_alice.get(reverse("memory:share_new")).content.decode()
    assert value in page.lower()
    assert 'type="checkbox"' in page
    assert " checked" not in page.split('name="days"')[0]


# --- A closed kind -------------------------------------------------------------------------------


def test_closing_health_lists_and_takes_back_the_notes_of_the_kind_too(
    talk: Talks, alice: User, as_alice: Client
) -> None:
    noted(talk, "My mother has diabetes", "I broke my leg in 2012", "I have asthma")
    talk().say("I'm allergic to peanuts")
    talk().say("I booked the ferry to Oslo for the 12th of May")
    with acting_as(alice):
        # As it was noted before such words were known for what they tell.
        Memory.objects.filter(content__startswith="I broke").update(slot="")
    page = as_alice.get(reverse("memory:never"), {"slot": "medical"}).content.decode()
    for line in ("My mother has diabetes", "I broke my leg in 2012", "asthma", "peanuts"):
        assert line in page
    assert "Oslo" not in page
    as_alice.post(reverse("memory:never"), {"slot": "medical"})
    assert notes(alice) == {"I booked the ferry to Oslo for the 12th of May"}
    assert values(alice, "medical") == values(alice, "diet") == set()


@pytest.mark.parametrize(
    "said", ["I have a severe nut allergy", "My nut allergy nearly killed me in Oslo in 2019"]
)
def test_with_health_closed_an_allergy_to_a_food_is_not_noted_either(
    talk: Talks, alice: User, said: str
) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "medical")
    answer = talk().say(said).content
    assert "noted" not in answer
    assert values(alice, "diet") == set()
    assert notes(alice) == set()
    talk().say("I am a vegetarian")
    assert values(alice, "diet") == {"vegetarian"}


# --- What is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        "Do you know about my asthma?",
        "What do I earn?",
        "When was I diagnosed with depression?",
        "what medicine do i take",
        "Am I allergic to penicillin?",
        "Why does my asthma get worse in spring?",
    ],
)
def test_a_question_about_a_private_matter_states_nothing_and_is_offered_nothing(
    talk: Talks, alice: User, asked: str
) -> None:
    answer = ask(talk, asked).content
    assert "private" not in answer
    assert OFFER not in answer
    nothing = ("I don’t know that yet.", "noted nothing", "need a language model")
    assert any(words in answer for words in nothing)
    with acting_as(alice):
        assert not LearningOutcome.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        "I have asthma. Can I go diving?",
    ],
)
def test_a_question_that_states_something_is_offered_all_the_same(talk: Talks, said: str) -> None:
    assert ask(talk, said).content.endswith(OFFER)


# Said and noted.
KNOWN = [
    "I have asthma",
    "I take citalopram",
    "I earn 4000 euros a month",
    "I was diagnosed with depression in 2015",
    "I'm allergic to bee stings and carry an EpiPen",
    "My mother has diabetes",
    "I'm allergic to peanuts",
    "My daughter is called Mia",
    "My brother is called Ben",
]


# A question, what the answer tells, and what it leaves out.
ASKED: list[tuple[str, list[str], list[str]]] = [
    ("Do you know about my asthma?", ["asthma"], ["citalopram", "euros"]),
    ("What do I earn?", ["4000 euros a month"], ["asthma"]),
    ("How much do I make a month?", ["4000 euros a month"], ["asthma"]),
    ("When was I diagnosed with depression?", ["depression in 2015"], ["asthma"]),
    ("What medicine do I take?", ["I take citalopram"], ["asthma"]),
    ("Which pills am I on?", ["I take citalopram"], ["asthma"]),
    ("What am I allergic to?", ["bee stings", "peanuts"], ["asthma", "citalopram"]),
    ("Which allergies do I have?", ["bee stings", "peanuts"], ["asthma", "citalopram"]),
    ("Am I allergic to peanuts?", ["allergic to peanuts"], ["bee stings"]),
    ("Am I allergic to latex?", ["nothing of that for latex", "peanuts"], ["asthma"]),
    ("What illnesses do I have?", ["asthma", "depression"], ["peanuts", "bee", "diabetes"]),
    (
        "What should you know about my health?",
        ["asthma", "citalopram", "bee stings", "peanuts"],
        ["euros", "mother"],
    ),
    ("What should I watch out for when I eat out?", ["peanuts"], ["asthma", "bee"]),
    ("What does a cook have to avoid when cooking for me?", ["peanuts"], ["asthma"]),
    ("Does my mother have diabetes?", ["My mother has diabetes"], ["asthma"]),
    ("Which children do I have?", ["Mia"], ["Ben", "mother"]),
    ("Do I have any siblings?", ["Ben"], ["Mia"]),
]


def test_what_is_asked_of_oneself_is_answered_from_what_was_noted_anywhere(talk: Talks) -> None:
    noted(talk, *KNOWN)
    wrong = {}
    for question, told, _ in ASKED:
        answer = ask(talk, question).content
        missing = [word for word in told if word not in answer]
        if missing or OFFER in answer:
            wrong[question] = answer
    assert len(wrong) <= 0.4 * len(ASKED), wrong
