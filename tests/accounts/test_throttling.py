"""How many requests a person may send to the API, and what tells it."""

from typing import Any

import pytest
from django.core.cache import caches
from pytest_django import Settings

from accounts.access.throttling import PERIOD
from accounts.models import User
from tests.people import Api

pytestmark = pytest.mark.django_db
NAMES = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


@pytest.fixture(autouse=True)
def in_one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, 20 seconds into a minute."""
    monkeypatch.setattr("accounts.access.throttling.time.time", lambda: 1000 * PERIOD + 20.0)


def limits(answer: Any) -> list[int]:
    return [int(answer.headers[name]) for name in NAMES]


def test_every_answer_to_a_person_says_what_is_left(alice_api: Api, settings: Settings) -> None:
    settings.API_LIMIT = 5
    answers = [alice_api.get("profile"), alice_api.get("nowhere"), alice_api.post("profile", "[")]
    assert [answer.status_code for answer in answers] == [200, 404, 400]
    assert limits(answers[0]) == [5, 4, 40]
    # An address that is none is answered by no operation, and counts for none.
    assert limits(answers[2]) == [5, 3, 40]


def test_one_too_many_is_told_when_to_come_back(alice_api: Api, settings: Settings) -> None:
    settings.API_LIMIT = 2
    *_, refused = [alice_api.get("profile") for _ in range(3)]
    assert refused.status_code == 429
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["detail"].startswith("You sent more than 2 requests in a minute. Wait")
    assert limits(refused) == [2, 0, 40]
    assert refused.headers["Retry-After"] == "40"


def test_a_person_is_counted_for_all_their_tokens_and_for_nobody_else(
    alice: User, alice_api: Api, bob_api: Api, settings: Settings
) -> None:
    settings.API_LIMIT = 1
    assert alice_api.get("profile").status_code == 200
    assert Api(alice).get("profile").status_code == 429
    assert bob_api.get("profile").status_code == 200


def test_a_cache_that_is_away_stops_nobody(
    alice_api: Api, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise ConnectionError

    settings.API_LIMIT = 1
    monkeypatch.setattr(caches["hot"], "add", away)
    assert [alice_api.get("profile").status_code for _ in range(2)] == [200, 200]
