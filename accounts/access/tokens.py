"""API tokens: named, with an end, several a person, each revocable; hashed at rest as knox does."""

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
# Who calls often writes down the time of it only so often.
USED_EVERY = timedelta(minutes=1)


def make(
    user: User, name: str = "", days: int = DAYS, scopes: Collection[str] = ()
) -> tuple[ApiToken, str]:
    """Create a token and return it with its secret, which is kept nowhere. Raises ValueError."""
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
    """This person's tokens that still open something, the latest first."""
    valid = Q(expiry__isnull=True) | Q(expiry__gt=now())
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(valid, user=user)
    return tokens.order_by("-created")


def still_opens(token: ApiToken, person: User) -> bool:
    """Whether it is there, is not over, its owner may come in, and may act for this person."""
    owner = User.objects.filter(pk=token.user_id, is_active=True).first()
    if owner is None or owner.is_kept_out or not of(owner).filter(pk=token.pk).exists():
        return False
    return sub_users.still_acts_for(token, person)


def revoke(user: User, pk: UUID) -> bool:
    """Delete one token of this person's; False when there is none."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=pk).delete()
    if deleted:
        log.info("token_revoked", account=str(user.pk), token=str(pk))
    return bool(deleted)


def revoke_all(user: User) -> int:
    """Delete all tokens of this person's; returns how many there were."""
    deleted: int = ApiToken.objects.filter(user=user).delete()[0]
    log.info("tokens_revoked", account=str(user.pk), count=deleted)
    return deleted


def lacking(scope: str) -> str:
    """What is told of a token without a scope that an operation needs."""
    return f"This token doesn’t have the scope “{scope}”. Create one that does."


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Knox, with `Token …`, the documented form, or `Bearer …` before a token."""

    def authenticate(self, request: Request) -> Any:
        """Return whom the request acts for and the token, or None when no token was sent.

        Raises AuthenticationFailed, PermissionDenied for a token that may act for nobody else, and
        NotFound for a person whom its owner did not create.
        """
        word, _, rest = get_authorization_header(request).partition(b" ")
        if not rest.isascii():
            raise AuthenticationFailed("This token contains invalid characters. Copy it again.")
        if word.lower() == b"bearer" and rest:
            request._request.META["HTTP_AUTHORIZATION"] = "Token " + rest.decode("ascii")
            # Django keeps the headers it has read; knox is to read them anew.
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
        """Whose token this is. Raises AuthenticationFailed for who may not come in."""
        user, token = super().validate_user(auth_token)
        if user.is_kept_out:
            raise AuthenticationFailed("Demo accounts are turned off here.")
        _note_use(token, now())
        return user, token


def _note_use(token: ApiToken, at: datetime) -> None:
    if token.last_used_at is None or at - token.last_used_at > USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=at)
