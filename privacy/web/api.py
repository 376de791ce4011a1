"""API for exports, restores of them, and imports from other assistants."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody, page_of
from accounts.support.refusals import Refused
from ledger.web.api.proposals import (
    AllAnsweredOut,
    ProposalOut,
    all_answered,
    refusals,
)
from privacy import exporting
from privacy.importing import deciding
from privacy.importing import requests as imports
from privacy.models import Export, Import, Restore
from privacy.parts import PARTS
from privacy.restoring import opening
from privacy.restoring import requests as restores
from privacy.web.uploads import is_too_long
from privacy.web.views import file_of

_UPLOADED = {409: Problem, 413: Problem}


class TooLarge(Refused):
    """Raised when a file is larger than the maximum."""

    status, title = 413, "Too large"


class _Counts(serializers.DictField):
    child = serializers.IntegerField()


class _TransferOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    size = serializers.IntegerField(help_text="Size of the file in bytes.")
    done = serializers.IntegerField(
        help_text="Number of items processed so far in the current state."
    )
    total = serializers.IntegerField(help_text="Number of items to process in the current state.")
    asked_at = serializers.DateTimeField()


class ExportIn(RequestBody):
    """An export to start."""

    parts = serializers.ListField(
        child=serializers.ChoiceField(choices=[(part.name, part.label) for part in PARTS.values()]),
        required=False,
        help_text="Parts of the data to export; all by default.",
    )


class ExportOut(_TransferOut):
    """An export: a copy of a person's data, its progress and its file."""

    parts = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(choices=Export.State.choices)
    gathering = serializers.CharField(help_text="Part that is being exported now; empty if none.")
    made_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
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


class RestoreIn(RequestBody):
    """The file to restore, as a form field."""

    file = serializers.FileField(help_text="ZIP of an export, unchanged since it was downloaded.")


class RestoreOut(_TransferOut):
    """A restore: what the export contains, its progress and its result."""

    state = serializers.ChoiceField(choices=Restore.State.choices)
    version = serializers.IntegerField(help_text="Format version of the export.")
    copied_at = serializers.DateTimeField(help_text="When the export was made, as the file states.")
    rows = _Counts(help_text="Number of rows by table, as the file states.")
    gathering = serializers.CharField(help_text="Part that is being restored now; empty if none.")
    left_out = _Counts(
        help_text="Number of rows not restored, by table, because they belong to something that is "
        "not in the export."
    )
    failure = serializers.CharField(
        help_text="What is wrong with the file and what to do; otherwise empty."
    )
    ended_at = serializers.DateTimeField(allow_null=True)


class ImportIn(RequestBody):
    """The file to import, as a form field."""

    file = serializers.FileField(
        help_text="An export from ChatGPT or Claude, JSON from Gemini, mem0, Letta, Open WebUI or "
        "LibreChat, or a text file with lines like `[YYYY-MM-DD] - fact`."
    )


class ImportOut(_TransferOut):
    """An import: the content of the file, its progress and its result."""

    state = serializers.ChoiceField(choices=Import.State.choices)
    brought_from = serializers.ChoiceField(choices=Import.Source.choices, source="source")
    conversations = serializers.IntegerField(help_text="Number of new conversations in the file.")
    messages = serializers.IntegerField(help_text="Number of new messages.")
    memories = serializers.IntegerField(help_text="Number of new memories.")
    known = serializers.IntegerField(
        help_text="Number of conversations and memories that already exist here."
    )
    skipped = _Counts(help_text="Number of items that are not imported, by reason.")
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    continued = serializers.IntegerField(
        help_text=(
            "Number of conversations that were kept when the import was undone because they were "
            "continued here."
        )
    )
    failure = serializers.CharField(help_text="What went wrong and what to do; otherwise empty.")
    ended_at = serializers.DateTimeField(allow_null=True)


