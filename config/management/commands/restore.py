"""`manage.py restore FILE`: restore a checked backup, and repeat erasures made since."""

from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from config.backups.archive import Manifest
from config.backups.restoring import refuse_unsafe, restore
from config.backups.server import BackupError
from config.processes import starting

# Erasures may be listed before their transaction ends, or by another clock.
MARGIN = timedelta(days=1)


class Command(BaseCommand):
    """Restores, migrates, checks row-level security, and repeats erasures, in that order."""

    help = "Restore FILE into an empty database, then repeat the erasures made since the backup"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="delete everything in the database first"
        )
        parser.add_argument("--yes", action="store_true", help="confirm --replace")
        parser.add_argument(
            "--nothing-erased",
            action="store_true",
            help=(
                "restore without a list of erasures, because nobody has erased anything since the "
                "backup"
            ),
        )

    def handle(self, *_args: Any, file: Path, **options: Any) -> None:
        starting.refuse(CommandError)
        if options["replace"] and not options["yes"]:
            raise CommandError(
                "--replace deletes everything in the database. Back it up first, then pass "
                "--replace --yes."
            )
        if not options["nothing_erased"]:
            _refuse_without_list()
        try:
            manifest = restore(file, replace=options["replace"], say=self.stdout.write)
            self._finish(manifest)
        except BackupError as error:
            raise CommandError(str(error)) from error

    def _finish(self, manifest: Manifest) -> None:
        self.stdout.write("All rows are restored. Updating the tables …")
        call_command("migrate", interactive=False, verbosity=0)
        refuse_unsafe()
        call_command("check", databases=["default"], stdout=self.stdout)
        since = (manifest.made_at - MARGIN).isoformat(timespec="seconds")
        self.stdout.write(
            f"Running `erase_again --since {since}` to repeat the erasures made after the backup …"
        )
        call_command("erase_again", since=since, stdout=self.stdout)
        self.stdout.write(
            f"The restore is complete: {manifest.rows:,} rows of {len(manifest.tables)} tables as "
            f"they were at {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC. You can start the site."
        )


def _refuse_without_list() -> None:
    if not Path(settings.ERASED_LIST).exists():
        raise CommandError(
            f"There is no list of erasures at {settings.ERASED_LIST}, so anything people erased "
            "after the backup would come back. Set ERASED_LIST to the list of the site that was "
            "backed up. If nobody has erased anything since then, pass --nothing-erased."
        )
