"""Bringing a copy: looked at first, restored after its owner's yes, in the person's open block."""

from typing import IO
from uuid import UUID

from django.db.models import Q

from accounts.models import User
from privacy.bringing.requests import FileRequests, long_ago
from privacy.models import Restore, RestorePiece
from privacy.restoring import opening
from privacy.restoring.tables import MAY_BE_THERE, TABLES

KIND = "restore"
State = Restore.State
MEMORY_IS_OFF = "Memory is off, so I can’t restore a copy. Turn memory on first."


class CannotRestore(ValueError):
    """Nothing can be restored into this account now; the message says what to do."""


class NotEmpty(CannotRestore):
    """There is something in the account already."""


class MemoryIsOff(CannotRestore):
    """Nothing is remembered with memory off, and so nothing is restored."""


class OneRestoreAtATime(CannotRestore):
    """A copy is already being restored."""


class TooManyRestores(CannotRestore):
    """So many copies were brought today that no more is taken."""


COPIES = FileRequests(
    model=Restore,
    pieces=RestorePiece,
    parent="restore",
    kind=KIND,
    running=(State.WAITING, State.MAKING, State.FINDING),
    one_at_a_time=OneRestoreAtATime,
    busy="A copy is already being restored. Wait for it, or cancel it.",
    too_many=TooManyRestores,
    things="copies",
)


def bring(user: User, file: IO[bytes]) -> Restore:
    """Keep a copy and what it says that it holds; nothing is restored before a yes to it.

    Raises NotACopy for a file that is none, NotEmpty, MemoryIsOff, OneRestoreAtATime or
    TooManyRestores. A copy that waited for a yes gives way.
    """
    COPIES.refuse_too_many(COPIES.alone(user))
    refuse_where_it_cannot_be(user)
    copy = opening.look(file)
    return COPIES.keep(user, file, version=copy.version, copied_at=copy.made_at, rows=copy.rows)


def accept(user: User, key: UUID) -> Restore | None:
    """Its owner's yes: the worker restores it. None where it does not wait for one.

    Raises NotEmpty, MemoryIsOff or OneRestoreAtATime.
    """
    if not COPIES.alone(user).filter(pk=key, state=State.BROUGHT).exists():
        return None
    refuse_where_it_cannot_be(user)
    return COPIES.accept(user, key)


def cancel(user: User, key: UUID) -> bool:
    """Leave it, before or while it is restored: nothing of it stays. False where it is too late."""
    return COPIES.cancel(user, key, (State.BROUGHT, State.WAITING, State.MAKING))


def refuse_where_it_cannot_be(user: User) -> None:
    """Raises NotEmpty or MemoryIsOff where nothing can be restored."""
    if not user.memory_on:
        raise MemoryIsOff(MEMORY_IS_OFF)
    if not is_empty(user.pk):
        raise NotEmpty(
            "This account already has something in it, and I can restore a copy only into an empty"
            " one. Forget everything first, or sign up with another address and restore it there."
        )


def is_empty(user_id: UUID) -> bool:
    """Whether nothing is kept that a copy could stand beside; choices are no hindrance."""
    kept = [table.into for table in TABLES if table.name not in MAY_BE_THERE]
    return not any(model._default_manager.filter(user_id=user_id).exists() for model in kept)


def drop_all_expired(most: int = 500) -> int:
    """Let go of files that nobody said yes to, and of what is long over; of how many people."""
    return COPIES.drop_all(Q(ended_at__lt=long_ago()), most)
