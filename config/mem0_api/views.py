"""mem0's addresses: adding, searching, listing, reading, changing and removing memories."""

from collections.abc import Iterable
from typing import Any

from django.urls import path
from rest_framework.exceptions import (
    NotFound,
    PermissionDenied,
    ValidationError,
)
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import scopes, sub_users, tokens
from accounts.access.api import PersonAPIView
from accounts.database.isolation import acting_as
from accounts.models import ApiToken
from config.mem0_api import adding, bodies, filters, shapes
from config.mem0_api.subjects import Subject, is_service, subject_of, subject_of_memory
from ledger.history import log_search
from memory.core import Refused
from memory.web import (
    KnownItem,
    find_known_item,
    ids_over_time,
    list_known_items,
    remove_known_item,
    reword_known_item,
    search_known_items,
)
from privacy import account_deletion

_UNNAMED = "mem0"
_FOUND = 20


class Mem0View(PersonAPIView):
    """An operation whose requests and answers have mem0's shapes."""

    # Whose block it is, the request tells.
    one_block = False
    # mem0 describes it.
    schema = None

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """JSON, whatever a client says it accepts."""
        return JSONRenderer(), "application/json"

    def handle_exception(self, exc: Exception) -> Response:
        """Return an expected error as JSON, whose `detail` mem0's clients read."""
        response = super().handle_exception(exc)
        response.content_type = "application/json"
        return response

    def _refuse_unfit_parameters(self, request: Request, handler: Any) -> None:
        """Clients add some of their own service."""


class Ping(Mem0View):
    """Whether a token is good."""

    def scope_needed(self, request: Request) -> str:
        """None: nothing is read."""
        return ""

    def get(self, request: Request) -> Response:
        """Answer a client that begins. It needs two ids, of which there is one each; an address
        would go to its makers with its statistics.
        """
        ids = {"org_id": "throughline", "project_id": "throughline"}
        return Response({"status": "ok", **ids, "user_email": None})


class Add(Mem0View):
    """Adding messages."""

    def post(self, request: Request) -> Response:
        """Learn from messages, or store them without `infer`."""
        asked = bodies.read(bodies.AddRequest, request.data)
        subject, agent = subject_of(request, asked.named, create=True), _agent(request)
        if asked.infer is False:
            return Response(adding.store(asked, subject, agent))
        return Response(adding.learn(asked, subject, agent))


class Search(Mem0View):
    """Searching memories."""

    post_reads = True

    def post(self, request: Request) -> Response:
        """Find memories by words and meaning, the best match first."""
        asked = bodies.read(bodies.SearchRequest, request.data)
        subject, fits = _narrowed(request, asked)
        with acting_as(subject.person):
            found = search_known_items(subject.person.pk, asked.query, at_least=asked.threshold)
        rows = [shapes.memory(item, subject, score) for item, score in found]
        most = asked.top_k or asked.limit or _FOUND
        return Response({"results": [row for row in rows if fits(row)][:most]})


