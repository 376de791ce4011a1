"""Train the judge of instruction-shaped text on recorded texts; show what it is worth."""

import random
from pathlib import Path
from statistics import mean
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from conversations.evaluation import extraction, injection, judging, retrieval
from memory import instructions, judge

# So many texts of each sort of talk stand beside the attacks: enough of it, quickly trained.
_MOST_PLAIN = 2000
_WISHES = Path(judging.__file__).with_name("wishes.txt")


class Command(BaseCommand):
    """`manage.py train_judge --data DIR [--keep]`."""

    help = "Train memory.judge on the texts below DIR, and say what cross-validation gives."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take where the texts lie, and whether the numbers replace the product's."""
        parser.add_argument("--data", type=Path, required=True, metavar="DIR")
        parser.add_argument("--keep", action="store_true", help=f"write {judge.WEIGHTS.name}")

    def handle(self, *args: Any, data: Path, keep: bool, **options: Any) -> None:
        """Train on five times four fifths, then on everything."""
        known = _known(data)
        if not any(example.instructs for example in known):
            raise CommandError(f"There are no labelled texts in {data / injection.FOLDER}.")
        self.stdout.write(f"{len(known)} texts, {sum(one.instructs for one in known)} instruct.")
        folds = judging.cross_validate(known, judge.THRESHOLD)
        for fold in folds:
            self.stdout.write(f"  caught {fold.caught:.3f}, wrongly refused {fold.wrongly:.4f}")
        caught, wrongly = mean(f.caught for f in folds), mean(f.wrongly for f in folds)
        self.stdout.write(f"On average {caught:.3f} and {wrongly:.4f}.")
        if keep:
            judging.keep(judging.train(known))
            self.stdout.write(f"The numbers are in {judge.WEIGHTS}.")


def _known(data: Path) -> list[judging.Example]:
    """Attacks that are no mere questions, the plain texts beside them, and ordinary talk."""
    samples = list(injection.read(data / injection.FOLDER))
    # A short question that is an attack only by where it stands teaches to refuse questions.
    instructing = [one.text for one in samples if one.attack and not _merely_asks(one.text)]
    plain = [one.text for one in samples if not one.attack]
    # How a person wants things done looks most like an order, and is theirs to have remembered.
    plain += _WISHES.read_text(encoding="utf-8").splitlines()
    for talk in (_chat(data), _long_talk(data)):
        # What a rule refuses never comes before the judge.
        texts = sorted(text for text in talk if not instructions.by_rule(text).refused)
        plain += random.Random(0).sample(texts, min(_MOST_PLAIN, len(texts)))  # noqa: S311
    return judging.examples(instructing, instructs=True) + judging.examples(plain, instructs=False)


def _merely_asks(text: str) -> bool:
    return text.rstrip().endswith("?") and len(text.split()) <= 12


def _chat(data: Path) -> set[str]:
    """What people say to each other in short."""
    lines = {row.text for row in extraction._rows(data / "personaext")}
    return lines | {said for one in extraction._talks(data / "convai2_volunteers") for said in one}


def _long_talk(data: Path) -> set[str]:
    """What people write to each other over months, and to an assistant."""
    sets = (
        ("locomo", retrieval._locomo),
        ("beam", retrieval._beam),
        ("realmem", retrieval._realmem),
    )
    return {
        line.text
        for name, recordings in sets
        if (data / name).is_dir()
        for recording in recordings(data / name)
        for session in recording.sessions
        for line in session.lines
        if line.by_user
    }
