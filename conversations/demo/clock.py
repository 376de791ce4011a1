"""A replaced clock and no model, for the process that makes the demo.

It does nothing else meanwhile: the whole process has that time.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from types import ModuleType
from typing import Any

from django.utils import timezone
from django.utils.timezone import get_current_timezone, localtime

from accounts import work
from accounts.models import User, Work
from conversations import llm

# Work that the demo makes is done here, at its own time: the worker is to leave it alone.
_HELD_BACK = timedelta(days=1)


class _Clock(datetime):
    """A clock for Django's `now`."""

    ahead = timedelta()

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return the current local moment, a datetime."""
        return datetime.now(tz) + cls.ahead


@contextmanager
def replaced(module: ModuleType, name: str, by: Any) -> Iterator[None]:
    """Replace a name of a module within the block, in the whole process."""
    names = vars(module)
    before, names[name] = names[name], by
    try:
        yield
    finally:
        names[name] = before


@contextmanager
def then(days_ago: int, at: time, *, minutes: int = 0) -> Iterator[datetime]:
    """Set the clock to so many minutes after this time of a past day, never later than now. Yield
    the moment. The database keeps its own clock.

    Gives the moment. The database goes by its own clock.
    """
    real = localtime()
    day = real.date() - timedelta(days=days_ago)
    moment = datetime.combine(day, at, get_current_timezone()) + timedelta(minutes=minutes)
    _Clock.ahead = min(moment, real) - real
    with replaced(timezone, "datetime", _Clock):
        yield localtime()


@contextmanager
def holding_work_back() -> Iterator[None]:
    """Hold back work that becomes due within the block until `release_work`."""
    enqueue_all = work.enqueue_all

    def held_back(user: User | None, due: Collection[work.DueWork]) -> None:
        delay = (_HELD_BACK - _Clock.ahead).total_seconds()
        enqueue_all(user, [job._replace(delay=job.delay + delay) for job in due])

    with replaced(work, "enqueue_all", held_back):
        yield


def release_work(user: User, *, but: work.Claim) -> None:
    """Make this person's held-back work due, in their open block."""
    Work.objects.filter(user=user).exclude(pk=but.work_id).update(run_after=timezone.now())


@contextmanager
def without_a_model() -> Iterator[None]:
    """Answer from the notebook within the block, whichever model is set up."""
    with llm.using(llm.Connection("", "", "")):
        yield
