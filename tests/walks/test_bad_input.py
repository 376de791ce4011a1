"""What is wrong with a request is said in one shape, and nothing that was typed is lost."""

import html
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User
from conversations.models import Conversation, Message
from tests.people import Api, Talk, client_for, dispute, said, tell, the_fact, values

pytestmark = pytest.mark.django_db
JSON = "application/json"
NOBODYS = UUID("019a0000-0000-7000-8000-000000000000")


@pytest.fixture
def path(alice: User) -> str:
    """Where a message of Alice's is sent."""
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice, title="A talk")
    return f"/api/v1/conversations/{talk.pk}/messages"


@pytest.fixture
def client() -> Client:
    """A crash of ours comes back as the 500 a person would get."""
    return Client(raise_request_exception=False)


@pytest.fixture
def signed(alice_api: Api) -> dict[str, str]:
    return {"Authorization": f"Token {alice_api.token}"}


def check_the_shape(response: Any, status: int) -> dict[str, Any]:
    """The one shape of an error: RFC 9457, with what went wrong and what to do."""
    assert response.status_code == status
    assert response["Content-Type"].startswith("application/problem+json")
    told = json.loads(response.content)
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert "Traceback" not in response.content.decode()
    return dict(told)


def messages(user: User) -> list[str]:
    with acting_as(user):
        rows = Message.objects.filter(role="user").order_by("pk")
        return list(rows.values_list("content", flat=True))


# --- The API -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"content": ""}, "Write something first"),
        ({"content": "a\x00b"}, "cannot be shown"),
        ({"content": 3}, "a JSON string"),
        ({"content": {"a": 1}}, "a JSON string"),
        ([], "dictionary"),
        ("null", ""),
        ('{"content": NaN}', "not valid JSON"),
        ('{"content": ' + "9" * 5000 + "}", "not valid JSON"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_message_that_cannot_be_kept_is_refused_with_words(
    client: Client, path: str, signed: dict[str, str], alice: User, body: Any, words: str
) -> None:
    response = client.post(path, body, content_type=JSON, headers=signed)
    told = check_the_shape(response, 400)
    assert words in told["detail"]
    assert messages(alice) == []


@pytest.mark.parametrize(
    "body",
    [
        {"title": "x" * 121},
        {"title": {}},
        {"title": None},
        {"title": "\x00"},
        '{"title": "\\udfff"}',
        [],
    ],
    ids=repr,
)
def test_a_title_that_cannot_be_kept_is_refused(
    client: Client, signed: dict[str, str], alice: User, body: Any
) -> None:
    response = client.post("/api/v1/conversations", body, content_type=JSON, headers=signed)
    check_the_shape(response, 400)
    with acting_as(alice):
        assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"resolution": ""},
        {"resolution": "overtaken"},
        {"resolution": "both"},
        {"resolution": 1},
        {"resolution": "keep_old", "reason": "x" * 501},
        {"resolution": "keep_old", "reason": "\x00"},
        [],
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_answer_that_is_none_settles_nothing(
    client: Client, signed: dict[str, str], alice: User, body: Any
) -> None:
    entry = dispute(alice)
    url = f"/api/v1/conflicts/{entry.pk}/resolve"
    check_the_shape(client.post(url, body, content_type=JSON, headers=signed), 400)
    with acting_as(alice):
        entry.refresh_from_db()
    assert entry.is_open


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", f"/api/v1/conversations/{NOBODYS}", 404),
        ("get", f"/api/v1/conflicts/{NOBODYS}", 404),
        ("get", "/api/v1/conversations/not-an-id", 404),
        ("get", "/api/v1/conflicts/%00", 404),
        ("get", "/api/v1/no-such-thing", 404),
        ("get", "/api/v2/profile", 404),
        ("put", "/api/v1/profile", 405),
        ("patch", "/api/v1/conflicts", 405),
    ],
)
def test_an_address_or_method_there_is_not(
    client: Client, signed: dict[str, str], method: str, address: str, status: int
) -> None:
    response = getattr(client, method)(address, headers=signed)
    check_the_shape(response, status)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "text/html", ""]
)
def test_a_body_of_another_kind_is_refused(
    client: Client, path: str, signed: dict[str, str], alice: User, kind: str
) -> None:
    response = client.generic("POST", path, '{"content": "Hello"}', kind, headers=signed)
    check_the_shape(response, 415)
    assert messages(alice) == []


def test_an_error_is_the_same_shape_to_who_asked_for_a_stream(
    client: Client, path: str, signed: dict[str, str]
) -> None:
    headers = {**signed, "Accept": "text/event-stream"}
    check_the_shape(client.post(path, {"content": ""}, content_type=JSON, headers=headers), 400)


