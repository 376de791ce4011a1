"""Roles and lessons by the API: only what one may read, only for oneself."""

from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from personas import membership
from personas.models import Persona, UserPersona
from tests.people import Api
from tests.personas.conftest import LESSON, Contribute, Join

HANDLE = "qsr_real_estate"


@pytest.fixture
def shared(cohort: list[User], contribute: Contribute) -> str:
    """A lesson that everybody of the role reads, by its id."""
    made = [contribute(user).lesson for user in cohort]
    assert made[0] is not None
    return str(made[0].pk)


def test_a_yes_makes_a_member_and_leaving_ends_it(alice_api: Api, shared: str) -> None:
    assert HANDLE in [one["handle"] for one in alice_api.listed("personas")]
    assert alice_api.listed("experience") == []
    assert alice_api.post(f"personas/{HANDLE}/confirm").status_code == 400
    said = alice_api.post(f"personas/{HANDLE}/confirm", {"share": True})
    assert said.json()["standing"] == "confirmed"
    told = alice_api.listed("experience")
    assert [(one["id"], one["text"], one["learned"]) for one in told] == [
        (shared, LESSON, "persona")
    ]
    assert alice_api.post(f"personas/{HANDLE}/leave").status_code == 204
    assert alice_api.listed("experience") == alice_api.listed("personas/mine") == []


def test_yes_but_share_nothing_gives_and_gets_nothing(alice_api: Api, shared: str) -> None:
    alice_api.post(f"personas/{HANDLE}/confirm", {"share": False})
    assert alice_api.get("experience/sharing").json() == {"on": False}
    assert alice_api.listed("experience") == []
    mine = {"persona": HANDLE, "text": "Show visits beside parking in one table."}
    assert alice_api.post("experience", mine).status_code == 403


def test_who_declines_before_they_are_asked_is_never_asked(
    alice: User, alice_api: Api, qsr: Persona
) -> None:
    assert alice_api.post(f"personas/{HANDLE}/decline").status_code == 204
    with acting_as(alice):
        assert membership.guess(alice.pk, qsr, 0.9, UserPersona.Origin.SAID) is None


def test_how_many_others_support_it_is_not_told_before_everybody_reads_it(
    cohort: list[User], contribute: Contribute
) -> None:
    contribute(cohort[0])
    api = Api(cohort[1])
    made = api.post("experience", {"persona": HANDLE, "text": LESSON})
    assert (made.status_code, made.json()["visible"]) == (201, False)
    (own,) = api.listed("experience/mine")
    assert (own["visible"], own["supporters"]) == (False, None)


def test_a_sixth_proposal_waits_until_staff_answered(alice_api: Api, bob_api: Api) -> None:
    answers = [
        alice_api.post("personas/proposals", {"industry": "Mining", "role": f"Role {number}"})
        for number in range(6)
    ]
    assert [one.status_code for one in answers] == [201] * 5 + [400]
    assert len(alice_api.listed("personas/proposals")) == 5
    assert bob_api.listed("personas/proposals") == []


@pytest.mark.parametrize("deed", ["agree", "withdraw", "report"])
def test_a_lesson_that_one_does_not_read_is_not_there(
    alice_api: Api, mira: User, cohort: list[User], contribute: Contribute, deed: str
) -> None:
    lesson = contribute(cohort[0]).lesson
    assert lesson is not None
    for api in (alice_api, Api(mira), Api(cohort[1])):
        for pk in (lesson.pk, uuid4()):
            answer = api.post(f"experience/{pk}/{deed}", {"kind": "wrong"})
            assert answer.status_code == 404


@pytest.mark.parametrize(
    "path",
    (
        "personas personas/mine personas/proposals blocks blocks/human blocks/human/history"
        " experience experience/mine experience/reports experience/sharing"
    ).split(),
)
def test_nobody_reads_it_without_a_token(db: None, path: str) -> None:
    answer = Client().get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["status"]) == (401, 401)


def test_too_many_a_day_is_a_429_that_says_when_to_go_on(join: Join, settings: Settings) -> None:
    settings.COHORT = settings.COHORT | {"supports_a_day": 1}
    api = Api(join("ann@one.example"))
    for text, status in ((LESSON, 201), ("Show visits beside the rents in one table.", 429)):
        answer = api.post("experience", {"persona": "qsr_real_estate", "text": text})
        assert answer.status_code == status, answer.content
    assert "tomorrow" in answer.json()["detail"]
