"""Deleting an account: asked for with the password, undone for some days, then for good.

What stays is the log's lines under a pseudonym that leads to nobody, without a word of anything
said, and one more that says how much went and when.
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
    """This account is not one that its user may delete."""


class TooLate(Refused):
    """The account is deleted already; the message says so."""


class NotDue(Exception):
    """The account is not to be deleted now: its owner keeps it, or it is gone."""


# --- Asking for it, in the person's open block ----------------------------------------------------


def ask(user: User) -> datetime:
    """Have the account deleted after the days of grace; returns when. Raises CannotBeDeleted."""
    if user.is_demo:
        raise CannotBeDeleted("Everyone shares this demo account, so it can’t be deleted.")
    # What is decided stands in the row, and not in what this request read before.
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
    """Keep the account; False where it was not to be deleted. Raises TooLate."""
    # In the order of `delete`: work first, the person's row last.
    work.withdraw(user, KIND, user.pk)
    try:
        held = hold_choices(user.pk)
    except User.DoesNotExist:
        raise TooLate(_STARTED) from None
    if not held.is_active:
        # Those whom it created are deleted already.
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
    user = User.objects.filter(pk=claim.user_id).first()
    with suppress(NotDue):
        if user is not None:
            receipt = delete(user, only_if_due=True)
            log.info("account_deleted", account=str(user.pk), left=sum(receipt.left.values()))
            return
    with acting_as(claim.user_id):
        work.finish(claim)


def delete(user: User, *, only_if_due: bool = False) -> Receipt:
    """Delete an account now, and all that is kept of it. Opens the person's block itself.

    The people whom it created go first, each with all that is kept of them. One transaction asks
    whether the days of grace are over, where that is asked for, and deletes: nobody keeps half an
    account. Raises NotDue where it is kept or gone.
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
    """Let nobody in to an account that created people, so that it gets no more of them and cannot
    be kept; return them. Raises NotDue where the account is kept or gone.
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
    """The person, held until the transaction ends. Raises NotDue."""
    try:
        user = hold_choices(key)
    except User.DoesNotExist:
        raise NotDue from None
    if only_if_due and (user.deleted_from is None or user.deleted_from > now()):
        raise NotDue
    return user


def _delete(key: UUID, *, only_if_due: bool) -> erase_all.StoredCounts:
    """Whoever writes something down is waited for first, and the person's row is held last."""
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
    """Sign a person out everywhere; returns of how many sessions."""
    ended = 0
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user_id):
            session.delete()
            ended += 1
    return ended


def left_of(user_id: UUID, email: str) -> dict[str, int]:
    """Count rows that still name a person, by key or address, in all tables they might read."""
    with acting_as(user_id):
        counts = {
            table.name: tables.naming(table, user_id, email) for table in tables.of_the_database()
        }
    return {name: many for name, many in counts.items() if many}


# --- Mails ----------------------------------------------------------------------------------------

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
