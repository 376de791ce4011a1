"""The form of the privacy pages."""

from django import forms

from accounts.models import PrivacySettings

PERIODS = (("", "Forever"), *PrivacySettings.KEPT_FOR)


class _Days(forms.TypedChoiceField):
    """A number of days to choose; empty is for ever."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, choices=PERIODS, coerce=int, empty_value=None, required=False)


class KeptForm(forms.Form):
    """For how many days each is kept."""

    conversation_days = _Days("Conversations, after the last message")
    retired_note_days = _Days("Memories no longer in use")
