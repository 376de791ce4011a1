"""What a person allows, for other software."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.access.api import PersonAPIView, RequestBody
from accounts.models import PrivacySettings
from memory.web.api.common import ON_INPUT, USUAL, valid


class PrivacyIn(RequestBody):
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

    @extend_schema(operation_id="privacy_read", responses={200: PrivacyOut, **USUAL})
    def get(self, request: Request) -> Response:
        """Read them."""
        return Response(PrivacyOut(PrivacySettings.of(self.person(request).pk)).data)

    @extend_schema(
        operation_id="privacy_change",
        request=PrivacyIn,
        responses={200: PrivacyOut, **ON_INPUT},
    )
    def patch(self, request: Request) -> Response:
        """Change them; each change is a line of the history."""
        given = valid(PrivacyIn, request.data)
        chosen = privacy.choose(self.person(request).pk, **given)
        return Response(PrivacyOut(chosen).data)
