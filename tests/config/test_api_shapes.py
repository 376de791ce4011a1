"""What all lists of the API have in common, as its own description tells it."""

from functools import cache
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

# Sums of many kinds, what is found best first, and what a deed did: no lists that go on.
NO_LISTS = {"search", "notes_note_anyway"}
PAGE = {"count", "next", "previous", "results"}


@cache
def described() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]


def lists() -> list[Any]:
    """(operation, its parameters, the answer) of whatever answers an array or `results`."""
    components, found = described()["components"]["schemas"], []
    for path in described()["paths"].values():
        for operation in path.values():
            content = operation["responses"].get("200", {}).get("content") or {}
            told = content.get("application/json", {}).get("schema", {})
            answer = components.get(told.get("$ref", "").rpartition("/")[2], told)
            if answer.get("type") == "array" or "results" in answer.get("properties", {}):
                names = {one["name"] for one in operation.get("parameters", ())}
                found.append((operation["operationId"], names, answer))
    return found


def test_there_are_lists_to_look_at() -> None:
    assert len(lists()) > 25


@pytest.mark.parametrize(
    ("name", "parameters", "answer"), [one for one in lists() if one[0] not in NO_LISTS]
)
def test_every_list_has_the_shape_of_a_page(
    name: str, parameters: set[str], answer: dict[str, Any]
) -> None:
    assert set(answer.get("properties", {})) >= PAGE
    assert parameters >= {"limit", "offset"}
