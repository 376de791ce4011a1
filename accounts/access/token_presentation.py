"""Tokens in words, for their page."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from accounts.access.scopes import PEOPLE, READ, WRITE, namespaces_in
from accounts.models import ApiToken
from accounts.support.formatting import day, listed, number


@dataclass(frozen=True)
class TokenRow:
    """One line of the list."""

    token: ApiToken
    used: str
    made: str
    ends: str
    is_endless: bool
    # What it opens, in a sentence; '' for everything that its owner can do.
    opens: str


def rows(tokens: Iterable[ApiToken], people: int, today: datetime) -> list[TokenRow]:
    """What the page says of each; `people` is how many their owner has created."""
    return [
        TokenRow(
            token=token,
            used=f"last used {day(token.last_used_at, today)}"
            if token.last_used_at
            else "never used",
            made=f"created {day(token.created, today)}",
            ends=f"expires {day(token.expiry, today)}" if token.expiry else "never expires",
            is_endless=token.expiry is None,
            opens=_opens(token.scopes, people),
        )
        for token in tokens
    ]


def in_words(people: int) -> str:
    """'1 person', '12 people'; '' for none."""
    return f"{number(people)} {'person' if people == 1 else 'people'}" if people else ""


def _opens(scopes: Collection[str], people: int) -> str:
    parts = []
    if READ in scopes and WRITE not in scopes:
        parts.append("can only read")
    elif WRITE in scopes and READ not in scopes:
        parts.append("can only change things, not read them")
    if namespaces := namespaces_in(scopes):
        parts.append(f"can use only {listed(namespaces)}")
    if PEOPLE in scopes:
        count = in_words(people) or "none so far"
        parts.append(f"can create people and act for them ({count})")
    sentence = "; ".join(parts)
    return sentence[:1].upper() + sentence[1:]


def curl(request: HttpRequest, secret: str) -> str:
    """A call to try the token with."""
    address = request.build_absolute_uri(reverse("api:profile"))
    return f'curl -H "Authorization: Token {secret}" {address}'
