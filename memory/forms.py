"""What may be written into the notebook by hand."""

from typing import Any

from django import forms

from memory import present
from memory.days import DayField
from memory.models import CONTENT_LENGTH, Memory
from memory.slots import SLOTS

TOO_LONG = f"That is too long for a note. Say it in {CONTENT_LENGTH} characters or fewer."


class ValueForm(forms.Form):
    """A new wording for a fact."""

    value = forms.CharField(
        label="What should I remember?",
        max_length=500,
        error_messages={"required": "Write what I should remember, or press Forget this."},
    )
    since = DayField(label="True since")


class OverForm(forms.Form):
    """Since when a line is over: today, unless another day is named."""

    over = DayField(label="Over since")


class AddForm(forms.Form):
    """A line of its own."""

    slot = forms.ChoiceField(label="Kind", error_messages={"required": "Choose what it is about."})
    value = forms.CharField(
        label="What should I remember?",
        max_length=500,
        error_messages={"required": "Write what I should remember."},
    )
    since = DayField(label="True since")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["slot"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = present.profile_choices()

    def clean_slot(self) -> str:
        """Only a slot that may be in a profile."""
        slot = str(self.cleaned_data["slot"])
        if SLOTS[slot].sensitive:
            raise forms.ValidationError("That stays in the conversation where you mention it.")
        return slot


class NoteForm(forms.Form):
    """A note written by hand. Summaries are made, not written."""

    category = forms.TypedChoiceField(
        label="Kind",
        coerce=Memory.Category,
        choices=[c for c in Memory.Category.choices if c[0] != Memory.Category.SUMMARY],
        error_messages={"required": "Choose what kind of note it is."},
    )
    content = forms.CharField(
        label="What should I remember?",
        max_length=CONTENT_LENGTH,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": "Write what I should remember.", "max_length": TOO_LONG},
    )


class NoteEditForm(forms.Form):
    """A note's wording, and how much it matters."""

    content = forms.CharField(
        label="What should I remember?",
        max_length=CONTENT_LENGTH,
        widget=forms.Textarea({"rows": 2}),
        error_messages={
            "required": "Write what I should remember, or press Forget this.",
            "max_length": TOO_LONG,
        },
    )
    priority = forms.TypedChoiceField(
        label="How much it matters",
        coerce=lambda value: Memory.Priority(int(value)),
        choices=Memory.Priority.choices[::-1],
        error_messages={"required": "Choose how much it matters."},
    )
