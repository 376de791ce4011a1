"""Days that a person may name: when something began to be true, and when it was over."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import get_current_timezone, localdate

EARLIEST = date(1900, 1, 1)
OVER_BEFORE_IT_BEGAN = "The end must come after the start. Pick a later day."


def not_yet_to_come(day: date) -> None:
    """A validator: what is true has begun, and nobody's life began before `EARLIEST`."""
    if day > localdate():
        raise ValidationError("That day is in the future. Pick today or an earlier day.")
    if day < EARLIEST:
        raise ValidationError(f"I can’t go back further than {EARLIEST.year}. Pick a later day.")


def midnight(day: date) -> datetime:
    """The first moment of a day."""
    return datetime.combine(day, time(), get_current_timezone())


def beginning_of_day(day: date | None) -> datetime | None:
    """The same, where a day was named."""
    return None if day is None else midnight(day)


class DayField(forms.DateField):
    """A day up to today, as a browser's own date field sends it; may be left empty."""

    widget = forms.DateInput(attrs={"type": "date"})
    default_validators = [not_yet_to_come]  # noqa: RUF012 - Django's own signature

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault(
            "error_messages", {"invalid": ("Enter the date as YYYY-MM-DD, such as 2024-03-14.")}
        )
        super().__init__(required=False, **kwargs)
