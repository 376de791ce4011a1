"""Whose an address is: changed after the password, counted once confirmed, never squatted."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts.models import User
from tests.people import PASSWORD, client_for

pytestmark = pytest.mark.django_db
PAGE = "/accounts/email/"
NEW = "alice@new.example"
PHRASE = "another long phrase 77"


@pytest.fixture(autouse=True)
def no_tries_so_far(db: None) -> None:
    cache.clear()


@pytest.fixture
def with_mail(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.CONFIRM_NEW_ADDRESS = True


def entered(user: User) -> Client:
    """A browser in which this person gave their password a moment ago."""
    client = client_for(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def address_of(user: User) -> str:
    return User.objects.get(pk=user.pk).email


def comes_in(email: str, password: str = PASSWORD) -> bool:
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": password})
    return "_auth_user_id" in client.session


def sign_up(email: str, password: str = PHRASE) -> None:
    Client().post("/accounts/signup/", {"email": email, "password1": password})


def link_in(message: mail.EmailMessage) -> str:
    found = re.search(r"http\S+(/accounts/\S+)", str(message.body))
    assert found
    return found[1]


def open_link(message: mail.EmailMessage, client: Client | None = None) -> None:
    (client or Client()).post(link_in(message))


@pytest.mark.parametrize("deed", ["action_add", "action_remove"])
def test_a_stolen_session_cannot_change_the_address(alice: User, deed: str) -> None:
    answer = client_for(alice).post(PAGE, {"email": NEW, deed: ""})
    if deed == "action_add":
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert address_of(alice) == alice.email


def test_without_mail_it_changes_at_once_and_nobody_is_locked_out(alice: User) -> None:
    entered(alice).post(PAGE, {"email": NEW, "action_add": ""})
    assert address_of(alice) == NEW
    assert comes_in(NEW)
    assert not comes_in("alice@example.org")
    sign_up("alice@example.org")
    assert User.objects.filter(email="alice@example.org").exists()


@pytest.mark.usefixtures("with_mail")
def test_with_mail_it_changes_once_the_link_is_opened_and_not_before(alice: User) -> None:
    client = entered(alice)
    client.post(PAGE, {"email": NEW, "action_add": ""})
    assert address_of(alice) == alice.email
    assert NEW in client.get(PAGE).content.decode()
    client.post(PAGE, {"email": NEW, "action_primary": ""})
    assert address_of(alice) == alice.email
    assert mail.outbox[-1].to == [NEW]
    open_link(mail.outbox[-1])
    assert address_of(alice) == NEW
    assert comes_in(NEW)


def test_an_address_of_somebody_else_is_refused(alice: User, bob: User) -> None:
    answer = entered(alice).post(PAGE, {"email": bob.email, "action_add": ""})
    assert "already" in answer.content.decode()
    assert address_of(alice) == alice.email


@pytest.mark.usefixtures("with_mail")
def test_an_address_that_somebody_only_claims_is_free_for_its_owner(alice: User) -> None:
    entered(alice).post(PAGE, {"email": "carol@example.org", "action_add": ""})
    claim = mail.outbox[-1]
    cache.clear()  # a link goes to one address only so often
    sign_up("carol@example.org")
    open_link(mail.outbox[-1])
    assert comes_in("carol@example.org", PHRASE)
    open_link(claim, entered(alice))
    assert address_of(alice) == alice.email


@pytest.mark.usefixtures("with_mail")
def test_a_claimed_address_opens_nothing_and_resets_nothing(alice: User) -> None:
    entered(alice).post(PAGE, {"email": "carol@example.org", "action_add": ""})
    assert not comes_in("carol@example.org")
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": "carol@example.org"})
    assert not [message for message in mail.outbox if "/reset/key/" in str(message.body)]


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize(("days", "freed"), [(1, False), (4, True)])
def test_an_account_never_confirmed_is_released_when_its_link_has_run_out(
    days: int, freed: bool
) -> None:
    sign_up("carol@example.org", "the squatter's phrase 1")
    squatter = User.objects.get(email="carol@example.org")
    User.objects.update(date_joined=now() - timedelta(days=days))
    cache.clear()
    sign_up("carol@example.org")
    holder = User.objects.get(email="carol@example.org")
    assert (holder.pk != squatter.pk) is freed
    assert mail.outbox[-1].to == ["carol@example.org"]
    assert holder.check_password(PHRASE) is freed
    # Until then the mail says how to come in all the same.
    assert ("/password/reset/" in str(mail.outbox[-1].body)) is not freed


@pytest.mark.usefixtures("with_mail")
def test_an_account_that_was_entered_is_never_released(alice: User) -> None:
    User.objects.update(date_joined=now() - timedelta(days=400), last_login=now())
    sign_up(alice.email)
    assert User.objects.get(email=alice.email).pk == alice.pk


@pytest.mark.parametrize("typed", ["alıce@example.org", "ALICE@example.org"])
def test_a_link_for_a_new_password_goes_to_the_address_of_the_account(
    alice: User, typed: str
) -> None:
    Client().post("/accounts/password/reset/", {"email": typed})
    assert [message.to for message in mail.outbox] == [[alice.email]]


@pytest.mark.parametrize(
    ("host", "ours"), [("localhost:6666", 8000), ("127.0.0.1", 8000), ("[::1]:22", 0)]
)
def test_no_port_of_a_host_header_reaches_a_link(
    alice: User, settings: Settings, host: str, ours: int
) -> None:
    settings.SITE_PORT = ours
    Client().post("/accounts/password/reset/", {"email": alice.email}, headers={"host": host})
    expected = host.rpartition(":")[0] if host.endswith(("66", "22")) else host
    expected += f":{ours}" if ours else ""
    assert f"http://{expected}/accounts/password/reset/key/" in str(mail.outbox[0].body)
