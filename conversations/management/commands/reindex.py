"""Make what was said findable anew, what was missed for the first time, and read whose it is."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import User
from conversations.learning import indexing
from memory.retrieval import reindex_passages


class Command(BaseCommand):
    """`manage.py reindex`."""

    help = (
        "Make everybody's passages anew from their own texts, and those that are missing. "
        "Safe to repeat and to break off."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Person by person; what was said while memory was off stays out."""
        people = User.objects.order_by("pk")
        anew = sum(reindex_passages(user.pk) for user in people)
        missing = sum(indexing.index_missing(user) for user in people)
        read = sum(indexing.backfill_readings(user) for user in people)
        self.stdout.write(
            f"Made {anew} passages anew, and {missing} that were missing. "
            f"Read in {read} older messages whose words they are and which days they name."
        )
