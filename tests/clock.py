"""What time it is in a test: not nearly midnight, and where it matters a moment of its own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.utils.timezone import localtime

# What nearly every test takes less than.
A_WHILE = timedelta(seconds=15)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Hold a test back that midnight would fall into: it says a thing 'today' and reads it 'today'.

    What a page tells is right on either day, but not twice the same.
    """
    time.sleep(until_a_day_begins(localtime()))


def until_a_day_begins(at: datetime) -> float:
    """The seconds until midnight where it is near, otherwise none."""
    soon = at + A_WHILE
    midnight = soon.replace(hour=0, minute=0, second=0, microsecond=0)
    return max(0.0, (midnight - at).total_seconds())


class Clock(datetime):
    """What Django's `now` asks for the time."""

    at: datetime

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """The moment that the test has come to, a datetime."""
        return cls.at.astimezone(tz)


@contextmanager
def own_time(at: datetime = datetime(2023, 6, 1, 9, 30, tzinfo=UTC)) -> Iterator[type[Clock]]:
    """It is this moment in here until the test moves it on: `clock.at += timedelta(days=1)`.

    The database goes by its own clock.
    """
    Clock.at = at
    with patch("django.utils.timezone.datetime", Clock):
        yield Clock
