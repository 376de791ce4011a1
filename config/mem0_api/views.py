"""mem0's endpoints: adding, searching, listing, reading, changing and removing memories."""

from collections.abc import Iterable
from typing import Any

from django.urls import path
from django.utils.timezone import localdate
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import scopes, sub_users, tokens
from accounts.access.api import PersonAPIView
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User
from accounts.privacy import hold_choices
from config.mem0_api import bodies, shapes
from config.mem0_api.shapes import Subject, is_service, subject_of, subject_of_memory
from conversations.messages import NewMessage, UnfitText, fit
from conversations.models import Conversation, LearningOutcome, Message
from conversations.turns import ingesting, turn
from ledger.history import log_search
from memory.core.persistence_gate import Refused
from memory.models import CONTENT_LENGTH, Memory
from memory.notes.agent_notes import propose_memory
from memory.notes.note_gate import NotKept
from memory.web.known_items import (
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
_LONGEST_TITLE = Conversation._meta.get_field("title").max_length or 0
_FOUND = 20


class Mem0View(PersonAPIView):
    """An operation with requests and responses in mem0's formats."""

    # Transactions are opened for the user named in the request.
    one_block = False
    # Described by mem0's own documentation.
    schema = None

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """Select JSON, regardless of the Accept header."""
        return JSONRenderer(), "application/json"

    def handle_exception(self, exc: Exception) -> Response:
        """Return an expected error as JSON with `detail`, which mem0's clients read."""
        response = super().handle_exception(exc)
        response.content_type = "application/json"
        return response

    def _refuse_unfit_parameters(self, request: Request, handler: Any) -> None:
        """Accept unknown parameters: clients send some for mem0's own service."""


class Ping(Mem0View):
    """Checking a token."""

    def scope_needed(self, request: Request) -> str:
        """Return no scope, since nothing is read."""
        return ""

    def get(self, request: Request) -> Response:
        """Return the ids that a new client requires. They are constants: real ones would be sent to
        mem0's makers with usage statistics.
        """
        ids = {"org_id": "throughline", "project_id": "throughline"}
        return Response({"status": "ok", **ids, "user_email": None})


class Add(Mem0View):
    """Adding messages."""

    def post(self, request: Request) -> Response:
        """Learn from messages, or store them unchanged without `infer`."""
        asked = bodies.read(bodies.AddRequest, request.data)
        subject, agent = subject_of(request, asked.named, create=True), _agent(request)
        if asked.infer is False:
            return Response(_store(asked, subject, agent))
        return Response(_learn(asked, subject, agent))


class Search(Mem0View):
    """Searching memories."""

    post_reads = True

    def post(self, request: Request) -> Response:
        """Find memories by words and meaning, the best match first."""
        asked = bodies.read(bodies.SearchRequest, request.data)
        subject, fits = _narrowed(request, asked)
        with acting_as(subject.person):
            matches = search_known_items(subject.person.pk, asked.query, at_least=asked.threshold)
        rows = [shapes.memory(item, subject, score) for item, score in matches]
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
        """Remove all memories of the user named by `user_id`."""
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
        """Read a memory, or the one that replaced it."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            return Response(shapes.memory(_found(subject, pk), subject))

    def put(self, request: Request, memory_id: str) -> Response:
        """Change the text of a memory; the old one stays in its history."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            item = _found(subject, pk)
            asked = bodies.read(bodies.UpdateRequest, request.data)
            return Response(shapes.memory(_reworded(item, asked.text, "text"), subject))

    def delete(self, request: Request, memory_id: str) -> Response:
        """Remove a memory."""
        subject, pk = subject_of_memory(request, memory_id)
        with acting_as(subject.person):
            remove_known_item(_found(subject, pk))
        return Response({"message": "Memory deleted successfully!"})


class History(Mem0View):
    """The history of a memory."""

    def get(self, request: Request, memory_id: str) -> Response:
        """List the changes of a memory, oldest first."""
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
        """List the sub-users of the service; for other tokens the token's owner."""
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
        """Delete a sub-user with everything stored about them. It cannot be undone."""
        if not is_service(request):
            raise PermissionDenied(tokens.lacking(scopes.PEOPLE))
        sub_user = sub_users.find(self.person(request), who) if kind == "user" else None
        if sub_user is None:
            raise NotFound
        account_deletion.delete(sub_user.person)
        return Response({"message": "Entity deleted successfully!"})


class Batch(Mem0View):
    """Several memories at once."""

    def put(self, request: Request) -> Response:
        """Change the texts of memories; for each user all or none."""
        asked = bodies.read(bodies.BatchUpdate, request.data)
        texts = {item.memory_id: item.text for item in asked.memories}
        for subject, named in _by_subject(request, texts).values():
            with acting_as(subject.person):
                for name, pk in named.items():
                    _reworded(_found(subject, pk), texts[name], name)
        return Response({"message": f"Successfully updated {len(texts)} memories"})

    def delete(self, request: Request) -> Response:
        """Remove memories; for each user all or none."""
        asked = bodies.read(bodies.BatchDelete, request.data)
        names = dict.fromkeys(item.memory_id for item in asked.memories)
        for subject, named in _by_subject(request, names).values():
            with acting_as(subject.person):
                for pk in named.values():
                    remove_known_item(_found(subject, pk))
        return Response({"message": f"Successfully deleted {len(names)} memories"})


def _by_subject(
    request: Request, names: Iterable[str]
) -> dict[Any, tuple[Subject, dict[str, Any]]]:
    """Return the memories by user. Raises NotFound if one does not exist."""
    of: dict[Any, tuple[Subject, dict[str, Any]]] = {}
    for name in names:
        subject, pk = subject_of_memory(request, name)
        of.setdefault(subject.person.pk, (subject, {}))[1][name] = pk
    for subject, named in of.values():
        with acting_as(subject.person):
            for pk in named.values():
                _found(subject, pk)
    return of


def _narrowed(request: Request, asked: bodies.ListRequest) -> Any:
    """Return the user whose memories are requested, and the filter predicate."""
    fits = bodies.matching(asked.filters)
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


def _learn(asked: bodies.AddRequest, subject: Subject, agent: str) -> dict[str, Any]:
    """Learn from the messages; `status` is PENDING if some are left for the worker."""
    drafts = [_draft(asked, place) for place in range(len(asked.said))]
    person = subject.person
    if not drafts:
        return {"results": [], "status": "SUCCEEDED"}
    run = asked.run_id or localdate().isoformat()
    name = f"{agent[: _LONGEST_TITLE - len(run) - 2]}, {run}"
    ingested = ingesting.ingest(person, _conversation(person, name), drafts)
    with acting_as(person):
        outcomes = LearningOutcome.objects.filter(user=person, message__in=ingested.messages)
        outcomes = outcomes.select_related("fact", "memory").order_by("pk")
        results = [shapes.learned(outcome, subject) for outcome in outcomes]
        waits = ingesting.count_unlearned(person, ingested.messages)
    status = "PENDING" if waits else "SUCCEEDED"
    return {"results": [result for result in results if result], "status": status}


def _store(asked: bodies.AddRequest, subject: Subject, agent: str) -> dict[str, Any]:
    """Store each message as a memory written by an agent, all or none. Raises ValidationError."""
    results = []
    with acting_as(subject.person):
        for place, message in enumerate(asked.said):
            text = " ".join(message.content.split())
            if len(text) > CONTENT_LENGTH:
                sentence = f"Without infer, a message can have at most {CONTENT_LENGTH} characters."
                raise _refused(place, sentence)
            try:
                kept = propose_memory(subject.person.pk, text, Memory.Category.FACT, agent)
            except NotKept as refused:
                raise _refused(place, str(refused)) from None
            results.append(shapes.added(kept, subject))
    return {"results": results, "status": "SUCCEEDED"}


def _draft(asked: bodies.AddRequest, place: int) -> NewMessage:
    message = asked.said[place]
    try:
        content = fit(message.content)
    except UnfitText as unfit:
        raise _refused(place, unfit.words) from None
    return NewMessage(role=Message.Role(message.role), content=content, said_at=asked.said_at)


def _conversation(person: User, name: str) -> Any:
    """Return the conversation of this name (a run or a day), created if needed."""
    with acting_as(person):
        # Lock, so that two requests do not create two conversations.
        hold_choices(person.pk)
        named = Conversation.objects.for_user(person.pk).filter(title=name)
        known = named.order_by("started_at").values_list("pk", flat=True).first()
        if known is None:
            known = turn.make_conversation(person, private=False)
            Conversation.objects.for_user(person.pk).filter(pk=known).update(title=name)
        return known


def _refused(place: int, sentence: str) -> ValidationError:
    return ValidationError({f"messages.{place}": [sentence]})


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
