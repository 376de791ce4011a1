"""Migrate an earlier store of one user into their memory, step by step."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from privacy.legacy import running, stores, undoing, validating
from privacy.legacy.running import CannotBring
from privacy.legacy.stores import NotAStore

_STEPS = ("analyse", "backup", "migrate", "validate", "rollback")


class Command(BaseCommand):
    """`manage.py legacy analyse|backup|migrate|validate|rollback PATH --user EMAIL`."""

    help = "Import SQLite files of an earlier store into one person's memory; see docs/legacy.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("step", choices=_STEPS)
        parser.add_argument(
            "path", type=Path, metavar="PATH", help="a file, or a directory of them"
        )
        parser.add_argument(
            "--user", required=True, metavar="EMAIL", help="address of the account to use"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="migrate: only report, save nothing"
        )
        parser.add_argument("--to", type=Path, metavar="DIRECTORY", help="backup: target directory")

    def handle(self, *args: Any, step: str, path: Path, **options: Any) -> None:
        """Run one step; errors are raised as CommandError with a sentence."""
        user = User.objects.filter(email__iexact=options["user"]).first()
        if user is None:
            raise CommandError(
                "There is no account with this address. The person needs to sign up first."
            )
        try:
            self._deeds(options)[step](user, path)
        except (NotAStore, CannotBring, FileExistsError) as refused:
            raise CommandError(str(refused)) from None

    def _deeds(self, options: dict[str, Any]) -> dict[str, Callable[[User, Path], None]]:
        return {
            "analyse": self._rehearse,
            "backup": lambda _, path: self._back_up(path, options["to"]),
            "migrate": self._rehearse if options["dry_run"] else self._migrate,
            "validate": self._validate,
            "rollback": self._roll_back,
        }

    def _rehearse(self, user: User, path: Path) -> None:
        self._tell(running.rehearse(user, path, self._progress).lines())
        self.stderr.write("Nothing was saved.")

    def _migrate(self, user: User, path: Path) -> None:
        self._tell(running.bring(user, path, self._progress).lines())

    def _back_up(self, path: Path, into: Path | None) -> None:
        for copy in stores.back_up(path, into):
            note = "" if copy.consistent else " (damaged; copied unchanged)"
            self.stdout.write(f"{copy.path}{note}")

    def _validate(self, user: User, path: Path) -> None:
        result = validating.validate(user, path)
        self._tell(result.lines())
        if not result.fits:
            raise CommandError("The store differs from what was imported.")

    def _roll_back(self, user: User, path: Path) -> None:
        done = undoing.undo(user, path)
        self._tell(
            f"{label}: {many:,} removed" for label, many in sorted(done.gone.items()) if many
        )
        if done.stays:
            self.stdout.write(
                f"{done.stays:,} conversations were kept because they have been used since."
            )
        if not any(done.gone.values()):
            self.stdout.write("Nothing from this store was imported.")

    def _progress(self, line: str) -> None:
        self.stderr.write(line)

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)
