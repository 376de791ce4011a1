"""allauth's forms, with this site's rule of who owns an address."""

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.http import HttpRequest

from accounts.access import addresses, tokens
from accounts.models import User


class SignupForm(allauth.SignupForm):  # type: ignore[misc]
    """Sign-up; the address may also have an unconfirmed claim by another account."""

    name = forms.CharField(
        label="What should I call you?",
        max_length=User._meta.get_field("name").max_length,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )

    # Memory is only turned on by the value of this submit button.
    memory_on = forms.BooleanField(required=False)

    def signup(self, request: HttpRequest, user: User) -> None:
        """Save the name and whether to turn memory on."""
        user.name = self.cleaned_data["name"]
        user.memory_on = self.cleaned_data["memory_on"]
        user.save(update_fields=["name", "memory_on"])

    def validate_unique_email(self, value: str) -> str:
        """Return the address if free; else set `account_already_exists`, and an e-mail says so."""
        if addresses.release(value):
            self.account_already_exists = False
            return value
        return str(super().validate_unique_email(value))


class NewAddressForm(allauth.AddEmailForm):  # type: ignore[misc]
    """Changing the e-mail address."""

    def clean_email(self) -> str:
        """Return the address. If a link is sent, only that e-mail says whether it is taken."""
        email = get_adapter().clean_email(self.cleaned_data["email"].lower())
        holder = addresses.person_at(email)
        if holder == self.user:
            raise get_adapter().validation_error("duplicate_email")
        if holder is not None and not settings.CONFIRM_NEW_ADDRESS:
            raise get_adapter().validation_error("email_taken")
        return str(email)

    def save(self, request: HttpRequest) -> EmailAddress:
        """Send a link to the new address, or change it at once if no e-mail is set up."""
        email = self.cleaned_data["email"]
        if settings.CONFIRM_NEW_ADDRESS:
            return addresses.ask_to_confirm(request, self.user, email)
        return addresses.change_at_once(self.user, email)


class ResetPasswordForm(allauth.ResetPasswordForm):  # type: ignore[misc]
    """Requesting a link for a new password, sent to the account's stored address."""

    def clean_email(self) -> str:
        """Return the account's stored address, or the entered one if nobody has it."""
        typed = get_adapter().clean_email(self.cleaned_data["email"].lower())
        holder = addresses.person_at(typed)
        self.users = [holder] if holder and holder.is_active else []
        return str(self.users[0].email if self.users else typed)


class ChangePasswordForm(allauth.ChangePasswordForm):  # type: ignore[misc]
    """Changing the password; users with tokens can choose to revoke them."""

    revoke_tokens = forms.BooleanField(
        label="Revoke my API tokens as well", required=False, initial=True
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not tokens.of(self.user).exists():
            del self.fields["revoke_tokens"]

    def clean_oldpassword(self) -> str:
        """Return the current password, checked and rate limited as at sign-in."""
        password = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return str(password)

    def save(self) -> None:
        """Set the password, and revoke tokens if chosen."""
        super().save()
        if self.cleaned_data.get("revoke_tokens"):
            tokens.revoke_all(self.user)
