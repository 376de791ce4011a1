"""Uploading, accepting, cancelling and undoing imports; called within `acting_as(user)`."""

from typing import IO
from uuid import UUID

from django.db.models import Q

from accounts import work
from accounts.models import User
from privacy.importing import counting
from privacy.models import Import, ImportedRow
from privacy.transfers import MemoryIsOff

State = Import.State
MEMORY_IS_OFF = "Memory is off, so I can’t import anything. Turn memory on first."


def bring(user: User, file: IO[bytes]) -> Import:
    """Save a file and its counts. Raises NotAnImport, MemoryIsOff, OneAtATime or TooMany."""
    refuse_with_memory_off(user)
    Import.refuse_too_many(user.pk)
    # Counting may take seconds, so it is done before any row is locked.
    counts = counting.count(user.pk, file)
    Import.alone(user)
    Import.refuse_too_many(user.pk)
    return Import.keep(user, file, **counts.as_fields())


def accept(user: User, key: UUID) -> Import | None:
    """Enqueue an import; None if it is not waiting. Raises MemoryIsOff or OneAtATime."""
    row = Import.alone(user).filter(pk=key, state=State.BROUGHT).first()
    if row is None:
        return None
    refuse_with_memory_off(user)
    return row.accept()


def cancel(user: User, key: UUID) -> bool:
    """Cancel an import before or while it runs: nothing of it stays. False if it has ended."""
    if Import.stop(user, key, (State.BROUGHT, State.WAITING)):
        return True
    return _take_out(user, key, (State.MAKING, State.FINDING))


def undo(user: User, key: UUID) -> bool:
    """Enqueue the undoing of an import; False if it cannot be undone."""
    return _take_out(user, key, (State.READY, State.FAILED))


def refuse_with_memory_off(user: User) -> None:
    """Raise MemoryIsOff if the user's memory is off."""
    if not user.memory_on:
        raise MemoryIsOff(MEMORY_IS_OFF)


def drop_all_expired(most: int = 500) -> int:
    """Delete expired files and imports of at most `most` users; return the number of users."""
    return Import.drop_expired(Q(state__in=[State.CANCELLED, State.UNDONE]), most)


def _take_out(user: User, key: UUID, states: tuple[str, ...]) -> bool:
    rows = Import.owned(user.pk).filter(pk=key, state__in=states)
    if not rows.exists():
        return False
    # Lock the job first; a worker holds it while it writes a batch.
    work.enqueue_anew(user, Import.KIND, key)
    total = ImportedRow.objects.filter(user=user, brought=key).count()
    return bool(rows.update(state=State.UNDOING, done=0, total=total, continued=0, failure=""))
