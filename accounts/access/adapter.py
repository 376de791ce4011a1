"""allauth's adapter: every password that is tried anywhere is checked through it.

Failures are limited per account and per IP address (`login_failed` of ACCOUNT_RATE_LIMITS), and
each attempt is logged with the account's id, never with the entered address.
"""

import math
import time
from typing import Any
from urllib.parse import urlsplit

import structlog
from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.access.addresses import person_at, release
from accounts.access.sub_users import NO_ADDRESS
from accounts.models import User

log = structlog.get_logger(__name__)

DEMO_IS_OFF = (
    "This is a demo account, and demo accounts are turned off here. Create your own account."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter with logging, independent of the `Host` header."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt. Raises ValidationError with the waiting time after too many."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            log.warning("sign_in_locked", account=_account(credentials))
            key = self._get_login_attempts_cache_key(request, **credentials)
            raise ValidationError(_locked(request, key), code=error.code) from None

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user with these credentials, or None. Raises ValidationError when limited."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None and user.is_kept_out:
            log.warning("demo_person_kept_out", account=str(user.pk))
            raise ValidationError(DEMO_IS_OFF, code="demo_is_off")
        if user is not None:
            log.info("password_accepted", account=str(user.pk))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log a failure; `account` is '' if nobody has the entered address."""
        log.warning("sign_in_failed", account=_account(credentials))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether a sensitive action needs the password; False if recently entered."""
        request = context.request
        records = get_authentication_records(request, request.user)
        fresh = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
        if any(record["method"] == "password" and record["at"] > fresh for record in records):
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Mark an address as confirmed; shows an error if it belongs to another account."""
        holder = person_at(email_address.email)
        if holder not in {None, email_address.user} and not release(email_address.email):
            template = "account/messages/email_confirmation_failed.txt"
            self.add_message(request, messages.ERROR, template, {"email": email_address.email})
            return False
        return bool(super().confirm_email(request, email_address))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail with links to this site's own port; none to a sub-user."""
        if email.endswith(f"@{NO_ADDRESS}"):
            return
        links = {key: on_our_port(value) for key, value in context.items() if key.endswith("_url")}
        super().send_mail(template_prefix, email, context | links)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # allauth's own key includes the Host header, so another port would be counted separately.
        # Spellings that reach the same account are counted together.
        return _account(credentials) or _typed(credentials).upper()


def _locked(request: HttpRequest, key: str) -> str:
    """Return the message after too many attempts, with the minutes to wait."""
    minutes = max(1, math.ceil(_seconds_locked(request, key) / 60))
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"Too many wrong passwords. Wait {wait}, then try again."


def _seconds_locked(request: HttpRequest, key: str) -> float:
    """Return the seconds until all exceeded limits allow another attempt; 0 if none is exceeded."""
    limit = {"app": "allauth.account", "action": "login_failed"}
    waits = [0.0]
    for rate in ratelimit.get_rates(**limit):
        # Times of the attempts, newest first.
        tries = cache.get(ratelimit.get_cache_key(request, rate=rate, key=key, **limit), [])
        if len(tries) >= rate.amount:
            waits.append(tries[-1] + rate.duration - time.time())
    return max(waits)


def _typed(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")


def _account(credentials: dict[str, Any]) -> str:
    user = person_at(_typed(credentials))
    return str(user.pk) if user else ""


def on_our_port(url: str) -> str:
    """Return the URL with this site's port, whatever the `Host` header said."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{settings.SITE_PORT}" if settings.SITE_PORT else ""
    return parts._replace(netloc=f"{host}{port}").geturl()
