"""`manage.py citus`: print the SQL that distributes the tables of people by owner."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from django.db import connection

from config.scaling import citus
from config.scaling.catalog import OwnedTable


class Command(BaseCommand):
    help = "Print the SQL that distributes the tables of people with Citus; it changes nothing"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="print what breaks a rule of Citus as it is"
        )

    def handle(self, *_args: Any, check: bool, **_options: Any) -> None:
        with connection.cursor() as cursor:
            tables = citus.distributed(cursor)
        self.stdout.write("\n".join(_report(tables) if check else _script(tables)))


def _script(tables: list[OwnedTable]) -> list[str]:
    lines = [f"-- {name} stays on the coordinator: {why}" for name, why in citus.WHOLE.items()]
    return [*lines, citus.SETTINGS, *(f"{line};" for line in citus.statements(tables))]


def _report(tables: list[OwnedTable]) -> list[str]:
    found = [
        f"{obstacle.table}: {obstacle.rule}: {obstacle.what}"
        f" ({'changed by the SQL' if obstacle.solved else 'NOT SOLVED'})"
        for obstacle in citus.obstacles(tables)
    ]
    return [*found, f"{len(tables)} tables, {len(found)} rules broken as they are"]
