"""Forms on the pages of roles and lessons."""

from django import forms

from memory.models import LESSON_LENGTH
from memory.models.lessons import REPORT_LENGTH
from memory.web.present.cohort import REPORT_KINDS
from personas.models import DESCRIPTION_LENGTH, NAME_LENGTH


class LessonForm(forms.Form):
    """A new lesson in the user's own words."""

    text = forms.CharField(
        label="What would help someone else in your role?",
        help_text="In general terms: no names, numbers, places or companies. One or two sentences.",
        max_length=LESSON_LENGTH,
        widget=forms.Textarea({"rows": 2, "maxlength": LESSON_LENGTH}),
        error_messages={
            "required": "Say what would help, in one or two sentences.",
            "max_length": f"That is too long. Use at most {LESSON_LENGTH} characters.",
        },
    )


class AgreeForm(forms.Form):
    """The lesson that the user stops supporting when supporting another, if any."""

    in_place_of = forms.UUIDField(required=False)


class ReportForm(forms.Form):
    """A report about a lesson."""

    kind = forms.ChoiceField(
        label="What is wrong with it?",
        choices=list(REPORT_KINDS.items()),
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what is wrong with it."},
    )
    words = forms.CharField(
        label="Anything else staff should know",
        required=False,
        max_length=REPORT_LENGTH,
        widget=forms.Textarea({"rows": 2, "maxlength": REPORT_LENGTH}),
    )


class PersonaForm(forms.Form):
    """A proposal for a missing role."""

    industry = forms.CharField(
        label="Industry",
        max_length=NAME_LENGTH,
        error_messages={"required": "Enter the industry you work in."},
    )
    role = forms.CharField(
        label="Role",
        max_length=NAME_LENGTH,
        error_messages={"required": "Enter your role."},
    )
    description = forms.CharField(
        label="What people in this role do",
        required=False,
        max_length=DESCRIPTION_LENGTH,
        widget=forms.Textarea({"rows": 3, "maxlength": DESCRIPTION_LENGTH}),
    )
