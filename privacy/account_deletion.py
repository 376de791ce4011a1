"""Deleting an account: asked for with the password, undone for some days, then for good.

What stays is the log's lines under a pseudonym that leads to nobody, without a word of anything
said, and one more that says how much went and when.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.db import transaction
from django.utils.timezone import localtime, now

from accounts import audit, erased_list, work
from accounts.access import tokens
from accounts.audit import Action, By
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.erased_list import Kind
from accounts.models import User
from accounts.support.best_effort import best_effort
from conversations.deletion import erase_all
from ledger.verification import tables
from memory.manager import clear_changes

log = structlog.get_logger(__name__)

KIND = "delete_account"


class CannotBeDeleted(ValueError):
    """This account is not one that its user may delete."""


# --- Asking for it, in the person's open block ----------------------------------------------------


def ask(user: User) -> datetime:
    """Have the account deleted after the days of grace; returns from when. Twice is once.

    Raises CannotBeDeleted for a demo person, whom everybody may be.
    """
    if user.is_demo:
        raise CannotBeDeleted("This is a demo account: it belongs to everybody who tries this.")
    if user.deleted_from is None:
        user.deleted_from = now() + timedelta(days=settings.PRIVACY["grace_days"])
        user.save(update_fields=["deleted_from"])
        day = f"{localtime(user.deleted_from):%-d %B %Y, %H:%M}"
        audit.record(user.pk, Action.LEAVING, why=f"From {day} on")
        text = _ASKED.format(day=day)
        transaction.on_commit(lambda: _write_to(user.email, "Your account will be deleted", text))
    return user.deleted_from


def keep(user: User) -> bool:
    """Their owner stays after all; False where that was never in doubt."""
    if user.deleted_from is None:
        return False
    user.deleted_from = None
    user.save(update_fields=["deleted_from"])
    work.withdraw(user, KIND, user.pk)
    audit.record(user.pk, Action.STAYING)
    return True


# --- Carrying it out ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Receipt:
    """What went, and where anything is left that names the person: nowhere, if all is well."""

    gone: str
    left: dict[str, int]


def enqueue_due() -> int:
    """Write down the work for those whose days of grace are over; returns for how many."""
    due = list(User.objects.filter(deleted_from__lte=now()))
    for user in due:
        with acting_as(user):
            work.enqueue(user, KIND, user.pk)
    return len(due)


def delete_for(claim: work.Claim) -> None:
    """Worker entry point."""
    user = User.objects.filter(pk=claim.user_id, deleted_from__lte=now()).first()
    if user is None:
        # Kept at the last moment, or gone already.
        with acting_as(claim.user_id):
            work.finish(claim)
        return
    receipt = delete(user)
    log.info("account_deleted", account=str(claim.user_id), left=sum(receipt.left.values()))


def delete(user: User) -> Receipt:
    """Delete an account now, and all that is kept of it. Opens the person's block itself."""
    email, key = user.email, user.pk
    with acting_as(user):
        # Nobody who keeps the account at this moment finds it half gone.
        User.objects.select_for_update().get(pk=key)
    forgotten = erase_all.forget_everything(user)
    with acting_as(user):
        why = f"Gone: {forgotten.gone.in_words() or 'an empty account'}"
        audit.record(key, Action.DELETED, by=By.HOUSE, why=why)
        tokens.revoke_all(user)
        end_sessions(key)
        owned.clear(key, choices_too=True)
        EmailAddress.objects.filter(user=user).delete()
        clear_changes(key)
        erased_list.note(key, Kind.ACCOUNT, key)
        user.delete()
    receipt = Receipt(forgotten.gone.in_words(), left_of(key, email))
    _write_to(
        email, "Your account is deleted", _GONE.format(gone=receipt.gone or "an empty account")
    )
    return receipt


def end_sessions(user_id: UUID) -> int:
    """Sign a person out everywhere; returns of how many sessions."""
    ended = 0
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user_id):
            session.delete()
            ended += 1
    return ended


def left_of(user_id: UUID, email: str) -> dict[str, int]:
    """How many rows of which tables still name a person, by key or by address.

    Every table of the database is searched, as far as that person, were they here, might read.
    """
    with acting_as(user_id):
        found = {
            table.name: tables.naming(table, user_id, email) for table in tables.of_the_database()
        }
    return {name: many for name, many in found.items() if many}


# --- Mails ----------------------------------------------------------------------------------------

_ASKED = """You asked for your Throughline account to be deleted.

Until {day} nothing goes: sign in and press "Keep my account" if you change your mind. From then on
the account and all that is kept of you are deleted for good.

If this was not you, sign in, keep the account, and change your password.
"""
_GONE = """Your Throughline account is deleted, as you asked.

Gone: {gone}; your tokens, sessions and settings, and your address.

What stays is a log that says when something was changed and of what kind, under a random number
that leads to nobody, without anything you said. Backups of the site are gone through again when one
is ever restored.
"""


def _write_to(email: str, subject: str, text: str) -> None:
    # A mail server that is away must not keep anybody here.
    def report(error: Exception) -> None:
        log.warning("letter_not_sent", error=type(error).__name__)

    send: Callable[..., int] = send_mail
    with best_effort(report):
        send(subject, text, None, [email])
