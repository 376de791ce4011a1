"""What it takes to start: processor time of whole processes, and the memory of an idle copy.

Several sites are several checkouts, each run with the interpreter that runs this, in turns, so that
what else the machine does hits all alike. Times are the processor's (user and system) of a whole
process, the best of the rounds, and are told as multiples of `django-admin --help` with the site's
own settings and packages but without its applications (benchmarks/running/bare_settings.py).
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.running.copies import ROOT, Copy, children, command_of
from benchmarks.support.markdown import table

# An idle copy has done what it does at the start, and its worker has swept a few times.
SETTLED_SECONDS = 10
QUICK = ("--rounds=1",)
BARE = "django-admin --help, without the site's applications"
COMMANDS: dict[str, Sequence[str]] = {
    "manage.py --help": ("manage.py", "--help"),
    "manage.py pg status": ("manage.py", "pg", "status"),
    "manage.py create_token --help": ("manage.py", "create_token", "--help"),
    "manage.py up --help": ("manage.py", "up", "--help"),
    "manage.py check": ("manage.py", "check"),
    "import of the web process": ("-c", "import config.asgi, config.urls, os; os._exit(0)"),
}
NAMES = {
    "manage.py up": "supervisor",
    "uvicorn": "web",
    "manage.py work": "worker",
    "postgres": "PostgreSQL",
}


def seconds(site: Path, words: Sequence[str], settings: str) -> float:
    """Processor time of one run of the interpreter, in seconds."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings,
        "PYTHONPATH": f"{site}{os.pathsep}{ROOT}",
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words], cwd=site, env=environment, capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def times(sites: Sequence[Path], rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Each command with its best time at every site; the first line is the measure of all."""
    runs: dict[str, tuple[Sequence[str], str]] = {
        BARE: (("-m", "django", "--help"), "benchmarks.running.bare_settings"),
        **{name: (words, "config.settings") for name, words in COMMANDS.items()},
    }
    best = {name: [float("inf")] * len(sites) for name in runs}
    for _ in range(rounds):
        for name, (words, settings) in runs.items():
            for position, site in enumerate(sites):
                best[name][position] = min(best[name][position], seconds(site, words, settings))
    yield from best.items()


def memory(site: Path) -> dict[str, float]:
    """Proportional set size in MB by kind of process, of an idle copy."""
    sums = dict.fromkeys(NAMES.values(), 0.0)
    with Copy(None, sources=site, environment={}) as copy:
        assert copy.up is not None
        time.sleep(SETTLED_SECONDS)
        for pid in _tree(copy.up.pid):
            command = command_of(pid)
            name = next((label for word, label in NAMES.items() if word in command), "PostgreSQL")
            sums[name] += _pss(pid)
    return sums


def _tree(root: int) -> Iterator[int]:
    yield root
    for child in children(root):
        yield from _tree(child)


def _pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--site", type=Path, nargs="+", default=[ROOT], help="checkouts to compare")
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--memory", action="store_true", help="start a copy of each as well")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    sites = [site.resolve() for site in namespace.site]
    heads = [site.name for site in sites]
    yield table(("processor time, multiples", *heads), [])
    floors: list[float] = []
    for name, best in times(sites, namespace.rounds):
        floors = floors or best
        cells = [
            f"{seconds / floor:.2f} ({seconds:.2f} s)"
            for seconds, floor in zip(best, floors, strict=True)
        ]
        yield f"| {name} | {' | '.join(cells)} |"
    if namespace.memory:
        sums = [memory(site) for site in sites]
        rows = [(name, *(f"{totals[name]:.0f}" for totals in sums)) for name in NAMES.values()]
        rows.append(("all", *(f"{sum(totals.values()):.0f}" for totals in sums)))
        yield "\n" + table(("memory of an idle copy, MB PSS", *heads), rows)
