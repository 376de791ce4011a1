"""A conversation changed afterwards, on its pages and over the API, and what copying rests on."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.turns import turn
from tests.people import Api, Talk, tell, the_fact, values

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def read(response: Any) -> str:
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


def go(client: Client, path: str, **data: Any) -> str:
    return read(client.post(path, data, follow=True))


def rows(user: User) -> list[Message]:
    with acting_as(user):
        return list(Message.objects.order_by("number"))


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]*value="([^"]*)"', page)
    assert found is not None
    return found[1]


# --- Taking out ----------------------------------------------------------------------------------


def test_taking_a_turn_out_says_what_goes_and_asks(alice: User, as_alice: Client) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm and live in Lyon")
    tell(alice, "I live in Lyon")
    page = read(as_alice.get(f"/messages/{answer.pk}/delete/"))
    assert "Delete this message and its reply?" in page
    assert "I work at Qwertzfirm and live in Lyon" in page
    assert "Works at Qwertzfirm" in page
    assert "Lives in Lyon" not in page
    fact = the_fact(alice, "employer")
    done = go(as_alice, f"/messages/{answer.pk}/delete/", shown=fact.pk, take=fact.pk)
    assert "Message and reply deleted" in done
    assert "Qwertzfirm" not in done
    assert 'id="m1"' in done
    assert 'id="m2"' in done
    assert values(alice, "employer") == set()


def test_without_its_check_it_stays(alice: User, as_alice: Client) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm and live in Lyon")
    shown = [the_fact(alice, "employer").pk, the_fact(alice, "location").pk]
    go(as_alice, f"/messages/{answer.pk}/delete/", shown=shown, take=shown[1:])
    assert (values(alice, "employer"), values(alice, "location")) == ({"Qwertzfirm"}, set())


def test_without_any_check_all_stays_also_what_came_meanwhile(
    alice: User, as_alice: Client
) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm and live in Lyon")
    shown = [the_fact(alice, "employer").pk]
    go(as_alice, f"/messages/{answer.pk}/delete/", shown=shown)
    assert (values(alice, "employer"), values(alice, "location")) == ({"Qwertzfirm"}, {"Lyon"})


def test_a_turn_in_progress_is_refused_in_words(alice: User, as_alice: Client) -> None:
    exchange = turn.begin(alice, None, "I work at Qwertzfirm")
    page = go(as_alice, f"/messages/{exchange.question.pk}/delete/")
    assert "I’m still writing here." in page
    assert rows(alice)[0].content == "I work at Qwertzfirm"
    page = go(as_alice, f"/talk/{exchange.question.conversation_id}/delete/")
    assert "I’m still writing here." in page


@pytest.mark.parametrize("wanted", [True, False])
def test_answers_that_quoted_it_are_offered_on_the_same_page(
    alice: User, as_alice: Client, wanted: bool
) -> None:
    first = Talk(alice).say("My cousin Zephyrine sold her lighthouse to a painter")
    quoting = Talk(alice).say("What did I say about Zephyrine?")
    address = f"/talk/{first.conversation_id}/delete/"
    page = read(as_alice.get(address))
    assert "I quoted this in the answer below." in page
    assert f'href="{quoting.get_absolute_url()}"' in page
    assert f'name="answers" value="{quoting.pk}" checked' in page
    go(as_alice, address, **({"answers": quoting.pk} if wanted else {}))
    there = read(as_alice.get(f"/talk/{quoting.conversation_id}/"))
    assert ("Reply deleted" in there, "lighthouse" in there) == (wanted, not wanted)


# --- Other words ---------------------------------------------------------------------------------


def test_other_words_are_sent_from_a_page_without_a_script(alice: User, as_alice: Client) -> None:
    there = Talk(alice)
    answer = there.say("I work at Qwertzfirm")
    there.say("I like tea")
    there.say("I like olives")
    question = rows(alice)[0]
    page = read(as_alice.get(f"/messages/{question.pk}/edit/"))
    assert "The 5 messages after this will be deleted too" in page
    assert "Works at Qwertzfirm" in page
    sent = {"content": "I work at Zephyrsoft", "up_to": hidden(page, "up_to"), "client_key": "k1"}
    done = go(as_alice, f"/messages/{question.pk}/edit/", **sent)
    assert "I work at Zephyrsoft" in done
    assert "olives" not in done
    assert [one.number for one in rows(alice)] == [1, 2]
    assert values(alice, "employer") == {"Zephyrsoft"}
    assert answer.pk not in {one.pk for one in rows(alice)}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "in place"])
def test_the_editor_keeps_what_was_typed_on_errors(
    alice: User, as_alice: Client, headers: dict[str, str]
) -> None:
    there = Talk(alice)
    there.say("I work at Qwertzfirm")
    question = rows(alice)[0]
    address = f"/messages/{question.pk}/edit/"
    empty = as_alice.post(address, {"content": "  ", "up_to": "2"}, headers=headers)
    assert empty.status_code == 422
    assert "Write something first." in read(empty)
    there.say("I like tea")
    late = as_alice.post(address, {"content": "Other words", "up_to": "2"}, headers=headers)
    assert late.status_code == 409
    assert "There are new messages here" in read(late)
    assert "Other words" in read(late)
    assert "The 3 messages after this will be deleted too" in read(late)
    assert hidden(read(late), "up_to") == "4"
    assert rows(alice)[0].content == "I work at Qwertzfirm"
    turn.begin(alice, there.conversation, "Wait")
    busy = as_alice.post(address, {"content": "Other words", "up_to": "6"}, headers=headers)
    assert busy.status_code == 409
    assert "I’m still writing here." in read(busy)
    assert "Other words" in read(busy)


# --- Once more -----------------------------------------------------------------------------------


def test_an_answer_is_written_once_more_with_and_without_a_script(
    alice: User, as_alice: Client
) -> None:
    answer = Talk(alice).say("What do you know about me?")
    page = as_alice.post(f"/messages/{answer.pk}/again/", headers=HTMX)
    assert f"/messages/{answer.pk}/stream/" in read(page)
    assert rows(alice)[1].state == "waiting"
    assert rows(alice)[1].content
    list(turn.fill(alice.pk, answer.pk))
    go(as_alice, f"/messages/{answer.pk}/again/")
    assert rows(alice)[1].state == "done"


# --- Over the API --------------------------------------------------------------------------------


def call(api: Api, method: str, path: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Token {api.token}"}
    kind = {"content_type": "application/json"} if method != "delete" else {}
    return getattr(api.client, method)(f"/api/v1/{path}", body, headers=headers, **kind)


def test_a_message_is_deleted_over_the_api(alice: User, alice_api: Api) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    assert call(alice_api, "delete", f"messages/{answer.pk}?learned=remove").status_code == 204
    told = alice_api.get(f"conversations/{answer.conversation_id}/messages").json()["results"]
    assert [(one["number"], one["state"], one["content"]) for one in told] == [
        (1, "removed", ""),
        (2, "removed", ""),
    ]
    assert values(alice, "employer") == set()


@pytest.mark.parametrize(
    ("query", "left"),
    [("", {"Qwertzfirm"}), ("?learned=keep", {"Qwertzfirm"}), ("?learned=remove", set())],
)
def test_a_conversation_is_deleted_over_the_api(
    alice: User, alice_api: Api, query: str, left: set[str]
) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    path = f"conversations/{answer.conversation_id}"
    assert call(alice_api, "delete", path + query).status_code == 204
    assert values(alice, "employer") == left
    assert alice_api.get(path).status_code == 404
