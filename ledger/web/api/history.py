"""API for the audit log."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, page_of, paged, valid
from accounts.models import AuditEvent
from ledger.history import log_lines, log_search
from ledger.history.log_search import LogQuery
from memory.retrieval.note_search import LONGEST_QUERY
from memory.slots import SLOTS


class AuditIn(serializers.Serializer[Any]):
    """Filters for the history."""

    q = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_QUERY,
        help_text="Words that must all occur in `before`, `after` or `why`.",
    )
    deed = serializers.ChoiceField(choices=AuditEvent.Action.choices, required=False)
    slot = serializers.ChoiceField(choices=[*SLOTS], required=False)
    by = serializers.ChoiceField(choices=AuditEvent.By.choices, required=False)
    since = serializers.DateField(required=False, help_text="First day to include, YYYY-MM-DD.")
    until = serializers.DateField(required=False, help_text="Last day to include, YYYY-MM-DD.")


class AuditOut(serializers.Serializer[Any]):
    """A recorded change: who, when, from where, before, after and why."""

    id = serializers.UUIDField(source="event.pk")
    at = serializers.DateTimeField(source="event.at")
    deed = serializers.ChoiceField(source="event.deed", choices=AuditEvent.Action.choices)
    by = serializers.ChoiceField(source="event.by", choices=AuditEvent.By.choices)
    slot = serializers.CharField(source="event.slot", allow_blank=True)
    sentence = serializers.CharField(help_text="The change as a sentence.")
    before = serializers.CharField(source="event.before", allow_blank=True)
    after = serializers.CharField(source="event.after", allow_blank=True)
    why = serializers.CharField(source="event.why", allow_blank=True)
    conversation = serializers.UUIDField(source="event.conversation", allow_null=True)
    conversation_title = serializers.CharField(
        source="title",
        allow_blank=True,
        help_text="Title of the conversation; empty if it was deleted.",
    )
    message = serializers.UUIDField(source="event.message", allow_null=True)
    subject = serializers.UUIDField(
        source="event.subject",
        allow_null=True,
        help_text="Id of the fact, memory, conflict or shared page that was changed.",
    )
    erased_at = serializers.DateTimeField(
        source="event.redacted_at",
        allow_null=True,
        help_text="When the text of this entry was erased; null if it was not.",
    )


class Audit(PersonAPIView):
    """The recorded changes of a person's data."""

    @extend_schema(
        operation_id="audit_list",
        parameters=[AuditIn, *PAGING],
        responses={200: page_of(AuditOut), 400: Problem, 401: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """List recorded changes, newest first."""
        valid(AuditIn, request.query_params.dict())
        person = self.person(request)
        rows = log_search.find(person.pk, LogQuery.read(request.query_params))
        return paged(
            self,
            request,
            rows,
            lambda page: AuditOut(log_lines.lines_from(person.pk, page), many=True).data,
        )
