"""Sending: signed, tried again, turned off, sent again; and to no machine of this network."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils.timezone import now
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User, Work
from accounts.support import public_addresses
from ledger import erasure
from tests.people import let_time_pass, tell, the_fact
from tests.webhooks.receiver import (
    Receiver,
    let_it_be_due,
    log_of,
    receiving,
    registered,
    send_all,
)
from webhooks import addresses, endpoints, sending
from webhooks.models import WebhookDelivery, WebhookEndpoint

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOKS = settings.WEBHOOKS | {"private_addresses": True}
    with receiving() as made:
        yield made


def only(user: User) -> WebhookDelivery:
    (delivery,) = log_of(user)
    return delivery


def endpoint_of(user: User) -> WebhookEndpoint:
    with acting_as(user):
        return endpoints.of(user.pk).get()


def test_an_event_is_sent_once_with_a_signature_that_the_receiver_verifies(
    alice: User, receiver: Receiver
) -> None:
    _, secret = registered(alice, receiver.url)
    assert secret.startswith("whsec_")
    tell(alice, "I live in Rome")
    send_all(alice)
    send_all(alice)
    (event,) = receiver.verified(secret)
    assert event["type"] == "memory.added"
    assert event["data"]["resource"]["value"] == "Rome"
    ((headers, _),) = receiver.requests
    delivery = only(alice)
    assert headers["webhook-id"] == delivery.message_id
    assert headers["content-type"] == "application/json"
    assert (delivery.state, delivery.attempts, delivery.response_code) == (State.SENT, 1, 200)
    assert not Work.objects.exists()


def test_events_are_sent_in_the_order_in_which_they_happened(
    alice: User, receiver: Receiver
) -> None:
    _, secret = registered(alice, receiver.url)
    for place in ("Rome", "Paris"):
        tell(alice, f"My dog is called {place}")
        tell(alice, f"I speak {'German' if place == 'Rome' else 'French'}")
    send_all(alice)
    sent = [event["data"]["id"] for event in receiver.verified(secret)]
    assert sent == [str(delivery.subject) for delivery in log_of(alice)]


def test_what_fails_is_tried_again_later_and_later_under_the_same_id(
    alice: User, receiver: Receiver
) -> None:
    _, secret = registered(alice, receiver.url)
    receiver.status = 503
    tell(alice, "I live in Rome")
    send_all(alice)
    delivery = only(alice)
    assert (delivery.state, delivery.response_code) == (State.WAITING, 503)
    assert delivery.next_try_at > now()
    send_all(alice)
    assert len(receiver.requests) == 1
    let_it_be_due(alice)
    receiver.status = 204
    send_all(alice)
    assert (only(alice).state, only(alice).attempts) == (State.SENT, 2)
    assert len(receiver.verified(secret)) == 2
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 1
    waits = [sending.wait_after(attempts) for attempts in range(1, sending.MOST_ATTEMPTS)]
    assert waits[0] < 12
    assert waits[:7] == sorted(waits[:7])
    assert timedelta(days=1) < timedelta(seconds=sum(waits)) < timedelta(days=3)


def test_an_endpoint_that_is_away_rests_and_holds_up_no_other(
    alice: User, receiver: Receiver
) -> None:
    receiver.status = 500
    registered(alice, receiver.url)
    for text in ("I live in Rome", "I speak German", "My dog is called Rex"):
        tell(alice, text)
    send_all(alice)
    send_all(alice)
    assert len(receiver.requests) == 1
    assert [delivery.attempts for delivery in log_of(alice)] == [1, 0, 0]


def test_a_killed_worker_loses_nothing(alice: User, receiver: Receiver) -> None:
    endpoint, secret = registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    sending.enqueue_due()
    # It claims the work, and vanishes.
    assert work.claim(alice.pk, endpoints.KIND, endpoint.pk)
    send_all(alice)
    assert receiver.requests == []
    let_time_pass(alice)
    send_all(alice)
    assert len(receiver.verified(secret)) == 1


def test_whoever_lost_the_claim_writes_nothing_down(alice: User, receiver: Receiver) -> None:
    endpoint, _ = registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    sending.enqueue_due()
    late = work.claim(alice.pk, endpoints.KIND, endpoint.pk)
    assert late
    let_time_pass(alice)
    assert work.claim(alice.pk, endpoints.KIND, endpoint.pk)
    sending.send_due(late)
    assert only(alice).attempts == 0


def test_what_is_erased_before_it_is_sent_is_skipped(alice: User, receiver: Receiver) -> None:
    _, secret = registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    with acting_as(alice):
        erasure.erase(the_fact(alice, "location"))
    send_all(alice)
    assert [event["type"] for event in receiver.verified(secret)] == ["memory.removed"]
    assert [delivery.state for delivery in log_of(alice)] == [State.SKIPPED, State.SENT]
    assert "Rome" not in json.dumps([body.decode() for _, body in receiver.requests])


def test_it_gives_up_an_event_after_some_attempts(alice: User, receiver: Receiver) -> None:
    receiver.status = 500
    registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    with acting_as(alice):
        WebhookDelivery.objects.update(attempts=sending.MOST_ATTEMPTS - 1)
    send_all(alice)
    assert only(alice).state == State.FAILED
    assert endpoint_of(alice).is_on


def test_its_owner_hears_by_mail_of_a_webhook_that_is_added_or_goes_elsewhere(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        endpoint, _ = registered(alice)
        with acting_as(alice):
            endpoints.change(endpoint, url="https://other.example.org/hooks")
            endpoints.change(endpoint, name="Another name")
    assert [letter.to for letter in mail.outbox] == [[alice.email]] * 2
    assert [letter.subject for letter in mail.outbox] == [
        "A webhook was added",
        "A webhook was changed",
    ]
    assert "other.example.org" in mail.outbox[1].body


def test_an_endpoint_that_fails_for_days_is_turned_off_and_its_owner_hears_of_it(
    alice: User, receiver: Receiver, django_capture_on_commit_callbacks: Any
) -> None:
    receiver.status = 500
    registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    with acting_as(alice):
        WebhookEndpoint.objects.update(failing_since=now() - timedelta(days=6))
    with django_capture_on_commit_callbacks(execute=True):
        send_all(alice)
    assert endpoint_of(alice).off_because == WebhookEndpoint.Off.FAILING
    assert only(alice).state == State.FAILED
    assert "127.0.0.1" in mail.outbox[0].body
    with acting_as(alice):
        line = AuditEvent.objects.for_user(alice.pk).filter(deed="unshared").get()
    assert (line.by, line.before) == ("house", "Webhook")
    tell(alice, "I speak German")
    assert len(log_of(alice)) == 1


def test_no_redirect_is_followed(alice: User, receiver: Receiver) -> None:
    receiver.status, receiver.location = 302, receiver.url
    registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    send_all(alice)
    assert len(receiver.requests) == 1
    assert (only(alice).response_code, only(alice).failure) == (302, "status")


def test_an_endpoint_that_does_not_answer_is_waited_for_a_short_while(
    alice: User, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOKS = settings.WEBHOOKS | {"seconds": 0.2}
    receiver.may_answer.clear()
    registered(alice, receiver.url)
    tell(alice, "I live in Rome")
    send_all(alice)
    assert only(alice).failure == "timeout"


PRIVATE = (
    "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1"
    " 255.255.255.255 ::1 :: fe80::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 64:ff9b::7f00:1"
    " 2002:7f00:1:: 2001:0:7f00:1:: fec0::1 ::7f00:1"
).split()


def answering(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """Have every name resolved to these addresses."""
    monkeypatch.setattr(
        public_addresses.socket,
        "getaddrinfo",
        lambda *_, **__: [(0, 0, 0, "", (address, 443)) for address in found],
    )


@pytest.mark.parametrize("address", PRIVATE)
def test_a_machine_of_this_network_is_refused_when_it_is_registered(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "93.184.215.14", address)
    with pytest.raises(addresses.UnfitUrl, match="private network"):
        addresses.check("https://hooks.example.org/")


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://localhost:8000/",
    ],
)
def test_nor_is_one_reached_by_another_spelling(url: str) -> None:
    with pytest.raises(addresses.UnfitUrl):
        addresses.check(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.org/",
        "ftp://example.org/",
        "https://user:word@example.org/",
        "https://example.org/#there",
        "https://example.org:99999/",
        "https://example.org/\r\nX: 1",
        "https://example.org/" + "a" * 500,
    ],
)
def test_what_is_no_public_https_address_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "93.184.215.14")
    with pytest.raises(addresses.UnfitUrl):
        addresses.check(url)


def test_a_name_that_leads_elsewhere_by_now_is_not_called(
    alice: User, receiver: Receiver, settings: Settings
) -> None:
    registered(alice, receiver.url)
    settings.WEBHOOKS = settings.WEBHOOKS | {"private_addresses": False}
    tell(alice, "I live in Rome")
    send_all(alice)
    assert only(alice).failure == "address"
    assert receiver.requests == []


def test_it_connects_to_the_address_that_was_judged(
    alice: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A second look-up of the name would fail, and none is made.
    monkeypatch.setattr(addresses, "resolve", lambda _: "127.0.0.1")
    registered(alice, receiver.url.replace("127.0.0.1", "nobody.invalid"))
    tell(alice, "I live in Rome")
    send_all(alice)
    ((headers, _),) = receiver.requests
    assert headers["host"].startswith("nobody.invalid:")


def test_it_is_kept_for_some_weeks(alice: User, bob: User) -> None:
    for user in (alice, bob):
        registered(user)
        tell(user, "I live in Rome")
    with acting_as(alice):
        WebhookDelivery.objects.update(at=now() - timedelta(days=31))
    assert sending.drop_old() == 1
    assert (len(log_of(alice)), len(log_of(bob))) == (0, 1)
