"""What else happens when somebody comes in, leaves, or sets a new password."""

from typing import Any

import structlog
from allauth.account.signals import password_reset, password_set
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver

from accounts.models import User

log = structlog.get_logger(__name__)


@receiver(user_logged_in)
def log_signing_in(user: User, **_: Any) -> None:
    """Who came in, by id."""
    log.info("signed_in", account=str(user.pk))


@receiver(user_logged_out)
def log_signing_out(user: User | None, **_: Any) -> None:
    """Who left, by id."""
    if user is not None:
        log.info("signed_out", account=str(user.pk))


@receiver([password_reset, password_set])
def revoke_tokens(user: User, **_: Any) -> None:
    """Who sets a new password by mail has lost the old one: what it made goes with it."""
    # Here, where few processes come: it takes the whole of the API's framework along.
    from accounts.access import tokens

    tokens.revoke_all(user)
    log.info("password_reset", account=str(user.pk))
