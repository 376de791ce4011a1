"""Train a classifier of pairs of texts; show what it is worth."""

from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.language import ANSWERS_PATH, PAIRS_PATH

WRITTEN_TO = {"statements": PAIRS_PATH, "answers": ANSWERS_PATH}


class Command(BaseCommand):
    """`manage.py train_pair_classifier statements|answers [--keep]`."""

    help = "Train a classifier of pairs on nine tenths, say how well it does on the others."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=WRITTEN_TO)
        parser.add_argument("--keep", action="store_true", help="train on all, and write it down")

    def handle(self, *args: Any, name: str, keep: bool, **options: Any) -> None:
        """Train, then show how many of each label are taken for it."""
        try:
            from evaluation import pair_training
        except ImportError as error:
            raise CommandError("This needs JAX: .venv/bin/pip install jax") from error
        pairs = {
            "statements": pair_training.statement_pairs,
            "answers": pair_training.answer_pairs,
        }[name]()
        if keep:
            trained = pair_training.train(pairs, self.stdout.write)
            pair_training.save(trained, pairs.labels, WRITTEN_TO[name])
            return
        known, aside = pairs.apart(0.1)
        trained = pair_training.train(known, self.stdout.write)
        found = pair_training.probabilities(trained, aside).argmax(axis=1)
        wanted = np.array([aside.labels.index(label) for label, _, _ in aside])
        self.stdout.write(f"{len(aside)} pairs, {np.mean(found == wanted):.3f} right")
        for number, label in enumerate(aside.labels):
            taken = found == number
            self.stdout.write(
                f"  {label:12} {np.mean(taken[wanted == number]):.2f} found, of the others "
                f"{np.mean(taken[wanted != number]):.2f} taken for it"
            )
