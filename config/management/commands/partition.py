"""`manage.py partition`: divide the big tables into hash partitions by owner."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import Error

from config import grants
from config.scaling import catalog, partitions

# Planning looks at each of them where a statement does not name the owner.
MOST = 256


class Command(BaseCommand):
    help = "Divide the big tables into hash partitions by owner; docs/scaling.md says when"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--partitions", type=int, default=16, help="of each table (16)")
        parser.add_argument(
            "--lock-seconds", type=int, default=5, help="how long to wait for others (5)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only print the SQL")
        parser.add_argument(
            "tables",
            nargs="*",
            metavar="table",
            help=f"which of them; all without one: {', '.join(partitions.PARTITIONED)}",
        )

    def handle(
        self,
        *_args: Any,
        tables: list[str],
        dry_run: bool,
        **options: Any,
    ) -> None:
        if unknown := set(tables) - set(partitions.PARTITIONED):
            raise CommandError(f"Not among the big tables: {', '.join(sorted(unknown))}.")
        if not 1 <= options["partitions"] <= MOST:
            raise CommandError(f"--partitions must be between 1 and {MOST}.")
        chosen = [name for name in partitions.PARTITIONED if not tables or name in tables]
        for name in chosen:
            try:
                self._divide(name, options["partitions"], options["lock_seconds"], dry_run=dry_run)
            except Error as error:
                raise CommandError(
                    f"{name} is as it was before; those named above are divided. Run this again."
                    f" {error}"
                ) from error

    def _divide(self, name: str, count: int, lock_seconds: int, *, dry_run: bool) -> None:
        with grants.as_owner() as owner:
            if dry_run:
                with owner.cursor() as cursor:
                    table = catalog.read(cursor, name)
                if table.partitions != count:
                    lines = (f"{line};\n" for line in partitions.statements(table, count))
                    self.stdout.write("".join(["begin;\n", *lines, "commit;"]))
                return
            began = time.monotonic()
            run = partitions.divide(owner, name, count, lock_seconds)
        seconds = time.monotonic() - began
        self.stdout.write(
            f"{name}: divided into {count} partitions in {seconds:.1f} s"
            if run
            else f"{name}: has {count} partitions"
        )
