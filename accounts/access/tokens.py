"""API tokens: named, expiring, several per user, revocable; stored as hashes by knox."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotFound, PermissionDenied
from rest_framework.request import Request

from accounts.access import sub_users
from accounts.access.scopes import PEOPLE, known_scopes, opens
from accounts.models import ApiToken, User

log = structlog.get_logger(__name__)

DAYS = 90
MOST_DAYS = 365
# Seconds between updates of the last use.
USED_EVERY = timedelta(minutes=1)


def make(
    user: User, name: str = "", days: int = DAYS, scopes: Collection[str] = ()
) -> tuple[ApiToken, str]:
    """Create a token; return it and its secret, which is not stored. Raises ValueError."""
    if not 1 <= days <= MOST_DAYS:
        raise ValueError(f"A token can last from 1 to {MOST_DAYS} days.")
    if unknown := sorted(set(scopes) - set(known_scopes())):
        raise ValueError(
            f"There is no scope {unknown[0]!r}. Use one of: {', '.join(known_scopes())}."
        )
    if PEOPLE in scopes and (sentence := sub_users.why_none(user)):
        raise ValueError(sentence)
    token, secret = ApiToken.objects.create(
        user=user, name=name, expiry=timedelta(days=days), scopes=sorted(set(scopes))
    )
    log.info("token_made", account=str(user.pk), token=str(token.pk), days=days)
    return token, secret


def of(user: User) -> QuerySet[ApiToken]:
    """Return the user's valid tokens, latest first."""
    valid = Q(expiry__isnull=True) | Q(expiry__gt=now())
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(valid, user=user)
    return tokens.order_by("-created")


def still_opens(token: ApiToken, person: User) -> bool:
    """Return whether the token is valid and may act for this user, and its owner may sign in."""
    owner = User.objects.filter(pk=token.user_id, is_active=True).first()
    if owner is None or owner.is_kept_out or not of(owner).filter(pk=token.pk).exists():
        return False
    return sub_users.still_acts_for(token, person)


def revoke(user: User, pk: UUID) -> bool:
    """Delete one token of the user; False if there is none."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=pk).delete()
    if deleted:
        log.info("token_revoked", account=str(user.pk), token=str(pk))
    return bool(deleted)


def revoke_all(user: User) -> int:
    """Delete all tokens of the user; return their number."""
    deleted: int = ApiToken.objects.filter(user=user).delete()[0]
    log.info("tokens_revoked", account=str(user.pk), count=deleted)
    return deleted


def lacking(scope: str) -> str:
    """Return the message for a token that lacks a scope."""
    return f"This token doesn’t have the scope “{scope}”. Create one that does."


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """knox's authentication, with `Token …` (documented) or `Bearer …` in the header."""

    def authenticate(self, request: Request) -> Any:
        """Return the user that the request acts for and the token; None without a token.

        Raises AuthenticationFailed, PermissionDenied for a token that may not act for others, and
        NotFound for a sub-user that its owner did not create.
        """
        word, _, rest = get_authorization_header(request).partition(b" ")
        if not rest.isascii():
            raise AuthenticationFailed("This token contains invalid characters. Copy it again.")
        if word.lower() == b"bearer" and rest:
            request._request.META["HTTP_AUTHORIZATION"] = "Token " + rest.decode("ascii")
            # Django caches headers; knox has to read the changed one.
            request._request.__dict__.pop("headers", None)
        known = super().authenticate(request)
        named = request.headers.get(sub_users.HEADER)
        if known is None or named is None:
            return known
        owner, token = known
        if not opens(token.scopes, PEOPLE):
            raise PermissionDenied(lacking(PEOPLE))
        sub_user = sub_users.find(owner, sub_users.named_in(named))
        if sub_user is None:
            raise NotFound
        return sub_user.person, token

    def validate_user(self, auth_token: ApiToken) -> tuple[User, ApiToken]:
        """Return the token's owner and the token. Raises AuthenticationFailed."""
        user, token = super().validate_user(auth_token)
        if user.is_kept_out:
            raise AuthenticationFailed("Demo accounts are turned off here.")
        _note_use(token, now())
        return user, token


def _note_use(token: ApiToken, at: datetime) -> None:
    if token.last_used_at is None or at - token.last_used_at > USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=at)
