"""The form that settles a conflict."""

from typing import ClassVar

from django import forms

from ledger.conflicts.resolution import KINDS, Answer
from ledger.models import Resolution
from memory.facts.day_precision import DayField
from memory.models import VALUE_LENGTH


class AnswerForm(forms.Form):
    """An answer to a conflict with the fields of its method."""

    CHOICES: ClassVar = [(kind.value, kind.label) for kind in KINDS]

    resolution = forms.ChoiceField(
        choices=CHOICES,
        error_messages={
            "required": "Choose an answer, then press “Settle it”.",
            "invalid_choice": "Choose one of these answers, then press “Settle it”.",
        },
    )
    value = forms.CharField(
        label="What’s right?", max_length=VALUE_LENGTH, required=False, strip=True
    )
    until = DayField()
    since = DayField()

    def clean(self) -> dict[str, object]:
        """Drop errors in days that belong to another method."""
        cleaned = super().clean() or {}
        if cleaned.get("resolution") != Resolution.Method.TIMELINE:
            for name in ("until", "since"):
                self.errors.pop(name, None)
        return cleaned

    def answer(self) -> Answer:
        """Return the answer from valid data."""
        data = self.cleaned_data
        return Answer(
            data["resolution"], data.get("value", ""), data.get("until"), data.get("since")
        )
