"""Sending due deliveries: found by a sweep, claimed per endpoint, retried with growing delays.

An endpoint may be slow or down for days, so each is called from its own thread with a short
timeout, and is retried less often the longer it fails.
"""

import asyncio
import random
import ssl
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from http import HTTPStatus
from uuid import UUID

import httpx2
import structlog
from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as, acting_as_worker
from accounts.models import User, Work
from accounts.support.best_effort import best_effort
from accounts.support.public_addresses import ForbiddenAddress, HostNotFound
from webhooks import addresses, endpoints
from webhooks.endpoints import KIND
from webhooks.models import WebhookDelivery, WebhookEndpoint
from webhooks.payloads import Gone, body_of, payload_of

log = structlog.get_logger(__name__)

State, Failure, Off = WebhookDelivery.State, WebhookDelivery.Failure, WebhookEndpoint.Off
# Attempts per event: the last one is two days after the first.
MOST_ATTEMPTS = 10
# Seconds until the second attempt; each delay is four times the one before, up to a maximum.
_FIRST_WAIT, _LONGEST_WAIT = 10.0, 12 * 3600.0
# Pause of an endpoint that is down, in seconds: as long as it has been down, within these limits.
_SHORTEST_REST, _LONGEST_REST = 10.0, 300.0
# Deliveries to one endpoint before others get their turn, and endpoints called concurrently.
_IN_A_ROW, _AT_ONCE = 20, 8
_threads = threading.BoundedSemaphore(_AT_ONCE)


@dataclass(frozen=True)
class Letter:
    """The HTTP request of a delivery."""

    delivery_id: UUID
    url: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Attempt:
    """The result of one attempt; `code` is the HTTP status, None without a response."""

    code: int | None
    failure: WebhookDelivery.Failure
    milliseconds: int

    @property
    def is_away(self) -> bool:
        """Return whether the endpoint is down or overloaded, so that others would fail too."""
        busy = self.code is not None and (
            self.code >= 500 or self.code == HTTPStatus.TOO_MANY_REQUESTS
        )
        return busy or self.failure not in (Failure.NONE, Failure.STATUS)


# --- The sweep ------------------------------------------------------------------------------------


def enqueue_due(most: int = 200) -> int:
    """Enqueue jobs for endpoints with due deliveries and no job; return their number."""
    with acting_as_worker():
        waiting = Work.objects.filter(kind=KIND, subject=OuterRef("endpoint_id"))
        due = WebhookDelivery.objects.filter(state=State.WAITING, next_try_at__lte=now())
        owners = due.exclude(Exists(waiting)).order_by().values_list("user_id", "endpoint_id")
        endpoint_keys = list(owners.distinct()[:most])
    people = User.objects.in_bulk([user_id for user_id, _ in endpoint_keys])
    for user_id, endpoint_id in endpoint_keys:
        if user := people.get(user_id):
            with acting_as(user):
                work.enqueue(user, KIND, endpoint_id)
    return len(endpoint_keys)


def drop_old(most: int = 500) -> int:
    """Delete old deliveries of at most `most` users; return the number of users."""
    before = now() - timedelta(days=settings.WEBHOOKS["kept_days"])
    with acting_as_worker():
        old = WebhookDelivery.objects.filter(at__lt=before).order_by()
        owners = list(old.values_list("user_id", flat=True).distinct()[:most])
    for user_id in owners:
        with acting_as(user_id):
            WebhookDelivery.objects.filter(user_id=user_id, at__lt=before).delete()
    return len(owners)


# --- The worker -----------------------------------------------------------------------------------


def send_for(claim: work.Claim) -> None:
    """Send the due deliveries of a job in a thread, not blocking the worker; worker entry point."""
    if not _threads.acquire(blocking=False):
        raise work.PutOff(1)

    def send() -> None:
        try:
            with best_effort(lambda error: _give_back(claim, error)):
                send_due(claim)
        finally:
            _threads.release()
            connection.close()

    threading.Thread(target=send, name="webhooks", daemon=True).start()


def _give_back(claim: work.Claim, error: Exception) -> None:
    log.error("webhooks_failed", work=str(claim.work_id), error=type(error).__name__)
    with best_effort(lambda _: None), claim.acting():
        work.give_back(claim, type(error).__name__)


def send_due(claim: work.Claim) -> None:
    """Send due deliveries of one endpoint, oldest first, until it is down or the limit reached."""
    with work.keeping(claim):
        for _ in range(_IN_A_ROW):
            letter = _next_letter(claim)
            if letter is None or not _record(claim, letter, call(letter)):
                return
    with acting_as(claim.user_id):
        work.finish(claim)


def _due(claim: work.Claim) -> QuerySet[WebhookDelivery]:
    rows = WebhookDelivery.objects.filter(user_id=claim.user_id, endpoint_id=claim.subject)
    return rows.filter(state=State.WAITING, next_try_at__lte=now()).order_by("at", "pk")


