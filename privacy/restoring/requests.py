"""Bringing a copy: looked at first, restored after its owner's yes, in the person's open block."""

from collections.abc import Iterator
from datetime import timedelta
from typing import IO
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from accounts import work
from accounts.models import User
from privacy.models import Restore, RestorePiece, pieces_of
from privacy.restoring import opening
from privacy.restoring.tables import MAY_BE_THERE, TABLES

KIND = "restore"
State = Restore.State
MEMORY_IS_OFF = "Memory is off, so I can’t restore a copy. Turn memory on first."
# How long a file waits for a yes.
_WAITS = timedelta(days=1)


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


def bring(user: User, file: IO[bytes]) -> Restore:
    """Keep a copy and what it says that it holds; nothing is restored before a yes to it.

    Raises NotACopy for a file that is none, NotEmpty, MemoryIsOff, OneRestoreAtATime or
    TooManyRestores. A copy that waited for a yes gives way.
    """
    rows = _alone(user)
    most, since = settings.PRIVACY["restores_a_day"], now() - timedelta(days=1)
    if rows.filter(asked_at__gt=since).count() >= most:
        raise TooManyRestores(
            f"I restore up to {most} copies a day. You can upload the next one tomorrow."
        )
    refuse_where_it_cannot_be(user)
    copy = opening.look(file)
    RestorePiece.objects.filter(user=user).delete()
    rows.filter(state=State.BROUGHT).update(state=State.CANCELLED, ended_at=now())
    restore = Restore.objects.create(
        user=user,
        version=copy.version,
        copied_at=copy.made_at,
        rows=copy.rows,
        size=file.seek(0, 2),
    )
    for number, data in pieces_of(file):
        RestorePiece.objects.create(user=user, restore=restore, number=number, data=data)
    return restore


def accept(user: User, key: UUID) -> Restore | None:
    """Its owner's yes: the worker restores it. None where it does not wait for one.

    Raises NotEmpty, MemoryIsOff or OneRestoreAtATime.
    """
    rows = _alone(user).filter(pk=key, state=State.BROUGHT)
    if not rows.exists():
        return None
    refuse_where_it_cannot_be(user)
    rows.update(state=State.WAITING)
    work.enqueue(user, KIND, key)
    return Restore.objects.get(user=user, pk=key)


def cancel(user: User, key: UUID) -> bool:
    """Leave it, before or while it is restored: nothing of it stays. False where it is too late."""
    going = [State.BROUGHT, State.WAITING, State.MAKING]
    rows = Restore.objects.filter(user=user, pk=key, state__in=going)
    if not rows.update(state=State.CANCELLED, ended_at=now()):
        return False
    RestorePiece.objects.filter(user=user, restore=key).delete()
    work.withdraw(user, KIND, key)
    return True


def newest(user_id: UUID) -> Restore | None:
    """The copy that was brought last, for as long as there is something to say about it."""
    restore = Restore.objects.filter(user_id=user_id).order_by("-asked_at").first()
    return None if restore is None or restore.state == State.CANCELLED else restore


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


def pieces(user_id: UUID, key: UUID) -> Iterator[bytes]:
    """The file, a piece at a time; in the person's open block."""
    rows = RestorePiece.objects.filter(user_id=user_id, restore_id=key).order_by("number")
    for data in rows.values_list("data", flat=True).iterator(1):
        yield bytes(data)


def drop_all_expired(most: int = 500) -> int:
    """Let go of files that nobody said yes to, and of what is long over; of how many people."""
    long_ago = now() - timedelta(days=settings.PRIVACY["export_days"])
    over = Q(ended_at__lt=long_ago) | Q(state=State.BROUGHT, asked_at__lt=now() - _WAITS)
    return Restore.drop_all(over, most)


def _alone(user: User) -> "QuerySet[Restore]":
    """This person's, asked for by one at a time. Raises OneRestoreAtATime."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    rows = Restore.objects.filter(user=user)
    if rows.filter(state__in=[State.WAITING, State.MAKING, State.FINDING]).exists():
        raise OneRestoreAtATime("A copy is already being restored. Wait for it, or cancel it.")
    return rows