@pytest.mark.parametrize(
    "query",
    [
        "status=%00",
        "status=nonsense",
        "limit=x",
        "limit=-1",
        f"offset={9**30}",
        f"limit={9**30}",
    ],
)
@pytest.mark.parametrize("place", ["conflicts", "conversations"])
def test_a_strange_query_is_no_crash(
    client: Client, signed: dict[str, str], alice: User, place: str, query: str
) -> None:
    dispute(alice)
    response = client.get(f"/api/v1/{place}?{query}", headers=signed)
    assert response.status_code in (200, 400)


PAGED = (
    "audit", "conflicts", "conversations", "erasures", "memories", "proposals", "shares",
    "tokens", "topics", "traces",
)  # fmt: skip


@pytest.mark.parametrize("place", PAGED)
def test_a_page_that_there_cannot_be_is_a_400_with_words(
    client: Client, signed: dict[str, str], place: str
) -> None:
    for query, words in (
        ("limit=abc", "limit: Use a whole number, 1 or more."),
        ("limit=0", "limit: Use a whole number, 1 or more."),
        ("limit=-5", "limit"),
        ("limit=", "limit"),
        ("limit=1.5", "limit"),
        ("offset=abc", "offset: Use a whole number, 0 or more."),
        ("offset=-1", "offset"),
    ):
        told = check_the_shape(client.get(f"/api/v1/{place}?{query}", headers=signed), 400)
        assert words in told["detail"]
    for query in ("limit=1&offset=0", "limit=5000", f"limit={9**30}", f"offset={9**30}"):
        answer = client.get(f"/api/v1/{place}?{query}", headers=signed)
        assert answer.status_code == 200
        assert {"count", "next", "previous", "results"} == answer.json().keys()


def test_what_is_paged_says_so_and_what_it_refuses(client: Client) -> None:
    schema = client.get("/api/schema", {"format": "json"}).json()
    paged = {
        path.removeprefix("/api/v1/"): operations["get"]
        for path, operations in schema["paths"].items()
        if "/PageOf" in str(operations.get("get", {}).get("responses", {}).get("200", {}))
    }
    assert set(PAGED) < set(paged)
    for path, operation in paged.items():
        told = {one["name"]: one["schema"] for one in operation["parameters"]}
        assert (told["limit"]["default"], told["limit"]["minimum"]) == (200, 1), path
        assert told["offset"]["minimum"] == 0, path
        assert "400" in operation["responses"], path


def test_errors_are_described_as_they_are_sent_and_answers_as_answers(client: Client) -> None:
    paths = client.get("/api/schema", {"format": "json"}).json()["paths"]
    # Below /v1/ errors are those of OpenAI's API.
    openai = [operations for path, operations in paths.items() if path.startswith("/v1/")]
    for operation in (each for operations in openai for each in operations.values()):
        refused = operation["responses"]["400"]["content"]
        assert refused == {JSON: {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}
    described = [
        (int(status), response.get("content", {}))
        for operations in paths.values()
        if operations not in openai
        for operation in operations.values()
        for status, response in operation["responses"].items()
    ]
    errors = [content for status, content in described if status >= 400]
    assert len(errors) > 300
    assert {tuple(content) for content in errors} == {("application/problem+json",)}
    shapes = {content["application/problem+json"]["schema"]["$ref"] for content in errors}
    assert "#/components/schemas/Problem" in shapes
    answers = [content for status, content in described if status < 400]
    assert not any("application/problem+json" in content for content in answers)


def expired(user: User) -> str:
    return str(ApiToken.objects.create(user=user, expiry=timedelta(seconds=-1))[1])


def revoked(user: User) -> str:
    row, token = ApiToken.objects.create(user=user)
    row.delete()
    return str(token)


def of_somebody_switched_off(user: User) -> str:
    token = ApiToken.objects.create(user=user)[1]
    User.objects.filter(pk=user.pk).update(is_active=False)
    return str(token)


@pytest.mark.parametrize("word", ["Token", "Bearer", "bearer"])
def test_either_word_before_a_good_token_signs_in(client: Client, alice: User, word: str) -> None:
    token = Api(alice).token
    answer = client.get("/api/v1/profile", headers={"Authorization": f"{word} {token}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "make",
    [expired, revoked, of_somebody_switched_off, lambda _: "nonsense", lambda _: "",
     lambda _: "a b", lambda _: "\xff\xfe", lambda _: "x" * 5000],
    ids=["expired", "revoked", "switched off", "nonsense", "empty", "two words", "bytes", "long"],
)  # fmt: skip
@pytest.mark.parametrize("word", ["Token", "Bearer"])
def test_a_token_that_does_not_hold_is_not_signed_in(
    client: Client, path: str, alice: User, make: Callable[[User], str], word: str
) -> None:
    token = make(alice)
    for answer in (
        client.get(path, headers={"Authorization": f"{word} {token}"}),
        client.post(
            path, {"content": "Hi"}, content_type=JSON, headers={"Authorization": f"{word} {token}"}
        ),
    ):
        told = check_the_shape(answer, 401)
        assert told["title"] == "Not signed in"
        assert answer["WWW-Authenticate"]
    assert messages(alice) == []


def test_two_long_keys_that_differ_at_their_end_are_two_messages(
    alice: User, alice_api: Api
) -> None:
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
    for number in (1, 2):
        key = "a key that some other software made " * 3 + str(number)
        sent = {"content": f"Message {number}"}
        alice_api.post(f"conversations/{talk.pk}/messages", sent, **{"Idempotency-Key": key})
    assert messages(alice) == ["Message 1", "Message 2"]


# --- The composer --------------------------------------------------------------------------------

BAD_MESSAGES = [
    ("", "", "Write something first."),
    (" \r\n ", "", "Write something first."),
    ("<b>x</b> & 'y' " * 14_000, "<b>x</b> & 'y' " * 14_000, "characters long; I can read 20,000"),
    ("\x07ring the bell", "ring the bell", "can’t be shown"),
    ("one\x00two\x1bthree", "onetwothree", "can’t be shown"),
]
as_page = pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])


