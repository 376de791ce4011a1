"""Forgetting at once what a conversation taught, for other software."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem
from conversations.deletion import forget_learned
from conversations.web.rows import conversation_of


class ForgottenOut(serializers.Serializer[Any]):
    """What was taken back, by ids: each can be brought back."""

    count = serializers.IntegerField()
    facts = serializers.ListField(
        child=serializers.UUIDField(), help_text="`POST /profile/{id}/restore` brings one back."
    )
    memories = serializers.ListField(
        child=serializers.UUIDField(), help_text="Brought back on the page of the notes."
    )


class Unlearn(PersonAPIView):
    """What one conversation taught."""

    @extend_schema(
        operation_id="conversations_unlearn",
        request=None,
        responses={200: ForgottenOut, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Forget the facts and notes known from it and from nowhere else. Its messages stay.

        Once more is nothing: `count` is 0 then.
        """
        forgotten = forget_learned.forget(conversation_of(self.person(request), pk))
        told = {"count": len(forgotten), "facts": forgotten.facts, "memories": forgotten.notes}
        return Response(ForgottenOut(told).data)
