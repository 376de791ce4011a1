"""API for the timeline."""

from typing import Any

from django.utils.timezone import localtime, now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, page_of
from ledger.history import timeline
from ledger.history.timeline import SlotHistory
from memory.slots import SLOTS

_OFFERED = [slot.key for slot in SLOTS.values() if not slot.sensitive]


class SpanOut(serializers.Serializer[Any]):
    """A value and the period in which it was true."""

    fact = serializers.UUIDField(source="fact.pk")
    value = serializers.CharField()
    valid_from = serializers.DateTimeField(source="fact.valid_from")
    valid_to = serializers.DateTimeField(
        source="fact.valid_to",
        allow_null=True,
        help_text="When it stopped being true; null if it is true now.",
    )
    current = serializers.BooleanField(source="is_current")
    source_conversation = serializers.UUIDField(
        source="fact.source_conversation_id", allow_null=True
    )
    source_message = serializers.UUIDField(source="fact.source_message_id", allow_null=True)


class RivalOut(serializers.Serializer[Any]):
    """A value that contradicts a current one, with the open conflict."""

    conflict = serializers.UUIDField(source="entry.pk")
    against = serializers.UUIDField(
        source="against.pk", help_text="Id of the current fact that it contradicts."
    )
    value = serializers.CharField()
    opened_at = serializers.DateTimeField(source="entry.opened_at")


class StrandOut(serializers.Serializer[Any]):
    """The history of one slot."""

    slot = serializers.CharField(source="slot.key")
    label = serializers.CharField(source="slot.label")  # type: ignore[assignment]
    sentence = serializers.SerializerMethodField(help_text="The history of the slot as a sentence.")
    spans = SpanOut(many=True, help_text="Values of the slot, earliest first.")
    open = RivalOut(
        source="rivals", many=True, help_text="Values in an open conflict with a current one."
    )

    def get_sentence(self, history: SlotHistory) -> str:
        """Return the history of the slot as a sentence."""
        return history.sentence(localtime(now()).date())


class Timeline(PersonAPIView):
    """The timeline of a person."""

    @extend_schema(
        operation_id="timeline_read",
        responses={200: page_of(StrandOut), 400: Problem, 401: Problem, 503: Problem},
        parameters=[
            OpenApiParameter("slot", str, enum=_OFFERED, description="Return only this slot."),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """Read the values of every slot, with the period in which each was true."""
        slot = request.query_params.get("slot", "")
        if slot and slot not in _OFFERED:
            raise ValidationError({"slot": f"Use one of: {', '.join(_OFFERED)}."})
        histories = timeline.slot_histories(timeline.read(self.person(request).pk))
        shown = [history for history in histories if slot in ("", history.slot.key)]
        return self.page(request, shown, StrandOut)
