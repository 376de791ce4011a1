"""Bringing an export: looked at, imported once accepted, and undone; in the person's open block."""

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
    """Save a file and what is in it. Raises NotAnImport, MemoryIsOff, OneAtATime or TooMany."""
    refuse_with_memory_off(user)
    Import.refuse_too_many(user.pk)
    # This may take seconds, so nobody is held up meanwhile.
    counts = counting.count(user.pk, file)
    Import.alone(user)
    Import.refuse_too_many(user.pk)
    return Import.keep(user, file, **counts.as_fields())


def accept(user: User, key: UUID) -> Import | None:
    """Have the worker import it; None if it is not waiting. Raises MemoryIsOff or OneAtATime."""
    row = Import.alone(user).filter(pk=key, state=State.BROUGHT).first()
    if row is None:
        return None
    refuse_with_memory_off(user)
    return row.accept()


def cancel(user: User, key: UUID) -> bool:
    """Cancel it, before or while it is imported: nothing of it stays. False where it is over."""
    if Import.stop(user, key, (State.BROUGHT, State.WAITING)):
        return True
    return _take_out(user, key, (State.MAKING, State.FINDING))


def undo(user: User, key: UUID) -> bool:
    """Have an import taken out again, with what was learned only from it; False if it can't be."""
    return _take_out(user, key, (State.READY, State.FAILED))


def refuse_with_memory_off(user: User) -> None:
    """Raise MemoryIsOff where it is."""
    if not user.memory_on:
        raise MemoryIsOff(MEMORY_IS_OFF)


def drop_all_expired(most: int = 500) -> int:
    """Delete old files and imports that can't be undone; returns of how many people."""
    return Import.drop_expired(Q(state__in=[State.CANCELLED, State.UNDONE]), most)


def _take_out(user: User, key: UUID, states: tuple[str, ...]) -> bool:
    rows = Import.owned(user.pk).filter(pk=key, state__in=states)
    if not rows.exists():
        return False
    # First the work, which whoever is doing it holds while a batch is written.
    work.enqueue_anew(user, Import.KIND, key)
    total = ImportedRow.objects.filter(user=user, brought=key).count()
    return bool(rows.update(state=State.UNDOING, done=0, total=total, continued=0, failure=""))
