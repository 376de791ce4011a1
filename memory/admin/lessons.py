"""Admin pages of lessons: those waiting for supporters, and the visible ones."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.staff_admin import CohortAdmin
from memory.lessons import staff_decisions
from memory.models import Lesson
from memory.models.lessons import LESSON_LENGTH, REPORT_LENGTH

RELEASE, RETIRE = "release", "retire"
Standing = Lesson.Standing


class StateFilter(admin.SimpleListFilter):
    """Filter lessons by state; by default those that staff could release."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("waiting", "Ready to release"),
            ("read", "Visible to others"),
            ("gathering", "Waiting for support"),
            ("gone", "No longer in use"),
        ]

    def value(self) -> str:
        return super().value() or "waiting"

    def choices(self, changelist: Any) -> Any:
        return list(super().choices(changelist))[1:]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Lesson]") -> "QuerySet[Lesson]":
        match self.value():
            case "read":
                return queryset.filter(visible=True)
            case "gathering":
                return queryset.filter(standing=Standing.OPEN, visible=False)
            case "gone":
                return queryset.exclude(standing=Standing.OPEN)
        return queryset.filter(pk__in=staff_decisions.waiting().values("pk"))


class LessonForm(forms.ModelForm):  # type: ignore[type-arg]
    text = forms.CharField(
        max_length=LESSON_LENGTH,
        widget=forms.Textarea({"rows": 3, "cols": 80}),
        help_text=(
            "Use general terms. The guard checks any new wording. If it passes, the new wording "
            "is released at once and the old one is retired, because its supporters haven’t read "
            "the new one."
        ),
    )
    reach = forms.ChoiceField(label="Who can read it")
    deed = forms.ChoiceField(
        label="Decide",
        required=False,
        choices=[
            ("", "No change"),
            (RELEASE, "Release it now, without waiting for more support"),
            (RETIRE, "Retire it, so that nobody can read it any more"),
        ],
    )
    reason = forms.CharField(
        max_length=REPORT_LENGTH,
        required=False,
        widget=forms.Textarea({"rows": 2, "cols": 80}),
        help_text="Required for every change.",
    )

    class Meta:
        model = Lesson
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reaches = {reach.value: reach for reach in staff_decisions.reaches(self.instance)}
        self.fields["reach"].choices = [  # type: ignore[attr-defined]
            (value, reach.label) for value, reach in self.reaches.items()
        ]
        self.initial = {"text": self.instance.text, "reach": next(iter(self.reaches))}

    def clean(self) -> Any:
        data = super().clean() or {}
        changed = {"text", "reach", "deed"} & set(self.changed_data)
        if changed and not (data.get("reason") or "").strip():
            self.add_error("reason", "Say why you’re changing it.")
        if "text" in changed and data.get("text"):
            verdict = staff_decisions.verdict_on(self.instance, data["text"])
            if not verdict.accepted:
                self.add_error("text", verdict.why)
        return data


@admin.register(Lesson)
class LessonAdmin(CohortAdmin):
    """Admin of lessons. Staff see the number of supporters, never who they are."""

    form = LessonForm
    list_display = ("text", "of", "borne_out", "state", "guard", "first_at")
    list_filter = (StateFilter, "scope")
    search_fields = ("text", "key")
    search_help_text = "Lesson or role"
    ordering = ("-supporters", "first_at")
    readonly_fields = ("of", "borne_out", "state", "guard", "question", "similar", "reason_so_far")
    fields = (*readonly_fields, "text", "reach", "deed", "reason")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.fields

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        # Fields of the form have no model columns, so the default factory would fail.
        return LessonForm

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        data, changed = form.cleaned_data, set(form.changed_data)
        reason = data["reason"].strip()
        key, decisions = obj.pk, []
        if "text" in changed:
            key = staff_decisions.reword(obj, data["text"], reason)
            decisions.append("Reworded")
        if "reach" in changed:
            staff_decisions.widen(key, form.reaches[data["reach"]], reason)
            decisions.append("Widened")
        if data["deed"]:
            (staff_decisions.release if data["deed"] == RELEASE else staff_decisions.retire)(
                key, reason
            )
            decisions.append("Released" if data["deed"] == RELEASE else "Retired")
        obj.decided = f"{', '.join(decisions)}: {reason}" if decisions else "Reviewed."

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log the decision and its reason for other staff."""
        return super().log_change(request, obj, getattr(obj, "decided", message))

    @admin.display(description="Of", ordering="key")
    def of(self, lesson: Lesson) -> str:
        return lesson.key or "everyone"

    @admin.display(description="Supported by", ordering="-supporters")
    def borne_out(self, lesson: Lesson) -> str:
        people, firms = lesson.supporters, lesson.organisations
        return (
            f"{people} {'person' if people == 1 else 'people'} from {firms} "
            f"organisation{'' if firms == 1 else 's'} (needs {lesson.needs_people} from "
            f"{lesson.needs_organisations})"
        )

    @admin.display(description="State", ordering="visible")
    def state(self, lesson: Lesson) -> str:
        if lesson.standing != Standing.OPEN:
            return str(lesson.get_standing_display())
        if lesson.approved_at:
            return "released by staff"
        return "visible to others" if lesson.visible else "waiting for support"

    @admin.display(description="Guard")
    def guard(self, lesson: Lesson) -> SafeString:
        verdict = staff_decisions.verdict_on(lesson)
        label = "passes" if verdict.accepted else f"refused: {verdict.why}"
        return format_html(
            '<span class="desk-tag{}">{}</span>', "" if verdict.accepted else " is-asked", label
        )

    @admin.display(description="Check this yourself")
    def question(self, lesson: Lesson) -> str:
        return (
            "Could someone who knows the trade recognise a person, a company or a deal? The "
            "guard can’t tell."
        )

    @admin.display(description="Similar lessons")
    def similar(self, lesson: Lesson) -> str:
        others = staff_decisions.similar_to(lesson)
        lines = ((f"{other.text} ({self.borne_out(other)})",) for other in others)
        return format_html_join(mark_safe("<br>"), "{}", lines) or "nothing"

    @admin.display(description="Earlier reasons from staff")
    def reason_so_far(self, lesson: Lesson) -> str:
        return lesson.reason or "nothing"
