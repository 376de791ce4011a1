"""Namespaces for other software: entries with versions, consent, and tokens that open few."""

from typing import Any

import pytest
from django.test import Client
from structlog.testing import capture_logs

from accounts.access import tokens
from accounts.database.isolation import acting_as
from accounts.models import User
from memory import manager
from tests.people import PASSWORD

JOHN: dict[str, Any] = {"name": "John", "relation": "work", "traits": ["blocks"], "mentioned": 5}
ENTRY = "/api/v1/namespaces/shared.people/entries/john"


class Software:
    """A program with a token of somebody's."""

    def __init__(self, user: User, *scopes: str) -> None:
        _, secret = tokens.make(user, "A program", scopes=scopes)
        self.client = Client(headers={"Authorization": f"Token {secret}"})

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        path = path if path.startswith("/") else f"/api/v1/{path}"
        sent = {} if data is None else {"data": data, "content_type": "application/json"}
        return getattr(self.client, method)(path, **sent, headers=headers)


@pytest.fixture
def software(alice: User) -> Software:
    return Software(alice)


def test_an_entry_is_written_read_found_and_removed(software: Software) -> None:
    assert software.ask("get", ENTRY).status_code == 404
    assert software.ask("put", "namespaces/shared.people/consent").json() == {
        "namespace": "shared.people",
        "granted": True,
        "entries": 0,
    }
    made = software.ask("put", ENTRY, JOHN)
    assert made.status_code == 200
    assert (made["ETag"], made.json()["tier"], made.json()["held_because"]) == ('"1"', "warm", "")
    assert software.ask("get", ENTRY).json()["data"] == JOHN
    found = software.ask("get", "namespaces/shared.people/entries?pattern=j*&form=compact").json()
    assert [entry["key"] for entry in found["results"]] == ["john"]
    assert found["compact"].splitlines()[1:] == [
        "people: name relation mentioned days_ago traits: note",
        "John work 5 - blocks",
    ]
    assert software.ask("delete", ENTRY).status_code == 204
    assert software.ask("delete", ENTRY).status_code == 404


def test_a_write_names_the_version_that_was_read(software: Software) -> None:
    assert software.ask("put", ENTRY, JOHN, **{"If-None-Match": "*"}).status_code == 200
    assert software.ask("put", ENTRY, JOHN, **{"If-Match": '"1"'}).status_code == 200
    late = software.ask("put", ENTRY, JOHN | {"mentioned": 9}, **{"If-Match": '"1"'})
    assert late.status_code == 409
    assert late["Content-Type"] == "application/problem+json"
    assert late.json()["current"]["version"] == 2
    assert software.ask("put", ENTRY, JOHN, **{"If-None-Match": "*"}).status_code == 409
    assert software.ask("delete", ENTRY, **{"If-Match": '"1"'}).status_code == 409
    assert software.ask("put", ENTRY, JOHN, **{"If-Match": "three"}).status_code == 400


@pytest.mark.parametrize(
    ("path", "data", "status", "words"),
    [
        (
            "namespaces/shared.people/entries/x",
            {"name": "X", "relation": "hunter2"},
            400,
            "relation",
        ),
        ("namespaces/shared.people/entries/x", {"name": "X", "age": 3}, 400, "age"),
        ("namespaces/shared.people/entries/x", ["X"], 400, "JSON object"),
        ("namespaces/shared.people/entries/%20x", {"name": "X"}, 422, "printable"),
        ("namespaces/user.facts/entries/x", {"slot": "name"}, 422, "read-only"),
        ("namespaces/shared.secrets/entries/x", {"name": "X"}, 404, "Not found"),
    ],
)
def test_bad_input_gets_a_clear_error_that_does_not_repeat_it(
    software: Software, path: str, data: Any, status: int, words: str
) -> None:
    refused = software.ask("put", path, data)
    assert refused.status_code == status
    assert words in refused.content.decode()
    assert "hunter2" not in refused.content.decode()


def test_a_limited_token_opens_what_it_names_and_nothing_else(alice: User) -> None:
    limited = Software(alice, "shared.people", "focus.*")
    assert limited.ask("put", ENTRY, JOHN).status_code == 200
    assert limited.ask("put", "namespaces/focus.fast/entries/now", {"turn": 1}).status_code == 200
    listed = limited.ask("get", "namespaces").json()["results"]
    assert [one["name"] for one in listed if one["name"].startswith("shared")] == ["shared.people"]
    for method, path, data in (
        ("get", "namespaces/shared.priorities/entries", None),
        ("get", "namespaces/user.facts/entries", None),
        ("put", "namespaces/shared.people/consent", None),
        ("delete", "namespaces/shared.people/consent", None),
        ("get", "profile", None),
        ("get", "conversations", None),
        ("get", "traces", None),
        ("get", "tokens", None),
        ("post", "memories", {"content": "Keeps bees"}),
        ("post", "tokens", {"name": "More", "password": PASSWORD}),
    ):
        assert limited.ask(method, path, data).status_code == 403, (method, path)


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ("shared.priorities", 403, "can’t use shared.priorities"),
        ("user.*", 403, "can’t use user.*"),
        ("shared.secrets", 400, "no namespace"),
        (",", 400, "leave the parameter out"),
        # These are followed: what is refused is a number that no event has.
        ("shared.*,focus.*", 400, "the id of an event"),
        ("*", 400, "the id of an event"),
    ],
)
def test_a_limited_token_follows_what_it_opens_and_is_refused_the_rest(
    alice: User, asked: str, status: int, words: str
) -> None:
    limited = Software(alice, "shared.people", "focus.*")
    answer = limited.ask("get", f"events?namespaces={asked}", **{"Last-Event-ID": "none"})
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert words in answer.json()["detail"]


def test_a_token_is_limited_to_namespaces_that_there_are(software: Software) -> None:
    asked = {"name": "Script", "password": PASSWORD}
    made = software.ask("post", "tokens", asked | {"scopes": ["shared.*"]})
    assert (made.status_code, made.json()["scopes"]) == (201, ["shared.*"])
    refused = software.ask("post", "tokens", asked | {"scopes": ["shared.secrets"]})
    assert refused.status_code == 400
    assert "shared.people" in refused.content.decode()


def test_a_write_is_traced_and_its_key_only_with_consent(software: Software) -> None:
    software.ask("put", ENTRY, JOHN)
    told = software.ask("get", "traces?namespace=shared.people").json()["results"]
    assert [(line["outcome"], line["key"]) for line in told] == [("held", "")]
    software.ask("put", "namespaces/shared.people/consent")
    made = software.ask("put", ENTRY, JOHN).json()
    traced = software.ask("get", f"traces?trace_id={made['trace_id']}").json()["results"]
    assert ("write", "john") in [(line["verb"], line["key"]) for line in traced]


def test_subscribers_in_the_process_hear_what_was_committed(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[tuple[str, str]] = []
    end = manager.subscribe("shared.people", lambda _, name, key: heard.append((name, key)))

    def broken(*_: Any) -> None:
        raise ValueError("A subscriber's own fault.")

    end_broken = manager.subscribe("shared.people", broken)
    try:
        with (
            capture_logs() as logs,
            django_capture_on_commit_callbacks(execute=True),
            acting_as(alice),
        ):
            manager.write(alice.pk, "shared.people", "john", JOHN, by=manager.By.OWNER)
            assert heard == []
        assert heard == [("shared.people", "john")]
        errors = [line["error"] for line in logs if line["event"] == "subscriber_failed"]
        assert errors == ["ValueError"]
    finally:
        end()
        end_broken()
