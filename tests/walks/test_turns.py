"""A conversation changed afterwards, on its pages and over the API, and what copying rests on."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import message_deletion
from conversations.models import Conversation, Message
from conversations.turns import turn
from memory.models import ProfileFact
from tests.people import Api, Talk, tell, the_fact, values
from tests.walks.test_query_counts import cost

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def read(response: Any) -> str:
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


def go(client: Client, path: str, **data: Any) -> str:
    return read(client.post(path, data, follow=True))


def rows(user: User) -> list[Message]:
    with acting_as(user):
        return list(Message.objects.order_by("number"))


def conversation_of(user: User) -> Conversation:
    with acting_as(user):
        return Conversation.objects.get()


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


def test_a_page_that_showed_nothing_to_keep_takes_what_came_meanwhile(
    alice: User, as_alice: Client
) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    go(as_alice, f"/messages/{answer.pk}/delete/")
    assert values(alice, "employer") == set()


def test_a_turn_in_progress_is_refused_in_words(alice: User, as_alice: Client) -> None:
    exchange = turn.begin(alice, None, "I work at Qwertzfirm")
    page = go(as_alice, f"/messages/{exchange.question.pk}/delete/")
    assert "I’m still writing here." in page
    assert rows(alice)[0].content == "I work at Qwertzfirm"
    page = go(as_alice, f"/talk/{exchange.question.conversation_id}/delete/")
    assert "I’m still writing here." in page


def test_a_turn_that_is_out_already_is_told_in_words(alice: User, as_alice: Client) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    go(as_alice, f"/messages/{answer.pk}/delete/")
    page = read(as_alice.get(f"/messages/{answer.pk}/delete/", follow=True))
    assert "This message has already been deleted." in page
    assert "This message has already been deleted." in go(
        as_alice, f"/messages/{rows(alice)[0].pk}/edit/"
    )


def test_a_deleted_conversation_leads_home_with_a_line(alice: User, as_alice: Client) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    address = f"/talk/{answer.conversation_id}/"
    page = read(as_alice.get(f"{address}delete/"))
    assert "2 messages and everything else" in page
    assert "Works at Qwertzfirm" in page
    done = go(as_alice, f"{address}delete/")
    assert "Conversation deleted." in done
    assert as_alice.get(address).status_code == 404
    assert as_alice.get("/notebook/history/").status_code == 200
    assert as_alice.get("/notebook/profile/").status_code == 200
    assert as_alice.get("/notebook/timeline/").status_code == 200


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


@pytest.mark.parametrize("take", ["", "x", "0", "' or 1=1", "\x00", "٣" * 40])
def test_a_strange_list_is_refused_and_nothing_goes(
    alice: User, as_alice: Client, take: str
) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    response = as_alice.post(f"/messages/{answer.pk}/delete/", {"take": take})
    assert response.status_code == 404
    assert rows(alice)[0].content == "I work at Qwertzfirm"


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


def test_the_editor_stands_in_the_place_of_the_message(alice: User, as_alice: Client) -> None:
    Talk(alice).say("I work at Qwertzfirm")
    question = rows(alice)[0]
    page = as_alice.get(f"/messages/{question.pk}/edit/", headers=HTMX)
    assert "<html" not in read(page)
    assert "after this are deleted" not in read(page)
    sent = {"content": "I like tea", "up_to": "2"}
    done = as_alice.post(f"/messages/{question.pk}/edit/", sent, headers=HTMX)
    assert (done.status_code, done["HX-Refresh"]) == (204, "true")
    assert rows(alice)[0].content == "I like tea"
    assert rows(alice)[1].state == "waiting"


def test_the_editor_in_a_tab_of_its_own_leads_to_the_conversation(
    alice: User, as_alice: Client
) -> None:
    Talk(alice).say("I work at Qwertzfirm")
    address = f"/messages/{rows(alice)[0].pk}/edit/"
    here = HTMX | {"HX-Current-URL": f"http://testserver{address}"}
    sent = {"content": "I like tea", "up_to": "2"}
    done = as_alice.post(address, sent, headers=here)
    assert "HX-Refresh" not in done.headers
    assert done["HX-Redirect"] == rows(alice)[0].get_absolute_url()
    assert as_alice.get(done["HX-Redirect"]).status_code == 200


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


@pytest.mark.parametrize("up_to", ["", "x", "-1", "9" * 30, "1e3"])
def test_a_strange_end_is_refused(alice: User, as_alice: Client, up_to: str) -> None:
    Talk(alice).say("I work at Qwertzfirm")
    question = rows(alice)[0]
    sent = {"content": "Other words", "up_to": up_to}
    assert as_alice.post(f"/messages/{question.pk}/edit/", sent).status_code in (409, 422)
    assert rows(alice)[0].content == "I work at Qwertzfirm"


def test_an_answer_is_not_reworded(alice: User, as_alice: Client) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    assert as_alice.get(f"/messages/{answer.pk}/edit/").status_code == 404


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


def test_an_earlier_answer_is_refused_in_words(alice: User, as_alice: Client) -> None:
    there = Talk(alice)
    first = there.say("I like tea")
    there.say("I like olives")
    page = read(as_alice.get(f"/talk/{first.conversation_id}/"))
    assert page.count("Answer again") == 2  # the label and the title of one button
    refused = as_alice.post(f"/messages/{first.pk}/again/", headers=HTMX)
    assert (refused.status_code, "newer messages" in read(refused)) == (409, True)
    assert "There are newer messages after this answer" in go(
        as_alice, f"/messages/{first.pk}/again/"
    )


# --- Archive -------------------------------------------------------------------------------------


def test_what_is_put_away_leaves_the_list_and_is_found_all_the_same(
    alice: User, as_alice: Client
) -> None:
    answer = Talk(alice).say("Zithers are the finest instruments of all")
    address = f"/talk/{answer.conversation_id}/"
    listed = f'<a href="{address}"'
    assert listed in read(as_alice.get("/talk/"))
    assert "Archived" not in read(as_alice.get("/talk/"))
    assert "Archived. Search still finds it." in go(as_alice, f"{address}archive/", away="1")
    home = read(as_alice.get("/talk/"))
    assert listed not in home
    assert "/talk/archived/" in home
    assert listed in read(as_alice.get("/talk/archived/"))
    assert "Zithers" in Talk(alice).say("What did I say about zithers?").content
    go(as_alice, f"{address}archive/", away="0")
    assert listed in read(as_alice.get("/talk/"))
    assert listed not in re.sub(r"<nav.*?</nav>", "", read(as_alice.get("/talk/archived/")))


def test_going_on_with_it_brings_it_back(alice: User, as_alice: Client) -> None:
    there = Talk(alice)
    answer = there.say("Hello there")
    go(as_alice, f"/talk/{answer.conversation_id}/archive/", away="1")
    assert conversation_of(alice).archived_at is not None
    there.say("Hello again")
    assert conversation_of(alice).archived_at is None


def test_the_archive_costs_the_same_with_two_and_with_forty(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    def put_away(count: int) -> None:
        with acting_as(alice):
            for _ in range(count):
                Conversation.objects.create(
                    user=alice, title="Old", archived_at="2026-01-01T00:00Z"
                )

    put_away(2)
    few = cost(lambda: as_alice.get("/talk/archived/"))
    put_away(40)
    assert cost(lambda: as_alice.get("/talk/archived/")) == few


def test_asking_about_a_long_conversation_costs_the_same_as_about_a_short_one(
    alice: User, as_alice: Client
) -> None:
    there = Talk(alice)
    first = there.say("I work at Qwertzfirm and like tea")
    pages = [
        f"/talk/{first.conversation_id}/delete/",
        f"/messages/{first.pk}/delete/",
        f"/messages/{rows(alice)[0].pk}/edit/",
    ]
    few = [cost(lambda p=path: as_alice.get(p)) for path in pages]  # type: ignore[misc]
    for city in ("Bern", "Basel", "Lyon", "Porto", "Ghent"):
        there.say(f"I enjoy sailing to {city} and my hobby is painting {city}")
    assert [cost(lambda p=path: as_alice.get(p)) for path in pages] == few  # type: ignore[misc]


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


def test_answers_that_quoted_it_go_over_the_api_where_that_is_asked_for(
    alice: User, alice_api: Api
) -> None:
    first = Talk(alice).say("My cousin Zephyrine sold her lighthouse to a painter")
    Talk(alice).say("What did I say about Zephyrine?")
    assert call(alice_api, "delete", f"messages/{first.pk}?answers=some").status_code == 400
    assert call(alice_api, "delete", f"messages/{first.pk}?answers=remove").status_code == 204
    assert not any("lighthouse" in one.content for one in rows(alice))


def test_what_cannot_be_done_now_is_a_problem_document(alice: User, alice_api: Api) -> None:
    exchange = turn.begin(alice, None, "I work at Qwertzfirm")
    here = f"conversations/{exchange.question.conversation_id}"
    for path in (here, f"messages/{exchange.answer.pk}"):
        answer = call(alice_api, "delete", path)
        assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
        assert "still writing" in answer.json()["detail"]
        strange = call(alice_api, "delete", f"{path}?learned=everything")
        assert strange.status_code == 400
        assert "learned" in strange.json()["errors"]


@pytest.mark.parametrize("whole", [True, False])
def test_whoever_deletes_second_is_told_that_it_is_gone(
    alice: User, as_alice: Client, alice_api: Api, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went between finding it and taking it out."""
    answer = Talk(alice).say("I work at Qwertzfirm")
    path = f"conversations/{answer.conversation_id}" if whole else f"messages/{answer.pk}"
    page = f"/talk/{answer.conversation_id}/" if whole else f"/messages/{answer.pk}/"

    def gone(*_: object) -> None:
        raise message_deletion.NotThere

    monkeypatch.setattr(message_deletion, "remove_conversation", gone)
    monkeypatch.setattr(message_deletion, "remove_turn", gone)
    told = call(alice_api, "delete", path)
    assert (told.status_code, told["Content-Type"]) == (404, "application/problem+json")
    sent = as_alice.post(f"{page}delete/", {}, headers=HTMX)
    assert (sent.status_code, "already been deleted" in read(sent)) == (404, True)
    assert "This message has already been deleted." in go(as_alice, f"{page}delete/")


