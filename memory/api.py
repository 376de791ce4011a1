"""The profile for other software."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import PersonAPIView, Problem
from memory import present
from memory.models import ProfileFact


class FactOut(serializers.Serializer[Any]):
    """A profile fact."""

    id = serializers.UUIDField()
    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()
    many = serializers.BooleanField(  # type: ignore[assignment]
        help_text="Whether this slot may hold several values."
    )
    trust = serializers.FloatField(help_text="0..1, moves with agreement.")
    confidence = serializers.FloatField(help_text="0..1, fixed when it was noted.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ProfileFact.Source.choices
    )
    disputed = serializers.BooleanField(help_text="Whether another value stands against it.")
    last_verified = serializers.DateTimeField()
    valid_from = serializers.DateTimeField()
    conversations = serializers.IntegerField(help_text="In how many conversations it was said.")
    source_conversation = serializers.UUIDField(allow_null=True)
    source_message = serializers.UUIDField(allow_null=True)
    url = serializers.CharField()


class ProfileOut(serializers.Serializer[Any]):
    """All current facts."""

    count = serializers.IntegerField()
    results = FactOut(many=True)


class Profile(PersonAPIView):
    """What is kept in mind in every conversation."""

    @extend_schema(
        operation_id="profile_read", responses={200: ProfileOut, 401: Problem, 503: Problem}
    )
    def get(self, request: Request) -> Response:
        """List every current fact; one that is disputed says so."""
        facts = ProfileFact.objects.for_user(self.person(request).pk).current()
        facts = facts.with_evidence().order_by("slot", "created_at")
        results = [present.api(fact) for fact in facts]
        return Response({"count": len(results), "results": results})
