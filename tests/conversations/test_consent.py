"""What takes something away waits for its owner: a yes does what was shown, once, and no other."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.tools.steps import Step
from conversations.tools.tool import ToolRefused
from conversations.turns import turn
from tests.conversations.test_toolloop import (
    Shelf,
    again,
    ask,
    fill,
    inside,
    serve,
    shelf,
    told,
)
from tests.fakes.model_server import Serve, calls

__all__ = ["serve", "shelf"]
pytestmark = pytest.mark.django_db

TIDY = ("memory_cleanup", {"words": "what the model wrote"})
HTMX = {"HX-Request": "true"}


@pytest.fixture
def asked(alice: User, serve: Serve, shelf: Shelf) -> Message:
    """An answer that waits for a yes."""
    serve(calls(TIDY), "I wait for your answer.")
    return ask(alice, "Tidy up my notes, please.")


def decide(client: Client, answer: Message, said: str = "yes", **changes: Any) -> Any:
    place = changes.pop("place", 0)
    step = Step.from_kept(answer.steps[0])
    given = {"answer": said, "mark": step.mark} | changes
    headers = HTMX if given.pop("htmx", False) else {}
    return client.post(f"/messages/{answer.pk}/steps/{place}/", given, headers=headers)


def page_of(client: Client, answer: Message) -> str:
    return str(client.get(f"/talk/{answer.conversation_id}/").content.decode())


def conversation_of(answer: Message) -> Conversation:
    with acting_as(answer.user_id):
        return answer.conversation


def state_of(answer: Message) -> tuple[str, str]:
    step = again(answer).steps[0]
    return step["state"], step["found"]


def test_a_call_that_takes_away_is_asked_and_not_done(
    alice: User, serve: Serve, shelf: Shelf
) -> None:
    server = serve(calls(TIDY), "I wait for your answer.")
    answer = ask(alice, "Tidy up my notes, please.")
    assert shelf.removed == []
    (step,) = answer.steps
    assert (step["state"], step["found"]) == ("asked", "1 memory would be retired: “Likes tea”")
    assert step["arguments"] == {"words": "exactly this"}
    read = inside(told(server)[0])
    assert read["note"].startswith("Not done.")


def test_a_newer_ask_lets_go_of_an_older_one_that_nobody_answered(
    alice: User, as_alice: Client, asked: Message, serve: Serve, shelf: Shelf
) -> None:
    serve(calls(("forget_message", {"words": "that one"}), TIDY), "I wait for your answer.")
    newer = fill(turn.begin(alice, conversation_of(asked), "Forget that, too.").answer)
    assert state_of(asked) == ("overtaken", "1 memory would be retired: “Likes tea”")
    assert [step["state"] for step in again(newer).steps] == ["asked", "asked"], "of one breath"
    page = page_of(as_alice, newer)
    assert page.count('value="yes"') == 2
    assert "Memories not tidied up · you asked for something else" in page
    assert decide(as_alice, asked, htmx=True).status_code == 200
    assert shelf.removed == []


def test_a_yes_does_exactly_what_was_foreseen(
    as_alice: Client, asked: Message, shelf: Shelf
) -> None:
    response = decide(as_alice, asked)
    assert response.status_code == 302
    assert response["Location"].startswith(f"/talk/{asked.conversation_id}/")
    assert shelf.removed == ["exactly this"]
    assert state_of(asked) == ("done", "1 found")


@pytest.mark.parametrize(("first", "removed", "state"), [("yes", 1, "done"), ("no", 0, "declined")])
def test_a_question_is_decided_once(
    as_alice: Client, asked: Message, shelf: Shelf, first: str, removed: int, state: str
) -> None:
    decide(as_alice, asked, first)
    assert decide(as_alice, asked, "yes", htmx=True).status_code == 200
    assert len(shelf.removed) == removed
    assert state_of(asked)[0] == state


def test_another_persons_yes_finds_nothing(as_bob: Client, asked: Message, shelf: Shelf) -> None:
    assert decide(as_bob, asked).status_code == 404
    assert shelf.removed == []
    assert state_of(asked)[0] == "asked"


@pytest.mark.parametrize("changes", [{"mark": "of another call"}, {"place": 7}])
@pytest.mark.parametrize("htmx", [True, False])
def test_a_yes_to_what_is_not_asked_any_more_gets_words(
    as_alice: Client, asked: Message, shelf: Shelf, changes: dict[str, Any], htmx: bool
) -> None:
    response = decide(as_alice, asked, htmx=htmx, **changes)
    if htmx:
        assert response.status_code == 409
        assert "I’m not asking this any more" in response.content.decode()
    else:
        page = as_alice.get(response["Location"]).content.decode()
        assert "I’m not asking this any more" in page
    assert shelf.removed == []


def test_a_question_stands_for_a_day(
    alice: User, as_alice: Client, asked: Message, shelf: Shelf
) -> None:
    with acting_as(alice):
        Message.objects.filter(pk=asked.pk).update(said_at=now() - timedelta(days=2))
    response = decide(as_alice, asked, htmx=True)
    assert (response.status_code, shelf.removed) == (409, [])
    assert "Ask me again" in response.content.decode()
    assert decide(as_alice, asked, "no", htmx=True).status_code == 200


def test_nothing_is_decided_while_the_answer_is_being_written(
    alice: User, as_alice: Client, asked: Message, shelf: Shelf
) -> None:
    with acting_as(alice):
        Message.objects.filter(pk=asked.pk).update(state=Message.State.WRITING)
    assert decide(as_alice, asked, htmx=True).status_code == 409
    assert 'value="yes"' not in page_of(as_alice, asked)
    assert shelf.removed == []


def test_a_deed_that_cannot_be_done_any_more_says_why(
    as_alice: Client, asked: Message, shelf: Shelf
) -> None:
    def gone(*_: object) -> Any:
        raise ToolRefused("Those notes are gone already.")

    shelf.tidy = gone  # type: ignore[method-assign]
    assert decide(as_alice, asked).status_code == 302
    assert state_of(asked) == ("failed", "Those notes are gone already.")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_yes_that_takes_the_answer_itself_away_leads_on(
    alice: User, as_alice: Client, asked: Message, shelf: Shelf, whole: bool, htmx: bool
) -> None:
    tidy = shelf.tidy

    def remove(asking: Any, wanted: Any) -> Any:
        if whole:
            Conversation.objects.filter(pk=asked.conversation_id).delete()
        Message.objects.filter(pk=asked.pk).delete()
        return tidy(asking, wanted)

    shelf.tidy = remove  # type: ignore[method-assign]
    response = decide(as_alice, asked, htmx=htmx)
    to = response["HX-Redirect"] if htmx else response["Location"]
    assert to == ("/talk/" if whole else f"/talk/{asked.conversation_id}/")


def test_what_an_answer_was_taken_out_of_is_not_written_back(
    alice: User, as_alice: Client, asked: Message, shelf: Shelf
) -> None:
    tidy = shelf.tidy

    def empty(asking: Any, wanted: Any) -> Any:
        rows = Message.objects.filter(pk=asked.pk)
        rows.update(state=Message.State.REMOVED, content="", steps=[])
        return tidy(asking, wanted)

    shelf.tidy = empty  # type: ignore[method-assign]
    assert decide(as_alice, asked).status_code == 302
    assert again(asked).steps == []
