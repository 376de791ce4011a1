"""Make the demo people."""

from typing import Any

from django.core.management.base import BaseCommand

from conversations.demo import setup
from conversations.demo.logins import LOGINS


class Command(BaseCommand):
    """`manage.py demo`: safe to repeat; what is there stays as it is."""

    help = "Make the demo people and their conversations where they are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them, and say how to sign in."""
        made = setup.seed()
        self.stdout.write(f"{made} demo people made." if made else "The demo people are there.")
        for email, password, what in LOGINS:
            self.stdout.write(f"  {email}  {password}  ({what})")
