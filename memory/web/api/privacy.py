"""API for the privacy settings."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.access.api import ON_INPUT, USUAL, PersonAPIView, RequestBody
from accounts.models import PrivacySettings


class PrivacyIn(RequestBody):
    """Privacy settings to change; omitted fields keep their value."""

    least_fields = 1

    promotion = serializers.ChoiceField(
        choices=PrivacySettings.Promotion.choices,
        required=False,
        help_text=(
            "What happens when the user says something about themselves: auto saves and shows it, "
            "ask waits for the user's approval."
        ),
    )
    settle_by_rule = serializers.BooleanField(
        required=False,
        help_text="Whether clear conflicts are settled automatically, without asking the user.",
    )
    begins_private = serializers.BooleanField(
        required=False, help_text="Whether new conversations start out private."
    )


class PrivacyOut(serializers.Serializer[Any]):
    """The privacy settings for all conversations."""

    promotion = serializers.ChoiceField(choices=PrivacySettings.Promotion.choices)
    settle_by_rule = serializers.BooleanField()
    begins_private = serializers.BooleanField()


class Privacy(PersonAPIView):
    """Endpoint of the privacy settings: read and change."""

    @extend_schema(operation_id="privacy_read", responses={200: PrivacyOut, **USUAL})
    def get(self, request: Request) -> Response:
        """Read the privacy settings."""
        return Response(PrivacyOut(PrivacySettings.of(self.person(request).pk)).data)

    @extend_schema(
        operation_id="privacy_change",
        request=PrivacyIn,
        responses={200: PrivacyOut, **ON_INPUT},
    )
    def patch(self, request: Request) -> Response:
        """Change privacy settings. Each change is recorded in the history."""
        data = self.body(request, PrivacyIn)
        chosen = privacy.choose(self.person(request).pk, **data)
        return Response(PrivacyOut(chosen).data)
