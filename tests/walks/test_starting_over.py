"""The page and the call that forget everything: what they say, what they ask, what they answer."""

import threading

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import erase_all
from conversations.models import Message
from conversations.turns import responder, turn
from conversations.web.views.talk import _stream
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.people import Api, client_for, dispute, tell

pytestmark = pytest.mark.django_db
PAGE = "/account/forget-everything/"
MEANT = {"confirm": "forget everything"}


def messages_of(user: User) -> int:
    with acting_as(user):
        return Message.objects.count()


@pytest.mark.parametrize("page", ["/account/", "/notebook/memories/", "/notebook/privacy/"])
def test_a_quiet_link_leads_there(page: str, as_alice: Client) -> None:
    assert f'href="{PAGE}"' in as_alice.get(page).content.decode()


def test_the_page_says_what_goes_and_stays_and_changes_nothing(
    alice: User, as_alice: Client
) -> None:
    dispute(alice)
    said = as_alice.get(PAGE).content.decode()
    for words in (
        "2 conversations with 2 messages",
        "2 facts in your profile",
        "1 conflict",
        "The text of 2 lines in your history",
        "API tokens",
        "This can’t be undone",
        'href="/notebook/privacy/#copy"',
    ):
        assert words in said
    assert messages_of(alice) == 2


@pytest.mark.parametrize("typed", ["", "yes", "forget", "forget everything else", "\0"])
def test_other_words_keep_the_page_and_say_what_to_type(
    typed: str, alice: User, as_alice: Client
) -> None:
    tell(alice, "I live in Rome")
    response = as_alice.post(PAGE, {"confirm": typed})
    assert response.status_code == 422
    said = response.content.decode()
    assert "Nothing was forgotten. To confirm, type forget everything" in said
    assert 'aria-invalid="true"' in said
    assert messages_of(alice) == 1


@pytest.mark.parametrize(
    "typed", ["forget everything", " Forget  Everything. ", "“FORGET EVERYTHING”"]
)
def test_the_words_do_it_and_the_receipt_says_how_much_and_where_it_stands(
    typed: str, alice: User, as_alice: Client
) -> None:
    dispute(alice)
    response = as_alice.post(PAGE, {"confirm": typed}, follow=True)
    said = response.content.decode()
    assert "Everything is forgotten" in said
    assert (
        "Deleted: 2 conversations, 2 messages, 2 facts, 1 conflict and the text of 2 history "
        "entries" in said
    )
    with acting_as(alice):
        line = erase_all.receipts(alice.pk).get()
    link = f"/notebook/history/?deed=forgotten#line-{line.pk}"
    assert f'href="{link}"' in said
    history = as_alice.get(link).content.decode()
    assert f'id="line-{line.pk}"' in history
    assert "You deleted everything" in history
    assert messages_of(alice) == 0


def test_every_page_of_the_house_opens_afterwards(alice: User, as_alice: Client) -> None:
    fill_the_notebook_of(alice)
    as_alice.post(PAGE, MEANT)
    for page in (
        "/talk/", "/talk/archived/", "/search/?q=Rome", "/insights/", "/topics/",
        "/notebook/profile/", "/notebook/memories/", "/notebook/timeline/", "/notebook/conflicts/",
        "/notebook/history/", "/notebook/shares/", "/notebook/privacy/", "/account/",
    ):  # fmt: skip
        assert as_alice.get(page).status_code == 200, page


def test_a_second_window_is_told_that_there_is_nothing_left(alice: User, as_alice: Client) -> None:
    tell(alice, "I live in Rome")
    second = client_for(alice)
    as_alice.post(PAGE, MEANT)
    said = second.post(PAGE, MEANT, follow=True).content.decode()
    assert "There’s nothing left to forget." in said
    assert "Everything was forgotten today at" in said
    assert "deed=forgotten" in said


def test_a_newcomer_has_nothing_to_forget(as_alice: Client) -> None:
    said = as_alice.get(PAGE).content.decode()
    assert "There’s nothing to forget" in said
    assert 'name="confirm"' not in said


def test_a_receipt_is_its_owners(alice: User, bob: User) -> None:
    tell(alice, "I live in Rome")
    line = erase_all.forget_everything(alice).line
    assert line is not None
    for receipt in (str(line.pk), "no-id", "\0"):
        said = client_for(bob).get(PAGE, {"receipt": receipt}).content.decode()
        assert "There’s nothing to forget" in said
        assert "Deleted:" not in said


def test_the_page_reads_the_same_few_rows_however_much_there_is(
    alice: User, bob: User, mira: User
) -> None:
    tell(alice, "I live in Rome")
    fill_the_notebook_of(bob)
    for place in range(5):
        tell(bob, f"My dog is called Wilma{place}")
    reads = []
    for user in (alice, bob):
        client = client_for(user)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as made:
            client.get(PAGE)
        reads.append(len(made))
    assert reads[0] == reads[1]


def test_forgetting_takes_the_same_statements_however_much_there_is(alice: User, bob: User) -> None:
    tell(alice, "I live in Rome")
    fill_the_notebook_of(bob)
    made = []
    for user in (alice, bob):
        with CaptureQueriesContext(connection) as captured:
            erase_all.forget_everything(user)
        made.append(len(captured))
    assert made[0] == made[1]


def test_the_stream_of_an_answer_that_is_gone_says_so(
    alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.OPENAI_API_KEY = "key-for-tests"
    monkeypatch.setattr(responder, "stream", lambda *_: (piece for piece in ("Rome ", "it is")))
    exchange = turn.begin(alice, None, "I live in Rome")
    stream = _stream(alice, exchange.answer.pk, threading.Event())
    next(stream)
    erase_all.forget_everything(alice)
    rest = list(stream)
    assert "This conversation was deleted while I was writing" in rest[-2]
    assert rest[-1].startswith("event: done")
    assert as_alice.get(f"/messages/{exchange.answer.pk}/stream/").status_code == 404


# --- Over the API --------------------------------------------------------------------------------


def test_the_api_forgets_and_answers_with_a_receipt(alice: User, alice_api: Api) -> None:
    dispute(alice)
    response = alice_api.post("forget-everything", MEANT)
    assert response.status_code == 200
    told = response.json()
    assert told["gone"] == {
        "conversations": 2,
        "messages": 2,
        "facts": 2,
        "notes": 0,
        "questions": 1,
        "topics": 0,
        "shared_pages": 0,
        "roles": 0,
        "blocks": 0,
        "lessons": 0,
        "passages": 2,
        "entries_hot": 0,
        "entries_warm": 0,
        "entries_cold": 0,
        "copies": 0,
        "lines": 2,
    }
    (line,) = alice_api.get("audit?deed=forgotten").json()["results"]
    assert (line["id"], line["at"]) == (told["line"], told["at"])
    assert messages_of(alice) == 0


@pytest.mark.parametrize(
    "body", [{}, {"confirm": "yes"}, {"confirm": ""}, {"confirm": None}, {"confirm": True}]
)
def test_without_the_words_the_api_touches_nothing_and_says_what_to_send(
    body: dict[str, object], alice: User, alice_api: Api
) -> None:
    tell(alice, "I live in Rome")
    response = alice_api.post("forget-everything", body)
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert 'send "confirm" with the words "forget everything"' in response.json()["detail"]
    assert messages_of(alice) == 1


def test_the_api_says_of_nothing_that_it_was_nothing(alice_api: Api) -> None:
    told = alice_api.post("forget-everything", MEANT).json()
    assert (told["line"], told["at"]) == (None, None)
    assert set(told["gone"].values()) == {0}
