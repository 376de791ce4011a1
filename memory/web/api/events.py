"""API for changes of memory (server-sent events), and for traces of operations."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import asdict
from uuid import UUID

from django.conf import settings
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, page_of
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support import sse
from accounts.support.sse import EventStream
from memory import manager
from memory.core.tracing import trace_name
from memory.manager import TooLongAgo
from memory.models import MemoryOperation
from memory.namespaces import changes, registered, registry

# Streams wait in the event loop. Their database queries share fewer threads than there are
# connections, so that pages and answers get connections.
EVENTS = sse.Streams("events", lambda: settings.EVENT_STREAMS_PER_PERSON, threads=4)
_encode = JSONEncoder().encode
TRACE_ID = "^mem_[0-9a-f]{32}$"
_EVENT_NUMBER = {"type": "string", "pattern": "^[0-9]{0,18}$"}


class Events(PersonAPIView):
    """Endpoint that streams changes of memory."""

    for_scoped_tokens = True
    one_block = False
    renderer_classes = (JSONRenderer, EventStream)

    @extend_schema(
        operation_id="events_follow",
        parameters=[
            OpenApiParameter(
                "namespaces",
                {"type": "string", "minLength": 1},
                description="Namespaces to follow, separated by commas, such as "
                "`shared.people,focus.*`; defaults to all that the token can use. Naming one that "
                "it cannot use returns a 403.",
            ),
            OpenApiParameter(
                "Last-Event-ID",
                _EVENT_NUMBER,
                OpenApiParameter.HEADER,
                description="The `id` of the last event that you received; the events after it are "
                "sent. Without it, only changes from now on are sent.",
            ),
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                sse.EVENT_SCHEMA,
                description=(
                    "`change` events, each once and in the order of commits, with namespace, key, "
                    "version and kind (written, removed, cleared). Changes in the hot tier have "
                    "no number and are not sent again after a reconnect. `ready` comes first and "
                    "gives the number to continue from. `reset` means that the log no longer goes "
                    "back that far, so read everything again."
                ),
            ),
            400: Problem,
            401: Problem,
            403: Problem,
            429: Problem,
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Stream changes in your memory as server-sent events."""
        person = self.person(request)
        asked = request.query_params.get("namespaces", "*")
        names = _namespace_names(person.pk, asked, self.namespaces(request))
        number = _number(request.headers.get("Last-Event-ID", ""))
        try:
            stream = EVENTS.open(person.pk)
        except sse.TooManyStreams:
            raise Throttled(
                wait=5,
                detail=(
                    f"You’ve reached the limit of {settings.EVENT_STREAMS_PER_PERSON} open event "
                    "streams. Close one of them first."
                ),
            ) from None
        still_in = self.still_comes_in(request)
        return stream.waiting(_events(person, still_in, names, number))


class OperationOut(serializers.ModelSerializer[MemoryOperation]):
    """One operation on memory."""

    trace_id = serializers.SerializerMethodField()

    class Meta:
        model = MemoryOperation
        exclude = ("user",)

    def get_trace_id(self, row: MemoryOperation) -> str:
        """Id shared by all operations of one request or conversation turn."""
        return trace_name(row.trace_id)


class Traces(PersonAPIView):
    """Endpoint of the operations on a user's memory."""

    @extend_schema(
        operation_id="traces_list",
        parameters=[
            OpenApiParameter(
                "trace_id",
                str,
                pattern=TRACE_ID,
                description="Only operations from this request or turn.",
            ),
            OpenApiParameter("namespace", str, description="Only operations on this namespace."),
            OpenApiParameter(
                "verb",
                str,
                enum=MemoryOperation.Verb.values,
                description="Only operations of this kind.",
            ),
            *PAGING,
        ],
        responses={200: page_of(OperationOut), 400: Problem, 401: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """List operations on memory, newest first. They are deleted after a few days."""
        rows = MemoryOperation.objects.filter(user_id=self.person(request).pk)
        asked = request.query_params
        if "trace_id" in asked:
            rows = rows.filter(trace_id=_trace(asked["trace_id"]))
        for name in ("namespace", "verb"):
            if name in asked:
                rows = rows.filter(**{name: asked[name]})
        pages = Pages()
        page = pages.paginate_queryset(rows.order_by("-at", "-pk"), request, view=self) or []
        return pages.get_paginated_response(OperationOut(page, many=True).data)


def _trace(named: str) -> UUID:
    if re.fullmatch(TRACE_ID, named) is None:
        raise ValidationError(
            {"trace_id": ["A trace id is mem_ followed by 32 hexadecimal digits."]}
        )
    return UUID(named.removeprefix("mem_"))


def _namespace_names(user_id: UUID, asked: str, scopes: list[str]) -> set[str]:
    """Return the requested namespaces that the token may read.

    Raises ValidationError for an unknown pattern, and PermissionDenied for a pattern of which the
    token may read no namespace.
    """
    patterns = [part.strip() for part in asked.split(",") if part.strip()]
    if not patterns:
        raise ValidationError(
            {
                "namespaces": [
                    "Name at least one namespace, or leave the parameter out to follow them all."
                ]
            }
        )
    with acting_as(user_id):
        namespaces = registered.namespaces_of(user_id)
    known = {*registry.scopes(), *namespaces, "*"}
    if unknown := [pattern for pattern in patterns if pattern not in known]:
        raise ValidationError({"namespaces": [f"There is no namespace {unknown[0]!r}."]})
    within = registry.matching(scopes or ["*"], namespaces)
    if shut := [
        pattern for pattern in patterns if not registry.matching([pattern], namespaces) & within
    ]:
        raise PermissionDenied(f"This token can’t use {shut[0]}.")
    return registry.matching(patterns, namespaces) & within


def _number(last: str) -> int | None:
    if not last.strip():
        return None
    if not last.strip().isdecimal() or len(last) > 18:
        raise ValidationError(
            {"Last-Event-ID": ["Send the id of an event, which is a whole number."]}
        )
    return int(last)


async def _events(
    person: User, still_in: Callable[[], bool], names: set[str], number: int | None
) -> AsyncIterator[str]:
    """Yield `ready`, changes as they are committed, and comments that keep the stream open."""

    def latest() -> int:
        with acting_as(person):
            return changes.latest(person.pk)

    run = EVENTS.run
    if number is None:
        number = await run(latest)
    yield sse.event("ready", _encode({"number": number}), number)
    while True:
        try:
            news = manager.follow_changes(person.pk, number, names, run, sse.KEEP_ALIVE)
            async with aclosing(news):
                async for found in news:
                    # Ends for revoked tokens and after signing out.
                    if not await run(still_in):
                        return
                    for change in found:
                        yield sse.event("change", _encode(asdict(change)), change.number)
                    if not found:
                        yield sse.STILL_HERE
        except TooLongAgo as too_long:
            number = await run(latest)
            yield sse.event("reset", _encode({"number": number, "detail": str(too_long)}), number)
