"""Erasing that proves itself: one word in everything that can hold it, and a search of the test's
own afterwards, through all that is stored.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.utils.timezone import now

from accounts import work
from accounts.database import owned
from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User, Work
from conversations.models import Conversation, ConversationTopic, Message, Topic
from ledger import erasure
from ledger.models import Erasure
from memory import manager, sharing
from memory.blocks import private_blocks
from memory.core.scope import Scope
from memory.facts import revision
from memory.models import Lesson, LessonSupport, NamespaceEntry, ProfileFact, ProfileShare
from memory.namespaces import tiers
from memory.notes import note_store, summary_store
from privacy import exporting
from privacy.models import Export
from tests.everything_stored import places_with
from tests.ledger.erasing import RARE, note_of
from tests.ledger.test_erasure import fill_every_place
from tests.people import Api, Talk, let_time_pass, tell, the_fact

pytestmark = pytest.mark.django_db(transaction=True)
SENTENCE = "Our cellist Olga rehearses in the barn behind Thistlewick every second Monday"
LETTERS = {"conversations_message", "memory_passage"}


@pytest.fixture(autouse=True)
def _an_empty_session() -> None:
    caches["hot"].clear()


# --- What holds it -------------------------------------------------------------------------------


def kept_by_software(alice: User, text: str) -> None:
    """In the archive, kept, and in this session only; in a key as well."""
    with acting_as(alice):
        manager.allow(alice, "shared.people", on=True)
        person = {"name": "Olga", "note": text}
        manager.write(alice.pk, "shared.people", f"at {text[:40]}", person, by=manager.By.SOFTWARE)
        rows = NamespaceEntry.objects.filter(user=alice)
        long_ago = now() - timedelta(days=90)
        rows.update(written_at=long_ago, used_at=long_ago)
        tiers.tend(alice.pk)
        assert all(row.is_cold for row in rows)
        manager.write(alice.pk, "shared.people", "warm", person, by=manager.By.SOFTWARE)
        manager.write(alice.pk, "shared.people", "other", {"name": "Tom"}, by=manager.By.SOFTWARE)
        held = {"rank": 1, "text": text}
        written = manager.write(alice.pk, "shared.priorities", "hot", held, by=manager.By.SOFTWARE)
        assert written.entry.tier == "hot"


def blocks_of(alice: User, text: str) -> None:
    with acting_as(alice):
        private_blocks.write(alice, "human", f"Likes tea. {text}.", 0)
        private_blocks.write(alice, "human", f"Likes tea. {text}. Has a cat.", 1)


def a_copy(alice: User) -> None:
    with acting_as(alice):
        exporting.ask(alice)
    work.do_waiting_work()
    with acting_as(alice):
        assert Export.objects.filter(state=Export.State.READY).count() == 1


def a_lesson(alice: User, text: str, conversation: Conversation | None = None) -> None:
    """Alice supports it; staff released it, so that everybody reads it."""
    with acting_as_cohort():
        lesson = Lesson.objects.create(
            pk=alice.pk,
            text=text,
            needs_people=3,
            needs_organisations=2,
            approved_at=now(),
        )
    with acting_as(alice):
        LessonSupport.objects.create(
            user=alice, lesson=lesson, source="owner", conversation=conversation
        )


def a_topic(there: Conversation, name: str) -> None:
    """In the person's open block."""
    topic = Topic.objects.create(user=there.user, name=name, key=name.lower())
    ConversationTopic.objects.create(
        user=there.user,
        conversation=there,
        topic=topic,
        weight=1.0,
        messages=1,
        first_at=now(),
        last_at=now(),
    )


def summed_up(there: Conversation, text: str) -> None:
    """Its running summary tells it."""
    with acting_as(there.user_id):
        Conversation.objects.filter(pk=there.pk).update(
            compact_summary=f"What was told\n- 7 May 2026, message 1: {text}.", compacted_up_to=1
        )


def told_by_the_receipt(api: Api, place: str) -> dict[str, Any]:
    told: dict[str, Any] = api.get(place.removeprefix("/api/v1/")).json()
    return told


# --- One fact ------------------------------------------------------------------------------------


def the_word_everywhere(alice: User, mira: User, talk: Callable[..., Talk]) -> ProfileFact:
    fact = fill_every_place(alice, mira, talk)
    with acting_as(alice):
        talks = Conversation.objects.for_user(alice.pk).order_by("started_at")
        assert talks.filter(title__contains=RARE).exists()
        first = talks[0]
    summed_up(first, RARE)
    kept_by_software(alice, f"Met at the {RARE} choir")
    blocks_of(alice, f"Works for {RARE}")
    a_lesson(alice, f"Ask {RARE} first")
    with acting_as(alice):
        ProfileShare.objects.update(name=f"For {RARE}")
    let_time_pass(alice)
    work.do_waiting_work()
    # The worker has looked at what it sums up and is about: it finds nothing to do any more.
    summed_up(first, RARE)
    with acting_as(alice):
        a_topic(first, f"{RARE} choir")
    a_copy(alice)
    return fact


