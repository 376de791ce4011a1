"""What it takes to start: processor time of whole processes, and the memory of an idle copy.

    python -m benchmarks.processes [--site DIRECTORY ...] [--rounds 3] [--memory] [--out FILE]

Several sites are several checkouts, each run with the interpreter that runs this, in turns, so that
what else the machine does hits all alike. Times are the processor's (user and system) of a whole
process, the best of the rounds, and are told as multiples of `django-admin --help` with the site's
own settings and packages but without its applications (benchmarks/support/bare_settings.py).
"""

import argparse
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
READY_SECONDS = 300
# An idle copy has done what it does at the start, and its worker has swept a few times.
SETTLED_SECONDS = 10
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
    "celery": "worker and beat",
    "postgres": "PostgreSQL",
}


def seconds(site: Path, words: Sequence[str], settings: str) -> float:
    """Processor time of one run of the interpreter, in seconds."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings,
        "PYTHONPATH": f"{site}{os.pathsep}{HERE}",
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
        BARE: (("-m", "django", "--help"), "benchmarks.support.bare_settings"),
        **{name: (words, "config.settings") for name, words in COMMANDS.items()},
    }
    best = {name: [float("inf")] * len(sites) for name in runs}
    for _ in range(rounds):
        for name, (words, settings) in runs.items():
            for place, site in enumerate(sites):
                best[name][place] = min(best[name][place], seconds(site, words, settings))
    yield from best.items()


@contextmanager
def running(site: Path) -> Iterator[int]:
    """An idle copy on data of its own; gives the process id of `manage.py up`."""
    data = Path(tempfile.mkdtemp(prefix="throughline-processes-"))
    data.chmod(0o711)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"DATA_DIR": str(data), "PORT": str(port)}
    log = data / "up.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=site, env=environment, stdout=output
        )
    try:
        until = time.monotonic() + READY_SECONDS
        while "Ctrl-C" not in log.read_text():
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{site} did not start: {log.read_text()}")
            time.sleep(0.5)
        time.sleep(SETTLED_SECONDS)
        yield process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        shutil.rmtree(data, ignore_errors=True)


def memory(site: Path) -> dict[str, float]:
    """Proportional set size in MB by kind of process, of an idle copy."""
    sums = dict.fromkeys(NAMES.values(), 0.0)
    with running(site) as root:
        for pid in _tree(root):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            name = next((told for word, told in NAMES.items() if word in command), "PostgreSQL")
            sums[name] += _pss(pid)
    return sums


def _tree(root: int) -> Iterator[int]:
    yield root
    for task in Path(f"/proc/{root}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _tree(int(child))


def _pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def report(sites: Sequence[Path], rounds: int, with_memory: bool) -> Iterator[str]:
    """The lines of two tables in Markdown."""
    heads = " | ".join(site.name for site in sites)
    lines = "|---" * (len(sites) + 1) + "|"
    yield from ("", f"| processor time, multiples | {heads} |", lines)
    floors: list[float] = []
    for name, best in times(sites, rounds):
        floors = floors or best
        told = [f"{one / floor:.2f} ({one:.2f} s)" for one, floor in zip(best, floors, strict=True)]
        yield f"| {name} | {' | '.join(told)} |"
    if with_memory:
        yield from ("", f"| memory of an idle copy, MB PSS | {heads} |", lines)
        sums = [memory(site) for site in sites]
        for name in NAMES.values():
            yield f"| {name} | {' | '.join(f'{one[name]:.0f}' for one in sums)} |"
        yield f"| all | {' | '.join(f'{sum(one.values()):.0f}' for one in sums)} |"


def main() -> None:
    """Measure and print; with `--out` also write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, nargs="+", default=[HERE], help="checkouts to compare")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="start a copy of each as well")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    sites = [site.resolve() for site in options.site]
    written = []
    for line in report(sites, options.rounds, options.memory):
        print(line, flush=True)
        written.append(line)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    main()
