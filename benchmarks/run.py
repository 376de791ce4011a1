"""`python -m benchmarks.run --out DIR`: make a site, fill it, time recall on it, report."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.support.site import site

# The people who are timed, by how many passages they have; everybody else has ORDINARY.
SMALL, ORDINARY = 50, 2_500
LARGE = (5_000, 25_000, 500_000)


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    reader.add_argument("--out", type=Path, required=True, help="where the results go")
    reader.add_argument("--rows", type=int, default=1_500_000, help="passages on the whole site")
    reader.add_argument("--rounds", type=int, default=15, help="how often each question is asked")
    wanted = reader.parse_args()
    before = perf_counter()
    with site():
        print(_measured(wanted.out, wanted.rows, wanted.rounds))
    print(f"All of it took {perf_counter() - before:.0f} s; the results are in {wanted.out}.")


def _measured(out: Path, rows: int, rounds: int) -> str:
    # What needs the settings is imported when there is a database for them to point at.
    from benchmarks.support import load, report
    from benchmarks.support.measure import measure

    print(f"Filling a tenth of the site: {rows // 10:,} passages ...", flush=True)
    few = load.fill([SMALL, ORDINARY, *_ordinary(rows // 10 - SMALL - ORDINARY)])[:2]
    small = [times for person in few for times in measure(person, rounds)]
    rest = rows - rows // 10
    large = [count for count in LARGE if count <= rest // 2]
    print(f"Filling the rest: {rest:,} passages ...", flush=True)
    many = load.fill([*large, *_ordinary(rest - sum(large))])[: len(large)]
    whole = []
    for person in (*few, *many):
        print(f"Timing the person with {person.passages:,} ...", flush=True)
        whole += measure(person, rounds)
    return report.write(out, small, whole, rows)


def _ordinary(rows: int) -> Iterator[int]:
    """As many ordinary people as it takes."""
    yield from [ORDINARY] * (rows // ORDINARY)


if __name__ == "__main__":
    main()