def test_of_one_fact_nothing_is_left_but_what_is_said_to_stay(
    alice: User, mira: User, talk: Callable[..., Talk], alice_api: Api
) -> None:
    fact = the_word_everywhere(alice, mira, talk)
    before = places_with(RARE)
    assert before > LETTERS | {
        "memory_profilefact",
        "memory_memory",
        "memory_memoryblock",
        "memory_blockversion",
        "memory_namespaceentry",
        "memory_memorychange",
        "memory_lesson",
        "memory_profileshare",
        "conversations_conversation",
        "conversations_topic",
        "ledger_resolution",
        "accounts_auditevent",
        "privacy_exportpiece",
        "hot tier",
    }
    foreseen = alice_api.get(f"profile/{fact.pk}/erase").json()
    assert places_with(RARE) == before, "only looked at"
    done = alice_api.post(f"profile/{fact.pk}/erase")
    assert done.status_code == 204
    receipt = told_by_the_receipt(alice_api, done["Location"])
    assert receipt["goes"] == foreseen["goes"]
    assert {one["kind"] for one in receipt["goes"]} >= {
        *("facts", "notes", "summaries", "long_summaries", "here_only", "questions", "places"),
        *("topics", "titles", "looks", "blocks", "lessons", "copies", "lines"),
        *("entries_hot", "entries_warm", "entries_cold"),
    }
    # What was typed, a page that she named, and a lesson that everybody reads.
    stays = LETTERS | {"memory_profileshare", "memory_lesson"}
    assert places_with(RARE) == stays
    assert receipt["is_clean"], receipt["left"]
    assert {one["kind"] for one in receipt["stays"]} == {
        *("letters", "letters_index", "names", "lessons", "backups"),
    }
    assert RARE not in str(receipt)
    with acting_as(alice):
        assert not LessonSupport.objects.exists()
        assert private_blocks.read_block(alice, "human").content == "Likes tea. Has a cat."
        assert [row.key for row in NamespaceEntry.objects.all()] == ["other"]


def erase_now(user: User, slot: str) -> Erasure:
    with acting_as(user):
        made = erasure.erase(the_fact(user, slot))
    assert made is not None
    return made


def test_a_copy_that_is_just_being_made_begins_anew(alice: User) -> None:
    tell(alice, f"I work at {RARE}")
    with acting_as(alice):
        asked = exporting.ask(alice)
        Export.objects.update(state=Export.State.MAKING)
        Work.objects.filter(kind=Export.KIND).update(
            lease_until=now() + timedelta(minutes=5), attempts=1
        )
    erase_now(alice, "employer")
    with acting_as(alice):
        assert Export.objects.get(pk=asked.pk).state == Export.State.WAITING
        assert Work.objects.get(kind=Export.KIND).lease_until is None
    work.do_waiting_work()
    with acting_as(alice):
        assert Export.objects.get(pk=asked.pk).state == Export.State.READY


# --- One conversation ----------------------------------------------------------------------------


def the_sentence_everywhere(alice: User, talk: Callable[..., Talk]) -> Conversation:
    there, other = talk(), talk()
    first = there.say(f"{SENTENCE}. I work at Zanzifirm.")
    there.say("And what is new with you?")
    other.say("I moved to Lisbon in March")
    here = there.conversation
    assert here is not None
    with acting_as(alice):
        question = Message.objects.get(conversation=here, number=1)
    note_of(alice, "Carries the cello of Olga to Thistlewick", question)
    declined = note_of(alice, "Bought a trailer in Thistlewick", question)
    with acting_as(alice):
        note_store.remove_note(declined)
        scope = Scope(alice.pk, here.pk, None, now())
        summary_store.keep_summary(scope, f"What it was about: {SENTENCE}")
        a_topic(here, "Thistlewick barn")
        sharing.make(alice.pk, "For the fair", [the_fact(alice, "employer").pk], days=7)
        answer = Message.objects.get(conversation=other.conversation, number=2)
        answer.recalled = [{"what": "quote", "id": str(question.pk)}]
        answer.content = f"You said: {SENTENCE}."
        answer.save()
    summed_up(here, SENTENCE)
    kept_by_software(alice, SENTENCE)
    blocks_of(alice, SENTENCE)
    a_lesson(alice, "Ask for the list of orders first", here)
    a_copy(alice)
    assert first.conversation_id == here.pk
    return here


