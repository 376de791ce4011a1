"""A replaced clock, and answers without a model, for the process that creates the demo. The
replacement applies to the whole process, which must do nothing else at the same time.
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

# Jobs of the demo are run here at the demo's time; the worker must not run them.
_HELD_BACK = timedelta(days=1)


class _Clock(datetime):
    """A datetime whose `now` is shifted by `ahead`; replaces the class in `timezone`."""

    ahead = timedelta()

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return the current time, shifted by `ahead`."""
        return datetime.now(tz) + cls.ahead


@contextmanager
def replaced(module: ModuleType, name: str, by: Any) -> Iterator[None]:
    """Replace an attribute of a module within the block, for the whole process."""
    names = vars(module)
    before, names[name] = names[name], by
    try:
        yield
    finally:
        names[name] = before


@contextmanager
def then(days_ago: int, at: time, *, minutes: int = 0) -> Iterator[datetime]:
    """Set Django's clock to `minutes` after a time of a past day, at most to now; yield the moment.
    The database clock is not changed.
    """
    real = localtime()
    day = real.date() - timedelta(days=days_ago)
    moment = datetime.combine(day, at, get_current_timezone()) + timedelta(minutes=minutes)
    _Clock.ahead = min(moment, real) - real
    with replaced(timezone, "datetime", _Clock):
        yield localtime()


@contextmanager
def holding_work_back() -> Iterator[None]:
    """Delay jobs that become due within the block until `release_work`."""
    enqueue_all = work.enqueue_all

    def held_back(user: User | None, due: Collection[work.DueWork]) -> None:
        delay = (_HELD_BACK - _Clock.ahead).total_seconds()
        enqueue_all(user, [job._replace(delay=job.delay + delay) for job in due])

    with replaced(work, "enqueue_all", held_back):
        yield


def release_work(user: User, *, but: work.Claim) -> None:
    """Make the user's delayed jobs due except the claim `but`, in an `acting_as` transaction."""
    Work.objects.filter(user=user).exclude(pk=but.work_id).update(run_after=timezone.now())


@contextmanager
def without_a_model() -> Iterator[None]:
    """Answer without a language model within the block, even if one is configured."""
    with llm.using(llm.Connection("", "", "")):
        yield