class _TransferView(PersonAPIView):
    """An operation on exports, restores or imports of a person."""

    model: Any
    serializer: Any
    name: str

    def rows(self, request: Request) -> Any:
        return self.model.owned(self.person(request).pk).order_by("-asked_at", "-pk")

    def row(self, request: Request, pk: UUID) -> Any:
        return get_object_or_404(self.rows(request), pk=pk)

    def upload(self, request: Request, serializer: type[RequestBody], too_large: str) -> Any:
        """Return the file of the request. Raises TooLarge and ValidationError."""
        if is_too_long(request):
            raise TooLarge(too_large)
        return self.body(request, serializer)["file"]

    def answer(self, row: Any, status: int) -> Response:
        """Return the response for a row, 201 with its URL for a new one. Raises Http404."""
        if row is None:
            raise Http404
        headers = {"Location": reverse(self.name, args=[row.pk])}
        return Response(self.serializer(row).data, status=status, headers=headers)


# --- Exports --------------------------------------------------------------------------------------


class _ExportView(_TransferView):
    model, serializer, name = Export, ExportOut, "api:export"


class Exports(_ExportView):
    """The exports of a person."""

    @extend_schema(
        operation_id="exports_list", responses={200: page_of(ExportOut)}, parameters=PAGING
    )
    def get(self, request: Request) -> Response:
        """List exports, newest first. Expired ones are deleted."""
        return self.page(request, self.rows(request), ExportOut)

    @extend_schema(
        operation_id="exports_create", request=ExportIn, responses={202: ExportOut, 409: Problem}
    )
    def post(self, request: Request) -> Response:
        """Start an export, then poll its `state` until it is `ready`. 409 while another one runs,
        429 after too many in a day.
        """
        parts = self.body(request, ExportIn).get("parts", ())
        return self.answer(exporting.ask(self.person(request), parts), 202)


class OneExport(_ExportView):
    """One export."""

    @extend_schema(operation_id="exports_read", responses={200: ExportOut, 404: Problem})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read the progress of an export."""
        return Response(ExportOut(self.row(request, pk)).data)

    @extend_schema(operation_id="exports_cancel", responses={204: None, 404: Problem})
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


# --- Restores -------------------------------------------------------------------------------------


class _RestoreView(_TransferView):
    model, serializer, name = Restore, RestoreOut, "api:restore"


class Restores(_RestoreView):
    """The restores of a person."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="restores_list", responses={200: page_of(RestoreOut)}, parameters=PAGING
    )
    def get(self, request: Request) -> Response:
        """List restores, newest first."""
        return self.page(request, self.rows(request), RestoreOut)

    @extend_schema(
        operation_id="restores_create",
        request={"multipart/form-data": RestoreIn},
        responses={201: RestoreOut, **_UPLOADED},
    )
    def post(self, request: Request) -> Response:
        """Upload an export and see what it contains. Nothing is restored until you accept it."""
        file = self.upload(request, RestoreIn, opening.too_large())
        return self.answer(restores.bring(self.person(request), file), 201)


