"""`python -m benchmarks.searches --out FILE.md`: a search, the context of an answer, and the floor.

For one person with 25,000 passages on a site of 100,000. Everything is measured in three runs on
the same site, and the best and the worst of them stand beside each other, with the `select 1` that
was timed before each: what differs between the runs is the machine. Processor time of this process
and of the database's own stands beside the time that went by, for on a busy machine only those can
be compared with another day's.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.support.site import site

if TYPE_CHECKING:
    from benchmarks.support.load import Person

LARGE, ORDINARY = 25_000, 2_500
RUNS = 3


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.searches", description=__doc__)
    reader.add_argument("--out", type=Path, required=True, help="the file for the results")
    reader.add_argument("--rows", type=int, default=100_000, help="passages on the whole site")
    reader.add_argument("--rounds", type=int, default=20, help="how often each question is asked")
    wanted = reader.parse_args()
    with site():
        told = _measured(wanted.rows, wanted.rounds)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    wanted.out.write_text(told)
    print(told)


@dataclass
class _Run:
    """Of one thing in one run, milliseconds a time: all of it, the `select 1` before, the two
    processors' shares.
    """

    taken: list[float] = field(default_factory=list)
    shortest: list[float] = field(default_factory=list)
    here: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)

    def figures(self) -> list[float]:
        """Median and 95 % in milliseconds, the same as multiples, the floor, the processors."""
        median, late = _at(self.taken, 50), _at(self.taken, 95)
        floor = _at(self.shortest, 50)
        return [
            median,
            late,
            median / floor,
            late / _at(self.shortest, 95),
            floor,
            min(self.shortest),
            float(np.mean(self.here)),
            float(np.mean(self.database)),
        ]


HEAD = (
    "| what | run | median | 95 % | times `select 1`: median | 95 % | `select 1`: median | least"
    " | processor: Python | PostgreSQL |\n|---|---|---|---|---|---|---|---|---|---|\n"
)


def table(runs: Mapping[str, Sequence[_Run]]) -> str:
    """The best and the worst run of each thing, by its median."""
    lines = []
    for what, some in runs.items():
        ordered = sorted((run.figures() for run in some), key=lambda figures: figures[0])
        for name, figures in (("best", ordered[0]), ("worst", ordered[-1])):
            cells = " | ".join(f"{figure:.2f}" for figure in figures)
            lines.append(f"| {what} | {name} of {len(some)} | {cells} |\n")
    return HEAD + "".join(lines)


def _measured(rows: int, rounds: int) -> str:
    # What needs the settings is imported when there is a database for them to point at.
    from benchmarks.support import load
    from benchmarks.support.measure import PROMPT, SEARCH

    print(f"Filling the site: {rows:,} passages ...", flush=True)
    others = max(0, rows - LARGE) // ORDINARY
    person = load.fill([min(LARGE, rows), *[ORDINARY] * others])[0]
    runs: dict[str, list[_Run]] = {SEARCH: [], PROMPT: []}
    for _ in range(RUNS):
        for what, run in _timed(person, rounds).items():
            runs[what].append(run)
    return (
        f"{person.passages:,} passages of the person, {rows:,} on the site; {rounds} rounds of ten"
        f" questions in each of {RUNS} runs; milliseconds.\n\n" + table(runs)
    )


def _timed(person: "Person", rounds: int) -> dict[str, _Run]:
    """Search and context in turn, so that both meet the same machine; the first round warms up."""
    from benchmarks.support.measure import PROMPT, SEARCH, deeds, questions

    runs = {SEARCH: _Run(), PROMPT: _Run()}
    with questions(person) as asked:
        all_deeds = deeds(person, asked)
        for turn in range((rounds + 1) * len(asked)):
            for what, run in runs.items():
                _once(all_deeds[what], run if turn >= len(asked) else _Run())
    return runs


def _once(deed: Callable[[], object], run: _Run) -> None:
    from benchmarks.support.measure import milliseconds, shortest

    run.shortest.append(milliseconds(shortest))
    here, database = process_time(), _database_time()
    run.taken.append(milliseconds(deed))
    run.here.append((process_time() - here) * 1000)
    run.database.append(_database_time() - database)


def _database_time() -> float:
    """Milliseconds that the connection's server process has been on a processor."""
    from django.db import connection

    process = connection.connection.info.backend_pid
    nanoseconds = Path(f"/proc/{process}/schedstat").read_text().split()[0]
    return int(nanoseconds) / 1e6


def _at(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent))


if __name__ == "__main__":
    main()
