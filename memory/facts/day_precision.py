"""Days in forms: when a fact began, and when it ended."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import get_current_timezone, localdate

EARLIEST = date(1900, 1, 1)
OVER_BEFORE_IT_BEGAN = "The end must come after the start. Pick a later day."


def not_yet_to_come(day: date) -> None:
    """Validate that a day lies between `EARLIEST` and today."""
    if day > localdate():
        raise ValidationError("That day is in the future. Pick today or an earlier day.")
    if day < EARLIEST:
        raise ValidationError(f"I can’t go back further than {EARLIEST.year}. Pick a later day.")


def midnight(day: date) -> datetime:
    """Return the first moment of a day."""
    return datetime.combine(day, time(), get_current_timezone())


def beginning_of_day(day: date | None) -> datetime | None:
    """Return the first moment of a day; None for None."""
    return None if day is None else midnight(day)


class DayField(forms.DateField):
    """A form field for a day up to today; may be empty."""

    widget = forms.DateInput(attrs={"type": "date"})
    default_validators = [not_yet_to_come]  # noqa: RUF012 - Django's own signature

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault(
            "error_messages", {"invalid": ("Enter the date as YYYY-MM-DD, such as 2024-03-14.")}
        )
        super().__init__(required=False, **kwargs)