def _next_letter(claim: work.Claim) -> Letter | None:
    """Return the request of the oldest due delivery; None if there is none or the claim is lost."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        endpoint = endpoints.of(claim.user_id).filter(pk=claim.subject, off_because=Off.ON).first()
        letter = _oldest_letter(claim, endpoint) if endpoint else None
        if letter is None:
            work.finish(claim)
        return letter


def _oldest_letter(claim: work.Claim, endpoint: WebhookEndpoint) -> Letter | None:
    for delivery in _due(claim)[:_IN_A_ROW]:
        try:
            body = body_of(payload_of(delivery))
        except Gone:
            _due(claim).filter(pk=delivery.pk).update(state=State.SKIPPED)
            continue
        headers = endpoint.signed_headers(delivery.message_id, now(), body)
        return Letter(delivery.pk, endpoint.url, headers, body)
    return None


def _record(claim: work.Claim, letter: Letter, attempt: Attempt) -> bool:
    """Store the result of an attempt; return whether to continue with the next delivery."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return False
        endpoint = endpoints.of(claim.user_id).filter(pk=claim.subject).first()
        rows = WebhookDelivery.objects.filter(user_id=claim.user_id, pk=letter.delivery_id)
        delivery = rows.first()
        if endpoint is None or delivery is None:
            work.finish(claim)
            return False
        _record_on(delivery, attempt)
        _record_failing(endpoint, attempt)
        if not endpoint.is_on:
            work.finish(claim)
        elif attempt.is_away:
            work.put_off(claim, attempt.failure, seconds=_rest(endpoint))
        return endpoint.is_on and not attempt.is_away


def _record_on(delivery: WebhookDelivery, attempt: Attempt) -> None:
    delivery.attempts += 1
    delivery.last_try_at = now()
    delivery.response_code, delivery.failure = attempt.code, attempt.failure
    delivery.milliseconds = attempt.milliseconds
    if attempt.failure == Failure.NONE:
        delivery.state = State.SENT
    elif delivery.attempts >= MOST_ATTEMPTS:
        delivery.state = State.FAILED
    else:
        delivery.next_try_at = now() + timedelta(seconds=wait_after(delivery.attempts))
    delivery.save()


def _record_failing(endpoint: WebhookEndpoint, attempt: Attempt) -> None:
    """Update since when the endpoint fails; turn it off if it is gone or has failed for days."""
    if attempt.failure == Failure.NONE:
        if endpoint.failing_since is not None:
            endpoint.failing_since = None
            endpoint.save(update_fields=["failing_since"])
        return
    if endpoint.failing_since is None:
        endpoint.failing_since = now()
        endpoint.save(update_fields=["failing_since"])
    longest = timedelta(days=settings.WEBHOOKS["failing_days"])
    if attempt.code == HTTPStatus.GONE:
        endpoints.turn_off(endpoint, Off.GONE)
    elif now() - endpoint.failing_since > longest:
        endpoints.turn_off(endpoint, Off.FAILING)


def _rest(endpoint: WebhookEndpoint) -> float:
    away = (now() - (endpoint.failing_since or now())).total_seconds()
    return min(max(away, _SHORTEST_REST), _LONGEST_REST)


def wait_after(attempts: int) -> float:
    """Return the seconds until the next attempt, with jitter."""
    wait: float = min(_FIRST_WAIT * 4 ** (attempts - 1), _LONGEST_WAIT)
    return wait * random.uniform(0.9, 1.1)  # noqa: S311


# --- One request: to a checked address, with a short timeout --------------------------------------


def call(letter: Letter) -> Attempt:
    """POST the request and return the result; reads only the status, and no database."""
    began = time.monotonic()
    code, failure = None, Failure.NONE
    try:
        if not letter.headers:
            failure = Failure.SECRET
        else:
            code = asyncio.run(_post(letter, addresses.resolve(letter.url)))
            failure = Failure.NONE if 200 <= code < 300 else Failure.STATUS
    except ForbiddenAddress:
        failure = Failure.ADDRESS
    except HostNotFound:
        failure = Failure.NAME
    except (TimeoutError, httpx2.TimeoutException):
        failure = Failure.TIMEOUT
    except (httpx2.HTTPError, OSError) as error:
        failure = Failure.TLS if _is_of_certificate(error) else Failure.CONNECTION
    return Attempt(code, failure, round((time.monotonic() - began) * 1000))


async def _post(letter: Letter, address: str) -> int:
    """Send the request to the checked address without following redirects; return the status."""
    target = httpx2.URL(letter.url)
    seconds = settings.WEBHOOKS["seconds"]
    sent = {
        **letter.headers,
        "host": target.netloc.decode(),
        "content-type": "application/json",
        "user-agent": f"Throughline/{settings.VERSION}",
    }
    client = httpx2.AsyncClient(trust_env=False, verify=_tls(), timeout=seconds)
    # Total timeout, also for a slow response.
    async with asyncio.timeout(seconds), client:
        request = client.build_request(
            "POST",
            target.copy_with(host=address),
            content=letter.body,
            headers=sent,
            extensions={"sni_hostname": target.host},
        )
        response = await client.send(request, stream=True)
        await response.aclose()
        return response.status_code


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return the TLS context, cached because loading certificates is slow."""
    return httpx2.create_ssl_context()


def _is_of_certificate(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error is not None
