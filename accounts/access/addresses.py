"""Ownership of e-mail addresses, and changing them.

An address belongs to the account that signs in with it or has confirmed it. An unconfirmed claim
does not prevent others from signing up with the address.
"""

from datetime import timedelta

import structlog
from allauth.account import app_settings
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.core.mail import send_mail
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.timezone import now

from accounts.access import sub_users
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.best_effort import best_effort

log = structlog.get_logger(__name__)


def person_at(email: str) -> User | None:
    """Return the user whose main or confirmed address this is, ignoring case; None if nobody's.

    Send e-mails to the account's stored address, never to `email`: different letters may be equal
    when case is ignored.
    """
    if not email:
        return None
    if user := User.objects.filter(email__iexact=email).first():
        return user
    held = EmailAddress.objects.filter(email__iexact=email, verified=True)
    address = held.select_related("user").first()
    return address.user if address else None


def waiting(user: User) -> EmailAddress | None:
    """Return the new address that waits to be confirmed, or None."""
    return _others(user).filter(verified=False).order_by("pk").last()


def ask_to_confirm(request: HttpRequest, user: User, email: str) -> EmailAddress:
    """Send a link to a new address; the current one stays until the link is opened."""
    with transaction.atomic():
        _others(user).filter(verified=False).delete()
        address = EmailAddress.objects.create(user=user, email=email.lower())
    send_verification_email_to_address(request, address)
    return address


def change_at_once(user: User, email: str) -> EmailAddress:
    """Change the address without confirmation. Raises IntegrityError if it is taken."""
    with transaction.atomic():
        EmailAddress.objects.filter(user=user).delete()
        user.email = email.lower()
        user.save(update_fields=["email"])
        return EmailAddress.objects.create(user=user, email=user.email, primary=True)


def release(email: str) -> bool:
    """Delete the account that claims this address if it was never confirmed or signed in to.

    Only after its confirmation link has expired. Returns whether the address is free now.
    """
    holder = person_at(email)
    if holder is None:
        return True
    ran_out = now() - timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    try:
        with transaction.atomic():
            # Lock, so that a concurrent sign-in or confirmation finishes first.
            list(EmailAddress.objects.select_for_update().filter(user=holder))
            held = User.objects.select_for_update().filter(pk=holder.pk).first()
            if held is None:
                return True
            if not _never_entered(held) or held.date_joined > ran_out:
                return False
            held.delete()
            # Check references here instead of at the end, so that only this deletion is rolled
            # back.
            connection.check_constraints()
    except IntegrityError:
        return False
    return True


def _never_entered(user: User) -> bool:
    confirmed = EmailAddress.objects.filter(user=user, verified=True).exists()
    tokens = user.auth_token_set.exists()
    entered = user.last_login or user.is_staff or user.is_sub_user
    with acting_as(user):
        created = sub_users.of(user).exists()
    return not (entered or confirmed or tokens or created)


def _others(user: User) -> QuerySet[EmailAddress]:
    others: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user)
    return others.exclude(email__iexact=user.email)


def mail_later(email: str, subject: str, text: str) -> None:
    """Send an e-mail after the current transaction commits; failures to send are ignored."""

    def send() -> None:
        with best_effort(lambda error: log.warning("mail_not_sent", error=type(error).__name__)):
            send_mail(subject, text, None, [email])

    transaction.on_commit(send)
