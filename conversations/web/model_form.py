"""The form in which staff connect a language model."""

from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings

from accounts.database.connections import release_connection
from accounts.support import public_addresses
from conversations import llm

_NO_ADDRESS = "Enter an address that begins with http:// or https://, such as {}."
_EXAMPLE = "http://127.0.0.1:8081/v1"


class ModelConnectionForm(forms.Form):
    """The address, model names and API key of a language model; the key is never shown again."""

    base_url = forms.CharField(
        label="Endpoint",
        max_length=500,
        help_text=(
            "For OpenAI: https://api.openai.com/v1. For your own server: its address, often "
            "ending in /v1."
        ),
        error_messages={"required": _NO_ADDRESS.format(_EXAMPLE)},
    )
    key = forms.CharField(
        label="Key",
        max_length=500,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    chat_model = forms.CharField(
        label="Chat model",
        max_length=200,
        help_text="This model writes the answers.",
        error_messages={"required": "Enter the model’s name as the server knows it."},
    )
    background_model = forms.CharField(
        label="Background model",
        max_length=200,
        required=False,
        help_text=(
            "This model reads conversations afterwards. Leave it empty to use the chat model."
        ),
    )

    def __init__(self, in_force: llm.Connection, data: Any = None) -> None:
        address = "" if _may_hold_secret(in_force.address) else in_force.address
        filled = {
            "base_url": address,
            "chat_model": in_force.chat_model,
            "background_model": in_force.background_model,
        }
        super().__init__(data, initial=filled)
        self._in_force = in_force
        self.fields["key"].help_text = (
            "Leave it empty to keep the saved key, if the endpoint stays the same."
            if in_force.key
            else "Leave it empty if the server doesn’t need one."
        )

    def clean_base_url(self) -> str:
        """Return the address; it must not contain a key, which has its own field."""
        url = str(self.cleaned_data["base_url"]).rstrip("/")
        try:
            parts = urlsplit(url)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
            is_address = is_address and (parts.port is None or parts.port > 0)
        except ValueError:
            is_address = False
        if not is_address or any(character.isspace() for character in url):
            raise forms.ValidationError(_NO_ADDRESS.format(_EXAMPLE))
        if _may_hold_secret(url):
            raise forms.ValidationError(
                "Leave passwords, “?” and “#” out of the endpoint. Enter the key in its own field."
            )
        if not settings.MODEL_PRIVATE_ADDRESSES:
            _check_is_public(str(parts.hostname), parts.port or 443)
        return url

    def clean_key(self) -> str:
        """Return the key; it must be valid in an HTTP header."""
        key = str(self.cleaned_data["key"])
        if not key.isascii() or not key.isprintable() or " " in key:
            raise forms.ValidationError(
                "A key can contain only plain letters, digits and symbols. Copy it again."
            )
        return key

    def connection(self) -> llm.Connection:
        """Return the connection of the form; the stored key is used with its own address only.
        Otherwise, staff who may change the address could have the key sent to themselves.
        """
        cleaned = self.cleaned_data
        is_same = cleaned["base_url"] == self._in_force.address.rstrip("/")
        key = cleaned["key"] or (self._in_force.key if is_same else "")
        return llm.Connection(
            cleaned["base_url"],
            key,
            cleaned["chat_model"],
            cleaned["background_model"],
            is_stored=True,
        )


def _check_is_public(host: str, port: int) -> None:
    """Raise ValidationError for a host on a private network; each request checks it again."""
    release_connection()
    # A server that is away now may come back.
    with suppress(public_addresses.HostNotFound):
        try:
            public_addresses.resolve(host, port)
        except public_addresses.ForbiddenAddress:
            raise forms.ValidationError(
                "This host is on a private network. Whoever runs this site can allow that with "
                "MODEL_PRIVATE_ADDRESSES=1."
            ) from None


def _may_hold_secret(url: str) -> bool:
    """Return whether an address may contain a secret."""
    return any(sign in url for sign in "@?#")
