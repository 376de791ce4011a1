"""API for imports from other assistants: uploading, reviewing, accepting and undoing them."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    PAGING,
    Pages,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
    problem_response,
)
from ledger.web.api.proposals import (
    AllAnsweredOut,
    ProposalOut,
    all_answered,
    refusals,
)
from privacy.importing import deciding, requests
from privacy.importing.deciding import NotOffered
from privacy.importing.requests import CannotImport, TooManyImports
from privacy.importing.shapes import NotAnImport
from privacy.models import Import
from privacy.restoring import opening
from privacy.web.receiving import Refusals, receive

_REFUSALS = Refusals(NotAnImport, TooManyImports, CannotImport, opening.larger_than_taken)


class ImportIn(RequestBody):
    """The file to import, as a form field."""

    file = serializers.FileField(
        help_text="An export from ChatGPT or Claude, JSON from Gemini, mem0, Letta, Open WebUI or "
        "LibreChat, or a text file with lines like `[YYYY-MM-DD] - fact`."
    )


class ImportOut(serializers.Serializer[Any]):
    """An import: the content of the file, its progress and its result."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Import.State.choices)
    brought_from = serializers.ChoiceField(choices=Import.Source.choices, source="source")
    conversations = serializers.IntegerField(help_text="Number of new conversations in the file.")
    messages = serializers.IntegerField(help_text="Number of new messages.")
    memories = serializers.IntegerField(help_text="Number of new memories.")
    known = serializers.IntegerField(
        help_text="Number of conversations and memories that already exist here."
    )
    skipped = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Number of items that are not imported, by reason.",
    )
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    size = serializers.IntegerField(help_text="Size of the file in bytes.")
    done = serializers.IntegerField(
        help_text="Number of items processed so far in the current state."
    )
    total = serializers.IntegerField(help_text="Number of items to process in the current state.")
    continued = serializers.IntegerField(
        help_text=(
            "Number of conversations that were kept when the import was undone because they were "
            "continued here."
        )
    )
    failure = serializers.CharField(help_text="What went wrong and what to do; otherwise empty.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Imports(PersonAPIView):
    """The imports of a person."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="imports_list",
        responses={200: page_of(ImportOut), 400: Problem, 401: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List imports, newest first."""
        rows = Import.objects.filter(user=self.person(request)).order_by("-asked_at", "-pk")
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response(ImportOut(page, many=True).data)

    @extend_schema(
        operation_id="imports_create",
        request={"multipart/form-data": ImportIn},
        responses={
            201: ImportOut,
            400: Problem,
            401: Problem,
            409: Problem,
            413: Problem,
            429: Problem,
        },
    )
    def post(self, request: Request) -> Response:
        """Upload a file and see what it contains. Nothing is imported until you accept it."""
        return receive(
            request,
            ImportIn,
            partial(requests.bring, self.person(request)),
            refusals=_REFUSALS,
            told=ImportOut,
            name="api:import",
        )


class OneImport(PersonAPIView):
    """One import."""

    @extend_schema(
        operation_id="imports_read", responses={200: ImportOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Read what an import contains, and its progress."""
        rows = Import.objects.filter(user=self.person(request))
        return Response(ImportOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(operation_id="imports_cancel", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel an import before or while it runs. Nothing from it is kept. 404 if it has already
        ended.
        """
        if not requests.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class Accept(PersonAPIView):
    """Accepting an import."""

    @extend_schema(
        operation_id="imports_accept",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept an import, then poll its `state` until it is `ready` or `failed`. 404 if it is not
        waiting to be accepted.
        """
        try:
            accepted = requests.accept(self.person(request), pk)
        except CannotImport as refused:
            return problem_response(409, "Not now", str(refused))
        if accepted is None:
            raise Http404
        return Response(ImportOut(accepted).data, status=202)


class OfferedValueOut(serializers.Serializer[Any]):
    """A value waiting for a decision, and how often it was said."""

    proposal = ProposalOut()
    messages = serializers.IntegerField(help_text="Number of messages that say it.")
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class OfferedSlotOut(serializers.Serializer[Any]):
    """A kind of fact, with all its values in an import."""

    slot = serializers.CharField()
    title = serializers.CharField()
    several = serializers.BooleanField(help_text="Whether several values can be true at once.")
    has_past = serializers.BooleanField(
        help_text="Whether earlier values can be kept in the history."
    )
    values = OfferedValueOut(many=True)


class DecisionsOut(serializers.Serializer[Any]):
    """The facts and memories of an import that are waiting for a decision."""

    waiting = serializers.IntegerField(
        help_text="Number of facts and memories that are waiting for an answer."
    )
    slots = OfferedSlotOut(many=True)


class DecideIn(RequestBody):
    """A decision about all values of one kind of fact."""

    slot = serializers.CharField()
    chosen = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Ids of the proposals whose values are true; may be empty. At most one if "
        "the slot holds a single value.",
    )
    among = serializers.ListField(
        child=serializers.UUIDField(),
        default=list,
        help_text=(
            "Ids of the proposals to decide about. Send them to avoid answering proposals that "
            "you haven't seen. Default: all for the slot."
        ),
    )
    others = serializers.ChoiceField(
        choices=["past", "decline"],
        default="decline",
        help_text="What to do with the other values: `past` keeps them as earlier values, in slots "
        "that have a history; `decline`, the default, drops them.",
    )


class Decisions(PersonAPIView):
    """Deciding about the facts and memories of an import."""

    @extend_schema(
        operation_id="imports_decisions",
        responses={200: DecisionsOut, 401: Problem, 404: Problem},
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """List the values that are waiting for a decision, by kind of fact. Memories are listed in
        `GET /api/v1/proposals`.
        """
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        slots = [
            {
                "slot": one.slot.key,
                "title": one.slot.label,
                "several": one.slot.many,
                "has_past": one.has_past,
                "values": [
                    {
                        "proposal": value.memory,
                        "messages": len(value.said),
                        "first_at": value.first_at,
                        "last_at": value.last_at,
                    }
                    for value in one.values
                ],
            }
            for one in deciding.slots_of(row)
        ]
        told = {"waiting": deciding.waiting_of(row).count(), "slots": slots}
        return Response(DecisionsOut(told).data)

    @extend_schema(
        operation_id="imports_decide",
        request=DecideIn,
        responses={200: AllAnsweredOut, 400: Problem, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Decide about all values of one kind of fact. 409 if they are no longer waiting, or if one
        may not be saved; all of them then keep waiting.
        """
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        given = DecideIn(data=request.data)
        given.is_valid(raise_exception=True)
        slot, others = given.validated_data["slot"], given.validated_data["others"]
        chosen, among = given.validated_data["chosen"], given.validated_data["among"]
        try:
            with refusals():
                done = deciding.decide(row, slot, chosen, keep_past=others == "past", among=among)
        except NotOffered as refused:
            return problem_response(409, "Not now", str(refused))
        return Response(all_answered(done))

    @extend_schema(
        operation_id="imports_decline_all",
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem},
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Decline everything that is waiting, a few hundred at a time. Repeat the request until
        `count` is 0.
        """
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        return Response(all_answered(deciding.decline_all(row)))


class Undo(PersonAPIView):
    """Undoing an import."""

    @extend_schema(
        operation_id="imports_undo",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Undo an import: remove its conversations and memories, and what was learned only from
        them. Poll its `state` until it is `undone`. 404 if there is nothing to undo.
        """
        person = self.person(request)
        if not requests.undo(person, pk):
            raise Http404
        return Response(ImportOut(Import.objects.get(user=person, pk=pk)).data, status=202)
