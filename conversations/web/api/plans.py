"""What is coming up, for other software."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils.timezone import localdate, now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, RequestBody, page_of
from conversations.tools import plan_marks
from conversations.tools.plans import AHEAD, Plan, find_plan, plans_between
from conversations.tools.tool import ToolContext
from conversations.web.forms import SnoozeForm

PROBLEMS = {400: Problem, 401: Problem, 404: Problem, 503: Problem}
# In one answer. What is asked for beyond is a 400.
_MOST_DAYS = 2 * AHEAD.days


class PlanConversationOut(serializers.Serializer[Any]):
    """The conversation in which a plan was said."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    link = serializers.CharField(help_text="Its page.")


class PlanOut(serializers.Serializer[Any]):
    """A plan: a sentence about days to come."""

    id = serializers.UUIDField(source="key", help_text="The same as long as its day is the same.")
    first = serializers.DateField(help_text="The day, or the first; put off, the day put off to.")
    last = serializers.DateField()
    time = serializers.TimeField(allow_null=True, help_text="Where it is given in figures.")
    day = serializers.CharField(help_text="The days in words.")
    weekly = serializers.BooleanField(help_text="The next time of what is each week.")
    text = serializers.CharField()
    about = serializers.CharField(allow_blank=True, help_text="What it corrects.")
    done = serializers.BooleanField()
    snoozed = serializers.BooleanField()
    planned_for = serializers.DateField(help_text="The day before it was put off.")
    said_at = serializers.DateTimeField()
    link = serializers.CharField(help_text="The page of the message, or of the note.")
    conversation = PlanConversationOut(allow_null=True, help_text="null: written by hand.")


class PlanDays(serializers.Serializer[Any]):
    """From which day to which, both included."""

    done = serializers.BooleanField(default=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With two whose names are words of Python."""
        days = {name: serializers.DateField(required=False) for name in ("from", "to")}
        return {**super().get_fields(), **days}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ValidationError where the last day is before the first, or too far from it."""
        first = attrs.get("from", localdate())
        last = attrs.get("to", first + AHEAD)
        if last < first:
            raise ValidationError({"to": ["This is before `from`. Name a later day."]})
        if last - first > timedelta(_MOST_DAYS):
            raise ValidationError({"to": [f"Ask for at most {_MOST_DAYS} days at a time."]})
        return {"first": first, "last": last, "done_too": attrs["done"]}


class SnoozeIn(RequestBody):
    """The day to put a plan off to."""

    until = serializers.DateField(help_text="Today or later, within 400 days.")

    def validate_until(self, until: date) -> date:
        """The page's own rule. Raises ValidationError."""
        form = SnoozeForm({"until": until})
        if not form.is_valid():
            raise ValidationError([str(error) for error in form.errors["until"]])
        return until


class Plans(PersonAPIView):
    """What is coming up."""

    @extend_schema(
        operation_id="plans_list",
        responses={200: page_of(PlanOut), **PROBLEMS},
        parameters=[
            OpenApiParameter("from", date, description="The first day; without it today."),
            OpenApiParameter("to", date, description="The last day; without it in 400 days."),
            OpenApiParameter("done", bool, description="`true`: with those that are done."),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List plans, the nearest first; none of a private conversation."""
        days = PlanDays(data=request.query_params.dict())
        days.is_valid(raise_exception=True)
        pages, person = Pages(), self.person(request)
        found = plans_between(ToolContext(person.pk, now()), **days.validated_data)
        page = pages.paginate_queryset(found, request, view=self) or []
        return pages.get_paginated_response(PlanOut(page, many=True).data)


class _OnePlan(PersonAPIView):
    """An operation on one plan."""

    def plan(self, request: Request, pk: UUID) -> Plan:
        """Return it as it stands. Raises NotFound."""
        plan = find_plan(ToolContext(self.person(request).pk, now()), pk)
        if plan is None:
            raise NotFound
        return plan

    def answer(self, request: Request, pk: UUID) -> Response:
        """Answer with it as it stands now."""
        return Response(PlanOut(self.plan(request, pk)).data)


class PlanDone(_OnePlan):
    """A plan is done."""

    @extend_schema(operation_id="plans_done", request=None, responses={200: PlanOut, **PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Mark it done. Twice is once."""
        plan_marks.mark_done(self.person(request), self.plan(request, pk))
        return self.answer(request, pk)


class PlanSnooze(_OnePlan):
    """A plan is put off."""

    @extend_schema(
        operation_id="plans_snooze", request=SnoozeIn, responses={200: PlanOut, **PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Put it off to a day."""
        given = SnoozeIn(data=request.data)
        given.is_valid(raise_exception=True)
        until = given.validated_data["until"]
        plan_marks.snooze(self.person(request), self.plan(request, pk), until)
        return self.answer(request, pk)


class PlanUndo(_OnePlan):
    """What was done last with a plan."""

    @extend_schema(operation_id="plans_undo", request=None, responses={200: PlanOut, **PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Take it back; nothing changes where nothing was done."""
        plan_marks.undo(self.person(request), self.plan(request, pk))
        return self.answer(request, pk)
