"""API for coming plans."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils.timezone import localdate, now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody, page_of, valid
from conversations.tools import plan_marks
from conversations.tools.plans import AHEAD, Plan, find_plan, plans_between
from conversations.tools.tool import ToolContext
from conversations.web.forms import SnoozeForm

PROBLEMS = {400: Problem, 401: Problem, 404: Problem, 503: Problem}
# Most plans in one response, and the longest period; a longer one gets status 400.
_MOST_DAYS = 2 * AHEAD.days


class PlanConversationOut(serializers.Serializer[Any]):
    """The conversation in which a plan was mentioned."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    link = serializers.CharField(help_text="Path to its page.")


class PlanOut(serializers.Serializer[Any]):
    """A plan: something the user said about a coming day."""

    id = serializers.UUIDField(
        source="key", help_text="Id of the plan; it stays the same until the day changes."
    )
    first = serializers.DateField(
        help_text="First day, YYYY-MM-DD; for a snoozed plan, the new day."
    )
    last = serializers.DateField(help_text="Last day, YYYY-MM-DD.")
    time = serializers.TimeField(
        allow_null=True, help_text="Time of day; null if no clock time was given."
    )
    day = serializers.CharField(help_text="The days in words, to show to the user.")
    weekly = serializers.BooleanField(
        help_text="Whether it repeats every week; if so, the days are those of the next occurrence."
    )
    text = serializers.CharField()
    about = serializers.CharField(
        allow_blank=True, help_text="Earlier text that it corrects; otherwise empty."
    )
    done = serializers.BooleanField()
    snoozed = serializers.BooleanField(help_text="Whether it was snoozed.")
    planned_for = serializers.DateField(
        help_text="Original day, before it was snoozed, YYYY-MM-DD."
    )
    said_at = serializers.DateTimeField()
    link = serializers.CharField(help_text="Path to the message or memory that it comes from.")
    conversation = PlanConversationOut(
        allow_null=True,
        help_text="Conversation that it comes from; null for a memory added by hand.",
    )


class PlanDays(serializers.Serializer[Any]):
    """The days to list, both included."""

    done = serializers.BooleanField(default=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with two whose names are Python keywords."""
        days = {name: serializers.DateField(required=False) for name in ("from", "to")}
        return {**super().get_fields(), **days}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values. Raises ValidationError if the period is too long."""
        first = attrs.get("from", localdate())
        last = attrs.get("to", first + AHEAD)
        if last - first > timedelta(_MOST_DAYS):
            raise ValidationError({"to": [f"Ask for at most {_MOST_DAYS} days at a time."]})
        return {"first": first, "last": last, "done_too": attrs["done"]}


class SnoozeIn(RequestBody):
    """The day to put a plan off to."""

    until = serializers.DateField(help_text="New day, YYYY-MM-DD: today or later, within 400 days.")

    def validate_until(self, until: date) -> date:
        """Return the day. Raises ValidationError if it is not in the range that the page allows."""
        form = SnoozeForm({"until": until})
        if not form.is_valid():
            raise ValidationError([str(error) for error in form.errors["until"]])
        return until


class Plans(PersonAPIView):
    """The plans of a person."""

    @extend_schema(
        operation_id="plans_list",
        responses={200: page_of(PlanOut), **PROBLEMS},
        parameters=[
            OpenApiParameter(
                "from", date, description="First day to include, YYYY-MM-DD; default today."
            ),
            OpenApiParameter(
                "to",
                date,
                description="Last day to include, YYYY-MM-DD; default 400 days after `from`.",
            ),
            OpenApiParameter(
                "done", bool, description="Whether to include plans that are done; default false."
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List plans, nearest first. Plans from private conversations are not included."""
        days = valid(PlanDays, request.query_params.dict())
        plans = plans_between(ToolContext(self.person(request).pk, now()), **days)
        return self.page(request, plans, PlanOut)


class _OnePlan(PersonAPIView):
    """An operation on one plan."""

    def plan(self, request: Request, pk: UUID) -> Plan:
        """Return the plan. Raises NotFound."""
        plan = find_plan(ToolContext(self.person(request).pk, now()), pk)
        if plan is None:
            raise NotFound
        return plan

    def answer(self, request: Request, pk: UUID) -> Response:
        """Return a response with the current state of the plan."""
        return Response(PlanOut(self.plan(request, pk)).data)


class PlanDone(_OnePlan):
    """Marking a plan as done."""

    @extend_schema(operation_id="plans_done", request=None, responses={200: PlanOut, **PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Mark a plan as done. Repeating this changes nothing."""
        plan_marks.mark_done(self.person(request), self.plan(request, pk))
        return self.answer(request, pk)


class PlanSnooze(_OnePlan):
    """Putting a plan off."""

    @extend_schema(
        operation_id="plans_snooze", request=SnoozeIn, responses={200: PlanOut, **PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Snooze a plan until another day."""
        data = self.body(request, SnoozeIn)
        until = data["until"]
        plan_marks.snooze(self.person(request), self.plan(request, pk), until)
        return self.answer(request, pk)


class PlanUndo(_OnePlan):
    """Undoing the last change of a plan."""

    @extend_schema(operation_id="plans_undo", request=None, responses={200: PlanOut, **PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Undo the last change to a plan (done or snoozed), if there is one."""
        plan_marks.undo(self.person(request), self.plan(request, pk))
        return self.answer(request, pk)
