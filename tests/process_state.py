"""What a process keeps in its memory, forgotten between tests.

The database takes its rows back after each test; whoever still held some of them would answer the
next test with what is gone.
"""

import pytest
from django.core.cache import caches

from accounts.support.process_cache import TimedRead


def forget_reads() -> None:
    """Drop the rows and session entries that this process holds in memory."""
    for read in TimedRead.all_reads:
        read.cache_clear()
    caches["hot"].clear()


@pytest.fixture(autouse=True)
def forget_what_was_read() -> None:
    """Begin each test without the rows and session entries that an earlier one left in memory."""
    forget_reads()