class _PagesOfMem0(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class Memories(Mem0View):
    """All memories of a person."""

    post_reads = True

    def post(self, request: Request) -> Response:
        """List memories, newest first."""
        asked = bodies.read(bodies.ListRequest, request.data)
        subject, fits = _narrowed(request, asked)
        with acting_as(subject.person):
            items = list_known_items(subject.person.pk)
        rows = [row for row in (shapes.memory(item, subject) for item in items) if fits(row)]
        pages = _PagesOfMem0()
        page = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response(page)


class AllMemories(Mem0View):
    """Removing all memories of a person."""

    def delete(self, request: Request) -> Response:
        """Take all memories of the person named by `user_id` out of use."""
        asked = request.query_params
        named = asked.get("user_id")
        if named is None or {"agent_id", "app_id", "run_id", "metadata"} & set(asked):
            raise ValidationError({"user_id": ["Send a user_id and nothing else."]})
        subject = subject_of(request, named)
        with acting_as(subject.person):
            for item in list_known_items(subject.person.pk):
                remove_known_item(item)
        return Response({"message": "Memories deleted successfully!"})


class OneMemory(Mem0View):
    """One memory."""

    def get(self, request: Request, memory_id: str) -> Response:
        """Read a memory, or the one that took its place."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            return Response(shapes.memory(_found(subject, pk), subject))

    def put(self, request: Request, memory_id: str) -> Response:
        """Give a memory another text; the old one stays in its history."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            item = _found(subject, pk)
            asked = bodies.read(bodies.UpdateRequest, request.data)
            return Response(shapes.memory(_reworded(item, asked.text, "text"), subject))

    def delete(self, request: Request, memory_id: str) -> Response:
        """Take a memory out of use."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            remove_known_item(_found(subject, pk))
        return Response({"message": "Memory deleted successfully!"})


class History(Mem0View):
    """The history of a memory."""

    def get(self, request: Request, memory_id: str) -> Response:
        """List what was done to a memory, the oldest change first."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            ids = ids_over_time(subject.person.pk, pk)
            if not ids:
                raise NotFound
            lines = log_search.find(subject.person.pk, log_search.LogQuery())
            return Response(shapes.history(lines.filter(subject__in=ids), memory_id, subject))


class Entities(Mem0View):
    """The people of a service."""

    def get(self, request: Request) -> Response:
        """List the people whom the service created; for any other token its owner."""
        person = self.person(request)
        if not is_service(request):
            own = subject_of(request, None)
            shown = {"id": str(person.pk), "name": own.name, "type": "user"}
            return Response(shapes.page([shown]))
        with acting_as(person):
            return Response(shapes.page([shapes.entity(row) for row in sub_users.of(person)]))


class OneEntity(Mem0View):
    """One of the people of a service."""

    def delete(self, request: Request, kind: str, who: str) -> Response:
        """Delete a person with everything kept about them. It cannot be undone."""
        if not is_service(request):
            raise PermissionDenied(tokens.lacking(scopes.PEOPLE))
        found = sub_users.find(self.person(request), who) if kind == "user" else None
        if found is None:
            raise NotFound
        account_deletion.delete(found.person)
        return Response({"message": "Entity deleted successfully!"})


class Batch(Mem0View):
    """Several memories at once."""

    def put(self, request: Request) -> Response:
        """Give memories other texts: of one person all or none."""
        asked = bodies.read(bodies.BatchUpdate, request.data)
        texts = {one.memory_id: one.text for one in asked.memories}
        for subject, named in _by_subject(request, texts).values():
            with acting_as(subject.person):
                for name, pk in named.items():
                    _reworded(_found(subject, pk), texts[name], name)
        return Response({"message": f"Successfully updated {len(texts)} memories"})

    def delete(self, request: Request) -> Response:
        """Take memories out of use: of one person all or none."""
        asked = bodies.read(bodies.BatchDelete, request.data)
        names = dict.fromkeys(one.memory_id for one in asked.memories)
        for subject, named in _by_subject(request, names).values():
            with acting_as(subject.person):
                for pk in named.values():
                    remove_known_item(_found(subject, pk))
        return Response({"message": f"Successfully deleted {len(names)} memories"})


def _by_subject(
    request: Request, names: Iterable[str]
) -> dict[Any, tuple[Subject, dict[str, Any]]]:
    """The memories of each person, all of which are there. Raises NotFound."""
    of: dict[Any, tuple[Subject, dict[str, Any]]] = {}
    for name in names:
        subject, pk = subject_of_memory(request, name)
        of.setdefault(subject.person.pk, (subject, {}))[1][name] = pk
    for subject, named in of.values():
        with acting_as(subject.person):
            for pk in named.values():
                _found(subject, pk)
    return of


def _narrowed(request: Request, asked: bodies.SearchRequest | bodies.ListRequest) -> Any:
    """Whose memories are asked for, and the test of which of them."""
    fits = filters.matching(asked.filters)
    return subject_of(request, asked.named), fits


def _found(subject: Subject, pk: Any) -> KnownItem:
    item = find_known_item(subject.person.pk, pk)
    if item is None:
        raise NotFound
    return item


def _reworded(item: KnownItem, text: str, name: str) -> KnownItem:
    try:
        return reword_known_item(item, text)
    except Refused as refused:
        raise ValidationError({name: [str(refused)]}) from None


def _agent(request: Request) -> str:
    return (request.auth.name if isinstance(request.auth, ApiToken) else "") or _UNNAMED


urlpatterns = (
    [
        path("v1/ping/", Ping.as_view(), name="ping"),
        path("v3/memories/add/", Add.as_view(), name="add"),
        path("v3/memories/search/", Search.as_view(), name="search"),
        path("v3/memories/", Memories.as_view(), name="memories"),
        path("v1/memories/", AllMemories.as_view(), name="all-memories"),
        path("v1/memories/<str:memory_id>/", OneMemory.as_view(), name="memory"),
        path("v1/memories/<str:memory_id>/history/", History.as_view(), name="history"),
        path("v1/entities/", Entities.as_view(), name="entities"),
        path("v2/entities/<str:kind>/<path:who>/", OneEntity.as_view(), name="entity"),
        path("v1/batch/", Batch.as_view(), name="batch"),
    ],
    "mem0",
)
