"""kill -9 in the middle of a running copy: it comes back by itself, with all that was accepted.

A few rows of the table that `python -m benchmarks kills` makes: those whose process nobody else
would start again.
"""

from collections.abc import Iterator

import pytest

from benchmarks.running.copies import Copy
from benchmarks.running.kills import answer, row
from tests.live import a_copy


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    with Copy(answer, a_copy()) as running:
        yield running


@pytest.mark.parametrize(
    ("process", "moment"),
    [
        ("postmaster", "while sending"),
        ("postmaster", "while answering"),
        ("worker", "while work waits"),
    ],
)
def test_a_killed_process_comes_back_and_nothing_is_lost(
    copy: Copy, process: str, moment: str
) -> None:
    assert row(copy, process, moment).problems == []
