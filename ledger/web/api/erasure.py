"""API for erasing facts and memories, and for the receipts."""

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
    """Return the answer to an erasure, with the URL of its receipt."""
    return Response(status=204, headers={"Location": reverse("api:erasure", args=[receipt.pk])})


class Erase(PersonAPIView):
    """Erasing a fact."""

    @extend_schema(
        operation_id="profile_fact_erase_preview", responses={200: PreviewOut, **PROBLEMS}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Preview what erasing a fact would delete and what would stay. Nothing is changed."""
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        shown = erasure.preview(get_object_or_404(facts, pk=pk))
        return Response(PreviewOut(foreseen(Erasure.Kind.FACT, shown.counts, shown.stays)).data)

    @extend_schema(
        operation_id="profile_fact_erase", request=None, responses={204: None, **PROBLEMS}
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

    @extend_schema(operation_id="memories_erase", request=None, responses={204: None, **PROBLEMS})
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
        pages = Pages()
        rows = receipts.receipts_of(self.person(request).pk)
        page = pages.paginate_queryset(rows, request, view=self) or []
        shown = [view(one) for one in page]
        return pages.get_paginated_response(ErasureOut(shown, many=True).data)


class OneErasure(PersonAPIView):
    """One receipt."""

    @extend_schema(operation_id="erasures_read", responses={200: ErasureOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a receipt: what was erased, what was searched afterwards, and what remains."""
        rows = receipts.receipts_of(self.person(request).pk)
        return Response(ErasureOut(view(get_object_or_404(rows, pk=pk))).data)
