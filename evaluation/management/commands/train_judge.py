"""Train the judge of instruction-shaped text on sentences of our own; show what it is worth."""

from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from evaluation import extraction, injection
from evaluation.training import instruction_judge
from memory.language import (
    CLASSIFIER_WEIGHTS_PATH,
    REFUSAL_THRESHOLD,
    Float64Array,
    compute_instruction_features,
)


class Command(BaseCommand):
    """`manage.py train_judge [--data DIR] [--keep]`."""

    help = "Train safety.classifier on the sentences kept for it, and say what it catches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, metavar="DIR", help="texts it never learns from")
        parser.add_argument(
            "--keep", action="store_true", help=f"write {CLASSIFIER_WEIGHTS_PATH.name}"
        )

    def handle(self, *args: Any, data: Path | None, keep: bool, **options: Any) -> None:
        """Train on five times four fifths, then on everything."""
        examples = instruction_judge.examples(instruction_judge.own_sentences())
        self.stdout.write(
            f"{len(examples)} texts, {sum(example.instructs for example in examples)} instruct."
        )
        folds = instruction_judge.cross_validate(examples, REFUSAL_THRESHOLD)
        for fold in folds:
            self.stdout.write(f"  caught {fold.caught:.3f}, wrongly refused {fold.wrongly:.4f}")
        caught, wrongly = mean(f.caught for f in folds), mean(f.wrongly for f in folds)
        self.stdout.write(f"On average {caught:.3f} and {wrongly:.4f}.")
        weights = instruction_judge.train(examples)
        if data is not None:
            self._try(weights, data)
        if keep:
            instruction_judge.keep(weights)
            self.stdout.write(f"The numbers are in {CLASSIFIER_WEIGHTS_PATH}.")

    def _try(self, weights: Float64Array, data: Path) -> None:
        """Say what the numbers refuse of texts of others, by themselves, a line a set and kind."""
        tried: dict[str, list[str]] = {}
        for sample in injection.read(data / injection.FOLDER):
            kind = "attacks" if sample.attack else "plain"
            tried.setdefault(f"{sample.of}, {kind}", []).append(sample.text)
        tried["talk"] = sorted({row.text for row in extraction._rows(data / "personaext")})
        for name, texts in tried.items():
            share = _share(
                bool((compute_instruction_features(t) @ weights).max() >= REFUSAL_THRESHOLD)
                for t in texts
            )
            self.stdout.write(f"{name}: {share:.4f} of {len(texts)} refused.")


def _share(refused: Iterable[bool]) -> float:
    found = list(refused)
    return sum(found) / len(found) if found else 0.0
