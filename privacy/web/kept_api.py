"""How long things are kept, and consents, for other software."""

from typing import Any

from django.forms.models import model_to_dict
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import privacy
from accounts.access.api import PersonAPIView, Problem, RequestBody
from accounts.models import PrivacySettings
from privacy import consents, retention

_CHANGES = 50


class _Days(serializers.ChoiceField):
    """A number of days to choose, or null."""

    def __init__(self, help_text: str) -> None:
        super().__init__(
            choices=PrivacySettings.KEPT_FOR, allow_null=True, required=False, help_text=help_text
        )


class RetentionIn(RequestBody):
    """For how many days; null is for ever, and what is left out stays."""

    conversation_days = _Days("After the last word of a conversation.")
    retired_note_days = _Days("After a note went out of use.")


class GoingOut(serializers.Serializer[Any]):
    """How much is over by now with these days, and goes with the next round."""

    conversations = serializers.IntegerField()
    messages = serializers.IntegerField()
    facts = serializers.IntegerField(help_text="Learned from these conversations alone.")
    notes = serializers.IntegerField(help_text="Learned from these conversations alone.")
    retired_notes = serializers.IntegerField()


class RetentionOut(serializers.Serializer[Any]):
    """The days, and what is over with them."""

    conversation_days = serializers.IntegerField(allow_null=True)
    retired_note_days = serializers.IntegerField(allow_null=True)
    going = GoingOut()


class Retention(PersonAPIView):
    """How long conversations and retired notes are kept."""

    @extend_schema(
        operation_id="retention_read",
        parameters=[
            OpenApiParameter(name, int, enum=list(dict(PrivacySettings.KEPT_FOR)))
            for name in ("conversation_days", "retired_note_days")
        ],
        responses={200: RetentionOut, 400: Problem, 401: Problem},
    )
    def get(self, request: Request) -> Response:
        """Read what is chosen; with parameters, what another choice would let go."""
        return Response(self._told(request, self._given(request, request.query_params)))

    @extend_schema(
        operation_id="retention_change",
        request=RetentionIn,
        responses={200: RetentionOut, 400: Problem, 401: Problem},
    )
    def patch(self, request: Request) -> Response:
        """Choose; a line of the history says so. What is over goes within minutes."""
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
    """What is agreed to."""

    name = serializers.CharField(help_text="By this it is withdrawn.")
    text = serializers.CharField()
    since = serializers.DateTimeField()
    ends = serializers.CharField(help_text="What ends with it.")


class ConsentChangeOut(serializers.Serializer[Any]):
    """A change of what is allowed."""

    at = serializers.DateTimeField()
    why = serializers.CharField(help_text="What was allowed or no longer.")
    before = serializers.CharField()
    after = serializers.CharField()


class ConsentsOut(serializers.Serializer[Any]):
    """All that holds, and the latest changes."""

    results = AgreedOut(many=True)
    history = ConsentChangeOut(many=True)


class Consents(PersonAPIView):
    """All consents."""

    @extend_schema(operation_id="consents_list", responses={200: ConsentsOut, 401: Problem})
    def get(self, request: Request) -> Response:
        """List what is agreed to, since when, and the latest 50 changes."""
        person = self.person(request)
        told = {"results": consents.of(person), "history": privacy.lines(person.pk)[:_CHANGES]}
        return Response(ConsentsOut(told).data)


class OneConsent(PersonAPIView):
    """One consent."""

    @extend_schema(
        operation_id="consents_withdraw", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, name: str) -> Response:
        """Withdraw it."""
        try:
            consents.withdraw(self.person(request), name)
        except consents.NoSuchConsent:
            raise Http404 from None
        return Response(status=204)
