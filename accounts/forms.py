"""What a person may change about their account here; allauth has the rest."""

from django import forms

from accounts.models import User


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name on the account, and light or dark."""

    class Meta:
        model = User
        fields = ("name", "theme")
