"""The pages and the API of webhooks, for their owner and for nobody else."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from tests.accounts.test_tokens import entered
from tests.people import Api, client_for, tell
from tests.webhooks.receiver import log_of, registered
from webhooks import endpoints
from webhooks.models import WebhookDelivery

pytestmark = pytest.mark.django_db
PAGE = "/account/webhooks/"
URL = "https://hooks.example.org/in?key=1"
NEW = {"url": URL, "name": "Home script", "events": ["memory.added", "conflict.opened"]}


@pytest.fixture(autouse=True)
def any_host_is_public(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    found = [(0, 0, 0, "", ("93.184.215.14", 443))]
    monkeypatch.setattr(
        "accounts.support.public_addresses.socket.getaddrinfo", lambda *_, **__: found
    )


def send(api: Api, method: str, path: str, body: Any = None) -> Any:
    return getattr(api.client, method)(
        f"/api/v1/{path}",
        data=body or {},
        content_type="application/json",
        headers={"Authorization": f"Token {api.token}"},
    )


def secret_on(page: str) -> str:
    found = re.search(r'id="secret"[^>]* value="(whsec_[^"]+)"', page)
    assert found
    return found[1]


def test_one_is_added_after_the_password_and_its_secret_is_shown_once(alice: User) -> None:
    assert (
        client_for(alice)
        .post(PAGE, NEW)
        .headers["Location"]
        .startswith("/accounts/reauthenticate/")
    )
    client = entered(alice)
    assert "No webhooks yet" in client.get(PAGE).content.decode()
    page = client.post(PAGE, NEW).content.decode()
    secret = secret_on(page)
    with acting_as(alice):
        endpoint = endpoints.of(alice.pk).get()
        line = AuditEvent.objects.for_user(alice.pk).get(deed="shared")
    assert endpoint.read_secret() == secret
    assert secret not in endpoint.encrypted_secret
    assert line.why == "Sends events to hooks.example.org"
    listed = client.get(PAGE).content.decode()
    assert "Home script" in listed
    assert "whsec_" not in listed


def test_there_can_be_so_many(alice: User, alice_api: Api, settings: Settings) -> None:
    settings.WEBHOOKS = settings.WEBHOOKS | {"endpoints": 1}
    registered(alice)
    assert "reached the limit of 1 webhooks" in entered(alice).post(PAGE, NEW).content.decode()
    assert alice_api.post("webhooks", NEW).status_code == 409


def test_it_is_changed_turned_off_and_on_and_deleted(alice: User) -> None:
    endpoint, first = registered(alice)
    client, here = entered(alice), f"{PAGE}{endpoint.pk}/"
    assert client.post(here, NEW).status_code == 302
    tell(alice, "I live in Rome")
    client.post(f"{here}switch/", {"on": "0"})
    assert "Turned off by you" in client.get(here).content.decode()
    assert log_of(alice)[0].state == WebhookDelivery.State.FAILED
    assert "turned off" in client.post(f"{here}test/", follow=True).content.decode()
    client.post(f"{here}switch/", {"on": "1"})
    assert secret_on(client.post(f"{here}secret/").content.decode()) != first
    (delivery,) = log_of(alice)
    client.post(f"{here}log/{delivery.pk}/")
    assert log_of(alice)[0].state == WebhookDelivery.State.WAITING
    with acting_as(alice):
        endpoint.refresh_from_db()
    assert (endpoint.url, endpoint.events) == (URL, ["conflict.opened", "memory.added"])
    client.post(f"{here}delete/")
    assert client.get(here).status_code == 404
    assert log_of(alice) == []


def test_by_api_it_is_registered_read_changed_and_deleted(alice: User, alice_api: Api) -> None:
    made = alice_api.post("webhooks", NEW)
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    path = f"webhooks/{made.json()['id']}"
    read = alice_api.get(path).json()
    assert (read["url"], read["on"], read["off_because"]) == (URL, True, "")
    assert "secret" not in read
    assert alice_api.get("webhooks").json()["results"] == [read]
    changed = send(alice_api, "patch", path, {"events": ["export.ready"], "on": False})
    assert changed.json()["events"] == ["export.ready"]
    assert changed.json()["off_because"] == "owner"
    assert alice_api.post(f"{path}/test").status_code == 409
    assert alice_api.post(f"{path}/secret").json()["secret"] != made.json()["secret"]
    assert send(alice_api, "delete", path).status_code == 204
    assert alice_api.get(path).status_code == 404


def test_a_stranger_and_nobody_reach_nothing(alice: User, bob: User, bob_api: Api) -> None:
    endpoint, _ = registered(alice)
    tell(alice, "I live in Rome")
    (delivery,) = log_of(alice)
    page, path = f"{PAGE}{endpoint.pk}/", f"webhooks/{endpoint.pk}"
    stranger = entered(bob)
    assert stranger.get(page).status_code == 404
    for deed in ("", "secret/", "switch/", "test/", "delete/", f"log/{delivery.pk}/"):
        assert stranger.post(f"{page}{deed}", NEW).status_code == 404
        assert Client().post(f"{page}{deed}", NEW).status_code == 302
    for method, rest in (
        ("get", ""),
        ("patch", ""),
        ("delete", ""),
        ("post", "/secret"),
        ("post", "/test"),
        ("get", "/deliveries"),
        ("get", f"/deliveries/{delivery.pk}"),
        ("post", f"/deliveries/{delivery.pk}/send"),
    ):
        assert send(bob_api, method, path + rest).status_code == 404
        assert getattr(Client(), method)(f"/api/v1/{path}{rest}").status_code == 401
    assert bob_api.get("webhooks").json()["count"] == 0
