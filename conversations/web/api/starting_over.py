"""API for deleting everything that was said and learned."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody
from accounts.database.isolation import acting_as
from conversations.deletion import erase_all
from conversations.deletion.erase_all import CONFIRMATION
from ledger.models import Erasure
from ledger.web.api.erasure import PreviewOut
from ledger.web.receipts import foreseen

_HOW = (
    f'Nothing was forgotten. To forget everything, send "confirm" with the words "{CONFIRMATION}". '
    "This cannot be undone."
)


@extend_schema_field({"type": "string", "const": CONFIRMATION})
class _Phrase(serializers.CharField):
    """The confirmation phrase."""


class ForgetIn(RequestBody):
    """The confirmation phrase."""

    confirm = _Phrase(
        help_text=f"Confirmation phrase, exactly `{CONFIRMATION}`.",
        error_messages=dict.fromkeys(("required", "blank", "null", "invalid"), _HOW),
    )

    def validate_confirm(self, typed: str) -> str:
        """Return the phrase. Raises ValidationError for any other text."""
        if not erase_all.is_meant(typed):
            raise serializers.ValidationError(_HOW)
        return typed


class HeldOut(serializers.Serializer[Any]):
    """Number of deleted items of each kind, whatever their status."""

    conversations = serializers.IntegerField()
    messages = serializers.IntegerField()
    facts = serializers.IntegerField()
    notes = serializers.IntegerField(help_text="Number of memories.")
    questions = serializers.IntegerField(help_text="Number of conflicts.")
    topics = serializers.IntegerField()
    shared_pages = serializers.IntegerField()
    roles = serializers.IntegerField()
    blocks = serializers.IntegerField()
    lessons = serializers.IntegerField(help_text="Number of lessons that lost this user's support.")
    passages = serializers.IntegerField(help_text="Number of entries in the search index.")
    entries_hot = serializers.IntegerField(
        help_text="Number of short-lived entries from other apps in this session."
    )
    entries_warm = serializers.IntegerField(help_text="Number of stored entries from other apps.")
    entries_cold = serializers.IntegerField(help_text="Number of archived entries from other apps.")
    copies = serializers.IntegerField(
        help_text="Number of data exports that were ready for download."
    )
    lines = serializers.IntegerField(help_text="Number of history entries whose text was erased.")


class ReceiptOut(serializers.Serializer[Any]):
    """What was deleted. `at` and `line` are null if there was nothing to delete."""

    gone = HeldOut()
    at = serializers.DateTimeField(allow_null=True)
    line = serializers.UUIDField(
        allow_null=True,
        help_text="Id of the history entry that records this; see `GET "
        "/api/v1/audit?deed=forgotten`.",
    )
    receipt = serializers.UUIDField(
        allow_null=True,
        help_text="Id of the receipt, which says what a search found afterwards; see `GET "
        "/api/v1/erasures/{id}`.",
    )


class ForgetEverything(PersonAPIView):
    """Deleting everything."""

    # Opens its own transaction, again after a deadlock.
    one_block = False

    @extend_schema(
        operation_id="forget_everything_preview",
        responses={200: PreviewOut, 401: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """Preview what would be deleted and what would stay. Nothing is changed."""
        person = self.person(request)
        with acting_as(person):
            held = erase_all.stored_counts(person.pk)
        preview = foreseen(Erasure.Kind.EVERYTHING, held.counts, erase_all.STAYS)
        return Response(PreviewOut(preview).data)

    @extend_schema(
        operation_id="forget_everything",
        request=ForgetIn,
        responses={200: ReceiptOut, 400: Problem, 401: Problem, 503: Problem},
    )
    def post(self, request: Request) -> Response:
        """Delete everything that was said and learned. This cannot be undone and needs the
        confirmation phrase.

        These are kept: the sign-in, tokens, settings, the kinds of facts that are never saved, and
        the history entries without their text.
        """
        self.body(request, ForgetIn)
        receipt = erase_all.forget_everything(self.person(request))
        line, kept = receipt.line, receipt.kept
        summary = {
            "gone": receipt.gone,
            "at": line and line.at,
            "line": line and line.pk,
            "receipt": kept and kept.pk,
        }
        return Response(ReceiptOut(summary).data)
