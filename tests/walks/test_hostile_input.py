"""Whatever is sent, the answer is no 500: the API names the fault, a page keeps what was typed.

The addresses are those of test_doors, which is compared with the resolver; the fields are those
that the schema describes and, on a page, those that it looks for. So a new operation is tried here
as soon as it is there.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest
from django.db import transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from accounts.models import ApiToken, User
from config.api import urlpatterns
from config.mem0_api import bodies, is_mem0
from tests.people import client_for
from tests.walks.leaks import names_read
from tests.walks.test_doors import DOORS, STAFF_PAGES, Door, alice, db, opened, rows

__all__ = ["alice", "db", "opened", "rows"]

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
MILLION = "x" * 1_000_000
DEEP = 10_000
# What may stand in JSON where a field has its value; each is a text of JSON.
VALUES = (
    r'"a\u0000b"',
    r'[null, {"\udfff": []}]',
    f'"{MILLION}"',
    "9" * 30,
    '"9999-12-31T23:59:59-12:00"',
)
BODIES = (
    *(b"", b"null", b"[]", b"3", b"\xff\xfe", b'{"x": NaN}', rb'{"\u0000": 1}', rb'{"\ud800": 1}'),
    *("{}".encode("utf-16"), b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    b"9" * 5000,
)
# The same behind the question mark, and in a form; encoded as in an address.
TYPED = ("a%00b%ED%A0%80", "9" * 30, "0001-01-01")
LONG = MILLION[:100_000]
# In place of a row in an address.
PLACES = ("a%00b", "%FF%FE", "9" * 40, "x" * 5000)
CHARSETS = ("utf-16", "hex")
HEADERS = ("If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Accept", "Range")
HEADER_VALUES = ("a\x00b", "\xff\xfe" + "9" * 40, '"' + "9" * 40 + '"')


@dataclass
class Visitor:
    """Somebody who sends what no program of ours would, and undoes what came of it."""

    client: Client
    headers: dict[str, str]
    faults: list[str]

    def send(self, method: str, path: str, sent: Any = b"", kind: str = "", **headers: str) -> Any:
        """Send it; an answer that is none of ours is a fault, named with what was sent."""
        told = {**self.headers, **headers}
        with transaction.atomic():
            answer = self.client.generic(method.upper(), path, sent, kind, headers=told)
            transaction.set_rollback(True)
        if answer.status_code >= 500 or not self._is_plain(path, answer):
            what = f"{method} {path[:120]} {sent[:60]!r} {str(headers)[:60]}"
            cause = getattr(answer, "exc_info", None)
            named = f"{cause[0].__name__}: {cause[1]}"[:160] if cause else answer.content[:160]
            self.faults.append(f"{answer.status_code} for {what}: {named}")
        return answer

    @staticmethod
    def _is_plain(path: str, answer: Any) -> bool:
        if not path.startswith("/api/v1/") or answer.status_code < 400:
            return True
        if not answer["Content-Type"].startswith("application/problem+json"):
            return False
        told = json.loads(answer.content)
        return told["status"] == answer.status_code and bool(told["title"] and told["detail"])


@pytest.fixture
def visitor(alice: User) -> Iterator[Visitor]:
    """Alice, by her session and by her token."""
    client = client_for(alice)
    client.raise_request_exception = False
    token = ApiToken.objects.create(user=alice)[1]
    made = Visitor(client, {"Authorization": f"Token {token}"}, [])
    yield made
    assert not made.faults, "\n".join(made.faults[:40])


def path_of(door: Door, rows: dict[str, Any]) -> str:
    """The address of a door, with her row in it."""
    row = quote(str(rows.get(door.row, "")), safe="")
    path = re.sub(r"<(?:uuid|str|slug):\w+>|<int:pk>", row, door.route)
    return "/" + path.replace("<int:place>", "0").replace("<path:key>", "wilbur").replace(
        "<path:who>", row
    )


MEM0_BODIES = (
    *(bodies.AddRequest, bodies.SearchRequest, bodies.ListRequest),
    *(bodies.UpdateRequest, bodies.BatchUpdate, bodies.BatchDelete),
)


@cache
def schema() -> dict[str, Any]:
    """Everything that the API tells of its operations."""
    return dict(SchemaGenerator().get_schema(request=None, public=True))


def operation(door: Door) -> dict[str, Any]:
    """What the API tells of one operation; nothing of those that mem0 describes."""
    if is_mem0(f"/{door.route}"):
        return {}
    route = re.sub(r"<\w+:(\w+)>", r"{\1}", door.route)
    return next(
        operations[door.method]
        for path, operations in schema()["paths"].items()
        if re.sub(r"\{\w+\}", "{}", path) == "/" + re.sub(r"\{\w+\}", "{}", route)
    )


def fields_of(door: Door) -> set[str]:
    """The names of what the body of an operation may hold."""
    if is_mem0(f"/{door.route}"):
        return {name for shape in MEM0_BODIES for name in shape.model_fields}
    content = operation(door).get("requestBody", {}).get("content", {})
    described = content.get(JSON, {}).get("schema", {})
    if name := described.get("$ref", "").rpartition("/")[2]:
        described = schema()["components"]["schemas"][name]
    return set(described.get("properties", {})) | set(door.data)


def combinations_of(names: Sequence[str], values: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield names with odd values, as often as there are values: each name has each value once,
    beside other odd ones, and the first name is alone in the last.
    """
    for shift in range(len(values)):
        yield {name: values[(place + shift) % len(values)] for place, name in enumerate(names)}
    for name in names[:1]:
        yield {name: values[0]}


