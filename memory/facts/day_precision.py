"""Form field and helpers for the days on which a fact began or ended."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import get_current_timezone, localdate

EARLIEST = date(1900, 1, 1)
OVER_BEFORE_IT_BEGAN = "The end must come after the start. Pick a later day."


def not_yet_to_come(day: date) -> None:
    """Raise ValidationError unless a day lies between `EARLIEST` and today."""
    if day > localdate():
        raise ValidationError("That day is in the future. Pick today or an earlier day.")
    if day < EARLIEST:
        raise ValidationError(f"I can’t go back further than {EARLIEST.year}. Pick a later day.")


def midnight(day: date) -> datetime:
    """Return midnight at the start of a day, in the current time zone."""
    return datetime.combine(day, time(), get_current_timezone())


def beginning_of_day(day: date | None) -> datetime | None:
    """Return midnight at the start of a day; None for None."""
    return None if day is None else midnight(day)


class DayField(forms.DateField):
    """An optional form field for a day, not in the future."""

    widget = forms.DateInput(attrs={"type": "date"})
    default_validators = [not_yet_to_come]  # noqa: RUF012 - Django's own signature

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault(
            "error_messages", {"invalid": ("Enter the date as YYYY-MM-DD, such as 2024-03-14.")}
        )
        super().__init__(required=False, **kwargs)
