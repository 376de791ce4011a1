"""Deleting an account: with the password, undone for some days, then for good."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.access import addresses, tokens
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from config import grants
from privacy import account_deletion
from privacy.tasks import do_what_is_due
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.people import PASSWORD

PAGE = "/account/delete/"
for_real = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _letters(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def over(user: User) -> None:
    """The days of grace are over, and the worker comes by."""
    User.objects.filter(pk=user.pk).update(deleted_from=now() - timedelta(seconds=1))
    do_what_is_due()
    work.do_waiting_work()


@for_real
def test_it_takes_the_password_and_can_be_undone(alice: User, as_alice: Client) -> None:
    assert "Delete your account?" in as_alice.get(PAGE).content.decode()
    wrong = as_alice.post(PAGE, {"password": "not it"})
    assert wrong.status_code == 422
    assert User.objects.get(pk=alice.pk).deleted_from is None
    assert as_alice.post(PAGE, {"password": PASSWORD}).status_code == 302
    leaving = User.objects.get(pk=alice.pk).deleted_from
    assert leaving is not None
    assert timedelta(days=6, hours=23) < leaving - now() < timedelta(days=7)
    assert "sign in" in mail.outbox[0].body
    assert mail.outbox[0].to == [alice.email]
    assert "Keep my account" in as_alice.get("/notebook/profile/").content.decode()
    as_alice.post("/account/keep/")
    over_now = User.objects.get(pk=alice.pk)
    assert over_now.deleted_from is None
    do_what_is_due()
    work.do_waiting_work()
    assert User.objects.filter(pk=alice.pk).exists()


@for_real
def test_after_the_days_of_grace_nothing_names_or_quotes_them(
    alice: User, bob: User, as_alice: Client
) -> None:
    fill_the_notebook_of(alice)
    fill_the_notebook_of(bob)
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    tokens.make(alice, name="A program", days=30, scopes=[])
    pseudonym = alice.audit_pseudonym
    before = everything_of(bob)
    assert account_deletion.left_of(alice.pk, alice.email)["memory_profilefact"]
    over(alice)
    assert not User.objects.filter(pk=alice.pk).exists()
    assert as_alice.get("/notebook/profile/").status_code == 302
    assert account_deletion.left_of(alice.pk, alice.email) == {}
    with grants.as_owner():
        lines = list(AuditEvent.objects.filter(pseudonym=pseudonym))
        told = " ".join(f"{line.before}{line.after}{line.why}" for line in lines)
    assert [line for line in lines if line.deed == "deleted" and "Deleted: " in line.why]
    assert not [word for word in ("Rome", "Paris", "Nicky", "office") if word in told]
    assert "has been deleted" in mail.outbox[-1].subject
    assert everything_of(bob) == before


def everything_of(user: User) -> dict[str, list[dict[str, Any]]]:
    from accounts.database import owned

    with acting_as(user):
        return {label: list(rows) for label, rows in owned.export(user.pk)}


@for_real
def test_a_letter_that_cannot_be_sent_keeps_nobody_here(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> int:
        raise OSError("no mail server")

    monkeypatch.setattr(addresses, "send_mail", away)
    over(alice)
    assert not User.objects.filter(pk=alice.pk).exists()


@pytest.mark.django_db
def test_a_demo_person_is_everybodys(alice: User, as_alice: Client, settings: Any) -> None:
    settings.DEMO = True
    User.objects.filter(pk=alice.pk).update(is_demo=True)
    refused = as_alice.post(PAGE, {"password": PASSWORD})
    assert refused.status_code == 422
    assert "demo account" in refused.content.decode()
