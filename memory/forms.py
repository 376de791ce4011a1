"""What may be written into the notebook by hand."""

from typing import Any

from django import forms

from memory import present
from memory.slots import SLOTS


class ValueForm(forms.Form):
    """A new wording for a fact."""

    value = forms.CharField(
        label="What should I remember?",
        max_length=500,
        error_messages={"required": "Write what I should remember, or press Forget this."},
    )


class AddForm(forms.Form):
    """A line of its own."""

    slot = forms.ChoiceField(label="Kind", error_messages={"required": "Choose what it is about."})
    value = forms.CharField(
        label="What should I remember?",
        max_length=500,
        error_messages={"required": "Write what I should remember."},
    )

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
