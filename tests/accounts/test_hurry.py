"""Somebody who tries to sign up or in too often is told so, and nobody else pays for it."""

from itertools import count

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db
_numbers = count(1)


@pytest.fixture(autouse=True)
def nobody_counted() -> None:
    cache.clear()


def signs_up(forwarded: str = "203.0.113.5") -> tuple[int, str]:
    """The status and the page of one try, as it comes through a proxy that names the visitor."""
    answer = Client().post(
        "/accounts/signup/",
        {"email": f"hurried{next(_numbers)}@example.org", "password1": "short"},
        headers={"X-Forwarded-For": forwarded},
    )
    return answer.status_code, answer.content.decode()


def test_too_many_tries_are_told_in_words_that_say_what_to_do() -> None:
    for number in range(20):
        # With no proxy the header is nobody's word.
        assert signs_up(f"203.0.113.{number}")[0] == 200
    status, page = signs_up()
    assert status == 429
    assert "Wait a minute, then go back and try again" in page
    assert "Throughline" in page


def test_behind_a_proxy_one_visitor_does_not_shut_out_the_others(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for _ in range(21):
        status, _page = signs_up("203.0.113.5")
    assert status == 429
    assert signs_up("203.0.113.6")[0] == 200
    # What a visitor writes into the header themselves stands before what the proxy adds.
    assert signs_up("198.51.100.9, 203.0.113.5")[0] == 429
