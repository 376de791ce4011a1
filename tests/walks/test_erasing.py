"""The page that erases: the way to it, what it says, its one question, and the API."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction
from memory import sharing
from memory.core.scope import Scope
from memory.facts import revision
from memory.models import Override, ProfileFact
from memory.notes import note_store, summary_store
from tests.people import Api, Talk, dispute, tell, the_fact, values

pytestmark = pytest.mark.django_db
PROFILE, HISTORY, TIMELINE = "/notebook/profile/", "/notebook/history/", "/notebook/timeline/"


def address(fact: ProfileFact) -> str:
    return f"/notebook/facts/{fact.pk}/erase/"


def read(client: Client, path: str) -> str:
    return unescape(re.sub(r"\s+", " ", client.get(path).content.decode()))


def press(client: Client, fact: ProfileFact) -> str:
    answer = client.post(address(fact), follow=True)
    assert answer.redirect_chain == [(PROFILE, 302)]
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


# --- What it says --------------------------------------------------------------------------------


def test_it_says_what_goes_and_what_stays_and_that_it_cannot_be_undone(
    alice: User, as_alice: Client
) -> None:
    entry = dispute(alice, "Initech", "Google")
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
    first = tell(alice, "I work at Google")
    second = tell(alice, "I still work at Google")
    tell(alice, "Is the Google choir any good?")
    with acting_as(alice):
        talk = Conversation.objects.get(pk=first.conversation_id)
        fact = the_fact(alice, "employer")
        sharing.make(alice.pk, "For the fair", [fact.pk], days=7)
        note_store.write_by_hand(alice.pk, "Sings in the choir of Google")
        note_store.write_by_hand(alice.pk, "Sings in the choir of Lyon")
        summary_store.keep_summary(
            Scope(alice.pk, talk.pk, None, now()), "Where they earn their bread"
        )
        other = revision.write_by_hand(alice.pk, "likes", "Google Maps")
        Override.objects.create(user=alice, conversation=talk, slot="employer", value="Google")
    tell(alice, "I work at Microsoft")
    page = read(as_alice, address(fact))
    for words in (
        "Employer: <strong>Google</strong>",
        "1 memory with the same words: ",
        "<li>Sings in the choir of Google</li>",
        "The summary of 1 conversation.",
        "The same fact, saved only for use in 1 conversation.",
        "1 open conflict. I’ll then use the other value: Works at Microsoft.",
        "1 settled conflict.",
        "The fact on 1 shared page.",
        "Its text in your history.",
        f'<a href="{first.get_absolute_url()}">',
        f'<a href="{second.get_absolute_url()}">',
        "I work at Google”</span>",
        f'<a href="{address(other)}">Likes: Google Maps</a>',
        "or learn from them again. You said it here:",
        "The same goes for 1 other message or reply that contains these words.",
        "This can’t be undone",
        'href="/notebook/privacy/never/?slot=employer"',
    ):
        assert words in page
    assert "choir of Lyon" not in page
    assert values(alice, "employer") == {"Google"}, "only looked at"


# --- Pressing it ---------------------------------------------------------------------------------


def test_looking_at_it_and_a_form_of_another_site_erase_nothing(alice: User) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.get(address(fact)).status_code == 200
    assert client.post(address(fact)).status_code == 403
    assert values(alice, "employer") == {"Google"}


def test_the_conversation_reads_on_without_the_chips_and_no_page_has_the_words(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I work at Google")
    there.say("I work at Microsoft")
    assert there.conversation is not None
    with acting_as(alice):
        resolve(Contradiction.objects.get(), Answer("keep_new"), by=alice)
    conversation = there.conversation.get_absolute_url()
    assert "Noted" in read(as_alice, conversation)
    press(as_alice, the_fact(alice, "employer", value="Google"))
    press(as_alice, the_fact(alice, "employer"))
    page = read(as_alice, conversation)
    assert "I work at Google" in page
    assert "I work at Microsoft" in page
    assert "Noted" not in page
    for path in (PROFILE, "/notebook/conflicts/", "/notebook/memories/", TIMELINE, HISTORY):
        page = read(as_alice, path)
        assert "Google" not in page
        assert "Microsoft" not in page


# --- Over the API --------------------------------------------------------------------------------


def test_the_api_erases_once_and_then_finds_nothing(alice: User, alice_api: Api) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    assert alice_api.post(f"profile/{fact.pk}/erase").status_code == 204
    again = alice_api.post(f"profile/{fact.pk}/erase")
    assert again.status_code == 404
    assert again["Content-Type"] == "application/problem+json"
    assert alice_api.get("profile").json()["count"] == 0
    (line,) = [one for one in alice_api.get("audit").json()["results"] if one["deed"] == "erased"]
    assert (line["sentence"], line["before"], line["subject"]) == (
        "You erased this for good: Employer",
        "",
        str(fact.pk),
    )
