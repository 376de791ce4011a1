"""Who seems to belong to a persona is asked once, by what they assert of their own work alone."""

import re

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome
from memory.language.reading import Reading
from memory.lessons import discovery, own_work
from personas import membership, seeding
from personas.models import Persona, UserPersona
from tests.people import Talk

PERSONAS = [Persona(handle=handle, **of) for handle, of in seeding.described().items()]
QSR, TOBACCO, RETAIL, CPG = (persona.handle for persona in PERSONAS)


def own(text: str) -> own_work.OwnWork:
    return own_work.read_own_work(Reading(text))


def matched(text: str) -> list[str]:
    return [match.persona.handle for match in discovery.matching_personas(PERSONAS, text)]


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        ("I'm a real estate analyst for quick-service restaurants", QSR),
        ("I run surveys among smokers.", TOBACCO),
        ("I look after a portfolio of malls.", RETAIL),
        ("I've planned retail media for snacks for four years.", CPG),
    ],
)
def test_work_that_names_an_industry_and_a_role_is_matched(text: str, handle: str) -> None:
    assert matched(text) == [handle]


@pytest.mark.parametrize(
    "text",
    [
        "My sister is a real estate analyst for fast food.",
        "I like taco chains and real estate shows.",
        'She said: "I do consumer insights at a tobacco company."',
    ],
)
def test_what_is_somebody_elses_or_no_work_is_not_their_own(text: str) -> None:
    assert own(text) == own_work.OwnWork()


@pytest.fixture
def seeded(db: None) -> None:
    seeding.seed()


def outcomes(user: User, kind: str = "role") -> list[str]:
    with acting_as(user):
        rows = LearningOutcome.objects.filter(kind=kind)
        return list(rows.values_list("slot", flat=True))


@pytest.mark.usefixtures("seeded")
def test_the_talk_asks_once_and_a_yes_makes_a_member(alice: User, as_alice: Client) -> None:
    talk = Talk(alice)
    talk.say("I'm a real estate analyst for quick-service restaurants.")
    assert outcomes(alice) == [QSR]
    talk.say("I work as a real estate manager for a fast food chain.")
    assert outcomes(alice) == [QSR]
    assert talk.conversation is not None
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    assert "Do you work in this role" in page
    # Without a script the answer leads back to the conversation.
    answered = as_alice.post(answer_url(page), {"answer": "share"}, follow=True)
    assert answered.redirect_chain[0][0].startswith(talk.conversation.get_absolute_url())
    assert "Do you work in this role" not in answered.content.decode()
    assert "You work in this role" in answered.content.decode()
    with acting_as(alice):
        assert UserPersona.objects.get().standing == UserPersona.Standing.CONFIRMED


def answer_url(page: str) -> str:
    found = re.search(r'action="(/notes/[0-9a-f-]+/role/)"', page)
    assert found is not None
    return found[1]


@pytest.mark.usefixtures("seeded")
def test_a_member_who_says_that_they_left_is_asked_and_leaves_by_a_yes_alone(
    alice: User, as_alice: Client
) -> None:
    with acting_as(alice):
        membership.confirm(alice.pk, Persona.objects.get(handle=TOBACCO))
    talk = Talk(alice)
    talk.say("I no longer work at a tobacco company.")
    talk.say("I left the tobacco industry.")
    assert outcomes(alice, "left_role") == [TOBACCO]
    assert talk.conversation is not None
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    assert "Did you leave this role" in page
    as_alice.post(answer_url(page), {"answer": "stay"})
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    assert "Did you leave this role" not in page
    talk.say("I quit my job at the tobacco company.")
    assert outcomes(alice, "left_role") == [TOBACCO, TOBACCO]
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    as_alice.post(answer_url(page), {"answer": "leave"})
    with acting_as(alice):
        assert UserPersona.objects.get().standing == UserPersona.Standing.LEFT
    talk.say("I'm a consumer insights manager in tobacco.")
    assert outcomes(alice) == []


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("because", ["memory is off", "the talk is private"])
def test_nobody_is_asked(alice: User, because: str) -> None:
    talk = Talk(alice)
    if because == "memory is off":
        alice.memory_on = False
        alice.save()
    else:
        talk.say("Hello")
        with acting_as(alice):
            assert talk.conversation is not None
            talk.conversation.privacy = "private"
            talk.conversation.save()
    talk.say("I'm a real estate analyst for quick-service restaurants.")
    assert outcomes(alice) == []
