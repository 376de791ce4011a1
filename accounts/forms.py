"""What a person may change about their account here; allauth has the rest."""

from django import forms

from accounts.access import tokens
from accounts.models import ApiToken, User


class ThemeForm(forms.ModelForm):  # type: ignore[type-arg]
    """Light or dark."""

    class Meta:
        model = User
        fields = ("theme",)


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name on the account, and light or dark."""

    theme = forms.ChoiceField(
        choices=[
            (User.Theme.SYSTEM, "Use device setting"),
            (User.Theme.LIGHT, "Light"),
            (User.Theme.DARK, "Dark"),
        ]
    )

    class Meta:
        model = User
        fields = ("name", "theme")


class TokenForm(forms.Form):
    """A token to make: what it is for, and how long it lasts."""

    name = forms.CharField(
        label="What is it for?",
        max_length=ApiToken.NAME_LENGTH,
        error_messages={"required": "Give it a name, so you can recognise it later."},
    )
    days = forms.TypedChoiceField(
        label="Expires after",
        coerce=int,
        choices=[(7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "One year")],
        initial=tokens.DAYS,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how long it lasts."},
    )
    scopes = forms.MultipleChoiceField(
        label="Only these parts of memory",
        help_text="Choose none to let it do everything you can do.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(scope, scope) for scope in tokens.known_scopes()],
    )
