"""Train a classifier of sentences or of pairs of texts; show what it is worth."""

from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.language import (
    ANSWERS_PATH,
    PAIRS_PATH,
    SENTENCES_PATH,
    TextClassifier,
    task_of,
)

WRITTEN_TO = {
    "sentences": SENTENCES_PATH,
    "pairs": PAIRS_PATH,
    "answers": ANSWERS_PATH,
}


class Command(BaseCommand):
    """`manage.py train_text_classifier NAME [--keep] [--go-on]`."""

    help = "Train a classifier of texts on nine tenths, say how well it does on the others."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=WRITTEN_TO)
        parser.add_argument("--keep", action="store_true", help="train on all, and write it down")
        parser.add_argument(
            "--go-on", action="store_true", help="one round more from what was written down"
        )

    def handle(self, *args: Any, name: str, keep: bool, go_on: bool, **options: Any) -> None:
        """Train, then show how many of each label are taken for it."""
        try:
            from evaluation.training import text_classifiers
        except ImportError as error:
            raise CommandError("This needs JAX: .venv/bin/uv pip install jax") from error
        from evaluation.training import text_examples

        examples = getattr(text_examples, name)()
        known, aside = (examples, None) if keep else examples.apart(0.1)
        before = WRITTEN_TO[name] if go_on else None
        try:
            trained = text_classifiers.train(known, self.stdout.write, before)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if aside is None:
            text_classifiers.save(trained, known.labels, WRITTEN_TO[name])
        else:
            arrays = {name: np.asarray(one) for name, one in trained.items()}
            self._show(TextClassifier(known.labels, arrays), aside)

    def _show(self, classifier: TextClassifier, aside: Any) -> None:
        """Of each label, how many have it and are taken for it, and how many of the others."""
        shares = classifier.probabilities([one.texts for one in aside])
        for task in sorted({task_of(label) for label in classifier.labels}):
            labels = [label for label in classifier.labels if task_of(label) == task]
            wanted = [one.labels.intersection(labels) for one in aside]
            taken = [max(labels, key=found.__getitem__) for found in shares]
            told = [(want, take) for want, take in zip(wanted, taken, strict=True) if want]
            right = np.mean([take in want for want, take in told])
            self.stdout.write(f"{task or 'pairs'}: {len(told)}, {right:.3f} right")
            for label in labels:
                found = [take == label for want, take in told if label in want]
                false = [take == label for want, take in told if label not in want]
                self.stdout.write(
                    f"  {label:22} {np.mean(found):.2f} found, of the others "
                    f"{np.mean(false):.3f} taken for it"
                )