@as_page
@pytest.mark.parametrize("first", [True, False], ids=["start", "send"])
@pytest.mark.parametrize(("text", "kept", "words"), BAD_MESSAGES, ids=lambda v: repr(v)[:20])
def test_a_refused_message_comes_back_in_the_form_with_what_to_do(
    client: Client,
    alice: User,
    headers: dict[str, str],
    first: bool,
    text: str,
    kept: str,
    words: str,
) -> None:
    client.force_login(alice)
    with acting_as(alice):
        talk = Conversation.objects.create(user=alice)
    url = "/talk/start/" if first else f"/talk/{talk.pk}/messages/"
    response = client.post(url, {"content": text, "client_key": "a form"}, headers=headers)
    assert response.status_code == 422
    page = html.unescape(response.content.decode())
    assert words in page
    area = page.partition("<textarea")[2].partition("</textarea>")[0].partition(">")[2]
    assert area.strip() == kept.strip()
    assert 'value="a form"' in page
    assert messages(alice) == []


def test_a_message_of_wrong_bytes_is_no_crash(client: Client, alice: User) -> None:
    client.force_login(alice)
    kind = "application/x-www-form-urlencoded"
    response = client.post("/talk/start/", "content=%ED%A0%80half%FF", content_type=kind)
    assert response.status_code == 302
    assert len(messages(alice)) == 1


# --- The notebook --------------------------------------------------------------------------------

BAD_VALUES = [
    ("", "Write what I should remember"),
    ("x" * 501, "500"),
    ("a\x00b", "instead of pasting it"),
    ("  ", "Write"),
]


@as_page
@pytest.mark.parametrize(("value", "words"), BAD_VALUES, ids=lambda v: repr(v)[:16])
@pytest.mark.parametrize("form", ["edit", "add"])
def test_a_refused_line_comes_back_with_what_was_typed(
    client: Client, alice: User, headers: dict[str, str], form: str, value: str, words: str
) -> None:
    tell(alice, "I work at Google")
    client.force_login(alice)
    url = "/notebook/profile/add/"
    if form == "edit":
        url = f"/notebook/facts/{the_fact(alice, 'employer').pk}/edit/"
    response = client.post(url, {"slot": "pets", "value": value}, headers=headers)
    page = html.unescape(response.content.decode())
    assert response.status_code == 422
    assert words in page
    assert value.strip() in page
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "pets") == set()


@as_page
@pytest.mark.parametrize("slot", ["", "nonsense", "medical", "\x00", "name"])
def test_a_line_of_a_kind_that_is_not_open_is_refused_and_kept_in_the_form(
    client: Client, alice: User, headers: dict[str, str], slot: str
) -> None:
    tell(alice, "My name is Nick")
    client.force_login(alice)
    sent = {"slot": slot, "value": "a tortoise called Wilhelmina"}
    response = client.post("/notebook/profile/add/", sent, headers=headers)
    assert response.status_code == 422
    assert "a tortoise called Wilhelmina" in response.content.decode()
    assert values(alice, "name") == {"Nick"}


