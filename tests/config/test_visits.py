"""What a browser may keep of an answer, and what a visitor can write into the log."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from pytest_django import Settings
from structlog.contextvars import get_contextvars, merge_contextvars
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


def ask(path: str, request_id: str) -> tuple[Any, str]:
    """Ask with this header; the answer, and what was logged meanwhile."""
    with capture_logs(processors=[merge_contextvars]) as lines:
        answer = Client(raise_request_exception=False).get(
            path, headers={"X-Request-ID": request_id}
        )
    return answer, repr(lines)


@pytest.mark.parametrize("name", ["a", "client-7.request_12", "A" * 64])
def test_a_plain_id_of_the_client_is_kept_told_and_logged(name: str) -> None:
    answer, logged = ask("/api/v1/profile", name)
    assert answer.headers["X-Request-ID"] == name
    assert answer.json()["request_id"] == name
    assert f"'request_id': '{name}'" in logged


@pytest.mark.parametrize(
    "name", ["", "Wilhelmina Thistlewick", "a\nb", "é", "A" * 65, "<b>", "a=1'"]
)
def test_in_place_of_any_other_one_is_made(name: str) -> None:
    answer, logged = ask("/api/v1/profile", name)
    made = answer.headers["X-Request-ID"]
    assert str(UUID(made)) == made == answer.json()["request_id"]
    assert f"'request_id': '{made}'" in logged
    assert not name or repr(name) not in logged


def test_nothing_of_one_request_is_told_to_the_next() -> None:
    ask("/livez", "the-first")
    assert "the-first" not in ask("/api/v1/nowhere", "")[1]
    assert "request_id" not in get_contextvars()
