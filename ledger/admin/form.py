"""The form with which staff settle a conflict."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.timezone import localtime

from ledger.conflicts.staff_review import ReviewedEntry
from ledger.models import Resolution
from ledger.web.forms import AnswerForm

Method = Resolution.Method
REASON_LENGTH = 500


class DeskForm(AnswerForm):
    """The answer of staff to a conflict: the method, and the reason shown to the user."""

    reason = forms.CharField(max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, opened: ReviewedEntry, data: Any = None) -> None:
        if data is not None and "dismiss" in data:
            data = data.copy()
            data["resolution"] = Method.DISMISS
        since = opened.entry.since or localtime(opened.entry.opened_at).date()
        super().__init__(data, initial={"since": since, "until": since - timedelta(days=1)})
        self.name = opened.entry.user.get_short_name()
        self.fields["reason"].error_messages["required"] = (
            f"Write a reason. {self.name} will read it."
        )
        self.fields["resolution"].error_messages["required"] = "Choose how to settle it."
        self.ways = _ways(opened)


def _ways(opened: ReviewedEntry) -> list[tuple[Method, str]]:
    """Return the methods to choose from, with labels; dismissing has its own button."""
    if opened.old is None or opened.new is None:
        return []
    ways = [
        (Method.KEEP_OLD, f"{opened.old.value} is right"),
        (Method.KEEP_NEW, f"{opened.new.value} is right"),
        (Method.TIMELINE, "Both, one after the other"),
        (Method.MERGE, "Something else"),
    ]
    if not opened.are_close:
        surer = max(opened.old, opened.new, key=lambda side: side.weighed.score)
        ways.append((Method.TRUST, f"What the score suggests: {surer.value}"))
    return ways
