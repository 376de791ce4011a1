"""How long recall takes on a site of any size: make a site, fill it, time recall on it, report."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.support import load
from benchmarks.support.measure import measure
from benchmarks.support.report import write

# The people who are timed, by how many passages they have; everybody else has ORDINARY.
SMALL, ORDINARY = 50, 2_500
LARGE = (5_000, 25_000, 500_000)
QUICK = ("--rows=100", "--rounds=1")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    """`--out` names a folder: the report comes as a page and as a picture."""
    reader.add_argument("--rows", type=int, default=1_500_000, help="passages on the whole site")
    reader.add_argument("--rounds", type=int, default=15, help="how often each question is asked")
    reader.set_defaults(out=Path("results"))


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """Time two people on a tenth of the site, then everybody on all of it."""
    before, rows = perf_counter(), namespace.rows
    yield f"Filling a tenth of the site: {rows // 10:,} passages ..."
    ordinary = min(ORDINARY, rows)
    few = load.fill([SMALL, ordinary, *_ordinary(rows // 10 - SMALL - ordinary)])[:2]
    small = [times for person in few for times in measure(person, namespace.rounds)]
    rest = rows - rows // 10
    large = [count for count in LARGE if count <= rest // 2]
    yield f"Filling the rest: {rest:,} passages ..."
    counts = [*large, *_ordinary(rest - sum(large))]
    many = load.fill(counts)[: len(large)] if counts else []
    whole = []
    for person in (*few, *many):
        yield f"Timing the person with {person.passages:,} ..."
        whole += measure(person, namespace.rounds)
    yield write(namespace.out, small, whole, rows)
    yield f"All of it took {perf_counter() - before:.0f} s; the results are in {namespace.out}."


def _ordinary(rows: int) -> list[int]:
    """As many ordinary people as it takes."""
    return [ORDINARY] * (rows // ORDINARY)
