"""Webhooks in words for their pages."""

import json
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime
from rest_framework.utils.encoders import JSONEncoder

from accounts.support.formatting import day
from webhooks.models import TEST_EVENT, Event, WebhookDelivery, WebhookEndpoint
from webhooks.payloads import Gone, payload_of

State, Failure, Off = WebhookDelivery.State, WebhookDelivery.Failure, WebhookEndpoint.Off
_STATES = {
    State.WAITING: "Waiting",
    State.SENT: "Sent",
    State.FAILED: "Failed",
    State.SKIPPED: "Not sent: its content was erased",
}
_OFF = {
    Off.OWNER: "Turned off by you",
    Off.FAILING: "Turned off: nothing could be delivered for several days",
    Off.GONE: "Turned off: the address reported that it no longer exists",
}


def endpoint_row(endpoint: WebhookEndpoint, today: datetime) -> dict[str, Any]:
    """Return an endpoint in words."""
    return {
        "endpoint": endpoint,
        "title": endpoint.name or endpoint.host,
        "told": ", ".join(endpoint.events),
        "status": _status(endpoint, today),
    }


def delivery_row(delivery: WebhookDelivery, today: datetime) -> dict[str, Any]:
    """Return a delivery in words."""
    is_test = delivery.event == TEST_EVENT
    return {
        "delivery": delivery,
        "what": "Test event" if is_test else Event(delivery.event).label,
        "when": f"{day(delivery.at, today)}, {localtime(delivery.at):%H:%M:%S}",
        "status": _STATES[State(delivery.state)],
        "detail": _detail(delivery),
        # The user may want to send it again.
        "failed": delivery.state == State.FAILED or bool(delivery.failure),
    }


def shown_payload(delivery: WebhookDelivery) -> str:
    """Return the payload as it would be sent now, '' if erased; within `acting_as(user)`."""
    try:
        payload = payload_of(delivery)
    except Gone:
        return ""
    return json.dumps(payload, cls=JSONEncoder, ensure_ascii=False, indent=2)


def _status(endpoint: WebhookEndpoint, today: datetime) -> str:
    if not endpoint.is_on:
        return _OFF[Off(endpoint.off_because)]
    if endpoint.failing_since is not None:
        return f"Failing since {day(endpoint.failing_since, today)}"
    return "On"


def _detail(delivery: WebhookDelivery) -> str:
    """Return e.g. '2 attempts · 503 · 84 ms · error response'."""
    if not delivery.attempts:
        return ""
    waits = delivery.state == State.WAITING
    parts = (
        "1 attempt" if delivery.attempts == 1 else f"{delivery.attempts} attempts",
        str(delivery.response_code or ""),
        f"{delivery.milliseconds} ms",
        str(Failure(delivery.failure).label) if delivery.failure else "",
        f"next attempt at {localtime(delivery.next_try_at):%H:%M:%S}" if waits else "",
    )
    return " · ".join(filter(None, parts))
