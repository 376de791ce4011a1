"""Registering and changing endpoints, and requesting deliveries; within `acting_as(user)`."""

from collections.abc import Collection
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.timezone import now

from accounts import audit, work
from accounts.access.addresses import mail_later
from accounts.audit import Action, By
from accounts.models import User
from accounts.support.refusals import Refused
from webhooks.models import TEST_EVENT, WebhookDelivery, WebhookEndpoint

# The kind of job that sends due deliveries to an endpoint.
KIND = "webhooks"
_NAME = "Webhook"
Off = WebhookEndpoint.Off
State = WebhookDelivery.State


class TooMany(Refused):
    """Raised when the user has the maximum number of endpoints."""


class TurnedOff(Refused):
    """Raised when the endpoint is turned off."""


def of(user_id: UUID) -> QuerySet[WebhookEndpoint]:
    """Return the user's endpoints, newest first."""
    return WebhookEndpoint.objects.filter(user_id=user_id).order_by("-created_at", "-pk")


def log_of(endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
    """Return the sent and waiting deliveries of an endpoint, newest first."""
    rows = WebhookDelivery.objects.filter(user_id=endpoint.user_id, endpoint=endpoint)
    return rows.order_by("-at", "-pk")


def register(
    user: User, url: str, events: Collection[str], name: str = ""
) -> tuple[WebhookEndpoint, str]:
    """Register a checked URL; return the endpoint and its secret. Raises TooMany."""
    # Lock, so that concurrent registrations respect the limit.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    most = settings.WEBHOOKS["endpoints"]
    if of(user.pk).count() >= most:
        raise TooMany(
            f"You’ve reached the limit of {most} webhooks. Delete one you no longer need."
        )
    endpoint = WebhookEndpoint(user=user, url=url, name=name, events=sorted(set(events)))
    secret = endpoint.make_secret()
    endpoint.save()
    _log(endpoint, Action.SHARED)
    _tell_owner(user, "A webhook was added", _ADDED.format(host=endpoint.host))
    return endpoint, secret


def change(
    endpoint: WebhookEndpoint,
    *,
    url: str | None = None,
    events: Collection[str] | None = None,
    name: str | None = None,
    on: bool | None = None,
) -> None:
    """Change the given fields; waiting deliveries go to a new URL too."""
    if url is not None and url != endpoint.url:
        _log(endpoint, Action.UNSHARED)
        endpoint.url, endpoint.failing_since = url, None
        _log(endpoint, Action.SHARED)
        _tell_owner(endpoint.user, "A webhook was changed", _ADDED.format(host=endpoint.host))
    endpoint.events = endpoint.events if events is None else sorted(set(events))
    endpoint.name = endpoint.name if name is None else name
    endpoint.save(update_fields=["url", "events", "name", "failing_since"])
    if on is True and not endpoint.is_on:
        _set_off(endpoint, Off.ON)
        _log(endpoint, Action.SHARED)
    elif on is False and endpoint.is_on:
        turn_off(endpoint, Off.OWNER)


def turn_off(endpoint: WebhookEndpoint, because: WebhookEndpoint.Off) -> None:
    """Turn an endpoint off and cancel waiting deliveries; e-mail the user unless they did it."""
    _set_off(endpoint, because)
    log_of(endpoint).filter(state=State.WAITING).update(state=State.FAILED)
    by_hand = because == Off.OWNER
    _log(endpoint, Action.UNSHARED, by=By.OWNER if by_hand else By.HOUSE)
    if not by_hand:
        text = _OFF.format(host=endpoint.host, why=_WHY[because])
        _tell_owner(endpoint.user, "A webhook was turned off", text)


def remove(endpoint: WebhookEndpoint) -> None:
    """Delete an endpoint with its log."""
    if endpoint.is_on:
        _log(endpoint, Action.UNSHARED)
    work.withdraw(endpoint.user, KIND, endpoint.pk)
    endpoint.delete()


def renew_secret(endpoint: WebhookEndpoint) -> str:
    """Return a new secret, which replaces the old one."""
    secret = endpoint.make_secret()
    endpoint.save(update_fields=["encrypted_secret"])
    return secret


def send_test(endpoint: WebhookEndpoint) -> WebhookDelivery:
    """Enqueue a test event and return its delivery. Raises TurnedOff."""
    _refuse_off(endpoint)
    delivery = WebhookDelivery.objects.create(
        user=endpoint.user, endpoint=endpoint, event=TEST_EVENT
    )
    work.enqueue_anew(endpoint.user, KIND, endpoint.pk)
    return delivery


def send_again(delivery: WebhookDelivery) -> None:
    """Enqueue an event again, with the same id. Raises TurnedOff."""
    _refuse_off(delivery.endpoint)
    delivery.state, delivery.attempts, delivery.next_try_at = State.WAITING, 0, now()
    delivery.save(update_fields=["state", "attempts", "next_try_at"])
    work.enqueue_anew(delivery.user, KIND, delivery.endpoint_id)


def _refuse_off(endpoint: WebhookEndpoint) -> None:
    if not endpoint.is_on:
        raise TurnedOff("This webhook is turned off. Turn it on first.")


def _set_off(endpoint: WebhookEndpoint, because: WebhookEndpoint.Off) -> None:
    endpoint.off_because = because
    endpoint.off_since = None if because == Off.ON else now()
    endpoint.failing_since = None
    endpoint.save(update_fields=["off_because", "off_since", "failing_since"])


def _log(endpoint: WebhookEndpoint, deed: Action, by: By = By.OWNER) -> None:
    """Log the host in the history, without the rest of the URL, which may contain a key."""
    before, after = ("", _NAME) if deed == Action.SHARED else (_NAME, "")
    why = f"Sends events to {endpoint.host}"
    audit.record(
        endpoint.user_id, deed, by=by, subject=endpoint.pk, before=before, after=after, why=why
    )


_WHY = {
    Off.FAILING: "Nothing could be delivered to it for several days.",
    Off.GONE: "It reported that it no longer exists (410).",
}
_ADDED = """From now on, events about your memory will be sent to {host}.

If you didn’t expect this, delete the webhook under “Webhooks” on your account page, and revoke
your API tokens.
"""
_OFF = """Your webhook to {host} was turned off.

{why} You can see what was tried, and turn it on again, under “Webhooks” on your account page.
"""


def _tell_owner(user: User, subject: str, text: str) -> None:
    """E-mail the user about a change a stolen token may have made. Sub-users get no e-mail."""
    if not user.is_sub_user:
        mail_later(user.email, subject, text)
