"""Forms for the account; allauth has the others."""

from typing import Any

from django import forms

from accounts.access import scopes, sub_users, tokens
from accounts.models import ApiToken, User


class ThemeForm(forms.ModelForm):  # type: ignore[type-arg]
    """Light or dark theme."""

    class Meta:
        model = User
        fields = ("theme",)


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    """The account's name and theme."""

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
    """A token to create: its purpose, expiry and scopes."""

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
    operation = forms.ChoiceField(
        label="What it can do",
        choices=[("", "Read and change"), (scopes.READ, "Only read")],
        required=False,
        initial="",
        widget=forms.RadioSelect,
    )
    people = forms.BooleanField(
        label="Create users and act for them",
        help_text=(
            "For an app with its own users. Each of them gets their own memory. The app can act "
            "for you and for them, but for nobody else."
        ),
        required=False,
    )
    namespaces = forms.MultipleChoiceField(
        label="Parts of memory it can use",
        help_text="Leave all of these unselected to allow the whole memory.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(scope, scope) for scope in scopes.of_namespaces()],
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sub_users.why_none(owner):
            del self.fields["people"]

    def clean(self) -> dict[str, Any]:
        """Return the values, with the chosen scopes as `scopes`."""
        given = dict(self.cleaned_data)
        operation, namespaces = given.pop("operation", ""), given.pop("namespaces", [])
        people = [scopes.PEOPLE] if given.pop("people", False) else []
        return given | {"scopes": [*filter(None, [operation]), *people, *namespaces]}
