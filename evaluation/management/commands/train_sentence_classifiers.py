"""Train the classifiers of sentences; show what they are worth."""

from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from evaluation import sentence_training


class Command(BaseCommand):
    """`manage.py train_sentence_classifiers [NAME …] [--keep]`."""

    help = "Train the classifiers of sentences on their examples, and say how well they do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", help=f"of {', '.join(sentence_training.TASKS)}")
        parser.add_argument("--at", type=float, default=0.5, help="from which probability on")
        parser.add_argument("--keep", action="store_true", help="train on all, and write it down")

    def handle(self, *args: Any, names: list[str], at: float, keep: bool, **options: Any) -> None:
        """Train on five times four fifths, then on everything."""
        for name in names or sentence_training.TASKS:
            task = sentence_training.TASKS[name]
            examples = sentence_training.known(task)
            self._show(name, examples, sentence_training.cross_validate(examples), at)
            if keep:
                sentence_training.train(examples).save(task.path)

    def _show(self, name: str, examples: sentence_training.Known, found: Any, at: float) -> None:
        right = np.mean(found.argmax(axis=1) == examples.kinds)
        self.stdout.write(f"{name}: {len(examples.kinds)} sentences, {right:.3f} right")
        for number, label in enumerate(examples.labels):
            is_it, taken = examples.kinds == number, found[:, number] >= at
            self.stdout.write(
                f"  {label:18} {np.mean(taken[is_it]):.2f} found, of the others "
                f"{np.mean(taken[~is_it]):.3f} taken for it"
            )
