"""Which pages of other sites may call the API from a browser."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.people import Api, client_for

pytestmark = pytest.mark.django_db
APP, OTHER = "https://app.example.org", "https://other.example.org"
ALLOWS = "Access-Control-Allow-Origin"


def preflight(path: str, origin: str = APP, headers: str = "authorization") -> Any:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": headers,
    }
    return Client().options(path, headers=asked)


@pytest.fixture
def allowed(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [APP]


def test_by_default_no_page_of_another_site_may(alice_api: Api) -> None:
    answer = alice_api.client.get("/api/v1/profile", headers={"Origin": APP})
    for told in (answer, preflight("/api/v1/profile")):
        assert ALLOWS not in told.headers


@pytest.mark.parametrize("path", ["/api/v1/profile", "/api/schema", "/v1/models"])
def test_a_named_site_may_call_the_api(path: str, allowed: None) -> None:
    asked = ("authorization", "idempotency-key", "if-match", "x-memory", "x-conversation")
    told = preflight(path, headers=", ".join(asked))
    assert told.status_code == 200
    assert told.headers[ALLOWS] == APP
    for name in asked:
        assert name in told.headers["Access-Control-Allow-Headers"]


def test_it_reads_headers_and_refusals_and_is_sent_no_cookie(
    alice_api: Api, allowed: None, alice: User
) -> None:
    headers = {"Origin": APP, "Authorization": f"Token {alice_api.token}"}
    answer = alice_api.client.get("/api/v1/profile", headers=headers)
    assert (answer.status_code, answer.headers[ALLOWS]) == (200, APP)
    exposed = answer.headers["Access-Control-Expose-Headers"]
    assert all(name in exposed for name in ("RateLimit-Remaining", "Retry-After", "X-Request-ID"))
    refused = Client().get("/api/v1/profile", headers={"Origin": APP})
    assert (refused.status_code, refused.headers[ALLOWS]) == (401, APP)
    signed_in = client_for(alice).get("/api/v1/profile", headers={"Origin": APP})
    for told in (answer, signed_in, preflight("/api/v1/profile")):
        assert "Access-Control-Allow-Credentials" not in told.headers


@pytest.mark.parametrize("path", ["/", "/notebook/profile/", "/accounts/login/", "/robots.txt"])
def test_it_may_not_read_a_page(path: str, allowed: None, alice: User) -> None:
    assert ALLOWS not in client_for(alice).get(path, headers={"Origin": APP}).headers
    assert ALLOWS not in preflight(path).headers


@pytest.mark.parametrize("origin", [OTHER, "null", f"{APP}.evil.example", "http://app.example.org"])
def test_no_other_site_may(origin: str, allowed: None) -> None:
    assert ALLOWS not in preflight("/api/v1/profile", origin).headers
