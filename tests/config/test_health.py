"""The probes: whether a process lives, can serve, and which part of the site is not up."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts import work
from config import health

BY_ADDRESS = {"host": "10.0.0.7:8000"}

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
        "disk": "ok",
        "oldest_waiting_seconds": None,
        "language_model": [],
    }
    assert "no-store" in response["Cache-Control"]


def test_a_worker_that_is_silent_is_named_with_its_silence(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = client.get("/healthz")
    assert (never.status_code, never.json()["database"]) == (503, "ok")
    assert never.json()["worker"] == "has not been seen yet"
    monkeypatch.setattr(work, "worker_seen", lambda: now() - timedelta(seconds=90))
    silent = client.get("/healthz")
    assert silent.status_code == 503
    assert silent.json()["worker"] == "was last seen 90 seconds ago"


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not looked at the tables yet."""
    health._all_applied.cache_clear()


@pytest.mark.usefixtures("nothing_known")
def test_it_is_not_ready_while_a_table_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = MigrationLoader(None).graph.leaf_nodes("accounts")[0]
    # Only the owner may write that table, in a transaction that would outlast this test.
    applied = MigrationRecorder(connection).applied_migrations()
    monkeypatch.setattr(
        MigrationRecorder,
        "applied_migrations",
        lambda _: {key: done for key, done in applied.items() if key != newest},
    )
    response = client.get("/readyz")
    assert response.status_code == 503
    assert "manage.py migrate" in response.json()["migrations"]


def test_without_a_database_it_lives_and_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nonexistent")
    with django_assert_num_queries(0):
        assert client.get("/livez").json() == {"status": "ok"}
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "down", "database": "does not answer"}


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
@pytest.mark.usefixtures("seen")
def test_a_probe_may_come_by_address_and_over_plain_http(
    client: Client, settings: Settings, path: str
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path, headers=BY_ADDRESS).status_code == 200


@pytest.mark.parametrize("path", ["/", "/talk/", "/livez/", "/healthz/x"])
def test_no_other_page_answers_by_an_address_that_is_not_the_sites(
    client: Client, path: str
) -> None:
    assert client.get(path, headers=BY_ADDRESS).status_code == 400
