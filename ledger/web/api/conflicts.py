"""API for conflicts between two values."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    PAGING,
    NoLonger,
    PersonAPIView,
    Problem,
    RequestBody,
    ScoreField,
    page_of,
    paged,
)
from accounts.models import AuditEvent
from ledger.conflicts import opening
from ledger.conflicts.resolution import (
    KINDS,
    AlreadySettled,
    Answer,
    SidesChanged,
    UnfitAnswer,
    resolve,
)
from ledger.conflicts.undo import CannotUndo, undo
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from ledger.web import present
from memory.facts.day_precision import not_yet_to_come
from memory.models import VALUE_LENGTH


class SideOut(serializers.Serializer[Any]):
    """One of the two values in a conflict."""

    fact = serializers.UUIDField(source="fact.pk")
    value = serializers.CharField()
    trust = ScoreField(source="fact.trust", help_text="Current trust in the value, 0 to 1.")
    conversations = serializers.IntegerField(
        source="conversation_count", help_text="Number of conversations that mention the value."
    )
    last_said = serializers.DateTimeField()
    source_conversations = serializers.ListField(child=serializers.UUIDField())


class ResolutionOut(serializers.Serializer[Any]):
    """How a conflict was settled."""

    method = serializers.ChoiceField(choices=Resolution.Method.choices)
    by = serializers.ChoiceField(source="by_whom", choices=AuditEvent.By.choices)
    at = serializers.DateTimeField()
    reason = serializers.CharField()
    value = serializers.CharField(
        help_text="For a merge: the value that was written; otherwise empty."
    )
    until = serializers.DateField(allow_null=True)
    since = serializers.DateField(allow_null=True)
    can_undo = serializers.BooleanField()


class SuggestionOut(serializers.Serializer[Any]):
    """A suggested answer and the reason for it. It is applied only if the user chooses it."""

    method = serializers.ChoiceField(choices=Resolution.Method.choices)
    reason = serializers.CharField()
    until = serializers.DateField(allow_null=True)
    since = serializers.DateField(allow_null=True)


class ConflictOut(serializers.Serializer[Any]):
    """A conflict between two values for one slot."""

    id = serializers.UUIDField(source="entry.pk")
    slot = serializers.CharField()
    status = serializers.ChoiceField(source="entry.status", choices=Contradiction.Status.choices)
    question = serializers.CharField()
    drift = ScoreField(source="entry.drift", help_text="How much the two values differ, 0 to 1.")
    opened_at = serializers.DateTimeField(source="entry.opened_at")
    old = SideOut()
    new = SideOut()
    old_value = serializers.CharField(source="old.value")
    new_value = serializers.CharField(source="new.value")
    resolution = ResolutionOut(source="entry.resolution", allow_null=True)
    suggestion = SuggestionOut(allow_null=True)
    help_asked_at = serializers.DateTimeField(source="entry.help_asked_at", allow_null=True)


def conflict_api(entries: Any, *, many: bool = False) -> Any:
    """Return a conflict, or with `many` a list of conflicts, as the API shows it."""
    shown = [present.view(entry) for entry in entries] if many else present.view(entries)
    return ConflictOut(shown, many=many).data


class AnswerIn(RequestBody):
    """An answer that settles a conflict."""

    resolution = serializers.ChoiceField(
        choices=[(kind.value, kind.label) for kind in KINDS],
        help_text="For dismiss: if the slot can hold several values, both are fine and become "
        "current; if it holds only one, the old value stays, the new one is set aside, and the "
        "user isn't asked again.",
    )
    value = serializers.CharField(
        max_length=VALUE_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="For merge: the right value.",
    )
    until = serializers.DateField(
        required=False,
        default=None,
        validators=[not_yet_to_come],
        help_text="For timeline: last day on which the old value was true, YYYY-MM-DD.",
    )
    since = serializers.DateField(
        required=False,
        default=None,
        validators=[not_yet_to_come],
        help_text="For timeline: first day on which the new value was true, YYYY-MM-DD.",
    )
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    old = serializers.UUIDField(
        required=False, help_text="Id of the old fact as you read it; 409 if it has changed since."
    )
    new = serializers.UUIDField(
        required=False, help_text="Id of the new fact as you read it; 409 if it has changed since."
    )


class Conflicts(PersonAPIView):
    """The conflicts of a person."""

    @extend_schema(
        operation_id="conflicts_list",
        responses={200: page_of(ConflictOut), 400: Problem, 401: Problem, 503: Problem},
        parameters=[
            OpenApiParameter(
                "status",
                str,
                enum=[*Contradiction.Status.values, "all"],
                default=Contradiction.Status.OPEN.value,
                description="Only conflicts with this status.",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List conflicts, newest first; only open ones by default."""
        status = request.query_params.get("status", Contradiction.Status.OPEN)
        rows = _entries(self, request).order_by("-opened_at", "-pk")
        if status != "all":
            rows = rows.filter(status=status)
        return paged(self, request, rows, lambda page: conflict_api(page, many=True))


class _OfOne(PersonAPIView):
    """An operation on one conflict of a person."""

    def entry(self, request: Request, pk: UUID) -> Contradiction:
        """Return the conflict. Raises Http404."""
        return get_object_or_404(_entries(self, request), pk=pk)

    def as_it_is_now(self, request: Request, pk: UUID) -> Response:
        """Return the response with the current state of the conflict."""
        return Response(conflict_api(_entries(self, request).get(pk=pk)))


class OneConflict(_OfOne):
    """One conflict."""

    @extend_schema(
        operation_id="conflicts_read", responses={200: ConflictOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a conflict with both values."""
        return Response(conflict_api(self.entry(request, pk)))


class Resolve(_OfOne):
    """Settling a conflict."""

    @extend_schema(
        operation_id="conflicts_resolve",
        request=AnswerIn,
        responses={200: ConflictOut, 400: Problem, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Settle a conflict."""
        entry = self.entry(request, pk)
        data = self.body(request, AnswerIn)
        sides = (str(data.get("old", entry.old_fact_id)), str(data.get("new", entry.new_fact_id)))
        answer = Answer(data["resolution"], data["value"], data["until"], data["since"])
        try:
            resolve(entry, answer, by=self.person(request), reason=data["reason"], sides=sides)
        except UnfitAnswer as unfit:
            raise ValidationError({unfit.field: str(unfit)}) from None
        except AlreadySettled:
            raise NoLonger("This was settled a moment ago. Read it again to see how.") from None
        except SidesChanged as changed:
            raise NoLonger(str(changed)) from None
        return self.as_it_is_now(request, pk)


class Undo(_OfOne):
    """Reopening a conflict."""

    @extend_schema(
        operation_id="conflicts_undo",
        request=None,
        responses={200: ConflictOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Reopen a settled conflict. 409 if a later change depends on the answer."""
        entry = self.entry(request, pk)
        try:
            undo(entry)
        except CannotUndo as reason:
            raise NoLonger(str(reason)) from None
        return self.as_it_is_now(request, pk)


class Help(_OfOne):
    """Asking staff about a conflict."""

    @extend_schema(
        operation_id="conflicts_ask_for_help",
        request=None,
        responses={200: ConflictOut, 401: Problem, 404: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Ask staff to read both values and settle the conflict."""
        opening.ask_for_help(self.entry(request, pk))
        return self.as_it_is_now(request, pk)


def _entries(view: PersonAPIView, request: Request) -> ContradictionQuerySet:
    return present.with_evidence(Contradiction.objects.for_user(view.person(request).pk))
