"""The forms of coming in, as allauth has them, by this site's rule of whose an address is."""

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.http import HttpRequest

from accounts.access import addresses, tokens
from accounts.models import User


class SignupForm(allauth.SignupForm):  # type: ignore[misc]
    """A new account, also with an address that others only claim."""

    name = forms.CharField(
        label="What should I call you?",
        max_length=User._meta.get_field("name").max_length,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )

    # Only a yes turns memory on: it is the value of the button that sends the form.
    memory_on = forms.BooleanField(required=False)

    def signup(self, request: HttpRequest, user: User) -> None:
        """Keep the name, so that nobody who gave it is asked again, and whether to remember."""
        user.name = self.cleaned_data["name"]
        user.memory_on = self.cleaned_data["memory_on"]
        user.save(update_fields=["name", "memory_on"])

    def validate_unique_email(self, value: str) -> str:
        """The address, when it is free; `account_already_exists` says that a mail tells so."""
        if addresses.release(value):
            self.account_already_exists = False
            return value
        return str(super().validate_unique_email(value))


class NewAddressForm(allauth.AddEmailForm):  # type: ignore[misc]
    """Another address in the place of the present one."""

    def clean_email(self) -> str:
        """The address. Where a link is sent to it, only that mail tells whether it is taken."""
        email = get_adapter().clean_email(self.cleaned_data["email"].lower())
        holder = addresses.person_at(email)
        if holder == self.user:
            raise get_adapter().validation_error("duplicate_email")
        if holder is not None and not settings.CONFIRM_NEW_ADDRESS:
            raise get_adapter().validation_error("email_taken")
        return str(email)

    def save(self, request: HttpRequest) -> EmailAddress:
        """Send a link to it, or change it at once where no mail is set up."""
        email = self.cleaned_data["email"]
        if settings.CONFIRM_NEW_ADDRESS:
            return addresses.ask_to_confirm(request, self.user, email)
        return addresses.change_at_once(self.user, email)


class ResetPasswordForm(allauth.ResetPasswordForm):  # type: ignore[misc]
    """A link for a new password, to the address that the account has."""

    def clean_email(self) -> str:
        """The address of the account, however this one was typed; the typed one for nobody's."""
        typed = get_adapter().clean_email(self.cleaned_data["email"].lower())
        holder = addresses.person_at(typed)
        self.users = [holder] if holder and holder.is_active else []
        return str(self.users[0].email if self.users else typed)


class ChangePasswordForm(allauth.ChangePasswordForm):  # type: ignore[misc]
    """A new password; who has tokens is asked whether they go with the old one."""

    revoke_tokens = forms.BooleanField(
        label="Revoke my API tokens as well", required=False, initial=True
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not tokens.of(self.user).exists():
            del self.fields["revoke_tokens"]

    def clean_oldpassword(self) -> str:
        """The present password, tried and counted as at the log-in."""
        password = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return str(password)

    def save(self) -> None:
        """Set the password."""
        super().save()
        if self.cleaned_data.get("revoke_tokens"):
            tokens.revoke_all(self.user)
