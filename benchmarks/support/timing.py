"""Times of one operation, each beside the shortest statement there is.

Every figure is a wall-clock time in milliseconds. A `select 1` over the same way is timed before
each of them, so that a figure can be read as a multiple of it: that says more about the code than
about the machine.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from unittest.mock import patch

import numpy as np
import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.core.statements import fetch_rows

SHORTEST = "select 1"
Operation = Callable[[], object]


@dataclass
class Times:
    """What was measured of one operation, and the shortest statement before each.

    `size` is how many passages or messages it had to do with.
    """

    what: str
    size: int
    milliseconds: list[float] = field(default_factory=list)
    shortest: list[float] = field(default_factory=list)

    def take(self, operation: Operation) -> None:
        """Time it once more."""
        self.shortest.append(milliseconds(shortest))
        self.milliseconds.append(milliseconds(operation))

    def at(self, percent: float) -> float:
        """So many percent were faster, in milliseconds."""
        return float(np.percentile(self.milliseconds, percent))

    def multiple(self, percent: float) -> float:
        """The same, as a multiple of the shortest statement's."""
        return self.at(percent) / float(np.percentile(self.shortest, percent))


def shortest() -> object:
    """The least that asking the database can cost."""
    return fetch_rows(SHORTEST)


def milliseconds(operation: Operation) -> float:
    """How long it takes, by the clock."""
    before = perf_counter()
    operation()
    return (perf_counter() - before) * 1000


def count_statements(operation: Operation) -> int:
    """How many statements it sends: by Django, and those that are prepared once."""
    execute = psycopg.RawCursor.execute
    with (
        patch.object(psycopg.RawCursor, "execute", autospec=True, side_effect=execute) as prepared,
        CaptureQueriesContext(connection) as captured,
    ):
        operation()
    return prepared.call_count + len(captured)
