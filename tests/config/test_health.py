"""`/healthz`: says which part is not up, quickly, and to anybody."""

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils.timezone import now

from accounts import work

pytestmark = pytest.mark.django_db


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "worker_seen", now)


def test_everything_up_is_200_without_a_log_in(client: Client, seen: None) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "web": "ok",
        "database": "ok",
        "worker": "ok",
        "oldest_waiting_seconds": None,
    }
    assert "no-store" in response["Cache-Control"]


def test_a_worker_never_seen_is_named(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["worker"] == "has not been seen yet"
    assert response.json()["database"] == "ok"


def test_a_silent_worker_is_named_with_its_silence(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "worker_seen", lambda: now() - timedelta(seconds=90))
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["worker"] == "was last seen 90 seconds ago"


def test_waiting_work_is_counted_in_seconds(
    client: Client, seen: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "oldest_waiting", lambda: now() - timedelta(seconds=42))
    assert client.get("/healthz").json()["oldest_waiting_seconds"] == 42


def test_a_database_that_is_away_is_said_within_three_seconds(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nonexistent")
    started = time.monotonic()
    response = client.get("/healthz")
    assert time.monotonic() - started < 3
    assert response.status_code == 503
    assert response.json()["database"] == "does not answer"
    assert response.json()["web"] == "ok"
