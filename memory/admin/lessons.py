"""Lessons in the admin: what waits for more supporters, and what others read already."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.cohort_admin import CohortAdmin
from memory.lessons import staff_decisions
from memory.models import Lesson
from memory.models.lessons import LESSON_LENGTH, REPORT_LENGTH

RELEASE, RETIRE = "release", "retire"
Standing = Lesson.Standing


class StateFilter(admin.SimpleListFilter):
    """What staff could release, unless something else is asked for."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("waiting", "Could be released"),
            ("read", "Others read it"),
            ("gathering", "Gathers supporters"),
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
        help_text="In general words. New words pass the guard, or are refused here. They are"
        " released at once, and the old wording is retired: its supporters have not read the new.",
    )
    reach = forms.ChoiceField(label="Who reads it")
    deed = forms.ChoiceField(
        label="Decide",
        required=False,
        choices=[
            ("", "Nothing more"),
            (RELEASE, "Release it: its readers read it though few support it"),
            (RETIRE, "Retire it: nobody reads it any more"),
        ],
    )
    reason = forms.CharField(
        max_length=REPORT_LENGTH,
        required=False,
        widget=forms.Textarea({"rows": 2, "cols": 80}),
        help_text="Needed for every change.",
    )

    class Meta:
        model = Lesson
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reaches = {one.value: one for one in staff_decisions.reaches(self.instance)}
        self.fields["reach"].choices = [  # type: ignore[attr-defined]
            (value, one.label) for value, one in self.reaches.items()
        ]
        self.initial = {"text": self.instance.text, "reach": next(iter(self.reaches))}

    def clean(self) -> Any:
        given = super().clean() or {}
        changed = {"text", "reach", "deed"} & set(self.changed_data)
        if changed and not (given.get("reason") or "").strip():
            self.add_error("reason", "Say why you change it.")
        if "text" in changed and given.get("text"):
            verdict = staff_decisions.verdict_on(self.instance, given["text"])
            if not verdict.accepted:
                self.add_error("text", verdict.why)
        return given


@admin.register(Lesson)
class LessonAdmin(CohortAdmin):
    """What people in one role learned. Staff see how many bear it out, and never who."""

    form = LessonForm
    list_display = ("text", "of", "borne_out", "state", "guard", "first_at")
    list_filter = (StateFilter, "scope")
    search_fields = ("text", "key")
    ordering = ("-supporters", "first_at")
    readonly_fields = ("of", "borne_out", "state", "guard", "question", "similar", "reason_so_far")
    fields = (*readonly_fields, "text", "reach", "deed", "reason")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.fields

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        # The form's own fields stand for columns that it does not fill in by itself.
        return LessonForm

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        given, changed = form.cleaned_data, set(form.changed_data)
        reason = given["reason"].strip()
        key, done = obj.pk, []
        if "text" in changed:
            key = staff_decisions.reword(obj, given["text"], reason)
            done.append("Reworded")
        if "reach" in changed:
            staff_decisions.widen(key, form.reaches[given["reach"]], reason)
            done.append("Widened")
        if given["deed"]:
            (staff_decisions.release if given["deed"] == RELEASE else staff_decisions.retire)(
                key, reason
            )
            done.append("Released" if given["deed"] == RELEASE else "Retired")
        obj.decided = f"{', '.join(done)}: {reason}" if done else "Looked at."

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Which deed and why: a lesson's history is where other staff look."""
        return super().log_change(request, obj, getattr(obj, "decided", message))

    @admin.display(description="Of", ordering="key")
    def of(self, lesson: Lesson) -> str:
        return lesson.key or "everybody"

    @admin.display(description="Supported by", ordering="-supporters")
    def borne_out(self, lesson: Lesson) -> str:
        people, firms = lesson.supporters, lesson.organisations
        return (
            f"{people} {'person' if people == 1 else 'people'} of {firms} "
            f"organisation{'' if firms == 1 else 's'}; it takes {lesson.needs_people} of "
            f"{lesson.needs_organisations}"
        )

    @admin.display(description="State", ordering="visible")
    def state(self, lesson: Lesson) -> str:
        if lesson.standing != Standing.OPEN:
            return str(lesson.get_standing_display())
        if lesson.approved_at:
            return "released by staff"
        return "others read it" if lesson.visible else "waits"

    @admin.display(description="The guard says")
    def guard(self, lesson: Lesson) -> SafeString:
        verdict = staff_decisions.verdict_on(lesson)
        said = "lets it pass" if verdict.accepted else f"refuses it: {verdict.why}"
        return format_html(
            '<span class="desk-tag{}">{}</span>', "" if verdict.accepted else " is-asked", said
        )

    @admin.display(description="Ask yourself")
    def question(self, lesson: Lesson) -> str:
        return (
            "Does it identify a person, a firm or a deal, to somebody who knows the trade? No "
            "guard can see that."
        )

    @admin.display(description="Nearly the same")
    def similar(self, lesson: Lesson) -> str:
        others = staff_decisions.similar_to(lesson)
        lines = ((f"{other.text} ({self.borne_out(other)})",) for other in others)
        return format_html_join(mark_safe("<br>"), "{}", lines) or "nothing"

    @admin.display(description="What staff said before")
    def reason_so_far(self, lesson: Lesson) -> str:
        return lesson.reason or "nothing"
