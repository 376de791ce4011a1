"""Receivers for sign-in, sign-out and new passwords."""

from typing import Any

import structlog
from allauth.account.signals import password_reset, password_set
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver

from accounts.models import User

log = structlog.get_logger(__name__)


@receiver(user_logged_in)
def log_signing_in(user: User, **_: Any) -> None:
    """Log the id of a user who signed in."""
    log.info("signed_in", account=str(user.pk))


@receiver(user_logged_out)
def log_signing_out(user: User | None, **_: Any) -> None:
    """Log the id of a user who signed out."""
    if user is not None:
        log.info("signed_out", account=str(user.pk))


@receiver([password_reset, password_set])
def revoke_tokens(user: User, **_: Any) -> None:
    """Revoke the tokens of a user who reset the password, as the old one may be compromised."""
    # Imported here because it loads the whole API framework.
    from accounts.access import tokens

    tokens.revoke_all(user)
    log.info("password_reset", account=str(user.pk))
