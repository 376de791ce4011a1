"""How a person settles a contradiction on a page."""

from typing import ClassVar

from django import forms

from ledger.conflicts.resolution import KINDS, Answer
from ledger.models import Resolution
from memory.facts import DayField
from memory.models import VALUE_LENGTH


class AnswerForm(forms.Form):
    """One of the ways to settle it, with what that way needs."""

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
        """A day that belongs to another way of settling it is no reason to refuse this one."""
        cleaned = super().clean() or {}
        if cleaned.get("resolution") != Resolution.Method.TIMELINE:
            for name in ("until", "since"):
                self.errors.pop(name, None)
        return cleaned

    def answer(self) -> Answer:
        """What was chosen, from valid data."""
        data = self.cleaned_data
        return Answer(
            data["resolution"], data.get("value", ""), data.get("until"), data.get("since")
        )
