"""API for exports: starting, watching and downloading them."""

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

from accounts.access.api import (
    PAGING,
    Pages,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
    problem_response,
)
from privacy import exporting
from privacy.models import Export
from privacy.parts import PARTS
from privacy.web.views.exports import file_of


class ExportIn(RequestBody):
    """An export to start."""

    parts = serializers.ListField(
        child=serializers.ChoiceField(choices=[(part.name, part.label) for part in PARTS.values()]),
        required=False,
        help_text="Parts of the data to export; all by default.",
    )


class ExportOut(serializers.Serializer[Any]):
    """An export: a copy of a person's data, its progress and its file."""

    id = serializers.UUIDField()
    parts = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(choices=Export.State.choices)
    gathering = serializers.CharField(help_text="Part that is being exported now; empty if none.")
    done = serializers.IntegerField(help_text="Number of rows exported so far.")
    total = serializers.IntegerField(help_text="Number of rows to export.")
    asked_at = serializers.DateTimeField()
    made_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    size = serializers.IntegerField(help_text="Size of the file in bytes.")
    downloads = serializers.IntegerField()
    file = serializers.SerializerMethodField(
        help_text="Path for downloading the ZIP with your token; empty until it is ready."
    )

    def get_file(self, export: Export) -> str:
        """Return the signed path of the file."""
        if export.state != Export.State.READY:
            return ""
        address = reverse("api:export-file", args=[export.pk])
        return f"{address}?signature={exporting.signature(export)}"


class Exports(PersonAPIView):
    """The exports of a person."""

    @extend_schema(
        operation_id="exports_list",
        responses={200: page_of(ExportOut), 400: Problem, 401: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List exports, newest first. Expired ones are deleted."""
        rows = Export.objects.filter(user=self.person(request)).order_by("-asked_at", "-pk")
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response(ExportOut(page, many=True).data)

    @extend_schema(
        operation_id="exports_create",
        request=ExportIn,
        responses={202: ExportOut, 400: Problem, 401: Problem, 409: Problem, 429: Problem},
    )
    def post(self, request: Request) -> Response:
        """Start an export, then poll its `state` until it is `ready`. 409 while another one runs,
        429 after too many in a day.
        """
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
    """One export."""

    @extend_schema(
        operation_id="exports_read", responses={200: ExportOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Read the progress of an export."""
        rows = Export.objects.filter(user=self.person(request))
        return Response(ExportOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(operation_id="exports_cancel", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel an export. 404 if it has already ended."""
        if not exporting.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class ExportFile(PersonAPIView):
    """The file of an export."""

    @extend_schema(
        operation_id="exports_file",
        parameters=[
            OpenApiParameter(
                "signature", str, required=True, description="Signature from the export's `file`."
            )
        ],
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY),
            401: Problem,
            404: Problem,
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Download the ZIP, with the path in `file` of the export. Each download is logged."""
        signed = request.query_params.get("signature", "")
        export = exporting.opened(self.person(request).pk, signed)
        if export is None or export.pk != pk:
            raise Http404
        return file_of(export)
