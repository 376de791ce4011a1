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
from memory.models import Memory, Override, ProfileFact
from memory.notes import note_store, summary_store
from tests.people import Api, Talk, dispute, tell, the_fact, values
from tests.walks.test_query_counts import cost

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


# --- The way there -------------------------------------------------------------------------------


def test_a_fact_leads_to_it_from_its_editor_and_from_why_it_is_believed(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    for page in ("edit", "why"):
        assert f'href="{address(fact)}"' in read(as_alice, f"/notebook/facts/{fact.pk}/{page}/")


def test_both_sides_of_a_question_lead_to_it(alice: User, as_alice: Client) -> None:
    entry = dispute(alice)
    page = read(as_alice, entry.get_absolute_url())
    for fact in (entry.old_fact, entry.new_fact):
        assert f'href="{address(fact)}">Erase for good' in page


def test_what_was_removed_leads_to_it_wherever_it_can_still_be_read(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google and I live in Lyon")
    fact = the_fact(alice, "employer")
    assert address(fact) not in read(as_alice, HISTORY)
    gone = as_alice.post(f"/notebook/facts/{fact.pk}/remove/", headers={"HX-Request": "true"})
    assert address(fact) in gone.content.decode()
    for page in (HISTORY, TIMELINE, f"{PROFILE}?gone={fact.pk}"):
        assert f'href="{address(fact)}">Erase for good' in read(as_alice, page)
    press(as_alice, fact)
    for page in (HISTORY, TIMELINE, f"{PROFILE}?gone={fact.pk}"):
        assert address(fact) not in read(as_alice, page)
        assert "Google" not in read(as_alice, page)


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


def test_it_speaks_only_of_what_there_is(alice: User, as_alice: Client) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "employer", "Google")
    page = read(as_alice, address(fact))
    for words in (
        "memory with",
        "summary of",
        "kept for one conversation only",
        "open conflict.",
        "settled conflict",
        "Its place",
        "Other facts",
    ):
        assert words not in page
    assert "This fact, from your profile, timeline and history." in page
    assert "You said it here" not in page
    assert "The same goes for" not in page


def test_it_counts_what_says_the_same(alice: User, as_alice: Client) -> None:
    with acting_as(alice):
        for _ in range(3):
            fact = revision.write_by_hand(alice.pk, "employer", "Google")
            revision.retract(fact)
    assert "with 2 others that say the same." in read(as_alice, address(fact))


def test_many_notes_and_messages_are_counted_and_the_first_are_named(
    alice: User, as_alice: Client
) -> None:
    for _ in range(23):
        tell(alice, "I work at Google")
    with acting_as(alice):
        for number in range(24):
            note_store.write_by_hand(alice.pk, f"Keeps the stamp {number * 13} in a Google mug")
    page = read(as_alice, address(the_fact(alice, "employer")))
    assert "24 memories with the same words:" in page
    assert page.count("in a Google mug</li>") == 20
    assert "And 4 more." in page
    assert "And 3 more." in page


# --- Pressing it ---------------------------------------------------------------------------------


def test_after_it_the_profile_says_that_it_is_done_without_the_word(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    page = press(as_alice, the_fact(alice, "employer"))
    assert "Erased for good: Employer. Your own messages are kept." in page
    assert "Google" not in page
    assert values(alice, "employer") == set()


def test_a_page_that_is_stale_gets_words(alice: User, as_alice: Client) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    press(as_alice, fact)
    assert "That fact has already been erased." in press(as_alice, fact)
    late = as_alice.get(address(fact), follow=True)
    assert late.redirect_chain == [(PROFILE, 302)]
    assert "That fact has already been erased." in late.content.decode()


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


def test_the_api_erases_what_is_over_too(alice: User, alice_api: Api) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "employer", "Google")
        revision.close(fact, now())
    assert alice_api.post(f"profile/{fact.pk}/erase").status_code == 204
    assert alice_api.get("timeline").json()["count"] == 0


# --- What it costs -------------------------------------------------------------------------------


def test_the_page_costs_the_same_with_little_and_with_much(alice: User, as_alice: Client) -> None:
    def fill(numbers: range) -> None:
        for number in numbers:
            tell(alice, "I work at Google")
            tell(alice, f"I work at Company {number * 13}")
            with acting_as(alice):
                note_store.write_by_hand(alice.pk, f"Keeps the stamp {number * 13} in a Google mug")
                revision.write_by_hand(alice.pk, "likes", f"Google stamp {number * 13}")

    fill(range(1, 3))
    fact = the_fact(alice, "employer")
    few = cost(lambda: as_alice.get(address(fact)))
    fill(range(3, 12))
    with acting_as(alice):
        assert Contradiction.objects.count() > 5
        assert Memory.objects.count() > 10
    assert cost(lambda: as_alice.get(address(fact))) == few
    assert few <= 37
