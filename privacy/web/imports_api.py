"""Importing from other assistants, for other software: sent, looked at, accepted, undone."""

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

from accounts.access.api import PersonAPIView, Problem, RequestBody, problem_response
from privacy.importing import requests
from privacy.importing.requests import CannotImport, TooManyImports
from privacy.importing.shapes import NotAnImport
from privacy.models import Import
from privacy.restoring import opening
from privacy.web.receiving import Refusals, receive

_REFUSALS = Refusals(NotAnImport, TooManyImports, CannotImport, opening.larger_than_taken)


class ImportIn(RequestBody):
    """The file, as a field of a form."""

    file = serializers.FileField(
        help_text="An export of ChatGPT or Claude, JSON of mem0, Open WebUI or LibreChat, or lines"
        " `[YYYY-MM-DD] - fact`."
    )


class ImportOut(serializers.Serializer[Any]):
    """A file that was brought: what is in it, how far it is, what came of it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Import.State.choices)
    brought_from = serializers.ChoiceField(choices=Import.Source.choices, source="source")
    conversations = serializers.IntegerField(help_text="New ones, as the other numbers are.")
    messages = serializers.IntegerField()
    memories = serializers.IntegerField()
    known = serializers.IntegerField(help_text="Conversations and memories that are here already.")
    skipped = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many stay behind, by the reason."
    )
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    size = serializers.IntegerField(help_text="Bytes.")
    done = serializers.IntegerField(help_text="So far, of what the state is about.")
    total = serializers.IntegerField()
    continued = serializers.IntegerField(
        help_text="Conversations that stayed when it was undone, because they went on here."
    )
    failure = serializers.CharField(help_text="What is wrong, and what to do.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Imports(PersonAPIView):
    """The files that a person brought."""

    parser_classes = (MultiPartParser,)

    @extend_schema(operation_id="imports_list", responses={200: ImportOut(many=True), 401: Problem})
    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        rows = Import.objects.filter(user=self.person(request)).order_by("-asked_at")
        return Response(ImportOut(rows, many=True).data)

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
        """Send a file and see what is in it. Nothing is imported before it is accepted."""
        return receive(
            request,
            ImportIn,
            partial(requests.bring, self.person(request)),
            refusals=_REFUSALS,
            told=ImportOut,
            name="api:import",
        )


class OneImport(PersonAPIView):
    """One file that was brought."""

    @extend_schema(
        operation_id="imports_read", responses={200: ImportOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """What is in it, and how far it is."""
        rows = Import.objects.filter(user=self.person(request))
        return Response(ImportOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(operation_id="imports_cancel", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Leave it, before or while it is imported: nothing stays of it. 404 where it is over."""
        if not requests.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class Accept(PersonAPIView):
    """The yes to a file."""

    @extend_schema(
        operation_id="imports_accept",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have it imported: ask for its state until it is `ready` or `failed`. 404 where it does
        not wait for a yes.
        """
        try:
            accepted = requests.accept(self.person(request), pk)
        except CannotImport as refused:
            return problem_response(409, "Not now", str(refused))
        if accepted is None:
            raise Http404
        return Response(ImportOut(accepted).data, status=202)


class Undo(PersonAPIView):
    """Taking an import out again."""

    @extend_schema(
        operation_id="imports_undo",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have its conversations and memories taken out, with what was learned only from them: ask
        for its state until it is `undone`. 404 where there is nothing to undo.
        """
        person = self.person(request)
        if not requests.undo(person, pk):
            raise Http404
        return Response(ImportOut(Import.objects.get(user=person, pk=pk)).data, status=202)
