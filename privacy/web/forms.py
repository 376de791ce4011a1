"""The form of retention periods."""

from django import forms

from accounts.models import PrivacySettings

PERIODS = (("", "Forever"), *PrivacySettings.KEPT_FOR)


class _Days(forms.TypedChoiceField):
    """A choice of days; empty means unlimited."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, choices=PERIODS, coerce=int, empty_value=None, required=False)


class KeptForm(forms.Form):
    """The retention periods of conversations and memories."""

    conversation_days = _Days("Conversations, after the last message")
    retired_note_days = _Days("Memories no longer in use")
