"""API for lessons shared by people with the same role."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException, PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ON_A_ROW,
    ON_INPUT,
    PAGING,
    PROBLEMS,
    USUAL,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
    paged,
    problem_response,
)
from accounts.models import PrivacySettings
from memory.lessons import cohort as cohorts
from memory.lessons import contribution, reports, wordings
from memory.lessons.contribution import LessonSource, NotShared, TooMany
from memory.models import LessonReport, LessonSupport
from memory.models.lessons import REPORT_LENGTH
from personas.models import UserPersona


class LessonOut(serializers.Serializer[Any]):
    """A lesson supported by other people in your role."""

    id = serializers.UUIDField()
    text = serializers.CharField()
    learned = serializers.CharField(
        help_text="Where it was learned: persona, role, industry, global, or borrowed (from "
        "the same role in another industry)."
    )
    key = serializers.CharField(
        help_text="Handle of the persona, or name of the role or industry, in which it was learned."
    )
    weight = serializers.FloatField(
        help_text="How much the lesson counts for you; a higher weight counts more."
    )
    supporters = serializers.IntegerField()


class WordingOut(serializers.Serializer[Any]):
    """A lesson that others can read and that says nearly the same as yours."""

    lesson = serializers.UUIDField(source="pk")
    text = serializers.CharField()


class SupportOut(serializers.Serializer[Any]):
    """A lesson that you support. The number of supporters is given once others can read it."""

    lesson = serializers.UUIDField(source="lesson_id")
    text = serializers.CharField(source="lesson.text")
    standing = serializers.CharField(source="lesson.standing")
    visible = serializers.BooleanField(source="lesson.visible")
    supporters = serializers.SerializerMethodField()
    source = serializers.CharField()  # type: ignore[assignment]
    supported_at = serializers.DateTimeField()
    similar = serializers.SerializerMethodField()

    @extend_schema_field(WordingOut(allow_null=True))
    def get_similar(self, support: LessonSupport) -> Any:
        """Lesson that others can read and that says nearly the same; null if there is none."""
        other = self.context["similar"].get(support.lesson_id)
        return WordingOut(other).data if other else None

    def get_supporters(self, support: LessonSupport) -> int | None:
        """Number of people who support the lesson; null until others can read it."""
        return support.lesson.supporters if support.lesson.visible else None


class LessonIn(RequestBody):
    """A lesson to contribute."""

    persona = serializers.CharField(help_text="Handle of a persona that you have confirmed.")
    text = serializers.CharField()


class ContributedOut(serializers.Serializer[Any]):
    """The lesson as it was saved, and whether others can read it yet."""

    lesson = serializers.UUIDField(source="lesson.pk")
    text = serializers.CharField(source="verdict.text")
    visible = serializers.BooleanField(source="lesson.visible")
    similar = WordingOut(
        allow_null=True,
        help_text="Lesson that others can read and that says nearly the same thing; null if there "
        "is none. To support it instead of your own, call experience/{lesson}/agree with "
        "in_place_of.",
    )


class AgreeIn(RequestBody):
    """Optionally, a lesson of yours to stop supporting."""

    in_place_of = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text=(
            "Id of a similar lesson that you currently support; that support is withdrawn. "
            "Default: null."
        ),
    )


class Refused(Problem):
    """A lesson that cannot be shared, and why."""

    reason = serializers.CharField(help_text="Code for the problem, such as name or number.")
    words = serializers.ListField(child=serializers.CharField())
    why = serializers.CharField(help_text="What to change, in a sentence.")


class ReportIn(RequestBody):
    """A report to staff about a lesson."""

    kind = serializers.ChoiceField(choices=LessonReport.Kind.choices)
    words = serializers.CharField(
        max_length=REPORT_LENGTH, required=False, allow_blank=True, default=""
    )


class ReportOut(serializers.Serializer[Any]):
    """A report that you sent, with the answer from staff."""

    id = serializers.UUIDField()
    lesson = serializers.UUIDField(source="lesson_id")
    kind = serializers.CharField()
    words = serializers.CharField()
    standing = serializers.CharField()
    answer = serializers.CharField()


class Sharing(RequestBody):
    """Whether you give lessons to others in your roles and receive theirs."""

    on = serializers.BooleanField(help_text="Whether lessons are shared.")


class Lessons(PersonAPIView):
    """Endpoint of the lessons for a user: list and contribute."""

    @extend_schema(
        operation_id="experience_list",
        responses={200: page_of(LessonOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the lessons for your roles, highest weight first."""
        lessons = cohorts.lessons_for(self.person(request).pk)
        return self.page(request, lessons, LessonOut)

    @extend_schema(
        operation_id="experience_contribute",
        request=LessonIn,
        responses={201: ContributedOut, 403: Problem, 429: Problem, 422: Refused, **PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        """Contribute a lesson in general terms. Others can read it once enough people support
        it.
        """
        data, user = self.body(request, LessonIn), self.person(request)
        mine = get_object_or_404(UserPersona.confirmed(user.pk), persona__handle=data["persona"])
        try:
            made = contribution.contribute_lesson(
                user, mine.persona, data["text"], source=LessonSource.OWNER
            )
        except NotShared as reason:
            raise _as_exception(reason) from None
        verdict = made.verdict
        if not verdict.accepted:
            details = {"reason": verdict.reason, "words": verdict.words, "why": verdict.why}
            return problem_response(422, "This can’t be shared", verdict.why, **details)
        return Response(ContributedOut(made).data, status=201)


class Supports(PersonAPIView):
    """Endpoint of the lessons that a user supports."""

    @extend_schema(
        operation_id="experience_mine",
        responses={200: page_of(SupportOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the lessons that you support, newest first."""
        user = self.person(request)

        def shown(page: list[LessonSupport]) -> Any:
            similar = wordings.other_wordings(user.pk, page)
            return SupportOut(page, many=True, context={"similar": similar}).data

        return paged(self, request, LessonSupport.lessons_of(user.pk), shown)


class Agree(PersonAPIView):
    """Endpoint that supports a lesson."""

    @extend_schema(
        operation_id="experience_agree",
        request=AgreeIn,
        responses={204: None, 403: Problem, 429: Problem, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Support a lesson. Repeating it only renews your confirmation."""
        user = self.person(request)
        lesson = get_object_or_404(cohorts.readable(user.pk), pk=pk)
        data = self.body(request, AgreeIn)
        try:
            contribution.agree(user, lesson, in_place_of=data["in_place_of"])
        except NotShared as reason:
            raise _as_exception(reason) from None
        return Response(status=204)


class Withdraw(PersonAPIView):
    """Endpoint that withdraws the support of a lesson."""

    @extend_schema(
        operation_id="experience_withdraw",
        request=None,
        responses={204: None, **ON_A_ROW},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Withdraw your support of a lesson."""
        if not contribution.withdraw(self.person(request).pk, pk):
            raise Http404
        return Response(status=204)


class Report(PersonAPIView):
    """Endpoint that reports a lesson to staff."""

    @extend_schema(
        operation_id="experience_report",
        request=ReportIn,
        responses={201: ReportOut, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Report a lesson to staff."""
        data, user = self.body(request, ReportIn), self.person(request)
        lesson = get_object_or_404(cohorts.readable(user.pk), pk=pk)
        made = reports.report(user.pk, lesson, **data)
        return Response(ReportOut(made).data, status=201)


class Reports(PersonAPIView):
    """Endpoint of a user's reports about lessons."""

    @extend_schema(
        operation_id="experience_reports",
        responses={200: page_of(ReportOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List your reports with the answers from staff, newest first."""
        rows = reports.reports_of(self.person(request).pk)
        return self.page(request, rows, ReportOut)


class SharingChoice(PersonAPIView):
    """Endpoint of the setting whether a user shares lessons."""

    @extend_schema(operation_id="experience_sharing", responses={200: Sharing, **USUAL})
    def get(self, request: Request) -> Response:
        """Read whether you share lessons."""
        return Response({"on": PrivacySettings.of(self.person(request).pk).shares_lessons})

    @extend_schema(
        operation_id="experience_share",
        request=Sharing,
        responses={200: Sharing, **ON_INPUT},
    )
    def put(self, request: Request) -> Response:
        """Turn sharing of lessons on or off. Turning it off withdraws all your support at once."""
        data = self.body(request, Sharing)
        choose = contribution.opt_in if data["on"] else contribution.opt_out
        choose(self.person(request).pk)
        return Response(data)


def _as_exception(reason: NotShared) -> APIException:
    if isinstance(reason, TooMany):
        return Throttled(None, str(reason))
    return PermissionDenied(str(reason))
