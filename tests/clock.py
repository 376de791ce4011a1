"""A moment of a test's own, where it matters what time it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch


class Clock(datetime):
    """What Django's `now` asks for the time."""

    at: datetime

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        """The moment that the test has come to."""
        return cls.at.astimezone(tz)


@contextmanager
def own_time(at: datetime = datetime(2023, 6, 1, 9, 30, tzinfo=UTC)) -> Iterator[type[Clock]]:
    """It is this moment in here until the test moves it on: `clock.at += timedelta(days=1)`.

    The database goes by its own clock.
    """
    Clock.at = at
    with patch("django.utils.timezone.datetime", Clock):
        yield Clock
