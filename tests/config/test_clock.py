"""No test has midnight inside it."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.clock import until_a_day_begins

MIDNIGHT = datetime(2028, 2, 29, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "seconds"),
    [(24 * 3600, 0), (600, 0), (16, 0), (15, 15), (0.5, 0.5), (0, 0), (-1, 0), (-60, 0)],
)
def test_only_who_begins_shortly_before_midnight_waits_for_it(
    before: float, seconds: float
) -> None:
    assert until_a_day_begins(MIDNIGHT - timedelta(seconds=before)) == seconds
