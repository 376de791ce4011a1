"""The page and the call that forget everything: what they say, what they ask, what they answer."""

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import erase_all
from conversations.models import Message
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.people import Api, client_for, dispute, tell

pytestmark = pytest.mark.django_db
PAGE = "/account/forget-everything/"
MEANT = {"confirm": "forget everything"}


def messages_of(user: User) -> int:
    with acting_as(user):
        return Message.objects.count()


def test_the_words_do_it_and_the_receipt_says_how_much_and_where_it_stands(
    alice: User, as_alice: Client
) -> None:
    dispute(alice)
    response = as_alice.post(PAGE, {"confirm": " Forget  Everything. "}, follow=True)
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


def test_a_receipt_is_its_owners(alice: User, bob: User) -> None:
    tell(alice, "I live in Rome")
    line = erase_all.forget_everything(alice).line
    assert line is not None
    for receipt in (str(line.pk), "no-id", "\0"):
        said = client_for(bob).get(PAGE, {"receipt": receipt}).content.decode()
        assert "There’s nothing to forget" in said
        assert "Deleted:" not in said


# --- Over the API --------------------------------------------------------------------------------


def test_the_api_forgets_and_answers_with_a_receipt(alice: User, alice_api: Api) -> None:
    dispute(alice)
    response = alice_api.post("forget-everything", MEANT)
    assert response.status_code == 200
    told = response.json()
    counted = {"conversations": 2, "messages": 2, "facts": 2, "questions": 1, "lines": 2}
    assert {kind: told["gone"][kind] for kind in counted} == counted
    (line,) = alice_api.get("audit?deed=forgotten").json()["results"]
    assert (line["id"], line["at"]) == (told["line"], told["at"])
    assert messages_of(alice) == 0


@pytest.mark.parametrize("body", [{}, {"confirm": "yes"}])
def test_without_the_words_the_api_touches_nothing_and_says_what_to_send(
    body: dict[str, object], alice: User, alice_api: Api
) -> None:
    tell(alice, "I live in Rome")
    response = alice_api.post("forget-everything", body)
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert 'send "confirm" with the words "forget everything"' in response.json()["detail"]
    assert messages_of(alice) == 1
