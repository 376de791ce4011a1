"""Erasing for other software."""

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import PersonAPIView, Problem
from ledger import erasure
from memory.models import Memory, ProfileFact


class Erase(PersonAPIView):
    """Letting a fact go for good."""

    @extend_schema(
        operation_id="profile_fact_erase",
        request=None,
        responses={204: None, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase it, current or not, with all that tells the same; it cannot be undone.

        The messages in which it was typed stay, and are quoted in no other conversation. 404 when
        it is gone already.
        """
        facts = ProfileFact.objects.for_user(self.person(request).pk)
        if not erasure.erase(get_object_or_404(facts, pk=pk)):
            raise Http404
        return Response(status=204)


class EraseNote(PersonAPIView):
    """Letting a note go for good."""

    @extend_schema(
        operation_id="memories_erase",
        request=None,
        responses={204: None, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Erase it, in use or not, with its earlier wordings; it cannot be undone.

        The message it was made of stays, and is quoted in no other conversation.
        """
        notes = Memory.objects.for_user(self.person(request).pk)
        erasure.erase_note(get_object_or_404(notes, pk=pk))
        return Response(status=204)
