"""Five ways to keep what is remembered across conversations, which a design study compared by
estimates, built as it describes them and timed beside the product on the same threads.

Each thread has 50 memories, ten of which state facts of a profile of a hundred. Timed are looking
up one fact and ten, writing a memory that states a new one, and looking for what contradicts
another value; and what all of it takes is counted. The designs keep SQLite files with vectors as
JSON text. `--out` names a folder: options.md, options.json, options.svg and, where Chromium is
installed, options.png are written there. 10,000 threads in all designs need more than 20 GB of disk
for as long as it runs, and hours for the federated one: `--designs 2,5` builds two.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.storage_options import results
from benchmarks.storage_options.measuring import Limits, Measured, measure
from benchmarks.storage_options.pictures import draw

# The design that the study recommends; the others are compared with it.
RECOMMENDED = 5
QUICK = ("--threads=1,2", "--rounds=1")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--threads", type=_counts, default=[1, 10, 100], help="such as 1,10,100")
    reader.add_argument(
        "--designs", type=_counts, default=[1, 2, 3, 4, 5], help="built beside 5: such as 1,2"
    )
    reader.add_argument("--rounds", type=int, default=20, help="how often each is done")
    reader.add_argument(
        "--longest", type=float, default=10, help="seconds after which one is done no more"
    )


def report(namespace: argparse.Namespace) -> Iterator[str]:
    measured = Measured()
    for threads in namespace.threads:
        with tempfile.TemporaryDirectory(prefix="throughline-options-") as folder:
            limits = Limits(namespace.rounds, namespace.longest)
            chosen = sorted({*namespace.designs, RECOMMENDED})
            yield from measure(Path(folder), threads, chosen, limits, measured)
    yield ""
    yield results.page(measured)
    if namespace.out is not None:
        results.write(namespace.out, measured)
        draw(namespace.out / "options.svg", namespace.out / "options.png")
        yield f"\nThe results are in {namespace.out}."


def _counts(text: str) -> list[int]:
    """Return numbers between commas, the least first."""
    return sorted({int(number) for number in text.split(",")})
