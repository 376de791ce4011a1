"""Train a classifier of what belongs in a profile on users' decisions, and print its figures."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.promotion import promotion_policy, training
from ledger.promotion.training import Example


class Command(BaseCommand):
    """`manage.py train_profile_classifier [--data FILE.json] [--switch-on]`."""

    help = "Train the profile classifier on past decisions and compare it with the heuristic."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--data", type=Path, metavar="FILE.json", help="file with a list of decisions"
        )
        parser.add_argument(
            "--switch-on", action="store_true", help="use the new version from now on"
        )

    def handle(self, *args: Any, data: Path | None, switch_on: bool, **options: Any) -> None:
        """Train and save a classifier, inactive by default; needs enough decisions."""
        examples = training.read_decisions() if data is None else _read(data)
        try:
            classifier = training.train(examples, from_a_file=data is not None)
        except training.TooThin as thin:
            self.stdout.write(f"{thin} Nothing was saved; the heuristic still decides.")
            return
        self._report(classifier.figures)
        if switch_on:
            promotion_policy.switch_on(classifier)
        state = "on" if switch_on else "off: switch it on in the admin or with --switch-on"
        self.stdout.write(f"Saved as version {classifier.version}, {state}.")

    def _report(self, figures: dict[str, Any]) -> None:
        for part, words in (("learned", "Learned from"), ("held_out", "Measured on")):
            counts = figures[part]
            self.stdout.write(
                f"{words} {counts['decisions']} decisions of {counts['people']} people, "
                f"{counts['kept']} to keep."
            )
        self.stdout.write(f"{'':<12}precision  recall     F1")
        for judge in ("heuristic", "classifier"):
            row = figures[judge]
            self.stdout.write(
                f"{judge:<12}{row['precision']:9.3f}{row['recall']:8.3f}{row['f1']:7.3f}"
            )


def _read(path: Path) -> list[Example]:
    try:
        return [
            Example(
                str(row["user"]),
                str(row["slot"]),
                float(row["trust"]),
                float(row["confidence"]),
                int(row.get("confirmations", 0)),
                int(row.get("edits", 0)),
                bool(row["worthy"]),
            )
            for row in json.loads(path.read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{path} doesn’t contain a list of decisions: {error!r}") from error