class OneRestore(_RestoreView):
    """One restore."""

    @extend_schema(operation_id="restores_read", responses={200: RestoreOut, 404: Problem})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read what a restore contains, and its progress."""
        return Response(RestoreOut(self.row(request, pk)).data)

    @extend_schema(operation_id="restores_cancel", responses={204: None, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel a restore before or while it runs. Nothing from it is kept. 404 if it has already
        ended.
        """
        if not restores.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class AcceptRestore(_RestoreView):
    """Accepting a restore."""

    @extend_schema(
        operation_id="restores_accept",
        request=None,
        responses={202: RestoreOut, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept a restore, then poll its `state` until it is `ready` or `failed`. 404 if it is not
        waiting to be accepted.
        """
        return self.answer(restores.accept(self.person(request), pk), 202)


# --- Imports --------------------------------------------------------------------------------------


class _ImportView(_TransferView):
    model, serializer, name = Import, ImportOut, "api:import"


class Imports(_ImportView):
    """The imports of a person."""

    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="imports_list", responses={200: page_of(ImportOut)}, parameters=PAGING
    )
    def get(self, request: Request) -> Response:
        """List imports, newest first."""
        return self.page(request, self.rows(request), ImportOut)

    @extend_schema(
        operation_id="imports_create",
        request={"multipart/form-data": ImportIn},
        responses={201: ImportOut, **_UPLOADED},
    )
    def post(self, request: Request) -> Response:
        """Upload a file and see what it contains. Nothing is imported until you accept it."""
        file = self.upload(request, ImportIn, opening.larger_than_taken())
        return self.answer(imports.bring(self.person(request), file), 201)


class OneImport(_ImportView):
    """One import."""

    @extend_schema(operation_id="imports_read", responses={200: ImportOut, 404: Problem})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read what an import contains, and its progress."""
        return Response(ImportOut(self.row(request, pk)).data)

    @extend_schema(operation_id="imports_cancel", responses={204: None, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Cancel an import before or while it runs. Nothing from it is kept. 404 if it has already
        ended.
        """
        if not imports.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class AcceptImport(_ImportView):
    """Accepting an import."""

    @extend_schema(
        operation_id="imports_accept",
        request=None,
        responses={202: ImportOut, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept an import, then poll its `state` until it is `ready` or `failed`. 404 if it is not
        waiting to be accepted.
        """
        return self.answer(imports.accept(self.person(request), pk), 202)


class UndoImport(_ImportView):
    """Undoing an import."""

    @extend_schema(
        operation_id="imports_undo", request=None, responses={202: ImportOut, 404: Problem}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Undo an import: remove its conversations and memories, and what was learned only from
        them. Poll its `state` until it is `undone`. 404 if there is nothing to undo.
        """
        if not imports.undo(self.person(request), pk):
            raise Http404
        return self.answer(self.row(request, pk), 202)


class OfferedValueOut(serializers.Serializer[Any]):
    """A value waiting for a decision, and how often it was said."""

    proposal = ProposalOut(source="memory")
    messages = serializers.IntegerField(source="count", help_text="Number of messages that say it.")
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class OfferedSlotOut(serializers.Serializer[Any]):
    """One slot (kind of fact) of an import, with every value the import proposes for it."""

    slot = serializers.CharField(source="slot.key")
    title = serializers.CharField(source="slot.label")
    several = serializers.BooleanField(
        source="slot.many", help_text="Whether several values can be true at once."
    )
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
        help_text="Ids of the proposals to decide about. Send them to avoid answering proposals "
        "that you haven't seen. Default: all for the slot.",
    )
    others = serializers.ChoiceField(
        choices=["past", "decline"],
        default="decline",
        help_text="What to do with the other values: `past` keeps them as earlier values, in slots "
        "that have a history; `decline`, the default, drops them.",
    )


class Decisions(_ImportView):
    """Deciding about the facts and memories of an import."""

    @extend_schema(operation_id="imports_decisions", responses={200: DecisionsOut, 404: Problem})
    def get(self, request: Request, pk: UUID) -> Response:
        """List the values that are waiting for a decision, by kind of fact. Memories are listed in
        `GET /api/v1/proposals`.
        """
        row = self.row(request, pk)
        waiting = {"waiting": deciding.waiting_of(row).count(), "slots": deciding.slots_of(row)}
        return Response(DecisionsOut(waiting).data)

    @extend_schema(
        operation_id="imports_decide",
        request=DecideIn,
        responses={200: AllAnsweredOut, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Decide about all values of one kind of fact. 409 if they are no longer waiting, or if one
        may not be saved; all of them then keep waiting.
        """
        row, given = self.row(request, pk), self.body(request, DecideIn)
        keep_past = given.pop("others") == "past"
        with refusals():
            return Response(all_answered(deciding.decide(row, **given, keep_past=keep_past)))

    @extend_schema(
        operation_id="imports_decline_all", responses={200: AllAnsweredOut, 404: Problem}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Decline everything that is waiting, a few hundred at a time. Repeat the request until
        `count` is 0.
        """
        return Response(all_answered(deciding.decline_all(self.row(request, pk))))
