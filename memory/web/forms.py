"""Forms for facts, memories and shared pages."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms

from memory.facts.day_precision import OVER_BEFORE_IT_BEGAN, DayField
from memory.models import CONTENT_LENGTH, NAME_LENGTH, Memory, ProfileFact
from memory.web import present
from memory.web.present.memories import KIND

ENDLESS = "never"
TOO_LONG = f"That is too long for a memory. Use at most {CONTENT_LENGTH} characters."


_WRITE = "Write what I should remember."
_WRITE_OR_FORGET = "Write what I should remember, or press “Forget this”."


def _value(required: str) -> forms.CharField:
    words = {"required": required}
    return forms.CharField(label="What should I remember?", max_length=500, error_messages=words)


def _content(required: str) -> forms.CharField:
    return forms.CharField(
        label="What should I remember?",
        max_length=CONTENT_LENGTH,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": required, "max_length": TOO_LONG},
    )


class ValueForm(forms.Form):
    """A new value for a fact, and its start."""

    value = _value(_WRITE_OR_FORGET)
    since = DayField(label="True since")


class OverForm(forms.Form):
    """The day on which a fact ended; empty for today."""

    over = DayField(label="Until")


class AddForm(forms.Form):
    """A new fact."""

    slot = forms.ChoiceField(label="Kind", error_messages={"required": "Choose what it is about."})
    value = _value(_WRITE)
    since = DayField(label="True since")
    over = DayField(label="Until")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["slot"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = present.profile_choices()

    def clean(self) -> dict[str, Any]:
        """Return the cleaned data; adds an error if the end is not after the start."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        since, over = data.get("since"), data.get("over")
        if since and over and over <= since:
            self.add_error("over", OVER_BEFORE_IT_BEGAN)
        return data


class NoteForm(forms.Form):
    """A new memory. Summaries cannot be written by hand."""

    category = forms.TypedChoiceField(
        label="Kind",
        coerce=Memory.Category,
        choices=[kind for kind in KIND.items() if kind[0] != Memory.Category.SUMMARY],
        error_messages={"required": "Choose a kind."},
    )
    content = _content(_WRITE)


class NoteEditForm(forms.Form):
    """The text and priority of a memory."""

    content = _content(_WRITE_OR_FORGET)
    priority = forms.TypedChoiceField(
        label="How much it matters",
        coerce=lambda value: Memory.Priority(int(value)),
        choices=Memory.Priority.choices[::-1],
        error_messages={"required": "Choose how much it matters."},
    )


class ShareForm(forms.Form):
    """A shared page: its title, the name shown, its facts and its lifetime."""

    name = forms.CharField(
        label="Page name",
        max_length=NAME_LENGTH,
        error_messages={"required": "Give the page a name. Readers will see it."},
    )
    shown_as = forms.CharField(
        label="Your name on the page", max_length=NAME_LENGTH, required=False
    )
    days = forms.TypedChoiceField(
        label="How long the link works",
        coerce=lambda value: None if value == ENDLESS else int(value),
        choices=[
            ("1", "One day"),
            ("7", "7 days"),
            ("30", "30 days"),
            (ENDLESS, "Until you stop sharing"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how long the link works."},
    )
    facts = forms.TypedMultipleChoiceField(
        coerce=UUID,
        error_messages={
            "required": "Choose at least one fact to show.",
            "invalid_choice": "One of these is sensitive, in conflict or forgotten. Choose again.",
        },
    )

    def __init__(self, *args: Any, facts: Sequence[ProfileFact], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["facts"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(fact.pk), fact.value) for fact in facts]
