"""Bringing an export: looked at first, imported after its owner's yes, and undone when they wish;
all in the person's open block.
"""

from typing import IO
from uuid import UUID

from django.db.models import Q

from accounts import work
from accounts.models import User
from privacy.bringing.requests import FileRequests, long_ago
from privacy.importing import counting
from privacy.models import Import, ImportedRow, ImportPiece

KIND = "import"
State = Import.State
MEMORY_IS_OFF = "Memory is off, so I can’t import anything. Turn memory on first."


class CannotImport(ValueError):
    """Nothing can be imported now; the message says what to do."""


class MemoryIsOff(CannotImport):
    """Nothing is remembered with memory off, and so nothing is imported."""


class OneImportAtATime(CannotImport):
    """A file is being imported already."""


class TooManyImports(CannotImport):
    """So many files were brought today that no more is taken."""


IMPORTS = FileRequests(
    model=Import,
    pieces=ImportPiece,
    parent="brought",
    kind=KIND,
    running=Import.RUNNING,
    one_at_a_time=OneImportAtATime,
    busy="An import is already running. Wait for it, or cancel it.",
    too_many=TooManyImports,
    things="files",
)


def bring(user: User, file: IO[bytes]) -> Import:
    """Keep a file and what is in it; nothing is imported before a yes to it.

    Raises NotAnImport for a file that is none, MemoryIsOff, OneImportAtATime or TooManyImports. A
    file that waited for a yes gives way.
    """
    refuse_with_memory_off(user)
    IMPORTS.refuse_too_many(IMPORTS.of(user.pk))
    # This may take seconds, so nobody is held up meanwhile.
    counts = counting.count(user.pk, file)
    IMPORTS.refuse_too_many(IMPORTS.alone(user))
    return IMPORTS.keep(user, file, **counts.as_fields())


def accept(user: User, key: UUID) -> Import | None:
    """Its owner's yes: the worker imports it. None where it does not wait for one.

    Raises MemoryIsOff or OneImportAtATime.
    """
    if not IMPORTS.alone(user).filter(pk=key, state=State.BROUGHT).exists():
        return None
    refuse_with_memory_off(user)
    return IMPORTS.accept(user, key)


def cancel(user: User, key: UUID) -> bool:
    """Leave it, before or while it is imported: nothing of it stays. False where it is too late."""
    if IMPORTS.cancel(user, key, (State.BROUGHT, State.WAITING)):
        return True
    return _take_out(user, key, (State.MAKING, State.FINDING))


def undo(user: User, key: UUID) -> bool:
    """Have all of an import taken out again, with what was learned only from it. False where there
    is nothing to take out.
    """
    return _take_out(user, key, (State.READY, State.FAILED))


def refuse_with_memory_off(user: User) -> None:
    """Raises MemoryIsOff where it is."""
    if not user.memory_on:
        raise MemoryIsOff(MEMORY_IS_OFF)


def drop_all_expired(most: int = 500) -> int:
    """Let go of files that nobody said yes to, and of what is long over; of how many people. What
    can be undone stays.
    """
    nothing_left = Q(state__in=[State.CANCELLED, State.UNDONE])
    return IMPORTS.drop_all(Q(nothing_left, ended_at__lt=long_ago()), most)


def _take_out(user: User, key: UUID, states: tuple[str, ...]) -> bool:
    rows = IMPORTS.of(user.pk).filter(pk=key, state__in=states)
    if not rows.exists():
        return False
    # First the work, which whoever is doing it holds while a batch is written.
    work.enqueue_anew(user, KIND, key)
    total = ImportedRow.objects.filter(user=user, brought=key).count()
    return bool(rows.update(state=State.UNDOING, done=0, total=total, continued=0, failure=""))
