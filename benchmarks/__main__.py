"""`python -m benchmarks NAME [options]`: run one measurement, print its report and write it to
`--out`. `python -m benchmarks NAME --help` says what it measures and which options it has. Several
names with commas between run one after the other on one site; `--out` names a folder then.
"""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks.support import site

# These run in this process, on a throw-away site.
ON_A_SITE = {
    path.rpartition(".")[2]: path
    for path in (
        "attacks.lies",
        "attacks.models",
        "attacks.poison",
        "attacks.poisoned_lessons",
        "conversations",
        "disputes",
        "histories.answering",
        "histories.listening",
        "histories.peers",
        "histories.reading",
        "imports",
        "messages",
        "namespaces",
        "privacy",
        "recall",
        "search",
        "storage_options.options",
        "turns",
    )
}
# These count words, or start whole copies of the product.
OTHERS = {
    "compact_tokens": "compact_tokens",
    "kills": "running.kills",
    "legacy": "legacy",
    "processes": "running.processes",
    "streams": "running.streams",
}
MEASUREMENTS = ON_A_SITE | OTHERS


def main() -> None:
    """Read the names, then the options, and run each measurement."""
    names = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names.add_argument("names", metavar="NAME[,NAME...]", type=_names)
    chosen: list[str] = names.parse_args(sys.argv[1:2]).names
    with ExitStack() as stack:
        # Modules may import the product, so its settings have to point at the site before.
        on_a_site = not set(chosen).isdisjoint(ON_A_SITE)
        folder = stack.enter_context(site.prepared()) if on_a_site else None
        measured = [(_module(name), _options(name)) for name in chosen]
        if folder is not None:
            fast = all(options.quick for _, options in measured)
            stack.enter_context(site.database(folder, fast=fast))
        for name, (module, options) in zip(chosen, measured, strict=True):
            if len(chosen) > 1:
                _begin_anew(name, options)
            _print_and_write(module.report(options), options.out)


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := set(names) - set(MEASUREMENTS):
        known = ", ".join(sorted(MEASUREMENTS))
        raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))} is none of: {known}")
    return names


def _module(name: str) -> ModuleType:
    return import_module(f"benchmarks.{MEASUREMENTS[name]}")


def _options(name: str) -> argparse.Namespace:
    module = _module(name)
    reader = argparse.ArgumentParser(
        prog=f"python -m benchmarks {name}", description=module.__doc__
    )
    reader.add_argument("--out", type=Path, help="where the report goes, beside the screen")
    reader.add_argument("--quick", action="store_true", help="as small as it gets, to try it")
    if hasattr(module, "add_arguments"):
        module.add_arguments(reader)
    options = reader.parse_args(sys.argv[2:])
    if options.quick:
        options = reader.parse_args([*getattr(module, "QUICK", ()), *sys.argv[2:]])
    return options


def _begin_anew(name: str, options: argparse.Namespace) -> None:
    """Let nothing of the measurement before be there; each report has a place of its own."""
    print(f"# {name}", flush=True)
    if name in ON_A_SITE:
        import_module("benchmarks.support.load").empty()
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        options.out /= name


def _print_and_write(report: Iterable[str], out: Path | None) -> None:
    lines = []
    try:
        for line in report:
            print(line, flush=True)
            lines.append(line)
    finally:
        # Some write several files into a folder of that name themselves.
        if out is not None and not out.is_dir():
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
