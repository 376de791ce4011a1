"""A receiver of webhooks on this machine, and people who have registered one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.utils.timezone import now
from standardwebhooks import Webhook

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from webhooks import endpoints, sending
from webhooks.models import Event, WebhookDelivery, WebhookEndpoint


@dataclass
class Receiver:
    """What it was sent, and how it answers."""

    url: str = ""
    status: int = 200
    location: str = ""
    # Until it is set, no answer is sent.
    may_answer: threading.Event = field(default_factory=threading.Event)
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def verified(self, secret: str) -> list[dict[str, Any]]:
        """The events, each with a signature that holds."""
        return [Webhook(secret).verify(body, headers) for headers, body in self.requests]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver for the length of the block."""
    receiver = Receiver()
    receiver.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append((headers, body))
            receiver.may_answer.wait(30)
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hooks"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.may_answer.set()
        server.shutdown()
        server.server_close()
        thread.join()


def registered(
    user: User, url: str = "https://example.org/hooks", events: Any = tuple(Event.values)
) -> tuple[WebhookEndpoint, str]:
    """An endpoint of this person's, and its secret."""
    with acting_as(user):
        return endpoints.register(user, url, events)


def log_of(user: User) -> list[WebhookDelivery]:
    """All that was and is to be sent to this person's endpoints, the oldest first."""
    with acting_as(user):
        return list(WebhookDelivery.objects.filter(user=user).order_by("at", "pk"))


def told(user: User) -> list[str]:
    """The events that were written down for this person, the oldest first."""
    return [delivery.event for delivery in log_of(user)]


def send_all(user: User) -> None:
    """What the sweep and the worker do, in this thread."""
    sending.enqueue_due()
    with acting_as(user):
        due = Work.objects.filter(user=user, kind=endpoints.KIND, run_after__lte=now())
        keys = list(due.values_list("subject", flat=True))
    for key in keys:
        if claim := work.claim(user.pk, endpoints.KIND, key):
            sending.send_due(claim)


def let_it_be_due(user: User) -> None:
    """The time until the next attempts has passed, and no endpoint rests."""
    with acting_as(user):
        for endpoint in WebhookEndpoint.objects.filter(user=user):
            work.withdraw(user, endpoints.KIND, endpoint.pk)
        rows = WebhookDelivery.objects.filter(user=user, state=WebhookDelivery.State.WAITING)
        for delivery in rows:
            rows.filter(pk=delivery.pk).update(next_try_at=delivery.at)
