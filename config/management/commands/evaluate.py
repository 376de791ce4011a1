"""Measure learning and retrieval on recorded data, with the production code."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from evaluation import (
    extraction,
    injection,
    report,
    retrieval,
    sharing_guard,
    tokens,
)
from evaluation.figures import PARTS as FIGURES
from evaluation.measuring import Unreadable

PARTS = {
    "retrieval": retrieval.evaluate,
    "extraction": extraction.evaluate,
    "injection": injection.evaluate,
    "guard": sharing_guard.evaluate,
    "tokens": tokens.evaluate,
}
LAYOUT = {
    "locomo": "locomo/*.json",
    "beam": "beam/100K/*/chat.json with probing_questions.json beside it",
    "realmem": "realmem/*.json",
    "personaext": "personaext/*.jsonl or *.json",
    "convai2_volunteers": "convai2_volunteers/*.json",
    "injection": "injection/*.json, *.jsonl, *.csv or *.parquet",
    "pii": "pii/*.json",
    "lessons": "lessons/clean.json and lessons/adversarial.json",
}
"""Where below the data folder each set is looked for."""


class Command(BaseCommand):
    """`manage.py evaluate [retrieval|extraction|...|all] --data DIR --out DIR`."""

    help = (
        "Measure recall and extraction on the data in DIR. Writes report.md with charts and "
        "report.json, and adds the run to history.jsonl."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", nargs="?", choices=[*PARTS, "all"], default="all")
        parser.add_argument("--data", type=Path, required=True, metavar="DIR")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")

    def handle(self, *args: Any, part: str, data: Path, out: Path, **options: Any) -> None:
        """Measure, and write the results of each part as soon as they are ready."""
        wanted = list(PARTS) if part == "all" else [part]
        _look_for(data, wanted)
        _make(out)
        began = now()
        results: dict[str, dict[str, Any]] = {}
        broken: list[str] = []
        for name in wanted:
            self.stdout.write(f"Measuring {name} ...")
            try:
                results[name] = PARTS[name](data, self._show)
                self._end_the_line()
            except Unreadable as unreadable:
                broken.append(f"{name} was not measured: {unreadable}")
                continue
            for missing in results[name].get("skipped", ()):
                self.stdout.write(f"  Missing, so not measured: {data / LAYOUT[missing]}")
            report.write(out, results, began)
        if broken:
            raise CommandError("\n".join(broken))
        if not any(report.is_measured(name, result) for name, result in results.items()):
            raise CommandError(_nothing_in(data, wanted))
        self.stdout.write(f"The report is in {out / 'report.md'}.")

    def _show(self, done: int, total: int, what: str) -> None:
        """Print the progress: one updated line on a terminal, else one line each."""
        if self.stdout.isatty():
            self.stdout.write(f"\r\x1b[2K  {done} of {total}: {what}", ending="")
            self.stdout.flush()
        else:
            self.stdout.write(f"  {done} of {total}: {what}")

    def _end_the_line(self) -> None:
        if self.stdout.isatty():
            self.stdout.write("")


def _look_for(data: Path, wanted: list[str]) -> None:
    if not data.is_dir():
        raise CommandError(f"There is no folder {data}.")
    folders = {folder for name in wanted for folder in FIGURES[name].folders}
    if not any((data / folder).is_dir() for folder in folders):
        raise CommandError(_nothing_in(data, wanted))


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"The folder {out} can’t be created: {error.strerror}.") from error


def _nothing_in(data: Path, wanted: list[str]) -> str:
    folders = dict.fromkeys(folder for name in wanted for folder in FIGURES[name].folders)
    layout = "\n".join(f"  {data / LAYOUT[folder]}" for folder in folders)
    return f"There is nothing to measure in {data}. Expected:\n{layout}"
