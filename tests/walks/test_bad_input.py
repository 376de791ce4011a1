"""What is wrong with a request is said in one shape, and nothing that was typed is lost."""

import html
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from tests.people import Api, tell, the_fact, values

pytestmark = pytest.mark.django_db
JSON = "application/json"


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
        ([], "dictionary"),
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


def test_a_body_of_another_kind_is_refused(
    client: Client, path: str, signed: dict[str, str], alice: User
) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        response = client.generic("POST", path, '{"content": "Hello"}', kind, headers=signed)
        check_the_shape(response, 415)
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
    ("<b>x</b> & 'y' " * 14_000, "<b>x</b> & 'y' " * 14_000, "characters long; I can read 20,000"),
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


# --- The notebook --------------------------------------------------------------------------------

BAD_VALUES = [("", "Write what I should remember"), ("x" * 501, "500")]


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


def test_a_request_that_is_too_large_is_a_problem_document(alice_api: Api) -> None:
    conversation = alice_api.post("conversations").json()["id"]
    huge = '{"content": "' + "x" * 5_000_000 + '"}'
    answer = alice_api.post(f"conversations/{conversation}/messages", huge)
    assert answer.status_code == 413
    assert answer["Content-Type"] == "application/problem+json"
    assert "smaller parts" in answer.json()["detail"]


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
