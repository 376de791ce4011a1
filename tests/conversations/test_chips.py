"""What came of a message, as chips: told once, edited in their place, undone beside them."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from accounts import privacy
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome, Message
from conversations.web.present import chips
from memory.models import Memory
from tests.people import Talk, values

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def told(user: User, answer: Message) -> list[tuple[str, str]]:
    """The word and the text of each chip under an answer."""
    with acting_as(user):
        question = Message.objects.beside(answer).get(number=answer.number - 1)
        return [
            (view.word, view.text) if view.conflict is None else ("", view.conflict.chip_text)
            for view in chips.notes_of(question)
        ]


def proposed(user: User, text: str, talk: Talks) -> tuple[Message, str]:
    """An answer with a chip that waits for a yes, and the address of what waits."""
    with acting_as(user):
        privacy.choose(user.pk, promotion="ask")
    answer = talk().say(text)
    assert [word for word, _ in told(user, answer)] == ["Waiting for you"]
    with acting_as(user):
        waits = Memory.objects.for_user(user.pk).waiting().get()
    return answer, f"/notebook/proposals/{waits.pk}"


def test_a_chip_follows_what_its_owner_decided_on_the_profile(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    answer, address = proposed(alice, "I work at Google", talk)
    sent = as_alice.post(f"{address}/accept/", headers=HTMX).content.decode()
    assert "data-profile-count" in sent
    assert "to answer" not in sent
    assert told(alice, answer) == [("Noted", "Works at Google")]
    with acting_as(alice):
        outcome = LearningOutcome.objects.get(user=alice)
    refused = as_alice.post(f"/notes/{outcome.pk}/edit/", {"value": " "}, headers=HTMX)
    assert refused.status_code == 422
    as_alice.post(f"/notes/{outcome.pk}/edit/", {"value": "Kestrel"}, headers=HTMX)
    assert told(alice, answer) == [("Changed", "Works at Kestrel, was Google")]
    as_alice.post(f"/notes/{outcome.pk}/undo/", headers=HTMX)
    assert told(alice, answer) == [("Noted", "Works at Google")]
    shown = as_alice.post(f"/notes/{outcome.pk}/undo/", headers=HTMX).content.decode()
    assert "Bring back" in shown
    assert values(alice, "employer") == set()
    assert told(alice, answer) == [("Forgotten", "Works at Google")]


def test_a_conversation_is_pinned_above_the_others_and_no_longer(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    first = talk().say("The kayak stands behind the old mill.")
    talk().say("The boiler leaks again.")
    as_alice.post(f"/talk/{first.conversation_id}/pin/", {"pinned": "1"})
    page = as_alice.get("/talk/").content.decode()
    assert page.index("Pinned") < page.index("The kayak stands") < page.index("The boiler leaks")
    as_alice.post(f"/talk/{first.conversation_id}/pin/", {"pinned": "0"})
    assert "Pinned" not in as_alice.get("/talk/").content.decode().partition("<main")[0]


def test_one_conversation_is_taken_along_to_be_read_and_for_programs(
    as_alice: Client, talk: Talks
) -> None:
    answer = talk().say("I live in Bath")
    talk().say("I bake bread.")
    page = as_alice.get(f"/talk/{answer.conversation_id}/export.md")
    assert "attachment" in page["Content-Disposition"]
    assert "I live in Bath\n\n> Noted: Lives in Bath" in page.content.decode()
    assert "bake bread" not in page.content.decode()
    tables = json.loads(as_alice.get(f"/talk/{answer.conversation_id}/export.json").content)[
        "tables"
    ]
    said = [row["content"] for row in tables["conversations.message"]]
    assert said == ["I live in Bath", "Got it."]
    assert len(tables["conversations.learningoutcome"]) == 1
