"""Copies for other software: asked for, watched, downloaded."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, problem_response
from privacy import exporting
from privacy.models import Export
from privacy.parts import PARTS
from privacy.web.views.exports import file_of


class ExportIn(RequestBody):
    """What to take along."""

    parts = serializers.ListField(
        child=serializers.ChoiceField(choices=[(part.name, part.label) for part in PARTS.values()]),
        required=False,
        help_text="All of it when left out.",
    )


class ExportOut(serializers.Serializer[Any]):
    """A copy: how far it is, and where its file is."""

    id = serializers.UUIDField()
    parts = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(choices=Export.State.choices)
    gathering = serializers.CharField(help_text="The part that is gathered now.")
    done = serializers.IntegerField(help_text="Rows so far.")
    total = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    made_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    size = serializers.IntegerField(help_text="Bytes.")
    downloads = serializers.IntegerField()
    file = serializers.SerializerMethodField(
        help_text="Where the ZIP is downloaded, with this token; empty until it is ready."
    )

    def get_file(self, export: Export) -> str:
        """The signed address."""
        if export.state != Export.State.READY:
            return ""
        address = reverse("api:export-file", args=[export.pk])
        return f"{address}?signature={exporting.signature(export)}"


class Exports(PersonAPIView):
    """The copies of a person."""

    @extend_schema(operation_id="exports_list", responses={200: ExportOut(many=True), 401: Problem})
    def get(self, request: Request) -> Response:
        """List them, the newest first; those that expired are gone."""
        rows = Export.objects.filter(user=self.person(request)).order_by("-asked_at")
        return Response(ExportOut(rows, many=True).data)

    @extend_schema(
        operation_id="exports_create",
        request=ExportIn,
        responses={202: ExportOut, 400: Problem, 401: Problem, 409: Problem, 429: Problem},
    )
    def post(self, request: Request) -> Response:
        """Have a copy made: ask for its state until it is `ready`. One at a time, some a day."""
        given = ExportIn(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            export = exporting.ask(self.person(request), given.validated_data.get("parts", ()))
        except exporting.OneAtATime as refused:
            return problem_response(409, "One at a time", str(refused))
        except exporting.TooOften as refused:
            return problem_response(429, "Too many copies today", str(refused))
        location = reverse("api:export", args=[export.pk])
        return Response(ExportOut(export).data, status=202, headers={"Location": location})


class OneExport(PersonAPIView):
    """One copy."""

    @extend_schema(
        operation_id="exports_read", responses={200: ExportOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """How far it is."""
        rows = Export.objects.filter(user=self.person(request))
        return Response(ExportOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(operation_id="exports_cancel", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Stop making it. 404 where it is over already."""
        if not exporting.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class ExportFile(PersonAPIView):
    """The file of a copy."""

    @extend_schema(
        operation_id="exports_file",
        parameters=[OpenApiParameter("signature", str, required=True)],
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY),
            401: Problem,
            404: Problem,
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Download it, by the address that `file` of the copy names; each time is logged."""
        signed = request.query_params.get("signature", "")
        export = exporting.opened(self.person(request).pk, signed)
        if export is None or export.pk != pk:
            raise Http404
        return file_of(export)
