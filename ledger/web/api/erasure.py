"""API for erasing facts and memories, and for the receipts."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import ON_A_ROW, PAGING, PersonAPIView, Problem, page_of, paged
from ledger import erasure
from ledger.models import Erasure
from ledger.verification import receipts
from ledger.verification.kinds import GOES, STAYS
from ledger.web.receipts import foreseen, view
from memory.models import Memory, ProfileFact


class CountedOut(serializers.Serializer[Any]):
    """Number of items of one kind that are erased."""

    kind = serializers.ChoiceField(choices=[(kind, names[1]) for kind, names in GOES.items()])
    count = serializers.IntegerField()
    words = serializers.CharField(help_text="Count and kind as text, such as '3 messages'.")


class StayingOut(serializers.Serializer[Any]):
    """A kind of item that stays, and why."""

    kind = serializers.ChoiceField(choices=[*STAYS])
    count = serializers.IntegerField(
        allow_null=True, help_text="Number of items; null if they are not counted."
    )
    why = serializers.CharField()


class PreviewOut(serializers.Serializer[Any]):
    """What an erasure would delete and what would stay."""

    kind = serializers.ChoiceField(choices=Erasure.Kind.choices)
    goes = CountedOut(many=True)
    stays = StayingOut(many=True)


class LeftOut(serializers.Serializer[Any]):
    """A database row that still contains what should have been erased."""

    table = serializers.CharField()
    row = serializers.CharField(help_text="Primary key of the row.")
    column = serializers.CharField(allow_blank=True)
    remedy = serializers.CharField(help_text="A sentence saying what to do about the row.")


class ErasureOut(PreviewOut):
    """The receipt of an erasure: what was erased, as counts, and what a search found afterwards."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    at = serializers.DateTimeField()
    is_clean = serializers.BooleanField(
        help_text="true if the search found nothing left that should have been erased."
    )
    left = LeftOut(many=True)
    more = serializers.IntegerField(help_text="Number of remaining rows that are not listed.")
    tables = serializers.IntegerField(help_text="Number of tables that were searched.")
    rows = serializers.IntegerField(help_text="Number of the user's rows that were searched.")
    files = serializers.IntegerField(
        help_text="Number of files that were searched, such as stored mail and queued messages."
    )


def gone_with(receipt: Erasure) -> Response:
    """Return the response to an erasure, with the URL of its receipt."""
    return Response(status=204, headers={"Location": reverse("api:erasure", args=[receipt.pk])})


class Erase(PersonAPIView):
    """Erasing a fact."""

    @extend_schema(
        operation_id="profile_fact_erase_preview", responses={200: PreviewOut, **ON_A_ROW}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Preview what erasing a fact would delete and what would stay. Nothing is changed."""
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        shown = erasure.preview(get_object_or_404(facts, pk=pk))
        return Response(PreviewOut(foreseen(Erasure.Kind.FACT, shown.counts, shown.stays)).data)

    @extend_schema(
        operation_id="profile_fact_erase", request=None, responses={204: None, **ON_A_ROW}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase a fact and everything else that says the same. This cannot be undone.

        Current and earlier facts can be erased. The messages in which a fact was said are kept, but
        never quoted in other conversations. 404 if it is already erased. `Location` is the URL of
        the receipt.
        """
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        receipt = erasure.erase(get_object_or_404(facts, pk=pk))
        if receipt is None:
            raise Http404
        return gone_with(receipt)


class EraseNote(PersonAPIView):
    """Erasing a memory."""

    @extend_schema(operation_id="memories_erase", request=None, responses={204: None, **ON_A_ROW})
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase a memory, in use or not, with its earlier versions. This cannot be undone.

        The message that it came from is kept, but never quoted in other conversations.
        """
        notes = Memory.objects.for_user(self.person(request).pk)
        erasure.erase_note(get_object_or_404(notes, pk=pk))
        return Response(status=204)


class Erasures(PersonAPIView):
    """The receipts of a person."""

    @extend_schema(
        operation_id="erasures_list",
        parameters=PAGING,
        responses={200: page_of(ErasureOut), 400: Problem, 401: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """List the receipts of erasures, newest first. They do not contain the erased text."""
        rows = receipts.receipts_of(self.person(request).pk)
        return paged(self, request, rows, lambda page: ErasureOut(map(view, page), many=True).data)


class OneErasure(PersonAPIView):
    """One receipt."""

    @extend_schema(operation_id="erasures_read", responses={200: ErasureOut, **ON_A_ROW})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a receipt: what was erased, what was searched afterwards, and what remains."""
        rows = receipts.receipts_of(self.person(request).pk)
        return Response(ErasureOut(view(get_object_or_404(rows, pk=pk))).data)
