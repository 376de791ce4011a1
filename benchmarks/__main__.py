"""`python -m benchmarks NAME [options]`: run one measurement, print its report and write it to
`--out`. `python -m benchmarks NAME --help` says what it measures and which options it has.
"""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from benchmarks.support import site

# These run in this process, on a throw-away site.
ON_A_SITE = (
    "answering",
    "conversations",
    "disputes",
    "imports",
    "lies",
    "listening",
    "messages",
    "models",
    "namespaces",
    "options",
    "peers",
    "poison",
    "poisoned_lessons",
    "privacy",
    "reading",
    "recall",
    "search",
    "turns",
)
# These count words, or start whole copies of the product.
OTHERS = ("compact_tokens", "kills", "legacy", "processes", "streams")


def main() -> None:
    """Read the name, then the options of that measurement, and run it."""
    names = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names.add_argument("name", choices=sorted(ON_A_SITE + OTHERS))
    name = names.parse_args(sys.argv[1:2]).name
    with ExitStack() as stack:
        # Modules may import the product, so its settings have to point at the site before.
        folder = stack.enter_context(site.prepared()) if name in ON_A_SITE else None
        module = import_module(f"benchmarks.{name}")
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
        if folder is not None:
            stack.enter_context(site.database(folder, fast=options.quick))
        _print_and_write(module.report(options), options.out)


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
