"""Erasing for other software: what would go, letting it go, and the receipts."""

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, page_of
from ledger import erasure
from ledger.models import Erasure
from ledger.verification import receipts
from ledger.web.api.erasure_serializers import ErasureOut, PreviewOut
from ledger.web.receipts import foreseen, view
from memory.models import Memory, ProfileFact

PROBLEMS = {401: Problem, 404: Problem, 503: Problem}


def gone_with(receipt: Erasure) -> Response:
    """An answer to what erased something: where its receipt is."""
    return Response(status=204, headers={"Location": reverse("api:erasure", args=[receipt.pk])})


class Erase(PersonAPIView):
    """Letting a fact go for good."""

    @extend_schema(
        operation_id="profile_fact_erase_preview", responses={200: PreviewOut, **PROBLEMS}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """What would go with it and what would stay, as the receipt will count it."""
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        shown = erasure.preview(get_object_or_404(facts, pk=pk))
        return Response(PreviewOut(foreseen(Erasure.Kind.FACT, shown.counts, shown.stays)).data)

    @extend_schema(
        operation_id="profile_fact_erase", request=None, responses={204: None, **PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase it, current or not, with all that tells the same; it cannot be undone.

        The messages in which it was typed stay, and are quoted in no other conversation. 404 when
        it is gone already. `Location` names the receipt.
        """
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        receipt = erasure.erase(get_object_or_404(facts, pk=pk))
        if receipt is None:
            raise Http404
        return gone_with(receipt)


class EraseNote(PersonAPIView):
    """Letting a note go for good."""

    @extend_schema(operation_id="memories_erase", request=None, responses={204: None, **PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase it, in use or not, with its earlier wordings; it cannot be undone.

        The message it was made of stays, and is quoted in no other conversation.
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
        """List them, the newest first; they have no word of what went."""
        pages = Pages()
        rows = receipts.receipts_of(self.person(request).pk)
        page = pages.paginate_queryset(rows, request, view=self) or []
        shown = [view(one) for one in page]
        return pages.get_paginated_response(ErasureOut(shown, many=True).data)


class OneErasure(PersonAPIView):
    """One receipt."""

    @extend_schema(operation_id="erasures_read", responses={200: ErasureOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """How much went, what was searched afterwards, and what is left or stays."""
        rows = receipts.receipts_of(self.person(request).pk)
        return Response(ErasureOut(view(get_object_or_404(rows, pk=pk))).data)
