"""One request to an endpoint: to an address that was judged, within a few seconds."""

import asyncio
import ssl
import time
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from uuid import UUID

import httpx2
from django.conf import settings

from webhooks import addresses
from webhooks.models import WebhookDelivery

Failure = WebhookDelivery.Failure


@dataclass(frozen=True)
class Letter:
    """What is sent, and where."""

    delivery_id: UUID
    url: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Attempt:
    """How one attempt went; `code` is the status of the answer, None without one."""

    code: int | None
    failure: WebhookDelivery.Failure
    milliseconds: int

    @property
    def is_away(self) -> bool:
        """Whether the endpoint cannot take anything now, whatever it is sent."""
        busy = self.code is not None and (
            self.code >= 500 or self.code == HTTPStatus.TOO_MANY_REQUESTS
        )
        return busy or self.failure not in (Failure.NONE, Failure.STATUS)


def call(letter: Letter) -> Attempt:
    """POST it; of the answer only the status is read. Asks no database."""
    began = time.monotonic()
    code, failure = None, Failure.NONE
    try:
        if not letter.headers:
            failure = Failure.SECRET
        else:
            code = asyncio.run(_post(letter, addresses.resolve(letter.url)))
            failure = Failure.NONE if 200 <= code < 300 else Failure.STATUS
    except addresses.ForbiddenAddress:
        failure = Failure.ADDRESS
    except addresses.HostNotFound:
        failure = Failure.NAME
    except (TimeoutError, httpx2.TimeoutException):
        failure = Failure.TIMEOUT
    except (httpx2.HTTPError, OSError) as error:
        failure = Failure.TLS if _is_of_certificate(error) else Failure.CONNECTION
    return Attempt(code, failure, round((time.monotonic() - began) * 1000))


async def _post(letter: Letter, address: str) -> int:
    """Send to the address that was judged, and follow no redirect; returns the status."""
    target = httpx2.URL(letter.url)
    seconds = settings.WEBHOOKS["seconds"]
    sent = {
        **letter.headers,
        "host": target.netloc.decode(),
        "content-type": "application/json",
        "user-agent": f"Throughline/{settings.VERSION}",
    }
    client = httpx2.AsyncClient(trust_env=False, verify=_tls(), timeout=seconds)
    # In all, however slowly the answer comes.
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
    """Reading the certificates takes longer than a request."""
    return httpx2.create_ssl_context()


def _is_of_certificate(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error is not None
