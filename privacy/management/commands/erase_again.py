"""Repeat erasures that users made after the backup that was restored."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import get_current_timezone, is_naive, make_aware

from privacy.erase_again import erase_again


class Command(BaseCommand):
    """`manage.py erase_again [--since 2026-11-24T03:00]`."""

    help = "Repeat the erasures made after a backup, once it has been restored. Safe to repeat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since",
            help="When the backup was made (ISO 8601); by default, all erasures are repeated.",
        )

    def handle(self, *args: Any, since: str | None = None, **options: Any) -> None:
        done = erase_again(_moment(since) if since else None)
        counts = ", ".join(f"{many} {kind}" for kind, many in done.items() if many)
        self.stdout.write(f"Erased again: {counts or 'nothing was left to erase'}.")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f'"{text}" is not a date and time. Write it as 2026-11-24T03:00.'
        ) from None
    return make_aware(moment, get_current_timezone()) if is_naive(moment) else moment
