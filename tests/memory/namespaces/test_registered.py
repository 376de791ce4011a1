"""Namespaces that people register for themselves: like the product's own, and theirs alone."""

from typing import Any

import pytest
from django.test import Client

from accounts.access import scopes
from accounts.models import User
from conversations.deletion import erase_all
from memory.namespaces import registered
from tests.memory.namespaces.test_api import Software
from tests.people import Api

pytestmark = pytest.mark.django_db
SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 200},
        "state": {"enum": ["reading", "done"]},
        "rating": {"type": "integer", "minimum": 1, "maximum": 5},
        "lent": {"type": "boolean"},
        "begun": {"type": "string", "format": "date"},
        "read_at": {"type": "string", "format": "date-time"},
        "authors": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["title", "state"],
}
BOOKS = {"name": "my.books", "purpose": "Books that you read", "schema": SCHEMA}
DUNE = {"title": "Dune", "state": "reading", "rating": 5, "begun": "2026-11-24"}


@pytest.fixture
def software(alice: User) -> Software:
    return Software(alice)


def consented(software: Software) -> None:
    assert software.ask("post", "namespaces", BOOKS).status_code == 201
    assert software.ask("put", "namespaces/my.books/consent").status_code == 200


def test_one_is_registered_consented_to_written_and_read(software: Software) -> None:
    made = software.ask("post", "namespaces", BOOKS)
    assert made.status_code == 201
    assert (made.json()["most"], made.json()["needs_consent"]) == (200, True)
    assert made.json()["schema"]["required"] == ["title", "state"]
    held = software.ask("put", "namespaces/my.books/entries/dune", DUNE)
    assert held.json()["held_because"]
    software.ask("put", "namespaces/my.books/consent")
    read = software.ask("get", "namespaces/my.books/entries/dune").json()
    assert read["data"] == {**DUNE, "authors": []}
    found = software.ask("get", "namespaces/my.books/entries?form=compact").json()
    assert found["count"] == 1
    assert "- 7 reading 5: Dune" in found["compact"]
    names = [one["name"] for one in software.ask("get", "namespaces").json()["results"]]
    assert names[-1] == "my.books"


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"state": "done"}, "title"),
        ({**DUNE, "state": "lost"}, "state"),
        ({**DUNE, "rating": 6}, "rating"),
        ({**DUNE, "title": "a" * 201}, "title"),
        ({**DUNE, "begun": "someday"}, "begun"),
        ({**DUNE, "pages": 600}, "pages"),
    ],
)
def test_what_does_not_fit_its_schema_is_refused(
    software: Software, entry: dict[str, Any], field: str
) -> None:
    consented(software)
    answer = software.ask("put", "namespaces/my.books/entries/dune", entry)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "shared.books"},
        {"name": "my."},
        {"schema": {"type": "array"}},
        {"schema": {"properties": {"a1": {"type": "string", "pattern": "(a+)+$"}}}},
        {"schema": {"properties": {"model_dump": {}}}},
        {"schema": {"properties": {"title": {"type": "boolean", "maxLength": 5}}}},
        {"most": 501},
        {"purpose": ""},
    ],
)
def test_what_is_no_definition_is_refused(software: Software, wrong: dict[str, Any]) -> None:
    answer = software.ask("post", "namespaces", BOOKS | wrong)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == list(wrong)


def test_the_same_again_changes_nothing_and_another_is_refused(
    software: Software, monkeypatch: pytest.MonkeyPatch
) -> None:
    software.ask("post", "namespaces", BOOKS)
    assert software.ask("post", "namespaces", BOOKS).status_code == 200
    assert software.ask("post", "namespaces", BOOKS | {"most": 7}).status_code == 409
    monkeypatch.setattr(registered, "MOST_REGISTERED", 1)
    assert software.ask("post", "namespaces", BOOKS | {"name": "my.films"}).status_code == 409


def test_deleting_it_takes_its_entries_along(software: Software) -> None:
    consented(software)
    software.ask("put", "namespaces/my.books/entries/dune", DUNE)
    assert software.ask("delete", "namespaces/shared.people").status_code == 422
    assert software.ask("delete", "namespaces/my.books").status_code == 204
    assert software.ask("get", "namespaces/my.books").status_code == 404
    software.ask("post", "namespaces", BOOKS)
    assert software.ask("get", "namespaces/my.books/entries").json()["count"] == 0
    assert software.ask("get", "namespaces/my.books").json()["granted_at"] is None


def test_forgetting_everything_empties_it(alice: User, software: Software) -> None:
    consented(software)
    software.ask("put", "namespaces/my.books/entries/dune", DUNE)
    erase_all.forget_everything(alice)
    assert software.ask("get", "namespaces/my.books/entries").json()["count"] == 0


def test_a_limited_token_uses_it_and_registers_none(alice: User, software: Software) -> None:
    consented(software)
    limited = Software(alice, "my.*")
    assert limited.ask("put", "namespaces/my.books/entries/dune", DUNE).status_code == 200
    assert limited.ask("post", "namespaces", BOOKS).status_code == 403
    assert limited.ask("delete", "namespaces/my.books").status_code == 403
    other = Software(alice, "shared.*")
    assert other.ask("get", "namespaces/my.books").status_code == 403
    assert "my.*" in scopes.known_scopes()


def test_it_is_nobody_elses(software: Software, bob_api: Api) -> None:
    consented(software)
    software.ask("put", "namespaces/my.books/entries/dune", DUNE)
    for path in ("", "/entries", "/entries/dune"):
        assert bob_api.get(f"namespaces/my.books{path}").status_code == 404
        assert Client().get(f"/api/v1/namespaces/my.books{path}").status_code == 401
    assert Client().post("/api/v1/namespaces", BOOKS).status_code == 401
