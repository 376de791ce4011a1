"""How long things are kept: chosen after seeing what goes, and carried out once a day."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts import privacy, work
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, PrivacySettings, User
from conversations.models import Conversation, Message
from memory.core.switch import record_first_choice
from memory.models import Memory
from memory.notes import note_store
from privacy import retention
from tests.people import Api, Talk, tell, values

pytestmark = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)


def silent_for(user: User, days: int, conversation: Conversation) -> None:
    with acting_as(user):
        then = now() - timedelta(days=days)
        Conversation.objects.filter(pk=conversation.pk).update(last_at=then)


def told(user: User, days: int, *texts: str) -> Conversation:
    """A conversation whose last word was so many days ago."""
    talk = Talk(user)
    for text in texts:
        talk.say(text)
    assert talk.conversation is not None
    silent_for(user, days, talk.conversation)
    return talk.conversation


def chosen(user: User, **days: int | None) -> None:
    with acting_as(user):
        retention.choose(user.pk, **days)


def swept() -> int:
    people = retention.enqueue_due()
    work.do_waiting_work()
    return people


def kept(user: User) -> set[Any]:
    with acting_as(user):
        return set(Conversation.objects.values_list("pk", flat=True))


def lines(user: User) -> list[AuditEvent]:
    with acting_as(user):
        return list(AuditEvent.objects.for_user(user.pk).filter(deed="expired"))


@for_real
def test_without_a_choice_everything_stays(alice: User) -> None:
    old = told(alice, 4000, "I live in Rome")
    assert swept() == 0
    assert kept(alice) == {old.pk}


@for_real
def test_what_is_over_goes_with_what_was_learned_from_nothing_else(alice: User, bob: User) -> None:
    old = told(alice, 91, "I live in Lisbon and work at Google")
    new = told(alice, 89, "I live in Rome")
    his = told(bob, 91, "I live in Oslo")
    chosen(alice, conversation_days=90)
    assert swept() == 1
    assert kept(alice) == {new.pk}
    assert values(alice, "employer") == set()
    assert values(alice, "location") == {"Rome"}
    assert kept(bob) == {his.pk}
    (line,) = lines(alice)
    assert (line.conversation, line.by) == (old.pk, AuditEvent.By.RULE)
    assert "kept for 90 days" in line.why
    assert lines(bob) == []


@for_real
def test_what_is_being_written_or_was_spoken_in_again_or_vanishes_by_itself_stays(
    alice: User,
) -> None:
    writing, again, temporary = (told(alice, 40, "Hello there") for _ in range(3))
    with acting_as(alice):
        Message.objects.filter(conversation=writing, role="assistant").update(state="writing")
        Conversation.objects.filter(pk=temporary.pk).update(temporary=True)
    chosen(alice, conversation_days=30)
    retention.enqueue_due()
    Talk(alice, again).say("And hello again")
    work.do_waiting_work()
    assert kept(alice) == {writing.pk, again.pk, temporary.pk}


@for_real
def test_who_changes_their_mind_before_the_round_keeps_all(alice: User) -> None:
    old = told(alice, 40, "I live in Rome")
    chosen(alice, conversation_days=30)
    retention.enqueue_due()
    chosen(alice, conversation_days=None)
    work.do_waiting_work()
    assert kept(alice) == {old.pk}
    assert swept() == 0


@for_real
def test_notes_out_of_use_go_when_their_time_is_over(alice: User) -> None:
    with acting_as(alice):
        old, fresh, used = (
            note_store.write_by_hand(alice.pk, text)
            for text in ("Rows on the lake", "Plays the cello", "Keeps bees on the roof")
        )
        for note in (old, fresh):
            note_store.remove_note(note)
        Memory.objects.filter(pk=old.pk).update(ended_at=now() - timedelta(days=31))
    chosen(alice, retired_note_days=30)
    swept()
    with acting_as(alice):
        assert set(Memory.objects.values_list("pk", flat=True)) == {fresh.pk, used.pk}


def test_the_page_says_what_would_go_before_anything_does(alice: User, as_alice: Client) -> None:
    old = told(alice, 40, "I live in Lisbon and work at Google")
    page = as_alice.get("/notebook/privacy/kept/", {"conversation_days": "30"}).content.decode()
    assert "<dt>Conversations</dt><dd>1</dd>" in page
    assert "<dt>Facts found only there</dt><dd>2</dd>" in page
    assert PrivacySettings.of(alice.pk).conversation_days is None
    answer = as_alice.post("/notebook/privacy/kept/", {"conversation_days": "30"})
    assert answer.headers["Location"] == "/notebook/privacy/"
    with acting_as(alice):
        assert PrivacySettings.of(alice.pk).conversation_days == 30
        change = privacy.lines(alice.pk).first()
        assert change is not None
        assert (change.before, change.after) == ("Forever", "30 days")
    assert kept(alice) == {old.pk}


def names(api: Api) -> list[str]:
    return [held["name"].partition(":")[0] for held in api.get("consents").json()["results"]]


def test_each_consent_is_listed_with_its_day_and_withdrawn_by_its_name(
    alice: User, alice_api: Api
) -> None:
    from memory import manager

    with acting_as(alice):
        record_first_choice(alice)
        manager.allow(alice, "shared.people", on=True)
    assert names(alice_api) == ["memory", "namespace"]
    headers = {"Authorization": f"Token {alice_api.token}"}
    for held in alice_api.get("consents").json()["results"]:
        assert held["since"]
        for status in (204, 404):
            answer = alice_api.client.delete(f"/api/v1/consents/{held['name']}", headers=headers)
            assert answer.status_code == status
    told = alice_api.get("consents").json()
    assert told["results"] == []
    assert [(line["before"], line["after"]) for line in told["history"]] == [
        ("On", "Off"),
        ("On", "Off"),
        ("Off", "On"),
        ("", "On"),
    ]
    assert not User.objects.get(pk=alice.pk).memory_on


def test_a_sensitive_matter_that_was_noted_on_request_is_a_consent(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    from conversations.models import LearningOutcome

    tell(alice, "I have diabetes.")
    with acting_as(alice):
        held = LearningOutcome.objects.filter(user=alice).first()
    assert held is not None
    as_alice.post(f"/notes/{held.pk}/anyway/")
    (consent,) = [c for c in alice_api.get("consents").json()["results"] if "noted" in c["name"]]
    assert "diabetes" in consent["text"]
    page = as_alice.get("/notebook/privacy/").content.decode()
    assert "noted because you asked" in page
    as_alice.post("/notebook/privacy/consents/withdraw/", {"name": consent["name"]})
    assert "noted" not in names(alice_api)
