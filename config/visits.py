"""Of a visit: what a browser may keep of the answer, and where the log says that it came from."""

from collections.abc import Callable
from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from asgiref.sync import iscoroutinefunction
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django_structlog.signals import bind_extra_request_metadata

# The same for everybody: these may be kept, and are asked about each time. The landing page is not,
# it carries the visitor's own form token. Static files are answered before, and say themselves how
# long they may be kept.
PUBLIC = {"api-schema", "api-docs"}


@sync_and_async_middleware
def keep_nothing(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Every answer is `Cache-Control: no-store` but for the few that are public.

    What stood on a page must not come back from a shared machine's cache after its reader left.
    """

    def closed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        public = match is not None and match.view_name in PUBLIC
        if "no-store" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "no-cache" if public else "no-store"
        return response

    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            return closed(request, await get_response(request))

        return asynchronous
    return lambda request: closed(request, get_response(request))


@receiver(bind_extra_request_metadata)
def note_the_address(request: HttpRequest, **_: Any) -> None:
    """Where it came from, as the limits count it: a header is believed as far as PROXIES reach."""
    structlog.contextvars.bind_contextvars(ip=address_of(request))


def address_of(request: HttpRequest) -> str:
    """The visitor's address, or the last proxy's where the headers do not tell."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied, ValueError):
        return str(request.META.get("REMOTE_ADDR", ""))
