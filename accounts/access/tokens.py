"""API tokens: named, with an end, several a person, each revocable; hashed at rest as knox does."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.module_loading import import_string
from django.utils.timezone import now
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, User

log = structlog.get_logger(__name__)

DAYS = 90
MOST_DAYS = 365
# Who calls often writes down the time of it only so often.
USED_EVERY = timedelta(minutes=1)


def make(
    user: User, name: str = "", days: int = DAYS, scopes: Collection[str] = ()
) -> tuple[ApiToken, str]:
    """Make a token that ends after so many days (1 to MOST_DAYS). Returns it and its secret.

    With scopes it opens these namespaces of memory and nothing else. The secret is kept nowhere.
    Raises ValueError for another number of days or a scope that there is not.
    """
    if not 1 <= days <= MOST_DAYS:
        raise ValueError(f"A token can last from 1 to {MOST_DAYS} days.")
    if unknown := sorted(set(scopes) - set(known_scopes())):
        raise ValueError(
            f"There is no scope {unknown[0]!r}. Use one of: {', '.join(known_scopes())}."
        )
    token, secret = ApiToken.objects.create(
        user=user, name=name, expiry=timedelta(days=days), scopes=sorted(set(scopes))
    )
    log.info("token_made", account=str(user.pk), token=str(token.pk), days=days)
    return token, secret


def known_scopes() -> list[str]:
    """What a token may be limited to: every namespace, and every group of them ("shared.*")."""
    scopes: list[str] = import_string(settings.TOKEN_SCOPES)()
    return scopes


def of(user: User) -> QuerySet[ApiToken]:
    """This person's tokens that still open something, the latest first."""
    valid = Q(expiry__isnull=True) | Q(expiry__gt=now())
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(valid, user=user)
    return tokens.order_by("-created")


def still_opens(token: ApiToken) -> bool:
    """Whether it is there, is not over, and its owner may come in."""
    owner = User.objects.filter(pk=token.user_id, is_active=True).first()
    return owner is not None and not owner.is_kept_out and of(owner).filter(pk=token.pk).exists()


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


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Knox, with either of the two words that clients put before a token.

    `Authorization: Token …` is the documented form; `Bearer …` is what most client libraries send.
    """

    def authenticate(self, request: Request) -> Any:
        """Return (user, token), or None when no token was sent. Raises AuthenticationFailed."""
        word, _, rest = get_authorization_header(request).partition(b" ")
        if not rest.isascii():
            raise AuthenticationFailed("This token contains invalid characters. Copy it again.")
        if word.lower() == b"bearer" and rest:
            request._request.META["HTTP_AUTHORIZATION"] = "Token " + rest.decode("ascii")
            # Django keeps the headers it has read; knox is to read them anew.
            request._request.__dict__.pop("headers", None)
        return super().authenticate(request)

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
