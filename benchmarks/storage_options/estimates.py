"""What the design study of the five expected, before any of them was built.

Milliseconds by operation, number of threads and design, in the order of `DESIGNS`; for 10,000
threads it has one figure for a query. Sizes are of 500 threads with 50 memories each.
"""

from collections.abc import Sequence
from enum import StrEnum


class Operation(StrEnum):
    """What is timed, in the order of the report."""

    ONE = "one fact"
    TEN = "ten facts"
    WRITE = "writing a memory"
    CHECK = "looking for a contradiction"


MILLISECONDS: dict[Operation, dict[int, Sequence[float]]] = {
    Operation.ONE: {
        1: (8, 10, 50, 5, 8),
        10: (10, 12, 500, 5, 8),
        100: (15, 18, 5_000, 5, 10),
        500: (25, 35, 25_000, 5, 12),
        10_000: (100, 500, 500_000, 10, 50),
    },
    Operation.TEN: {
        1: (15, 18, 100, 8, 12),
        10: (20, 25, 1_000, 8, 15),
        100: (35, 50, 10_000, 8, 20),
        500: (60, 120, 50_000, 8, 25),
    },
    Operation.WRITE: {
        1: (5, 5, 5, 5, 5),
        100: (8, 12, 5, 5, 8),
        500: (12, 25, 5, 5, 10),
    },
    Operation.CHECK: {
        10: (50, 30, 5_000, 100, 20),
        100: (200, 150, 50_000, 1_000, 50),
        500: (500, 800, 250_000, 5_000, 100),
    },
}

MEGABYTES: dict[int, Sequence[float]] = {
    500: (500, 500, 700, 800, 400),
    10_000: (8_000, 7_000, 12_000, 15_000, 6_000),
}
ROWS: dict[int, Sequence[int]] = {500: (25_100, 25_000, 25_000, 30_000, 24_100)}

WITHIN = 3.0
"""An estimate holds if what was measured is no more than so many times greater or less.

Machines vary twofold from one run to the next, and nobody said for which machine it was made.
"""


def verdict(measured: float, expected: float | None, least: float | None = None) -> str:
    """Whether an estimate holds, in a few words; '' without one.

    `least` is the fastest round, where there is one: only if it too took much more than expected
    is that said, because what else runs on a machine adds to the others.
    """
    if expected is None:
        return ""
    undisturbed = (measured if least is None else least) / expected
    if undisturbed > WITHIN:
        return f"no, {_short(undisturbed)} times as much"
    if measured * WITHIN < expected:
        return f"no, 1/{_short(expected / measured)}"
    return "yes"


def _short(number: float) -> str:
    return f"{number:.1f}" if number < 10 else f"{number:,.0f}"
