"""Middleware for caching, request ids and request logs.

A log line has the route of a request, never its path or query, which may contain names.
"""

import re
import time
from typing import Any
from uuid import UUID, uuid4

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.deprecation import MiddlewareMixin
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import (
    bind_extra_request_finished_metadata,
    bind_extra_request_metadata,
)
from structlog.contextvars import bind_contextvars, reset_contextvars

from accounts.support.measuring import measure, measure_listeners
from accounts.support.visit import Visit, current_visit

# Pages that are the same for everybody: cacheable, but revalidated. Not the landing page, which
# contains a CSRF token. Static files are served before this middleware, with their own
# headers.
PUBLIC = {"api-schema", "api-docs", "manifest", "robots"}


class InTheLoop(MiddlewareMixin):
    """A middleware with quick steps, which under ASGI run in the event loop."""

    def process_request(self, request: HttpRequest) -> None:
        """Process the request before the view; does nothing by default."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, unchanged by default."""
        return response

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request under ASGI."""
        self.process_request(request)
        response: HttpResponseBase = await self.get_response(request)  # type: ignore[misc]
        return self.process_response(request, response)


class KeepNothing(InTheLoop):
    """Sets `no-store` on all responses except a few public ones, for shared computers."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with its Cache-Control header."""
        match = request.resolver_match
        public = match is not None and match.view_name in PUBLIC
        if "no-store" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "no-cache" if public else "no-store"
        return response


REQUEST_ID = "X-Request-ID"
# Allowed characters of a client's request id: no words, no line breaks.
_PLAIN_TOKEN = re.compile(r"[A-Za-z0-9._-]{1,64}")


class NameRequests(InTheLoop):
    """Gives each request an id (the client's if safe) for logs, problems and the response."""

    def process_request(self, request: HttpRequest) -> None:
        """Set the id where the logging middleware reads it."""
        sent = request.META.get("HTTP_X_REQUEST_ID", "")
        name = sent if _PLAIN_TOKEN.fullmatch(sent) else str(uuid4())
        request.META["HTTP_X_REQUEST_ID"] = name
        request._context = bind_contextvars(request_id=name)  # type: ignore[attr-defined]

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with its request id."""
        reset_contextvars(**request._context)  # type: ignore[attr-defined]
        response[REQUEST_ID] = request.META["HTTP_X_REQUEST_ID"]
        return response


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class MeasureVisits(InTheLoop):
    """Measures each request by its route, until the answer, or the beginning of a stream, is there.

    What is logged meanwhile can name it.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Take the time, and tell which request it is."""
        request._measured_from = time.monotonic()  # type: ignore[attr-defined]
        name = request.META["HTTP_X_REQUEST_ID"]
        current_visit.set(Visit(name, lambda: f"{request.method} {route_of(request)}"))

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The response, measured. A stream goes on in the name of its request."""
        if not response.streaming:
            current_visit.set(None)
        if measure_listeners:
            measure(
                "http_request",
                time.monotonic() - request._measured_from,  # type: ignore[attr-defined]
                method=request.method if request.method in METHODS else "other",
                route=_route_without_ids(request),
                status=str(response.status_code),
            )
        return response


def _route_without_ids(request: HttpRequest) -> str:
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return NO_ADDRESS
    return f"/{match.route}"


NO_ADDRESS = "no such address"
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def route_of(request: HttpRequest) -> str:
    """Return the route of a request, with ids but without other path values."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return NO_ADDRESS

    def filled(parameter: "re.Match[str]") -> str:
        value = match.kwargs.get(parameter[1])
        return str(value) if isinstance(value, UUID | int) else parameter[0]

    return "/" + _PARAMETER.sub(filled, match.route)


class LogVisits(RequestMiddleware):
    """Logs each request by route, with status and duration."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Return the method and the route."""
        return f"{request.method} {route_of(request)}"


@receiver(bind_extra_request_metadata)
def note_the_address(request: HttpRequest, **_: Any) -> None:
    """Log the client's address as rate limits use it: headers are trusted as PROXIES says."""
    bind_contextvars(ip=address_of(request))
    request._began = time.monotonic()  # type: ignore[attr-defined]


@receiver(bind_extra_request_finished_metadata)
def note_the_duration(request: HttpRequest, log_kwargs: dict[str, Any], **_: Any) -> None:
    """Log how long the response, or the start of a stream, took."""
    seconds = time.monotonic() - request._began  # type: ignore[attr-defined]
    log_kwargs["milliseconds"] = round(seconds * 1000)


def address_of(request: HttpRequest) -> str:
    """Return the client's address, or the last proxy's if headers do not say."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied, ValueError):
        return str(request.META.get("REMOTE_ADDR", ""))
