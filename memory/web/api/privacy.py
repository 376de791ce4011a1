"""What a person allows, for other software."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.access.api import PersonAPIView, Problem
from accounts.models import PrivacySettings


class PrivacyIn(serializers.Serializer[Any]):
    """What to change; whatever is left out stays."""

    promotion = serializers.ChoiceField(
        choices=PrivacySettings.Promotion.choices,
        required=False,
        help_text="What is said plainly: noted and shown, or asked about first.",
    )
    settle_by_rule = serializers.BooleanField(
        required=False, help_text="Whether clear contradictions are settled by the formula."
    )
    begins_private = serializers.BooleanField(
        required=False, help_text="Whether every new conversation begins private."
    )


class PrivacyOut(serializers.Serializer[Any]):
    """What is allowed."""

    promotion = serializers.ChoiceField(choices=PrivacySettings.Promotion.choices)
    settle_by_rule = serializers.BooleanField()
    begins_private = serializers.BooleanField()


class Privacy(PersonAPIView):
    """The choices for all conversations."""

    @extend_schema(
        operation_id="privacy_read", responses={200: PrivacyOut, 401: Problem, 503: Problem}
    )
    def get(self, request: Request) -> Response:
        """Read them."""
        return Response(PrivacyOut(PrivacySettings.of(self.person(request).pk)).data)

    @extend_schema(
        operation_id="privacy_change",
        request=PrivacyIn,
        responses={200: PrivacyOut, 400: Problem, 401: Problem, 503: Problem},
    )
    def patch(self, request: Request) -> Response:
        """Change them; each change is a line of the history."""
        given = PrivacyIn(data=request.data)
        given.is_valid(raise_exception=True)
        chosen = privacy.choose(self.person(request).pk, **given.validated_data)
        return Response(PrivacyOut(chosen).data)
