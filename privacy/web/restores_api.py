"""Bringing a copy back, for other software: sent, looked at, accepted, watched."""

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
from privacy.models import Restore
from privacy.restoring import opening, requests
from privacy.restoring.opening import NotACopy
from privacy.restoring.requests import CannotRestore, TooManyRestores
from privacy.web.receiving import Refusals, receive


class RestoreIn(RequestBody):
    """The file, as a field of a form."""

    file = serializers.FileField(help_text="The ZIP of a copy, as it was downloaded.")


class RestoreOut(serializers.Serializer[Any]):
    """A copy that was brought: what it holds, how far it is, what came of it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Restore.State.choices)
    version = serializers.IntegerField()
    copied_at = serializers.DateTimeField(help_text="When the copy was made, as it says.")
    rows = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many rows it has, by table, as it says."
    )
    size = serializers.IntegerField(help_text="Bytes.")
    gathering = serializers.CharField(help_text="The part that is restored now.")
    done = serializers.IntegerField(help_text="Rows so far.")
    total = serializers.IntegerField()
    left_out = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Rows that stayed behind, by table: what they belong to is not in the copy.",
    )
    failure = serializers.CharField(help_text="What is wrong with the file, and what to do.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Restores(PersonAPIView):
    """The copies that a person brought."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="restores_list", responses={200: RestoreOut(many=True), 401: Problem}
    )
    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        rows = Restore.objects.filter(user=self.person(request)).order_by("-asked_at")
        return Response(RestoreOut(rows, many=True).data)

    @extend_schema(
        operation_id="restores_create",
        request={"multipart/form-data": RestoreIn},
        responses={
            201: RestoreOut,
            400: Problem,
            401: Problem,
            409: Problem,
            413: Problem,
            429: Problem,
        },
    )
    def post(self, request: Request) -> Response:
        """Send a copy and see what it holds. Nothing is restored before it is accepted."""
        return receive(
            request,
            RestoreIn,
            partial(requests.bring, self.person(request)),
            refusals=Refusals(NotACopy, TooManyRestores, CannotRestore, opening.too_large),
            told=RestoreOut,
            name="api:restore",
        )


class OneRestore(PersonAPIView):
    """One copy that was brought."""

    @extend_schema(
        operation_id="restores_read", responses={200: RestoreOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """What it holds, and how far it is."""
        rows = Restore.objects.filter(user=self.person(request))
        return Response(RestoreOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(
        operation_id="restores_cancel", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Leave it, before or while it is restored: nothing stays of it. 404 where it is over."""
        if not requests.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class Accept(PersonAPIView):
    """The yes to a copy."""

    @extend_schema(
        operation_id="restores_accept",
        request=None,
        responses={202: RestoreOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have it restored: ask for its state until it is `ready` or `failed`. 404 where it does
        not wait for a yes.
        """
        try:
            accepted = requests.accept(self.person(request), pk)
        except CannotRestore as refused:
            return problem_response(409, "Not now", str(refused))
        if accepted is None:
            raise Http404
        return Response(RestoreOut(accepted).data, status=202)
