"""Admin pages of reports about lessons. The reporter is not shown."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff_admin import CohortAdmin
from memory.lessons import staff_decisions
from memory.models import LessonReport

Standing = LessonReport.Standing


class OpenFilter(admin.SimpleListFilter):
    """Filter reports by state; by default the open ones."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Waiting"), ("answered", "Answered")]

    def value(self) -> str:
        return super().value() or "open"

    def choices(self, changelist: Any) -> Any:
        return list(super().choices(changelist))[1:]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "answered":
            return queryset.exclude(standing=Standing.OPEN)
        return queryset.filter(standing=Standing.OPEN)


class ReportForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = LessonReport
        fields = ("standing", "answer")
        widgets = {"answer": forms.Textarea({"rows": 3, "cols": 80})}
        help_texts = {"answer": "The person who reported it sees this next to the lesson."}

    def clean(self) -> Any:
        data = super().clean() or {}
        if data.get("standing") != Standing.OPEN and not (data.get("answer") or "").strip():
            self.add_error("answer", "Say what you did. The person who reported it will read it.")
        return data


@admin.register(LessonReport)
class LessonReportAdmin(CohortAdmin):
    """Admin of reports about lessons, oldest first."""

    form = ReportForm
    list_display = ("kind", "lesson_text", "reported_at", "standing")
    list_filter = (OpenFilter, "kind")
    ordering = ("reported_at",)
    readonly_fields = ("kind", "words", "reported_at", "lesson_text", "to_the_lesson")
    fields = (*readonly_fields, "standing", "answer")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("lesson")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        data = form.cleaned_data
        staff_decisions.answer(obj, data["standing"], data["answer"])

    @admin.display(description="Lesson")
    def lesson_text(self, report: LessonReport) -> str:
        return report.lesson.text

    @admin.display(description="Change the lesson")
    def to_the_lesson(self, report: LessonReport) -> SafeString:
        address = reverse("admin:memory_lesson_change", args=[report.lesson_id])
        return format_html('<a href="{}">Open the lesson</a>', address)
