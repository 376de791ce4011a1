"""API for restoring exports: uploading, reviewing, accepting and watching them."""

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
from privacy.models import Restore
from privacy.restoring import opening, requests
from privacy.restoring.opening import NotACopy
from privacy.restoring.requests import CannotRestore, TooManyRestores
from privacy.web.receiving import Refusals, receive


class RestoreIn(RequestBody):
    """The file to restore, as a form field."""

    file = serializers.FileField(help_text="ZIP of an export, unchanged since it was downloaded.")


class RestoreOut(serializers.Serializer[Any]):
    """A restore: what the export contains, its progress and its result."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Restore.State.choices)
    version = serializers.IntegerField(help_text="Format version of the export.")
    copied_at = serializers.DateTimeField(help_text="When the export was made, as the file states.")
    rows = serializers.DictField(
        child=serializers.IntegerField(), help_text="Number of rows by table, as the file states."
    )
    size = serializers.IntegerField(help_text="Size of the file in bytes.")
    gathering = serializers.CharField(help_text="Part that is being restored now; empty if none.")
    done = serializers.IntegerField(help_text="Number of rows restored so far.")
    total = serializers.IntegerField(help_text="Number of rows to restore.")
    left_out = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=(
            "Number of rows not restored, by table, because they belong to something that is not "
            "in the export."
        ),
    )
    failure = serializers.CharField(
        help_text="What is wrong with the file and what to do; otherwise empty."
    )
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Restores(PersonAPIView):
    """The restores of a person."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="restores_list",
        responses={200: page_of(RestoreOut), 400: Problem, 401: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List restores, newest first."""
        rows = Restore.objects.filter(user=self.person(request)).order_by("-asked_at", "-pk")
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response(RestoreOut(page, many=True).data)

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
        """Upload an export and see what it contains. Nothing is restored until you accept it."""
        return receive(
            request,
            RestoreIn,
            partial(requests.bring, self.person(request)),
            refusals=Refusals(NotACopy, TooManyRestores, CannotRestore, opening.too_large),
            told=RestoreOut,
            name="api:restore",
        )


class OneRestore(PersonAPIView):
    """One restore."""

    @extend_schema(
        operation_id="restores_read", responses={200: RestoreOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Read what a restore contains, and its progress."""
        rows = Restore.objects.filter(user=self.person(request))
        return Response(RestoreOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(
        operation_id="restores_cancel", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel a restore before or while it runs. Nothing from it is kept. 404 if it has already
        ended.
        """
        if not requests.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class Accept(PersonAPIView):
    """Accepting a restore."""

    @extend_schema(
        operation_id="restores_accept",
        request=None,
        responses={202: RestoreOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept a restore, then poll its `state` until it is `ready` or `failed`. 404 if it is not
        waiting to be accepted.
        """
        try:
            accepted = requests.accept(self.person(request), pk)
        except CannotRestore as refused:
            return problem_response(409, "Not now", str(refused))
        if accepted is None:
            raise Http404
        return Response(RestoreOut(accepted).data, status=202)
