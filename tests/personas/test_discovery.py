"""Who seems to belong to a persona is asked once, by what they assert of their own work alone."""

import pytest
from django.test import Client

from accounts.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome
from memory.language.reading import Reading
from memory.lessons import discovery
from personas import seeding
from personas.models import Persona, UserPersona
from tests.people import Talk

PERSONAS = [Persona(handle=handle, **of) for handle, of in seeding.described().items()]
QSR, TOBACCO, RETAIL, CPG = (persona.handle for persona in PERSONAS)


def found(text: str) -> list[str]:
    own = discovery.own_work(Reading(text))
    return [match.persona.handle for match in discovery.matches(PERSONAS, own)]


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        ("I'm a real estate analyst for quick-service restaurants", QSR),
        ("I work in real estate for a fast food chain.", QSR),
        ("I work as a site selection manager for a burger franchise.", QSR),
        ("We look for new locations for our pizza restaurants.", QSR),
        ("Hi! I handle leases for drive-thru restaurants.", QSR),
        ("I do consumer insights at a tobacco company.", TOBACCO),
        ("I'm a consumer insights manager in the tobacco industry.", TOBACCO),
        ("My job is shopper research on vaping.", TOBACCO),
        ("I run surveys among smokers.", TOBACCO),
        ("My job is asset management for shopping centres.", RETAIL),
        ("I am an asset manager in retail.", RETAIL),
        ("I manage a portfolio of malls.", RETAIL),
        ("I'm in retail media at a consumer goods company", CPG),
        ("We run retail media campaigns for snacks.", CPG),
        ("I run trade marketing for a CPG brand", CPG),
    ],
)
def test_what_somebody_says_of_their_work_is_matched(text: str, handle: str) -> None:
    assert found(text) == [handle]


@pytest.mark.parametrize(
    "text",
    [
        "I used to work in real estate for restaurants.",
        "I'm not in real estate for restaurants any more.",
        "My sister is a real estate analyst for fast food.",
        "My boss does consumer insights at a tobacco company.",
        "I want to become an asset manager for shopping centres.",
        "If I worked in real estate for restaurants, I would travel more.",
        "Do I work in retail media for snacks?",
        "He plans retail media campaigns for snacks.",
        "I love restaurants and read about houses.",
        "I work in real estate.",
        "I work at a restaurant.",
        "I'm a nurse on a busy ward.",
        "I quit smoking and bought a pizza.",
        "Where is a good restaurant?",
        'She said: "I do consumer insights at a tobacco company."',
    ],
)
def test_what_is_over_denied_supposed_asked_or_somebody_elses_is_not(text: str) -> None:
    assert found(text) == []


# --- In the talk ---------------------------------------------------------------------------------


@pytest.fixture
def seeded(db: None) -> None:
    seeding.seed()


def outcomes(user: User) -> list[str]:
    with acting_as(user):
        rows = LearningOutcome.objects.filter(kind=LearningOutcome.Kind.ROLE)
        return list(rows.values_list("slot", flat=True))


@pytest.mark.usefixtures("seeded")
def test_the_talk_asks_once_and_a_yes_makes_a_member(alice: User, as_alice: Client) -> None:
    talk = Talk(alice)
    talk.say("I'm a real estate analyst for quick-service restaurants.")
    assert outcomes(alice) == [QSR]
    talk.say("As I said, I work in real estate for fast food.")
    assert outcomes(alice) == [QSR]
    assert talk.conversation is not None
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    assert "Do you work in this role" in page
    as_alice.post(f"/notebook/cohort/roles/{QSR}/", {"answer": "share"})
    with acting_as(alice):
        assert UserPersona.objects.get().standing == UserPersona.Standing.CONFIRMED
    page = as_alice.get(talk.conversation.get_absolute_url()).content.decode()
    assert "Do you work in this role" not in page


@pytest.mark.usefixtures("seeded")
def test_half_of_it_may_have_been_said_before(alice: User) -> None:
    talk = Talk(alice)
    talk.say("I work at a tobacco company.")
    assert outcomes(alice) == []
    talk.say("My job there is consumer research.")
    assert outcomes(alice) == [TOBACCO]


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
