"""Deleting an account: requested with the password, revocable for some days, then permanent.

Only the account's log lines remain, under a pseudonym and without content, plus one line that says
how many rows were deleted and when.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils.timezone import localtime, now

from accounts import audit, erased_list, work
from accounts.access import sub_users, tokens
from accounts.access.addresses import mail_later
from accounts.audit import Action, By
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.erased_list import Kind
from accounts.models import User
from accounts.privacy import hold_choices
from accounts.support.refusals import Refused
from conversations.deletion import erase_all
from ledger.verification import tables
from memory.manager import clear_changes

log = structlog.get_logger(__name__)

KIND = "delete_account"
_STARTED = "The deletion had already started, so I couldn’t keep your account."


class CannotBeDeleted(Refused):
    """Raised when users may not delete this account, as the shared demo account."""


class TooLate(Refused):
    """Raised when the deletion of the account has already started; the message says so."""


class NotDue(Exception):
    """Raised when the account is not due for deletion: the user chose to keep it, or it is gone."""


# --- Requesting it, within `acting_as(user)` -------------------------------------------------


def ask(user: User) -> datetime:
    """Schedule the deletion of the account and return its time. Raises CannotBeDeleted."""
    if user.is_demo:
        raise CannotBeDeleted("Everyone shares this demo account, so it can’t be deleted.")
    # Decide by the locked row: the one that this request read may be outdated.
    held = hold_choices(user.pk)
    if held.deleted_from is None:
        held.deleted_from = now() + timedelta(days=settings.PRIVACY["grace_days"])
        held.save(update_fields=["deleted_from"])
        day = f"{localtime(held.deleted_from):%-d %B %Y, %H:%M}"
        audit.record(user.pk, Action.LEAVING, why=f"From {day} on")
        text = _ASKED.format(day=day)
        mail_later(user.email, "Your account will be deleted", text)
    return held.deleted_from


def keep(user: User) -> bool:
    """Cancel the deletion of the account; False if none was scheduled. Raises TooLate."""
    # Lock in the order of `delete`: the job first, the user's row last.
    work.withdraw(user, KIND, user.pk)
    try:
        held = hold_choices(user.pk)
    except User.DoesNotExist:
        raise TooLate(_STARTED) from None
    if not held.is_active:
        # Its sub-users are deleted already.
        raise TooLate(_STARTED)
    if held.deleted_from is None:
        return False
    held.deleted_from = None
    held.save(update_fields=["deleted_from"])
    audit.record(user.pk, Action.STAYING)
    return True


# --- Carrying it out ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Receipt:
    """What a deletion removed, in words, and how many rows of each table still name the user."""

    gone: str
    left: dict[str, int]


def enqueue_due() -> int:
    """Enqueue the deletion of accounts whose days of grace are over; return how many accounts."""
    due = list(User.objects.filter(deleted_from__lte=now()))
    for user in due:
        with acting_as(user):
            work.enqueue(user, KIND, user.pk)
    return len(due)


def delete_for(claim: work.Claim) -> None:
    """Delete the account of a claimed job; worker entry point."""
    user = User.objects.filter(pk=claim.user_id).first()
    with suppress(NotDue):
        if user is not None:
            receipt = delete(user, only_if_due=True)
            log.info("account_deleted", account=str(user.pk), left=sum(receipt.left.values()))
            return
    with acting_as(claim.user_id):
        work.finish(claim)


def delete(user: User, *, only_if_due: bool = False) -> Receipt:
    """Delete an account with all its data now. Opens its own transactions.

    Accounts that this account created (sub-users) are deleted first. With `only_if_due`, the
    transaction that deletes also checks that the days of grace are over. Raises NotDue if the
    account is not due or is gone.
    """
    email, key = user.email, user.pk
    people = _close_with_people(key, only_if_due=only_if_due)
    for person in people:
        with suppress(NotDue):
            delete(person)
    gone = erase_all.in_one_transaction(user, lambda: _delete(key, only_if_due=only_if_due))
    receipt = Receipt(gone.in_words(), left_of(key, email))
    if not user.is_sub_user:
        deleted = receipt.gone or "an empty account"
        if people:
            deleted += f"; people your programs created: {len(people)}"
        mail_later(email, "Your account has been deleted", _GONE.format(gone=deleted))
    return receipt


def _close_with_people(key: UUID, *, only_if_due: bool) -> list[User]:
    """Deactivate an account and return its sub-users, so that no more are created and the deletion
    cannot be cancelled. Raises NotDue if the account is not due or is gone.
    """
    with acting_as(key):
        user = _held(key, only_if_due=only_if_due)
        people = [row.person for row in sub_users.of(user)]
        if people:
            User.objects.filter(pk=key).update(is_active=False)
            tokens.revoke_all(user)
            end_sessions(key)
    return people


def _held(key: UUID, *, only_if_due: bool) -> User:
    """Return the user with the row locked until the transaction ends. Raises NotDue."""
    try:
        user = hold_choices(key)
    except User.DoesNotExist:
        raise NotDue from None
    if only_if_due and (user.deleted_from is None or user.deleted_from > now()):
        raise NotDue
    return user


def _delete(key: UUID, *, only_if_due: bool) -> erase_all.StoredCounts:
    """Delete all rows of an account, after concurrent writers; lock the user's row last."""
    erase_all.wait_for_writers(key)
    user = _held(key, only_if_due=only_if_due)
    gone = erase_all.forget_everything(user).gone
    why = f"Deleted: {gone.in_words() or 'an empty account'}"
    audit.record(key, Action.DELETED, by=By.HOUSE, why=why)
    tokens.revoke_all(user)
    end_sessions(key)
    owned.clear(key, choices_too=True)
    EmailAddress.objects.filter(user=user).delete()
    clear_changes(key)
    erased_list.note(key, Kind.ACCOUNT, key)
    user.delete()
    return gone


def end_sessions(user_id: UUID) -> int:
    """Delete all sessions of a user; return their number."""
    ended = 0
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user_id):
            session.delete()
            ended += 1
    return ended


def left_of(user_id: UUID, email: str) -> dict[str, int]:
    """Return by table the number of rows that still contain the user's key or e-mail address."""
    with acting_as(user_id):
        counts = {
            table.name: tables.naming(table, user_id, email) for table in tables.of_the_database()
        }
    return {name: many for name, many in counts.items() if many}


# --- E-mails --------------------------------------------------------------------------------------

_ASKED = """You asked for your Throughline account to be deleted.

Nothing will be deleted until {day}. If you change your mind, sign in and press “Keep my account”.
After that day, your account and everything stored about you will be deleted for good.

If this wasn’t you, sign in, keep the account and change your password.
"""
_GONE = """Your Throughline account has been deleted, as you asked.

Deleted: {gone}; your tokens, sessions and settings, and your address.

All that remains is a log of when things changed and how. It has a random number that can’t be
traced to you, and nothing you said. If the site is ever restored from a backup, your account will
be deleted again.
"""
