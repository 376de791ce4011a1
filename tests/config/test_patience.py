"""Waiting at any speed: what moves is waited for, and what stands still for minutes is not."""

from collections.abc import Callable

import pytest

from config.processes.patience import Patience, Signs, StandsStill

HOURS = 3 * 3600


def waited(signs: Callable[[float], Signs], seconds: float) -> float:
    """How long one waits for what looks like `signs` after so many seconds, at most so long."""
    now = 0.0
    watch = Patience("starting", lambda: signs(now), clock=lambda: now)
    while now < seconds:
        now += 5.0
        try:
            watch.wait()
        except StandsStill:
            break
    return now


@pytest.mark.parametrize(
    ("signs", "least", "most"),
    [
        pytest.param(lambda at: Signs(at / 20, 0), HOURS, HOURS + 5, id="gets a twentieth of one"),
        pytest.param(
            lambda at: Signs(at // 240 * 3, 0), HOURS, HOURS + 5, id="a turn every four minutes"
        ),
        pytest.param(lambda at: Signs(0, int(at // 240)), HOURS, HOURS + 5, id="its log grows"),
        pytest.param(lambda _: Signs(10.0, 100), 180, 600, id="nothing happens"),
        pytest.param(lambda at: Signs(at / 1000, 0), 180, 600, id="it only polls"),
    ],
)
def test_what_moves_is_waited_for_and_what_stands_still_for_minutes_is_not(
    signs: Callable[[float], Signs], least: float, most: float
) -> None:
    assert least <= waited(signs, HOURS) <= most
