"""Five ways to keep what is remembered across conversations, which a design study compared by
estimates, built as it describes them and timed beside the product on the same threads.

Each thread has 50 memories, ten of which state facts of a profile of a hundred. Timed are looking
up one fact and ten, writing a memory that states a new one, and looking for what contradicts
another value; and what all of it takes is counted. The designs keep SQLite files with vectors as
JSON text. `--out` names a folder: options.md, options.json and options.svg are written there.
10,000 threads need more than 20 GB of disk for as long as it runs, and perhaps an hour.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.storage_options import results
from benchmarks.storage_options.measuring import Measured, measure

QUICK = ("--threads=1,2", "--rounds=1")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--threads", type=_counts, default=[1, 10, 100], help="such as 1,10,100")
    reader.add_argument("--rounds", type=int, default=20, help="how often each is done")
    reader.add_argument(
        "--longest", type=float, default=10, help="seconds after which one is done no more"
    )


def report(namespace: argparse.Namespace) -> Iterator[str]:
    measured = Measured()
    for threads in namespace.threads:
        with tempfile.TemporaryDirectory(prefix="throughline-options-") as folder:
            yield from measure(Path(folder), threads, namespace.rounds, namespace.longest, measured)
    yield ""
    yield results.page(measured)
    if namespace.out is not None:
        results.write(namespace.out, measured)
        yield f"\nThe results are in {namespace.out}."


def _counts(text: str) -> list[int]:
    """Numbers of threads, the fewest first."""
    return sorted({int(number) for number in text.split(",")})
