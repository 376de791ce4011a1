"""API for the timeline."""

from typing import Any

from django.utils.timezone import localtime, now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, page_of
from ledger.history import timeline
from ledger.history.timeline import SlotHistory
from memory.slots import SLOTS

_OFFERED = [slot.key for slot in SLOTS.values() if not slot.sensitive]


class SpanOut(serializers.Serializer[Any]):
    """A value and the period in which it was true."""

    fact = serializers.UUIDField()
    value = serializers.CharField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(
        allow_null=True, help_text="When it stopped being true; null if it is true now."
    )
    current = serializers.BooleanField()
    source_conversation = serializers.UUIDField(allow_null=True)
    source_message = serializers.UUIDField(allow_null=True)


class RivalOut(serializers.Serializer[Any]):
    """A value that contradicts a current one, with the open conflict."""

    conflict = serializers.UUIDField()
    against = serializers.UUIDField(help_text="Id of the current fact that it contradicts.")
    value = serializers.CharField()
    opened_at = serializers.DateTimeField()


class StrandOut(serializers.Serializer[Any]):
    """The history of one slot."""

    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    sentence = serializers.CharField(help_text="The history of the slot as a sentence.")
    spans = SpanOut(many=True, help_text="Values of the slot, earliest first.")
    open = RivalOut(many=True, help_text="Values in an open conflict with a current one.")


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
        histories = timeline.strands(timeline.read(self.person(request).pk))
        results = [_strand(strand) for strand in histories if slot in ("", strand.slot.key)]
        pages = Pages()
        return pages.get_paginated_response(
            pages.paginate_queryset(results, request, view=self) or []
        )


def _strand(strand: SlotHistory) -> dict[str, Any]:
    return {
        "slot": strand.slot.key,
        "label": strand.slot.label,
        "sentence": strand.sentence(localtime(now()).date()),
        "spans": [
            {
                "fact": str(span.fact.pk),
                "value": span.value,
                "valid_from": span.fact.valid_from,
                "valid_to": span.fact.valid_to,
                "current": span.is_current,
                "source_conversation": span.fact.source_conversation_id,
                "source_message": span.fact.source_message_id,
            }
            for span in strand.spans
        ],
        "open": [
            {
                "conflict": str(rival.entry.pk),
                "against": str(rival.against.pk),
                "value": rival.value,
                "opened_at": rival.entry.opened_at,
            }
            for rival in strand.rivals
        ],
    }
