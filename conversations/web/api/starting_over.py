"""Forgetting everything, for other software."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody
from accounts.database.isolation import acting_as
from conversations.deletion import erase_all
from conversations.deletion.erase_all import CONFIRMATION
from ledger.models import Erasure
from ledger.web.api.erasure_serializers import PreviewOut
from ledger.web.receipts import foreseen

_HOW = (
    f'Nothing was forgotten. To do it, send "confirm" with the words "{CONFIRMATION}"; it cannot '
    "be undone."
)


class ForgetIn(RequestBody):
    """The words that say it is meant."""

    confirm = serializers.CharField(
        help_text=f"Exactly `{CONFIRMATION}`.",
        error_messages=dict.fromkeys(("required", "blank", "null", "invalid"), _HOW),
    )

    def validate_confirm(self, typed: str) -> str:
        """Only the words themselves will do."""
        if not erase_all.is_meant(typed):
            raise serializers.ValidationError(_HOW)
        return typed


class HeldOut(serializers.Serializer[Any]):
    """How many of each, whatever their standing."""

    conversations = serializers.IntegerField()
    messages = serializers.IntegerField()
    facts = serializers.IntegerField()
    notes = serializers.IntegerField()
    questions = serializers.IntegerField()
    topics = serializers.IntegerField()
    shared_pages = serializers.IntegerField()
    roles = serializers.IntegerField()
    blocks = serializers.IntegerField()
    lessons = serializers.IntegerField(help_text="Lessons that lost this person's support.")
    passages = serializers.IntegerField(help_text="Entries of the search index.")
    entries_hot = serializers.IntegerField(help_text="Of other software, in this session.")
    entries_warm = serializers.IntegerField(help_text="Of other software, kept.")
    entries_cold = serializers.IntegerField(help_text="Of other software, in the archive.")
    copies = serializers.IntegerField(help_text="Copies that were ready to be downloaded.")
    lines = serializers.IntegerField(help_text="Lines of the history that lost their words.")


class ReceiptOut(serializers.Serializer[Any]):
    """What went. `at` and `line` are null where there was nothing to forget."""

    gone = HeldOut()
    at = serializers.DateTimeField(allow_null=True)
    line = serializers.UUIDField(
        allow_null=True, help_text="The line that says so: `GET /api/v1/audit?deed=forgotten`."
    )
    receipt = serializers.UUIDField(
        allow_null=True, help_text="What a search found afterwards: `GET /api/v1/erasures/{id}`."
    )


class ForgetEverything(PersonAPIView):
    """Starting over."""

    # It opens a block of its own, and another where two get into each other's way.
    one_block = False

    @extend_schema(
        operation_id="forget_everything_preview",
        responses={200: PreviewOut, 401: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """What would go and what would stay, as the receipt will count it."""
        person = self.person(request)
        with acting_as(person):
            held = erase_all.stored_counts(person.pk)
        told = foreseen(Erasure.Kind.EVERYTHING, held.counts, erase_all.STAYS)
        return Response(PreviewOut(told).data)

    @extend_schema(
        operation_id="forget_everything",
        request=ForgetIn,
        responses={200: ReceiptOut, 400: Problem, 401: Problem, 503: Problem},
    )
    def post(self, request: Request) -> Response:
        """Let everything go that was said and learned. It cannot be undone, and asks for the words.

        The way in, tokens, settings and closed kinds stay; so do the lines of the history, without
        their words.
        """
        given = ForgetIn(data=request.data)
        given.is_valid(raise_exception=True)
        receipt = erase_all.forget_everything(self.person(request))
        line, kept = receipt.line, receipt.kept
        told = {
            "gone": receipt.gone,
            "at": line and line.at,
            "line": line and line.pk,
            "receipt": kept and kept.pk,
        }
        return Response(ReceiptOut(told).data)
