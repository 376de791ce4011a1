"""Make what was said findable anew, after an update that notices more about a text."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import User
from memory import passages


class Command(BaseCommand):
    """`manage.py reindex`."""

    help = "Make everybody's passages anew from their own texts. Safe to repeat and to break off."

    def handle(self, *args: Any, **options: Any) -> None:
        """Person by person; nothing becomes findable that was not before."""
        people = User.objects.order_by("pk").values_list("pk", flat=True)
        written = sum(passages.index_anew(user_id) for user_id in people)
        self.stdout.write(f"Made {written} passages anew.")
