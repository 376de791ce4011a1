"""Somebody changes their mind while it is being done: what they are told is what happened."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils.timezone import now

from accounts import work
from accounts.access import addresses
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from memory.core.switch import switch_memory
from memory.lessons import contribution
from memory.models import LessonSupport
from personas.models import Persona
from privacy import account_deletion, retention
from privacy.tasks import do_what_is_due
from tests.interleaving import other_people, until_waiting_or_done
from tests.people import client_for, tell
from tests.personas.conftest import LESSON, Join, join, personas, qsr

__all__ = ["join", "personas", "qsr"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _letters(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def leaving(alice: User) -> User:
    """Alice said something, and the days of grace are over: a worker will delete the account."""
    tell(alice, "I live in Rome")
    User.objects.filter(pk=alice.pk).update(deleted_from=now() - timedelta(seconds=1))
    do_what_is_due()
    return alice


def is_there(user: User) -> bool:
    return User.objects.filter(pk=user.pk).exists()


def test_who_keeps_the_account_while_it_is_deleted_is_told_that_it_is_too_late(
    leaving: User,
) -> None:
    client = client_for(leaving)
    with other_people() as start:
        with acting_as(leaving):
            # Somebody writes in this conversation: the deletion waits in the middle of its work.
            list(Conversation.objects.for_user(leaving.pk).select_for_update())
            deletion = start(work.do_waiting_work)
            until_waiting_or_done(deletion)
            answer = start(lambda: client.post("/account/keep/"))
            until_waiting_or_done(answer, waiting=2)
        deletion.result()
        response = answer.result()
    kept = response.status_code == 302
    assert kept == is_there(leaving)
    if not kept:
        assert response.status_code == 410
        assert "already started" in response.content.decode()
        assert client.get("/account/delete/").status_code == 302


def test_who_keeps_the_account_before_it_is_deleted_keeps_all(leaving: User) -> None:
    with other_people() as start:
        with acting_as(leaving):
            assert account_deletion.keep(User.objects.get(pk=leaving.pk))
            deletion = start(lambda: account_deletion.delete_for(claim_of(leaving)))
            until_waiting_or_done(deletion)
        deletion.result()
    assert is_there(leaving)
    with acting_as(leaving):
        assert Conversation.objects.for_user(leaving.pk).exists()


def claim_of(user: User) -> work.Claim:
    """As a worker has it that claimed the work before it was withdrawn."""
    return work.Claim(user.pk, user.pk, account_deletion.KIND, user.pk, 1)


@pytest.mark.parametrize("deed", ["opts out", "leaves", "turns memory off"])
def test_no_lesson_is_supported_after_its_person_said_no(
    qsr: Persona, join: Join, deed: str
) -> None:
    """A lesson is just being contributed: the no is answered after that, and takes it back."""
    ann = join("ann@one.example")

    def say_no() -> None:
        with acting_as(ann):
            if deed == "opts out":
                contribution.opt_out(ann.pk)
            elif deed == "leaves":
                contribution.leave(ann.pk, qsr)
            else:
                switch_memory(User.objects.get(pk=ann.pk), on=False)

    with other_people() as start:
        with acting_as(ann):
            contribution.contribute_lesson(ann, qsr, LESSON, source="conversation")
            no = start(say_no)
            until_waiting_or_done(no)
            answered_before = no.done()
        no.result()
    with acting_as(ann):
        supported = LessonSupport.objects.exists()
    assert not answered_before
    # With memory off, what was shared before stays shared until it is withdrawn.
    assert supported == (deed == "turns memory off")


def test_withdrawing_the_consent_to_share_takes_the_support_back_as_it_says(
    qsr: Persona, join: Join
) -> None:
    ann = join("ann@one.example")
    with acting_as(ann):
        contribution.contribute_lesson(ann, qsr, LESSON, source="owner")
    client = client_for(ann)
    assert (
        client.post("/notebook/privacy/consents/withdraw/", {"name": "cohort"}).status_code == 302
    )
    with acting_as(ann):
        assert not LessonSupport.objects.exists()


def test_nothing_goes_any_more_once_it_is_answered_that_all_is_kept(alice: User) -> None:
    message = tell(alice, "I live in Rome")
    with acting_as(alice):
        retention.choose(alice.pk, conversation_days=30, retired_note_days=None)
        rows = Conversation.objects.for_user(alice.pk)
        rows.update(last_at=now() - timedelta(days=40))
        work.enqueue(alice, retention.KIND, alice.pk)
        claim = work.claim_here(alice.pk, retention.KIND, alice.pk)
    assert claim is not None

    def keep_for_ever() -> None:
        with acting_as(alice):
            retention.choose(alice.pk, conversation_days=None, retired_note_days=None)

    with other_people() as start:
        with acting_as(alice):
            assert retention._let_go(claim, message.conversation_id)
            choice = start(keep_for_ever)
            until_waiting_or_done(choice)
            answered_before = choice.done()
        choice.result()
    assert not answered_before


def test_an_account_that_is_just_entered_for_the_first_time_is_not_deleted(db: None) -> None:
    long_ago = now() - timedelta(days=400)
    claimed = User.objects.create_user("ann@example.org", date_joined=long_ago)
    with other_people() as start:
        with transaction.atomic():
            User.objects.filter(pk=claimed.pk).update(last_login=now())
            released = start(lambda: addresses.release(claimed.email))
            until_waiting_or_done(released)
        assert not released.result()
    assert is_there(claimed)
