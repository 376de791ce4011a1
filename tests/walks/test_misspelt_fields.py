"""A name that an operation of the API does not know is said, and not passed over."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from rest_framework import serializers

from accounts.access.api import RequestBody
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from tests.people import Api, tell

pytestmark = pytest.mark.django_db


def refused(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    return told


def test_a_misspelt_wish_for_privacy_starts_no_conversation(alice: User, alice_api: Api) -> None:
    told = refused(alice_api.post("conversations", {"privcay": "private"}))
    sentence = "There is no field with this name. Use one of: temporary, title, privacy."
    assert told["errors"] == {"privcay": [sentence]}
    assert told["detail"] == f"privcay: {sentence}"
    with acting_as(alice):
        assert not Conversation.objects.exists()


def described_bodies() -> Iterator[Any]:
    generator = SchemaGenerator()
    generator._initialise_endpoints()
    for path, _, method, view in generator._get_paths_and_endpoints():
        if path.startswith("/api/v1/") and method != "GET":
            view.schema.path, view.schema.method = path, method
            body = view.schema.get_request_serializer()
            yield from body.values() if isinstance(body, dict) else [body]


def test_every_body_that_is_described_refuses_names_that_it_does_not_know() -> None:
    base = serializers.BaseSerializer
    kinds = {one for one in described_bodies() if isinstance(one, type) and issubclass(one, base)}
    assert len(kinds) > 20
    assert {one.__name__ for one in kinds if not issubclass(one, RequestBody)} == set()


# --- Behind the question mark --------------------------------------------------------------------


def test_a_misspelt_wish_for_what_was_learned_deletes_nothing(alice: User, alice_api: Api) -> None:
    here = tell(alice, "I work at Initech").conversation
    headers = {"Authorization": f"Token {alice_api.token}"}
    address = f"/api/v1/conversations/{here.pk}?learnd=remove"
    told = refused(Client().delete(address, headers=headers))
    sentence = "There is no parameter with this name. Use one of: learned, answers."
    assert told["errors"] == {"learnd": [sentence]}
    with acting_as(alice):
        assert Conversation.objects.filter(pk=here.pk).exists()


def test_a_value_that_is_not_described_is_refused(alice_api: Api) -> None:
    for asked in (
        *("conflicts?status=", "conflicts?status=closed", "memories?category=poem", "audit?until="),
        *("search?since=", "search?title=1", "conversations?archived=null", "plans?done=yes"),
        *("traces?verb=AAA", "traces?trace_id=mem_1", "profile?as_of=", "audit?deed="),
        "conversations?archived=true&archived=false",
    ):
        told = refused(alice_api.get(asked))
        assert told["errors"].keys() == {asked.partition("?")[2].partition("=")[0]}
