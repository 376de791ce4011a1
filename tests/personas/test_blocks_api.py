"""Blocks by the API: nobody writes over what they have not read."""

from typing import Any

import pytest

from accounts.models import User
from personas.models import Persona
from tests.people import Api
from tests.personas.conftest import LESSON, Contribute, Join

HUMAN, SHARED = "human", "qsr_real_estate_service_experience"


def put(api: Api, label: str, content: str, version: str | None) -> Any:
    named = {"If-Match": version} if version is not None else {}
    return api.client.put(
        f"/api/v1/blocks/{label}",
        data={"content": content},
        content_type="application/json",
        headers={"Authorization": f"Token {api.token}", **named},
    )


def test_a_block_is_written_over_the_version_that_was_read(alice_api: Api) -> None:
    assert alice_api.get(f"blocks/{HUMAN}").headers["ETag"] == '"0"'
    first = put(alice_api, HUMAN, "Likes short answers.", '"0"')
    assert (first.status_code, first.headers["ETag"]) == (200, '"1"')
    put(alice_api, HUMAN, "Likes long answers.", '"1"')
    history = alice_api.listed(f"blocks/{HUMAN}/history")
    assert [(one["version"], one["content"]) for one in history] == [
        (2, "Likes long answers."),
        (1, "Likes short answers."),
    ]


def test_who_read_an_older_version_gets_both_and_writes_nothing(alice_api: Api) -> None:
    put(alice_api, HUMAN, "Theirs.", '"0"')
    late = put(alice_api, HUMAN, "Mine.", '"0"')
    assert late.status_code == 409
    assert late.headers["Content-Type"] == "application/problem+json"
    told = late.json()
    assert (told["current"]["content"], told["current"]["version"]) == ("Theirs.", 1)
    assert told["yours"] == "Mine."
    assert alice_api.get(f"blocks/{HUMAN}").json()["content"] == "Theirs."


@pytest.mark.parametrize(
    ("label", "content", "version", "status"),
    [
        (HUMAN, "Something.", None, 428),
        (HUMAN, "x" * 3001, '"0"', 422),
        ("user_persona_profile", "Before any role.", '"0"', 422),
        ("agent_persona", "Somebody else.", '"1"', 403),
        ("no_such_block", "Something.", '"0"', 404),
        (SHARED, "Of a role that is not theirs.", '"0"', 404),
    ],
)
def test_what_cannot_be_written_is_refused(
    alice_api: Api, personas: object, label: str, content: str, version: str | None, status: int
) -> None:
    answer = put(alice_api, label, content, version)
    assert answer.status_code == status
    assert answer.json()["status"] == status


def test_members_read_what_their_role_shares_and_nobody_writes_it(
    cohort: list[User], contribute: Contribute, join: Join, alice_api: Api, qsr: Persona
) -> None:
    for user in cohort:
        contribute(user)
    member = Api(join("dora@three.example"))
    assert LESSON in member.get(f"blocks/{SHARED}").json()["content"]
    assert SHARED in [one["label"] for one in member.listed("blocks")]
    assert put(member, SHARED, "Mine.", '"0"').status_code == 403
    assert alice_api.get(f"blocks/{SHARED}").status_code == 404
    assert SHARED not in [one["label"] for one in alice_api.listed("blocks")]


def test_a_stranger_reads_their_own_block_and_not_anothers(alice_api: Api, bob_api: Api) -> None:
    put(alice_api, HUMAN, "Only Alice's.", '"0"')
    assert "Only Alice's." not in bob_api.get(f"blocks/{HUMAN}").content.decode()
    assert bob_api.listed(f"blocks/{HUMAN}/history") == []
