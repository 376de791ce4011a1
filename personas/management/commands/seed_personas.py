"""Bring in the personas that every installation starts with."""

from typing import Any

from django.core.management.base import BaseCommand

from personas import seeding


class Command(BaseCommand):
    """`manage.py seed_personas`: those that are missing; what staff changed stays."""

    help = "Bring in the personas that every installation starts with. Twice is once."

    def handle(self, *args: Any, **options: Any) -> None:
        new = seeding.seed()
        self.stdout.write(", ".join(persona.handle for persona in new) or "All of them are there.")
