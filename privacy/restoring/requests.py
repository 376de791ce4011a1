"""Uploading, accepting and cancelling restores; called within `acting_as(user)`."""

from typing import IO
from uuid import UUID

from django.db.models import Q

from accounts.models import User
from accounts.support.refusals import Refused
from privacy.models import Restore
from privacy.restoring import opening
from privacy.restoring.tables import MAY_BE_THERE, TABLES
from privacy.transfers import MemoryIsOff

State = Restore.State
MEMORY_IS_OFF = "Memory is off, so I can’t restore a copy. Turn memory on first."


class NotEmpty(Refused):
    """Raised when the account is not empty."""


def bring(user: User, file: IO[bytes]) -> Restore:
    """Save an uploaded export. Raises NotACopy, NotEmpty, MemoryIsOff, OneAtATime or TooMany."""
    Restore.alone(user)
    Restore.refuse_too_many(user.pk)
    refuse_where_it_cannot_be(user)
    copy = opening.look(file)
    return Restore.keep(user, file, version=copy.version, copied_at=copy.made_at, rows=copy.rows)


def accept(user: User, key: UUID) -> Restore | None:
    """Enqueue a restore; None if it is not waiting. Raises NotEmpty, MemoryIsOff or OneAtATime."""
    restore = Restore.alone(user).filter(pk=key, state=State.BROUGHT).first()
    if restore is None:
        return None
    refuse_where_it_cannot_be(user)
    return restore.accept()


def cancel(user: User, key: UUID) -> bool:
    """Cancel a restore before or while it runs: nothing of it stays. False if it has ended."""
    return Restore.stop(user, key, (State.BROUGHT, State.WAITING, State.MAKING))


def refuse_where_it_cannot_be(user: User) -> None:
    """Raise NotEmpty or MemoryIsOff if the user cannot restore anything now."""
    if not user.memory_on:
        raise MemoryIsOff(MEMORY_IS_OFF)
    if not is_empty(user.pk):
        raise NotEmpty(
            "This account already has something in it, and I can restore a copy only into an empty"
            " one. Forget everything first, or sign up with another address and restore it there."
        )


def is_empty(user_id: UUID) -> bool:
    """Return whether the account has no data of the restored tables; settings do not count."""
    kept = [table.into for table in TABLES if table.name not in MAY_BE_THERE]
    return not any(model._default_manager.filter(user_id=user_id).exists() for model in kept)


def drop_all_expired(most: int = 500) -> int:
    """Delete expired restores of at most `most` users; return the number of users."""
    return Restore.drop_expired(Q(), most)
