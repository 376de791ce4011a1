"""API for forgetting what was learned from a conversation."""

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
    """The facts and memories that were forgotten. Each can be restored."""

    count = serializers.IntegerField(help_text="Number of forgotten facts and memories.")
    facts = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Ids of the forgotten facts; `POST /profile/{id}/restore` restores one.",
    )
    memories = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Ids of the forgotten memories; they can be restored on the Memories page.",
    )


class Unlearn(PersonAPIView):
    """Forgetting what was learned from a conversation."""

    @extend_schema(
        operation_id="conversations_unlearn",
        request=None,
        responses={200: ForgottenOut, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Forget the facts and memories that were learned from this conversation alone. Its
        messages are kept.

        Repeating this changes nothing, and `count` is then 0.
        """
        forgotten = forget_learned.forget(conversation_of(self.person(request), pk))
        summary = {"count": len(forgotten), "facts": forgotten.facts, "memories": forgotten.notes}
        return Response(ForgottenOut(summary).data)