def as_query(fields: dict[str, str]) -> str:
    """Return encoded names and values as they stand behind a question mark, or in a form."""
    return "&".join(f"{name}={value}" for name, value in fields.items())


WRITES = [door for door in DOORS if door.is_api and door.method != "get"]
READS = [door for door in DOORS if door.is_api and door.method == "get"]
# One operation for each reader of bodies: the API's own, OpenAI's, mem0's, by each method.
READERS = {
    (is_mem0(f"/{door.route}"), "chat" in door.route, door.method): door for door in WRITES
}.values()
FORMS = [door for door in DOORS if not door.is_api and door.method == "post"]
PAGES = [door for door in DOORS if not door.is_api and door.method == "get"]
# Those that read a header of the request beside who sends it.
HEADED = [
    door
    for door in (*WRITES, *READS)
    if re.search("messages|entries|blocks|events|completions", door.route)
]


def test_every_operation_that_the_schema_describes_is_tried() -> None:
    for door in [*WRITES, *READS]:
        assert is_mem0(f"/{door.route}") or operation(door)["operationId"]
    assert len(urlpatterns[0]) > 50
    assert sum(len(fields_of(door)) for door in WRITES) > 50


# --- The API -------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", WRITES, ids=str)
def test_no_body_of_a_write_is_a_fault_of_ours(
    door: Door, rows: dict[str, Any], visitor: Visitor
) -> None:
    path = path_of(door, rows)
    if door in READERS:
        for sent in BODIES:
            visitor.send(door.method, path, sent, JSON)
        for charset in CHARSETS:
            visitor.send(door.method, path, b"{}", f"{JSON}; charset={charset}")
    names = sorted(fields_of(door))
    for odd in combinations_of(names, VALUES):
        fields = {k: json.dumps(v) for k, v in door.data.items()} | odd
        text = "{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}"
        visitor.send(door.method, path, text.encode(), JSON)


@pytest.mark.parametrize("door", READS, ids=str)
def test_no_parameter_of_a_read_is_a_fault_of_ours(
    door: Door, rows: dict[str, Any], visitor: Visitor
) -> None:
    path = path_of(door, rows)
    described = operation(door).get("parameters", [])
    names = [one["name"] for one in described if one["in"] == "query"]
    for odd in combinations_of((*names, "nosuch", "%00"), (*TYPED, LONG)):
        visitor.send("get", f"{path}?{as_query(odd)}")


