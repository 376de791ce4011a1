"""Webhooks in words, for their pages."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

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


@dataclass(frozen=True)
class EndpointRow:
    """One line of the list."""

    endpoint: WebhookEndpoint
    title: str
    told: str
    status: str


@dataclass(frozen=True)
class DeliveryRow:
    """One line of the log."""

    delivery: WebhookDelivery
    what: str
    when: str
    status: str
    detail: str

    @property
    def failed(self) -> bool:
        """Whether its owner may want to send it again."""
        return self.delivery.state == State.FAILED or bool(self.delivery.failure)


def endpoint_row(endpoint: WebhookEndpoint, today: datetime) -> EndpointRow:
    """Describe one endpoint."""
    return EndpointRow(
        endpoint=endpoint,
        title=endpoint.name or endpoint.host,
        told=", ".join(endpoint.events),
        status=_status(endpoint, today),
    )


def delivery_rows(deliveries: Iterable[WebhookDelivery], today: datetime) -> list[DeliveryRow]:
    """Describe lines of the log."""
    return [
        DeliveryRow(
            delivery=delivery,
            what=_what(delivery),
            when=f"{day(delivery.at, today)}, {localtime(delivery.at):%H:%M:%S}",
            status=_STATES[State(delivery.state)],
            detail=_detail(delivery),
        )
        for delivery in deliveries
    ]


def shown_payload(delivery: WebhookDelivery) -> str:
    """What would be sent of it now, '' for what is gone; in its owner's open block."""
    try:
        told = payload_of(delivery)
    except Gone:
        return ""
    return json.dumps(told, cls=JSONEncoder, ensure_ascii=False, indent=2)


def _status(endpoint: WebhookEndpoint, today: datetime) -> str:
    if not endpoint.is_on:
        return _OFF[Off(endpoint.off_because)]
    if endpoint.failing_since is not None:
        return f"Failing since {day(endpoint.failing_since, today)}"
    return "On"


def _what(delivery: WebhookDelivery) -> str:
    if delivery.event == TEST_EVENT:
        return "Test event"
    return str(Event(delivery.event).label)


def _detail(delivery: WebhookDelivery) -> str:
    """'2 attempts · 503 · 84 ms · error response'."""
    if not delivery.attempts:
        return ""
    attempts = "1 attempt" if delivery.attempts == 1 else f"{delivery.attempts} attempts"
    told = [attempts, str(delivery.response_code or ""), f"{delivery.milliseconds} ms"]
    why = Failure(delivery.failure).label if delivery.failure else ""
    if delivery.state == State.WAITING:
        again = f"next attempt at {localtime(delivery.next_try_at):%H:%M:%S}"
        return " · ".join(filter(None, (*told, str(why), again)))
    return " · ".join(filter(None, (*told, str(why))))
