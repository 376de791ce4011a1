"""The pages of a role: what its owner reads and does there, and nobody else."""

import re

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Lesson, LessonSupport
from personas import membership
from personas.models import Persona, UserPersona
from tests.people import client_for
from tests.personas.conftest import LESSON, Contribute, Join

PAGE = "/notebook/cohort/"


@pytest.fixture
def ann(join: Join) -> User:
    return join("ann@one.example")


@pytest.fixture
def as_ann(ann: User) -> Client:
    return client_for(ann)


@pytest.fixture
def visible(join: Join, contribute: Contribute) -> Lesson:
    """A lesson that three others support."""
    for email in ("ben@one.example", "cleo@two.example", "dan@three.example"):
        lesson = contribute(join(email)).lesson
    assert lesson is not None
    return lesson


def page(client: Client, url: str = PAGE) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def standing(user: User, persona: Persona) -> str:
    with acting_as(user):
        return UserPersona.objects.get(persona=persona).standing


def test_a_lesson_shows_how_many_support_it_and_nobody_who_does(
    as_ann: Client, visible: Lesson
) -> None:
    shown = page(as_ann)
    assert LESSON in shown
    assert "3 people" in shown
    assert "confirmed this week" in shown
    assert not re.search(r"ben|cleo|dan@|three\.example", shown)


def test_opting_out_says_what_went_and_leaves_the_page_to_read(
    as_ann: Client, ann: User, visible: Lesson
) -> None:
    as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/")
    shown = as_ann.post(PAGE + "sharing/", {"on": "0"}, follow=True).content.decode()
    assert "You no longer support 1 lesson" in shown
    assert "your answers don’t use these lessons" in shown
    assert LESSON in shown
    refused = as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/", follow=True)
    assert "You turned off sharing lessons" in refused.content.decode()
    with acting_as(ann):
        assert not LessonSupport.objects.exists()


def test_the_shared_page_is_for_members_alone(
    as_ann: Client, as_alice: Client, mira: User, visible: Lesson
) -> None:
    url = PAGE + "shared/qsr_real_estate/"
    assert LESSON in page(as_ann, url)
    assert as_alice.get(url).status_code == 404
    assert LESSON not in page(client_for(mira))
    for closed in (PAGE, url, PAGE + "roles/", PAGE + "blocks/"):
        assert Client().get(closed).status_code == 302


@pytest.mark.parametrize(
    ("answer", "becomes", "shares"),
    [("share", "confirmed", True), ("quiet", "confirmed", False), ("no", "declined", True)],
)
def test_a_guess_is_asked_about_and_answered(
    as_alice: Client, alice: User, qsr: Persona, answer: str, becomes: str, *, shares: bool
) -> None:
    with acting_as(alice):
        membership.guess(alice.pk, qsr, 0.6, "said")
    assert "Is this your role?" in page(as_alice)
    as_alice.post(f"{PAGE}roles/{qsr.handle}/", {"answer": answer})
    assert standing(alice, qsr) == becomes
    shown = page(as_alice)
    assert ("your answers don’t use these lessons" in shown) == (not shares)
    joined_and_shares = shares and becomes == "confirmed"
    assert ("Share it" in shown) == joined_and_shares
    assert ("Turn sharing off" in shown) == joined_and_shares
