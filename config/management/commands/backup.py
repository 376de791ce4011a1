"""`manage.py backup FILE`: write a snapshot of the whole database to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backups.server import BackupError
from config.backups.writing import backup
from config.monitoring.last_backup import note_backup


class Command(BaseCommand):
    help = "Back up the whole database to FILE in one snapshot; the site can keep running"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        try:
            manifest = backup(file, self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
        note_backup(manifest.made_at, file.stat().st_size)
        self.stdout.write(
            f"{file} holds {manifest.rows:,} rows of {len(manifest.tables)} tables as they were "
            f"at {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC ({file.stat().st_size / 1e6:,.1f} MB). "
            "It contains everything people said, so keep it where only you can read it."
        )
