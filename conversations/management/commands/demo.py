"""Create the demo users."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from conversations.demo import setup
from conversations.demo.logins import LOGINS


class Command(BaseCommand):
    """`manage.py demo`: safe to repeat and to interrupt; existing data stays unchanged."""

    help = "Create any demo people and conversations that are missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--beside", action="store_true", help="run at low priority")

    def handle(self, *args: Any, beside: bool, **options: Any) -> None:
        """Create the users and print how to log in."""
        if beside:
            os.nice(10)
        made = setup.seed()
        written = setup.write_notebooks()
        there = f"Created {made} demo people." if made else "The demo people already exist."
        self.stdout.write(f"{there} Wrote {written} of their notebooks." if written else there)
        for email, password, what in LOGINS:
            self.stdout.write(f"  {email}  {password}  ({what})")
