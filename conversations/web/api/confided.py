"""API for private matters, which stay in their conversation unless the user asks to save them."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem
from conversations.learning import note_consent
from conversations.models import LearningOutcome
from conversations.web.api.talk_serializers import NoteOut
from conversations.web.present import chips
from memory.notes.note_gate import NotKept


class _NotNoted(APIException):
    status_code = 409


class NoteAnyway(PersonAPIView):
    """Consent to saving a private matter."""

    @extend_schema(
        operation_id="notes_note_anyway",
        request=None,
        responses={200: NoteOut(many=True), 401: Problem, 404: Problem, 409: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Save a private matter that was kept in its conversation, marked as sensitive.

        This counts as the user's explicit consent and is recorded in the history. 409 with the
        reason if it cannot be saved: a kind of fact that is never saved, a private conversation, or
        a password in the same message.
        """
        outcome = get_object_or_404(
            LearningOutcome.objects.filter(user=self.person(request)), pk=pk
        )
        try:
            noted = note_consent.note_anyway(outcome)
        except NotKept as reason:
            raise _NotNoted(str(reason), reason.code or None) from None
        return Response(NoteOut([chips.note(outcome) for outcome in noted], many=True).data)