def test_an_answer_is_written_once_more_over_the_api(alice: User, alice_api: Api) -> None:
    there = Talk(alice)
    first = there.say("Tell me something")
    again = alice_api.post(f"messages/{first.pk}/regenerate")
    assert (again.status_code, again.json()["state"]) == (200, "done")
    there.say("And more")
    assert alice_api.post(f"messages/{first.pk}/regenerate").status_code == 409
    question = rows(alice)[0]
    assert alice_api.post(f"messages/{question.pk}/regenerate").status_code == 404


def test_a_conversation_is_put_away_over_the_api(alice: User, alice_api: Api) -> None:
    answer = Talk(alice).say("Hello there")
    path = f"conversations/{answer.conversation_id}"
    away = call(alice_api, "patch", path, {"archived": True}).json()
    assert away["archived_at"] is not None
    assert away["privacy"] == ""
    assert alice_api.get("conversations?archived=true").json()["count"] == 1
    assert alice_api.get("conversations?archived=false").json()["count"] == 0
    assert alice_api.get("conversations").json()["count"] == 1
    assert call(alice_api, "patch", path, {"archived": False}).json()["archived_at"] is None


def test_a_fact_of_a_deleted_conversation_still_has_its_row(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    answer = Talk(alice).say("I work at Qwertzfirm")
    call(alice_api, "delete", f"conversations/{answer.conversation_id}")
    assert "Qwertzfirm" in read(as_alice.get("/notebook/profile/"))
    with acting_as(alice):
        fact = ProfileFact.objects.get()
    assert as_alice.get(f"/notebook/facts/{fact.pk}/why/").status_code == 200
