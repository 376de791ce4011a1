"""Compare statistics of answers with and without earlier conversations."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.timezone import now

from accounts.flags import CROSS_THREAD_MEMORY
from accounts.models import Flag
from conversations import rollout


class Command(BaseCommand):
    """`manage.py rollout [--days DAYS]`."""

    help = (
        "Compare answers to people with the flag cross_thread_memory on and off. Shows counts "
        "and times only, never what anyone said."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, default=7, help="number of days to look back, at most 14"
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        """Print a table with a column for each group."""
        flag = Flag.objects.filter(name=CROSS_THREAD_MEMORY).first()
        share = 100 if flag is None else flag.percent
        self.stdout.write(f"On for {share} % of people. The last {days} days:")
        groups = rollout.compare(now() - timedelta(days=days))
        self.stdout.write(f"{'':50}{'on':>20}{'off':>20}")
        cells = (groups[True].cells(), groups[False].cells())
        for name, inside, outside in zip(rollout.ROWS, *cells, strict=True):
            self.stdout.write(f"{name:50}{inside:>20}{outside:>20}")
        if any(group.people < rollout.FEWEST for group in groups.values()):
            self.stdout.write(f"Groups of fewer than {rollout.FEWEST} people are not shown.")