def test_of_a_conversation_nothing_is_left_in_any_place(
    alice: User, talk: Callable[..., Talk], alice_api: Api
) -> None:
    here = the_sentence_everywhere(alice, talk)
    before = places_with("Thistlewick")
    assert before > LETTERS | {
        "memory_memory",
        "memory_memoryblock",
        "memory_namespaceentry",
        "conversations_conversation",
        "conversations_topic",
        "privacy_exportpiece",
        "hot tier",
    }
    assert "accounts_auditevent" in places_with("Zanzifirm")
    wishes = "learned=remove&answers=remove"
    foreseen = alice_api.get(f"conversations/{here.pk}/erase?{wishes}").json()
    assert places_with("Thistlewick") == before, "only looked at"
    done = alice_api.client.delete(
        f"/api/v1/conversations/{here.pk}?{wishes}",
        headers={"Authorization": f"Token {alice_api.token}"},
    )
    assert done.status_code == 204
    receipt = told_by_the_receipt(alice_api, done["Location"])
    assert receipt["goes"] == foreseen["goes"]
    assert {one["kind"] for one in receipt["goes"]} >= {
        *("conversations", "messages", "passages", "answers", "facts", "notes", "summaries"),
        *("long_summaries", "places", "topics", "blocks", "lessons", "copies", "lines"),
        *("entries_hot", "entries_warm", "entries_cold"),
    }
    assert places_with("Thistlewick") == set()
    assert places_with("Zanzifirm") == set()
    assert receipt["is_clean"], receipt["left"]
    with acting_as(alice):
        assert not LessonSupport.objects.exists()


# --- Everything ----------------------------------------------------------------------------------


def test_of_everything_nothing_is_left_in_any_place(
    alice: User, mira: User, talk: Callable[..., Talk], alice_api: Api
) -> None:
    the_word_everywhere(alice, mira, talk)
    foreseen = alice_api.get("forget-everything").json()
    told = alice_api.post("forget-everything", {"confirm": "forget everything"}).json()
    receipt = told_by_the_receipt(alice_api, f"/api/v1/erasures/{told['receipt']}")
    assert receipt["goes"] == foreseen["goes"]
    assert {one["kind"] for one in receipt["goes"]} >= {
        *("conversations", "messages", "passages", "facts", "notes", "questions", "topics"),
        *("shared_pages", "blocks", "lessons", "copies", "lines"),
        *("entries_hot", "entries_warm", "entries_cold"),
    }
    assert places_with(RARE) == {"memory_lesson"}
    assert receipt["is_clean"], receipt["left"]
    assert RARE not in str(receipt)


# --- A search that can fail ----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["hot tier", "memory_namespaceentry", "privacy_exportpiece"])
def test_what_is_left_in_the_session_in_the_archive_or_in_a_copy_is_named(
    alice: User, as_alice: Any, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(alice, f"I work at {RARE}")
    if place == "privacy_exportpiece":
        a_copy(alice)
        monkeypatch.setattr(exporting, "drop_all_of", lambda _: None)
    else:
        kept_by_software(alice, f"Met at the {RARE} choir")
        monkeypatch.setattr(manager, "erase_entries", lambda *_: None)
    made = erase_now(alice, "employer")
    assert place in {row["table"] for row in made.search["left"]}
    page = as_alice.get(made.get_absolute_url()).content.decode()
    assert "This is still there" in page
    assert RARE not in page


def test_a_value_too_common_to_be_looked_for_is_looked_for_by_key(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.deletion import erasing

    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "age", "40")
    monkeypatch.setattr(erasing, "delete", lambda *_: None)
    made = erase_now(alice, "age")
    assert [(row["table"], row["row"]) for row in made.search["left"]] == [
        ("memory_profilefact", str(fact.pk))
    ]


def test_of_everything_a_row_without_a_word_is_named(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conversations.deletion import erase_all

    tell(alice, f"I work at {RARE}")
    with acting_as(alice):
        topic = Topic.objects.create(user=alice, name="Tea", key="tea")
    models = owned.owned_models()
    clear = owned.clear

    def all_but_topics(user_id: Any, **more: Any) -> None:
        monkeypatch.setattr(owned, "owned_models", lambda: [m for m in models if m is not Topic])
        clear(user_id, **more)
        monkeypatch.setattr(owned, "owned_models", lambda: models)

    monkeypatch.setattr(owned, "clear", all_but_topics)
    receipt = erase_all.forget_everything(alice).kept
    assert receipt is not None
    assert [(row["table"], row["row"]) for row in receipt.search["left"]] == [
        ("conversations_topic", str(topic.pk))
    ]


# --- Whose receipts are --------------------------------------------------------------------------


def test_receipts_outlive_everything_and_go_with_the_account(
    alice: User, alice_api: Api, bob_api: Api, settings: Any
) -> None:
    from privacy import account_deletion

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    tell(alice, f"I work at {RARE}")
    first = erase_now(alice, "employer")
    tell(alice, "I live in Rome")
    alice_api.post("forget-everything", {"confirm": "forget everything"})
    told = alice_api.get("erasures").json()
    assert [one["kind"] for one in told["results"]] == ["everything", "fact"]
    assert bob_api.get("erasures").json()["count"] == 0
    assert bob_api.get(f"erasures/{first.pk}").status_code == 404
    key, email = alice.pk, alice.email
    account_deletion.delete(alice)
    assert account_deletion.left_of(key, email) == {}
