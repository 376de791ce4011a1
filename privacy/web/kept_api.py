"""API for retention periods and consents."""

from typing import Any

from django.forms.models import model_to_dict
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody
from accounts.models import PrivacySettings
from privacy import consents, retention

_CHANGES = 50


class _Days(serializers.ChoiceField):
    """One of the possible numbers of days, or null."""

    def __init__(self, help_text: str) -> None:
        super().__init__(
            choices=PrivacySettings.KEPT_FOR, allow_null=True, required=False, help_text=help_text
        )


class RetentionIn(RequestBody):
    """Retention periods in days, null for no limit; omitted fields keep their value."""

    least_fields = 1

    conversation_days = _Days(
        "Number of days a conversation is kept after its last message; null if it is never deleted."
    )
    retired_note_days = _Days(
        "Number of days a memory is kept after it goes out of use; null if it is never deleted."
    )


class GoingOut(serializers.Serializer[Any]):
    """Data older than these periods, which will be deleted next."""

    conversations = serializers.IntegerField()
    messages = serializers.IntegerField()
    facts = serializers.IntegerField(
        help_text="Number of facts learned only from these conversations."
    )
    notes = serializers.IntegerField(
        help_text="Number of memories learned only from these conversations."
    )
    retired_notes = serializers.IntegerField(help_text="Number of memories no longer in use.")


class RetentionOut(serializers.Serializer[Any]):
    """The retention periods, and what they delete next."""

    conversation_days = serializers.IntegerField(allow_null=True)
    retired_note_days = serializers.IntegerField(allow_null=True)
    going = GoingOut()


class Retention(PersonAPIView):
    """Retention periods for conversations and for memories no longer in use."""

    @extend_schema(
        operation_id="retention_read",
        parameters=[
            OpenApiParameter(
                name,
                int,
                enum=list(dict(PrivacySettings.KEPT_FOR)),
                description="Number of days to preview; by default, the current setting.",
            )
            for name in ("conversation_days", "retired_note_days")
        ],
        responses={200: RetentionOut},
    )
    def get(self, request: Request) -> Response:
        """Read the retention periods; with parameters, preview what other periods would delete."""
        return Response(self._told(request, self._given(request, request.query_params)))

    @extend_schema(
        operation_id="retention_change", request=RetentionIn, responses={200: RetentionOut}
    )
    def patch(self, request: Request) -> Response:
        """Change the retention periods. The change is recorded in the history. Older data is
        deleted within minutes.
        """
        days = self._given(request, request.data)
        retention.choose(self.person(request).pk, **days)
        return Response(self._told(request, days))

    def _given(self, request: Request, sent: Any) -> dict[str, int | None]:
        given = RetentionIn(data=sent)
        given.is_valid(raise_exception=True)
        chosen = PrivacySettings.of(self.person(request).pk)
        return {**model_to_dict(chosen, list(given.fields)), **given.validated_data}

    def _told(self, request: Request, days: dict[str, int | None]) -> Any:
        going = retention.would_go(self.person(request).pk, **days)
        return RetentionOut({**days, "going": going}).data


class AgreedOut(serializers.Serializer[Any]):
    """A consent that the user has given."""

    name = serializers.CharField(
        help_text="Name for withdrawing it with `DELETE /api/v1/consents/{name}`."
    )
    text = serializers.CharField()
    since = serializers.DateTimeField()
    ends = serializers.CharField(help_text="What stops when it is withdrawn.")


class ConsentChangeOut(serializers.Serializer[Any]):
    """A change to consents or privacy settings."""

    at = serializers.DateTimeField()
    why = serializers.CharField(help_text="What was allowed or withdrawn.")
    before = serializers.CharField()
    after = serializers.CharField()


class ConsentsOut(serializers.Serializer[Any]):
    """A page of the current consents, and the latest changes."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = AgreedOut(many=True)
    history = ConsentChangeOut(many=True)


class Consents(PersonAPIView):
    """The consents of a person."""

    @extend_schema(operation_id="consents_list", responses={200: ConsentsOut}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """List the current consents, and the latest 50 changes."""
        person = self.person(request)
        answer = self.page(request, consents.of(person), AgreedOut)
        changes = privacy.lines(person.pk)[:_CHANGES]
        answer.data["history"] = ConsentChangeOut(changes, many=True).data
        return answer


class OneConsent(PersonAPIView):
    """One consent."""

    @extend_schema(operation_id="consents_withdraw", responses={204: None, 404: Problem})
    def delete(self, request: Request, name: str) -> Response:
        """Withdraw a consent."""
        if not consents.withdraw(self.person(request), name):
            raise Http404
        return Response(status=204)