@as_page
@pytest.mark.parametrize("answer", ["", "overtaken", "nonsense", "\x00"])
def test_settling_without_an_answer_asks_again(
    client: Client, alice: User, headers: dict[str, str], answer: str
) -> None:
    entry = dispute(alice)
    client.force_login(alice)
    url = f"/notebook/conflicts/{entry.pk}/resolve/"
    response = client.post(url, {"resolution": answer}, headers=headers)
    assert response.status_code == 422
    assert "then press “Settle it”" in response.content.decode()
    assert values(alice, "employer") == {"Google"}


@as_page
def test_settling_what_is_settled_says_so(
    client: Client, alice: User, headers: dict[str, str]
) -> None:
    entry = dispute(alice)
    client.force_login(alice)
    url = f"/notebook/conflicts/{entry.pk}/resolve/"
    assert client.post(url, {"resolution": "keep_old"}, headers=headers).status_code in (200, 302)
    response = client.post(url, {"resolution": "keep_new"}, headers=headers)
    assert response.status_code == 409
    assert values(alice, "employer") == {"Google"}


@pytest.mark.parametrize("title", ["", "   ", "x" * 121, "a\x00b"], ids=lambda v: repr(v)[:10])
def test_a_title_that_cannot_be_kept_comes_back(client: Client, alice: User, title: str) -> None:
    talk = said(alice, "Hello there").conversation
    client.force_login(alice)
    response = client.post(f"/talk/{talk.pk}/rename/", {"title": title})
    assert response.status_code == 422
    assert title.strip() in response.content.decode()


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", f"/talk/{NOBODYS}/", 404),
        ("get", "/talk/not-an-id/", 404),
        ("post", f"/notes/{NOBODYS}/undo/", 404),
        ("get", f"/notebook/conflicts/{NOBODYS}/", 404),
        ("get", "/no/such/page", 404),
        ("get", "/talk/start/", 405),
        ("put", "/account/", 405),
        ("get", "/talk/?all=%00", 200),
    ],
)
def test_a_page_there_is_not_says_so_in_plain_words(
    client: Client, alice: User, method: str, address: str, status: int
) -> None:
    client.force_login(alice)
    response = getattr(client, method)(address)
    assert response.status_code == status
    assert "Traceback" not in response.content.decode()
    assert "data-sentence" in response.content.decode() or status == 200
    assert int(response["Content-Length"]) == len(response.content)


@pytest.mark.parametrize(
    "before", ["", "x", "-1", "0", "1", "99999999", "9" * 40, "٣", "²", "%00", "1e3"]
)
def test_a_strange_place_in_a_conversation_is_no_crash(
    client: Client, alice: User, talk: Callable[..., Talk], before: str
) -> None:
    there = talk()
    there.say("Hello there")
    assert there.conversation is not None
    client.force_login(alice)
    assert client.get(f"/talk/{there.conversation.pk}/?before={before}").status_code == 200


def test_a_signed_out_form_is_sent_to_sign_in_and_writes_nothing(alice: User) -> None:
    response = client_for(None).post("/talk/start/", {"content": "Hello there"})
    assert response.status_code == 302
    assert messages(alice) == []


def test_a_request_that_is_too_large_is_a_problem_document(alice_api: Api) -> None:
    conversation = alice_api.post("conversations").json()["id"]
    huge = '{"content": "' + "x" * 5_000_000 + '"}'
    answer = alice_api.post(f"conversations/{conversation}/messages", huge)
    assert answer.status_code == 413
    assert answer["Content-Type"] == "application/problem+json"
    assert "smaller parts" in answer.json()["detail"]


def test_half_of_a_letter_in_a_choice_is_refused_in_words(alice_api: Api) -> None:
    answer = alice_api.post("profile", '{"slot": "\\ud800", "value": "x"}')
    assert answer.status_code == 400
    assert "slot" in answer.json()["errors"]


def test_a_day_at_the_end_of_time_is_a_day_like_any_other(alice: User) -> None:
    assert Talk(alice).say("What happened on 9999-12-31?").state == "done"


@pytest.mark.parametrize("signed_in", [True, False])
def test_a_form_that_cannot_be_trusted_says_why_and_leads_on(alice: User, signed_in: bool) -> None:
    browser = Client(enforce_csrf_checks=True)
    if signed_in:
        browser.force_login(alice)
    answer = browser.post("/talk/start/", {"content": "I live in Oslo"})
    page = answer.content.decode()
    assert answer.status_code == 403
    assert ("Your session has ended" in page) is not signed_in
    assert (f'href="{reverse("account_login")}"' in page) is not signed_in
    assert "so long" not in page
    assert "I live in Oslo</textarea>" in page
