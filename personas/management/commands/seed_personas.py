"""Create the personas of a new installation."""

from typing import Any

from django.core.management.base import BaseCommand

from personas import seeding


class Command(BaseCommand):
    """`manage.py seed_personas`: creates missing ones; changes by staff stay."""

    help = "Add the personas that every installation starts with. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        new = seeding.seed()
        self.stdout.write(
            ", ".join(persona.handle for persona in new) or ("All personas are in place.")
        )
