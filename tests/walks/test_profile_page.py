"""The profile page: finding a line, changing it, ending it, keeping it to one conversation."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils.timezone import localdate, localtime

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import Conversation, LearningOutcome, Message
from ledger.models import Contradiction
from memory.core.persistence_gate import PersistenceReason
from memory.core.scope import Scope
from memory.facts import blocked_slots
from memory.facts.profile import propose_fact
from memory.language.origin import Origin
from memory.models import BlockedSlot, Memory, Override, ProfileFact
from memory.notes import note_store
from memory.notes.drafts import NoteDraft
from tests.people import Talk, candidate, scope_of, tell, the_fact, values

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
PAGE = "/notebook/profile/"
every_form = pytest.mark.parametrize("headers", [{}, HTMX], ids=["without a script", "htmx"])


def read(client: Client, path: str = PAGE) -> str:
    return unescape(re.sub(r"\s+", " ", client.get(path).content.decode()))


def press(client: Client, fact: ProfileFact, deed: str, headers: object = None, **sent: str) -> str:
    url = f"/notebook/facts/{fact.pk}/{deed}/"
    answer = client.post(url, sent, headers=headers or {}, follow=True)  # type: ignore[arg-type]
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def deeds(user: User) -> list[str]:
    with acting_as(user):
        return list(AuditEvent.objects.order_by("at").values_list("deed", flat=True))


# --- Reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("google", True),
        ("EMPLOYER", True),
        ("goog emp", True),
        ("google city", False),
        ("%00\x00", True),
        ("xylophone", False),
    ],
)
def test_a_line_is_found_by_words_of_its_name_or_its_value(
    query: str, found: bool, alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    page = as_alice.get(PAGE, {"q": query.replace("%00", "")}).content.decode()
    assert (f'id="fact-{fact.pk}"' in page) == found
    assert ("No facts match" in page) == (not found)


def test_a_row_says_how_sure_since_when_from_where_and_in_how_many_conversations(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    last = tell(alice, "I still work at Google")
    page = read(as_alice)
    assert "Last heard today" in page
    assert f'href="{last.get_absolute_url()}"' in page
    assert "and 1 other conversation<" in page
    assert "Why I’m this sure of: Employer, Google" in page


def test_a_disputed_line_offers_settling_and_its_owners_own_wording(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    page = read(as_alice)
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get()
    assert "Disputed" in page
    assert f'href="{entry.get_absolute_url()}">Settle' in page
    assert "Opened today" in page
    assert f"/notebook/facts/{entry.old_fact_id}/edit/" in page
    assert f"/notebook/facts/{entry.old_fact_id}/confirm/" not in page


def test_long_groups_are_folded_on_a_full_page_and_open_where_one_searches(
    alice: User, as_alice: Client
) -> None:
    message = tell(alice, "I work at Google")
    for number in range(45):
        with acting_as(alice):
            propose_fact(scope_of(message), candidate("likes", f"stamp {number * 13} of {number}"))
    page = read(as_alice)
    assert page.count('<details class="group" open>') == 1
    assert page.count('<details class="group">') == 1
    assert '<details class="group">' not in read(as_alice, f"{PAGE}?q=stamp")


# --- Writing -------------------------------------------------------------------------------------


def test_a_line_is_written_with_the_day_since_which_it_is_true(
    alice: User, as_alice: Client
) -> None:
    sent = {"slot": "employer", "value": "Google", "since": "2024-03-14"}
    as_alice.post(f"{PAGE}add/", sent)
    assert the_fact(alice, "employer").valid_from == midnight(date(2024, 3, 14))


@every_form
@pytest.mark.parametrize(
    ("day", "words"),
    [
        (str(localdate() + timedelta(days=2)), "That day is in the future."),
        ("0001-01-01", "I can’t go back further than 1900."),
        ("31 June", "Enter the date as YYYY-MM-DD, such as 2024-03-14."),
    ],
)
def test_a_day_that_cannot_be_is_refused_kindly_at_its_field(
    day: str, words: str, headers: dict[str, str], alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    page = press(as_alice, fact, "edit", headers, value="Microsoft", since=day)
    error = f"id_since_{fact.pk}_error"
    assert re.search(rf'aria-describedby="[^"]*{error}', page)
    assert words in page
    assert f'value="{day}"' in page
    assert 'value="Microsoft"' in page
    assert values(alice, "employer") == {"Google"}


def test_a_new_wording_since_a_day_ends_the_old_one_then(alice: User, as_alice: Client) -> None:
    tell(alice, "I live in Lyon", said_at=midnight(date(2023, 1, 1)))
    old = the_fact(alice, "location")
    press(as_alice, old, "edit", value="Bern", since="2024-03-14")
    assert the_fact(alice, "location").valid_from == midnight(date(2024, 3, 14))
    with acting_as(alice):
        old.refresh_from_db()
    assert (old.status, old.valid_to) == ("past", midnight(date(2024, 3, 14)))


@every_form
def test_what_is_over_stays_in_the_history_and_comes_back(
    headers: dict[str, str], alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I work at Google", said_at=midnight(date(2023, 1, 1)))
    fact = the_fact(alice, "employer")
    page = press(as_alice, fact, "over", headers, over="2024-03-14")
    assert "Ended, and kept in your history" in page
    assert f"/notebook/facts/{fact.pk}/restore/" in page
    past = the_fact(alice, "employer", status="past")
    assert past.valid_to == midnight(date(2024, 3, 14))
    assert "You work at" not in talk().say("Where do I work?").content
    press(as_alice, fact, "restore", headers)
    assert the_fact(alice, "employer").valid_to is None
    assert deeds(alice)[-2:] == ["ended", "restored"]


def test_over_since_a_day_to_come_opens_the_editor_again(alice: User, as_alice: Client) -> None:
    tell(alice, "I work at Google")
    page = press(as_alice, the_fact(alice, "employer"), "over", HTMX, over="2999-01-01")
    assert "in the future" in page
    assert '<details class="editor-more" open>' in page
    assert values(alice, "employer") == {"Google"}


@every_form
def test_what_was_forgotten_can_be_brought_back_where_it_stood(
    headers: dict[str, str], alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    page = press(as_alice, fact, "remove", headers)
    assert f"/notebook/facts/{fact.pk}/restore/" in page
    assert "Bring back" in page
    press(as_alice, fact, "restore", headers)
    assert values(alice, "employer") == {"Google"}


@pytest.mark.parametrize("gone", ["", "nonsense", "0199-", "00000000-0000-0000-0000-000000000000"])
def test_a_strange_word_for_what_is_gone_shows_nothing(
    gone: str, alice: User, as_alice: Client
) -> None:
    answer = as_alice.get(PAGE, {"gone": gone})
    assert answer.status_code == 200
    assert "Bring back" not in answer.content.decode()


# --- One conversation, and every one -------------------------------------------------------------


@every_form
def test_a_line_is_kept_to_its_conversation_and_everywhere_again(
    headers: dict[str, str], alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I work at Google")
    assert there.conversation is not None
    fact = the_fact(alice, "employer")
    assert "Now only in its conversation" in press(as_alice, fact, "narrow", headers)
    assert values(alice, "employer") == set()
    assert "Google" not in talk().say("Where do I work?").content
    assert "Google" in there.say("Where do I work?").content
    with acting_as(alice):
        note = LearningOutcome.objects.get(fact=fact)
    url = f"/notes/{note.pk}/widen/"
    page = read(as_alice, there.conversation.get_absolute_url())
    assert "Only here" in page
    assert url in page
    as_alice.post(url, headers=headers)
    assert values(alice, "employer") == {"Google"}
    with acting_as(alice):
        assert not Override.objects.exists()


def test_a_line_written_by_hand_has_no_conversation_to_stay_in(
    alice: User, as_alice: Client
) -> None:
    as_alice.post(f"{PAGE}add/", {"slot": "employer", "value": "Google"})
    fact = the_fact(alice, "employer")
    assert "/narrow/" not in read(as_alice, f"/notebook/facts/{fact.pk}/edit/")
    assert "doesn’t belong to a conversation" in press(as_alice, fact, "narrow")
    assert values(alice, "employer") == {"Google"}


@every_form
def test_what_holds_in_one_conversation_is_kept_everywhere_by_its_chip(
    headers: dict[str, str], alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("call me Nicky in this chat")
    with acting_as(alice):
        note = LearningOutcome.objects.get(kind=LearningOutcome.Kind.OVERRIDE)
    as_alice.post(f"/notes/{note.pk}/widen/", headers=headers)
    assert values(alice, "preferred_name") == {"Nicky"}
    assert there.conversation is not None
    page = read(as_alice, there.conversation.get_absolute_url())
    assert PersistenceReason.SAID_HERE.sentence not in page
    assert "Call you Nicky" in page
    assert deeds(alice)[-1] == "widened"
    message = there.conversation.get_absolute_url()
    assert message in read(as_alice)


@every_form
def test_keeping_it_everywhere_says_why_when_the_slot_has_a_value(
    headers: dict[str, str], alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    as_alice.post(f"{PAGE}add/", {"slot": "preferred_name", "value": "Ali"})
    there = talk()
    there.say("call me Nicky in this chat")
    with acting_as(alice):
        note = LearningOutcome.objects.get(kind=LearningOutcome.Kind.OVERRIDE)
    answer = as_alice.post(f"/notes/{note.pk}/widen/", headers=headers, follow=True)
    assert "Your preferred name has another value now" in answer.content.decode()
    assert values(alice, "preferred_name") == {"Ali"}
    with acting_as(alice):
        assert LearningOutcome.objects.get(pk=note.pk).override is not None


@every_form
def test_bringing_a_note_back_says_why_when_the_slot_has_a_value(
    headers: dict[str, str], alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    talk().say("I work at Google")
    with acting_as(alice):
        note = LearningOutcome.objects.get(fact__slot="employer")
    as_alice.post(f"/notes/{note.pk}/undo/")
    as_alice.post(f"{PAGE}add/", {"slot": "employer", "value": "Acme"})
    answer = as_alice.post(f"/notes/{note.pk}/restore/", headers=headers, follow=True)
    assert "Your employer has another value now" in answer.content.decode()
    assert values(alice, "employer") == {"Acme"}


# --- Closed kinds --------------------------------------------------------------------------------


def test_a_kind_is_closed_after_one_more_question_and_opened_again(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    never = "/notebook/privacy/never/"
    assert f'href="{never}?slot=employer"' in read(as_alice, f"/notebook/facts/{fact.pk}/edit/")
    question = read(as_alice, f"{never}?slot=employer")
    assert "Never note this kind of fact?" in question
    assert "Google" in question
    assert values(alice, "employer") == {"Google"}
    as_alice.post(never, {"slot": "employer"})
    tell(alice, "I work at Microsoft")
    assert values(alice, "employer") == set()
    page = read(as_alice)
    assert "Never noted: Employer" in page
    assert "Allow again" in page
    as_alice.post("/notebook/privacy/again/", {"slot": "employer", "from": "profile"})
    tell(alice, "I work at Microsoft")
    assert values(alice, "employer") == {"Microsoft"}
    assert {"blocked", "unblocked"} <= set(deeds(alice))


@pytest.mark.parametrize("slot", ["", "nonsense", "\x00"])
@pytest.mark.parametrize("deed", ["never", "again"])
def test_a_kind_that_there_is_not_cannot_be_closed_or_opened(
    deed: str, slot: str, alice: User, as_alice: Client
) -> None:
    assert as_alice.post(f"/notebook/privacy/{deed}/", {"slot": slot}).status_code == 404


# --- What waits for a yes ------------------------------------------------------------------------


def waiting(user: User, message: Message, slot: str, value: str) -> Memory:
    draft = NoteDraft(
        content=f"{slot} {value}",
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.9,
        origin=Origin.PASTED,
        slot=slot,
        value=value,
    )
    with acting_as(user):
        kept = note_store.keep_note(
            Scope(user.pk, message.conversation_id, message.pk, message.said_at), draft
        )
    assert isinstance(kept, note_store.NoteKept)
    return kept.memory


def test_what_waits_is_kept_declined_or_never_asked_about_again(
    alice: User, as_alice: Client
) -> None:
    message = tell(alice, "See what they wrote")
    keep, no, never = (
        waiting(alice, message, slot, value)
        for slot, value in (("pets", "a hen"), ("likes", "tea"), ("languages", "Welsh"))
    )
    page = read(as_alice)
    assert "Waiting for you" in page
    assert f'href="{message.get_absolute_url()}"' in page
    assert "Keep all 3 from" in page
    assert "Never note this kind of fact: Languages" in page
    as_alice.post(f"/notebook/proposals/{keep.pk}/accept/")
    as_alice.post(f"/notebook/proposals/{no.pk}/decline/")
    as_alice.post(f"/notebook/proposals/{never.pk}/decline/", {"never": "1"})
    assert values(alice, "pets") == {"a hen"}
    assert values(alice, "likes") == set()
    assert "Waiting for you" not in read(as_alice)
    with acting_as(alice):
        assert list(BlockedSlot.objects.values_list("slot", flat=True)) == ["languages"]
        assert blocked_slots.slots_of(alice.pk) == {"languages"}


def test_all_from_one_conversation_is_kept_at_once(alice: User, as_alice: Client) -> None:
    message = tell(alice, "See what they wrote")
    for value in ("a hen", "a goat"):
        waiting(alice, message, "pets", value)
    as_alice.post(f"/notebook/proposals/from/{message.conversation_id}/accept/")
    assert values(alice, "pets") == {"a hen", "a goat"}


def test_the_day_of_the_beginning_is_told_in_the_editor(alice: User, as_alice: Client) -> None:
    tell(alice, "I work at Google", said_at=localtime() - timedelta(days=400))
    fact = the_fact(alice, "employer")
    page = read(as_alice, f"/notebook/facts/{fact.pk}/edit/")
    assert f"I have: {fact.valid_from.day} {fact.valid_from:%B %Y}" in page
    with acting_as(alice):
        assert Conversation.objects.count() == 1