def _reaches_its_view(door: Door) -> bool:
    """Whether an odd part of an address comes further than to the resolver, which wants a UUID."""
    return bool(re.search(r"<(?!uuid)", door.route))


UUIDS_ALONE = [door for door in DOORS if "<uuid" in door.route and not _reaches_its_view(door)]


@pytest.mark.parametrize(
    "door", [*filter(_reaches_its_view, DOORS), UUIDS_ALONE[0], UUIDS_ALONE[-1]], ids=str
)
def test_no_address_is_a_fault_of_ours(door: Door, rows: dict[str, Any], visitor: Visitor) -> None:
    kind = JSON if door.is_api else FORM
    filled = re.split(r"<\w+:\w+>", "/" + door.route)
    own = re.findall(r"<\w+:\w+>", door.route)
    for number, place in product(range(len(own)), PLACES):
        parts = [_filled(part, rows, door) for part in own]
        parts[number] = place
        path = "".join(a + b for a, b in zip(filled, [*parts, ""], strict=True))
        sent = json.dumps(door.data).encode() if door.is_api else b""
        visitor.send(door.method, path, sent, kind)


@pytest.mark.parametrize("door", HEADED, ids=str)
def test_no_header_is_a_fault_of_ours(door: Door, rows: dict[str, Any], visitor: Visitor) -> None:
    for value in HEADER_VALUES:
        told = dict.fromkeys(HEADERS, value)
        visitor.send(door.method, path_of(door, rows), b"{}", JSON, **told)


def _filled(part: str, rows: dict[str, Any], door: Door) -> str:
    return {"<int:place>": "0", "<path:key>": "wilbur"}.get(part) or quote(
        str(rows.get(door.row, "x")), safe=""
    )


# --- Pages ---------------------------------------------------------------------------------------


def names_sought(visitor: Visitor, method: str, path: str, given: set[str]) -> set[str]:
    """The names that a page looks for in a query or a form, with these as a beginning."""
    with names_read() as read:
        query = "&".join(f"{name}=1" for name in given)
        visitor.send(method, path, query if method == "post" else b"", FORM)
        visitor.send("get", f"{path}?{query}")
    return {name for name in read if isinstance(name, str)} | given


@pytest.mark.parametrize("door", FORMS, ids=str)
def test_no_form_is_a_fault_of_ours(door: Door, rows: dict[str, Any], visitor: Visitor) -> None:
    fill_in(visitor, path_of(door, rows), door.data)


def fill_in(visitor: Visitor, path: str, data: dict[str, str]) -> None:
    """Send a form with each odd value in each of its fields."""
    names = sorted(map(quote, names_sought(visitor, "post", path, set(data))))
    for odd in combinations_of(names, (*TYPED, MILLION)):
        fields = {quote(k): quote(v) for k, v in data.items()} | odd
        visitor.send("post", path, as_query(fields), FORM)
    for kind in (f"{FORM}; charset=hex", "multipart/form-data", "multipart/form-data; boundary=x"):
        visitor.send("post", path, b"\x00\xff", kind)


@pytest.mark.parametrize("door", PAGES, ids=str)
def test_no_query_of_a_page_is_a_fault_of_ours(
    door: Door, rows: dict[str, Any], visitor: Visitor
) -> None:
    ask(visitor, path_of(door, rows), set(door.data))


@pytest.mark.parametrize("path", STAFF_PAGES)
def test_no_query_of_the_staff_desk_is_a_fault_of_ours(
    path: str, visitor: Visitor, mira: User
) -> None:
    visitor.client.force_login(mira)
    ask(visitor, path, {"q", "o", "p", "all"})
    for place in PLACES:
        visitor.send("get", f"{path}{place}/change/")


def ask(visitor: Visitor, path: str, given: set[str]) -> None:
    """Visit a page with each odd value in each of its filters."""
    names = sorted(map(quote, names_sought(visitor, "get", path, given)))
    for odd in combinations_of(names, (*TYPED, LONG)):
        visitor.send("get", f"{path}?{as_query(odd)}")
