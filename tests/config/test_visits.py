"""What a browser may keep of an answer, and what a visitor can write into the log."""

import pytest
from django.test import Client
from pytest_django import Settings
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from accounts.models import User
from tests.people import Api, client_for

pytestmark = pytest.mark.django_db
PRIVATE = ["/talk/", "/notebook/profile/", "/search/?q=dog", "/account/", "/account/tokens/"]
FORGED = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Real-IP": "203.0.113.10",
    "Forwarded": "for=203.0.113.11",
    "True-Client-IP": "203.0.113.12",
    "X-Request-ID": "forged-id",
    "X-Correlation-ID": "forged-id",
}


@pytest.mark.parametrize("path", PRIVATE)
def test_no_cache_keeps_a_private_page(alice: User, path: str) -> None:
    answer = client_for(alice).get(path)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_no_cache_keeps_an_answer_of_the_api_or_what_went_wrong(alice_api: Api) -> None:
    for path in ("profile", "conversations", "nowhere"):
        assert alice_api.get(path).headers["Cache-Control"] == "no-store"
    assert Client().get("/api/v1/profile").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/healthz", "/shared/none", "/nowhere"])
def test_nor_what_is_open_to_everybody_and_changes(db: None, path: str) -> None:
    assert "no-store" in Client().get(path).headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/api/schema", "/api/docs"])
def test_what_is_the_same_for_everybody_is_asked_about_each_time(db: None, path: str) -> None:
    assert Client().get(path).headers["Cache-Control"] == "no-cache"


def addresses_logged(**headers: str) -> str:
    with capture_logs(processors=[merge_contextvars]) as lines:
        Client(REMOTE_ADDR="192.0.2.1").get("/", headers=headers)
    assert lines
    return repr(lines)


def test_no_forwarding_header_reaches_the_log_without_a_proxy() -> None:
    logged = addresses_logged(**FORGED)
    assert "203.0.113" not in logged
    assert "forged" not in logged
    assert "192.0.2.1" in logged


def test_behind_a_proxy_only_what_it_added_counts(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    logged = addresses_logged(**FORGED | {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"})
    assert "203.0.113" not in logged
    assert "198.51.100.7" in logged


def test_headers_that_do_not_fit_the_proxies_stop_no_page(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 3
    assert "192.0.2.1" in addresses_logged(**FORGED)
