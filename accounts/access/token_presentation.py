"""Tokens in words, for their page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from accounts.models import ApiToken
from accounts.support.formatting import day


@dataclass(frozen=True)
class TokenRow:
    """One line of the list."""

    token: ApiToken
    used: str
    made: str
    ends: str
    is_endless: bool


def rows(tokens: Iterable[ApiToken], today: datetime) -> list[TokenRow]:
    """What the page says of each."""
    return [
        TokenRow(
            token=token,
            used=f"last used {day(token.last_used_at, today)}"
            if token.last_used_at
            else "never used",
            made=f"created {day(token.created, today)}",
            ends=f"expires {day(token.expiry, today)}" if token.expiry else "never expires",
            is_endless=token.expiry is None,
        )
        for token in tokens
    ]


def curl(request: HttpRequest, secret: str) -> str:
    """A call to try the token with."""
    address = request.build_absolute_uri(reverse("api:profile"))
    return f'curl -H "Authorization: Token {secret}" {address}'
