"""Without a model: 'forget …' finds what is meant and asks, and denies nothing that is noted."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.models import Memory, ProfileFact
from memory.notes import note_store
from tests.people import Talk

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


def known(user: User) -> set[str]:
    with acting_as(user):
        return {fact.value for fact in ProfileFact.objects.current()}


def noted(user: User) -> set[str]:
    with acting_as(user):
        return {note.content for note in Memory.objects.active()}


def card(answer: Message) -> str:
    """What the one card of an answer says would be forgotten."""
    (step,) = answer.steps
    assert step["state"] == "asked"
    return str(step["found"])


def test_what_is_noted_is_found_in_many_wordings_and_asked_about_first(
    alice: User, talk: Talks
) -> None:
    here = talk()
    here.say("I like jazz. I like smoked paprika. I work as a baker. I live in Rome.")
    here.say("I have asthma")
    here.say("note it anyway")
    before = known(alice)
    for order, named in [
        ("forget that I like jazz", "jazz"),
        ("Could you forget about jazz?", "jazz"),
        ("forget my asthma", "asthma"),
        ("forget my job", "baker"),
        ("Remove Rome from your notes", "Rome"),
    ]:
        answer = here.say(order)
        assert card(answer).startswith("1 fact would be forgotten: “"), order
        assert named in card(answer), order
        assert "not note" not in answer.content, order
    assert known(alice) == before
    assert here.say("yes").content == "Done: 1 fact forgotten."
    assert known(alice) == before - {"Rome"}


def test_only_what_is_not_noted_is_denied(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I live in Rome")
    here.say("I like tea")
    for order in ("forget that I like jazz", "forget my job", "forget about my sister Clara"):
        answer = here.say(order)
        assert answer.content.startswith("I don’t remember anything like that."), order
        assert answer.steps == []


def test_one_yes_is_for_all_that_speaks_of_somebody_and_the_messages_stay(
    alice: User, talk: Talks
) -> None:
    with acting_as(alice):
        note_store.write_by_hand(alice.pk, "Rode to Vienna with Anna in October")
        note_store.write_by_hand(alice.pk, "Paints the fence with Jonas on Sunday")
    here = talk()
    here.say("My sister Anna lives in Kiel.")
    here.say("I like tea.")
    answer = here.say("Forget everything about Anna")
    assert "Vienna" in card(answer)
    assert "sister Anna" in card(answer)
    assert "\n- Rode to Vienna with Anna in October" in answer.content
    assert "messages are kept" in answer.content
    assert f"{reverse('conversations:search')}?q={quote('Anna')}" in answer.content
    assert "forgotten" in here.say("yes").content
    assert not any("Anna" in told for told in known(alice) | noted(alice))
    assert any("Jonas" in told for told in noted(alice))
    assert "tea" in known(alice)


@pytest.mark.parametrize(
    ("told", "order", "back"),
    [
        (["I live in Rome."], "Forget that I live in Rome", ["Lived in Rome", "Lives in Rome"]),
        (
            ["I have a sister, Ada.", "I have a cat called Ada."],
            "Forget everything about Ada",
            ["sister", "cat Ada"],
        ),
    ],
)
def test_the_way_back_leads_to_what_was_forgotten(
    told: list[str], order: str, back: list[str], alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    for text in told:
        here.say(text)
    link = re.search(r"\[bring it back\]\((.*?)\)", here.say(order).content)
    assert link is not None
    here.say("yes")
    page = as_alice.get(unescape(link[1])).content.decode()
    offered = page.split('<div class="fact-gone">')[1:]
    assert offered
    for entry in offered:
        assert "Bring back" in entry
        assert any(words in entry for words in back)
