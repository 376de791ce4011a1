"""Measure what the product learns and finds, on recorded data, through its own code paths."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from conversations.evaluation import (
    extraction,
    injection,
    questions,
    report,
    retrieval,
    tokens,
)

PARTS = {
    "retrieval": retrieval.evaluate,
    "extraction": extraction.evaluate,
    "injection": injection.evaluate,
    "tokens": tokens.evaluate,
    "questions": questions.evaluate,
}


class Command(BaseCommand):
    """`manage.py evaluate [retrieval|extraction|...|questions|all] --data DIR --out DIR`."""

    help = "Measure recall and extraction on the data below DIR; writes report.md and report.json."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what to measure, where the data lies, and where the report goes."""
        parser.add_argument("part", nargs="?", choices=[*PARTS, "all"], default="all")
        parser.add_argument("--data", type=Path, required=True, metavar="DIR")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")

    def handle(self, *args: Any, part: str, data: Path, out: Path, **options: Any) -> None:
        """Measure, show how far it is, write the report."""
        if not data.is_dir():
            raise CommandError(f"There is no folder {data}.")
        wanted = PARTS if part == "all" else {part: PARTS[part]}
        found = {}
        for name, evaluate in wanted.items():
            self.stdout.write(f"Measuring {name} ...")
            found[name] = evaluate(data, self._show)
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.json").write_text(json.dumps(report.flat(found), indent=2) + "\n")
        (out / "report.md").write_text(report.in_words(found))
        self.stdout.write(f"The report is in {out / 'report.md'}.")

    def _show(self, done: int, total: int, what: str) -> None:
        """One line that rewrites itself on a terminal, a line each elsewhere."""
        if self.stdout.isatty():
            self.stdout.write(f"\r\x1b[2K  {done} of {total}: {what}", ending="")
            self.stdout.flush()
        else:
            self.stdout.write(f"  {done} of {total}: {what}")
