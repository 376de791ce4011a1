"""Rebuild the retrieval index of messages and their stored readings."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import User
from conversations.learning import indexing
from memory.retrieval.passage_index import reindex_passages


class Command(BaseCommand):
    """`manage.py reindex`."""

    help = (
        "Rebuild the search passages of every user from their messages, and create missing "
        "ones. Safe to repeat or interrupt."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Index the messages of each user, except those sent while memory was off."""
        people = User.objects.order_by("pk")
        anew = sum(reindex_passages(user.pk) for user in people)
        missing = sum(indexing.index_missing(user) for user in people)
        read = sum(indexing.backfill_readings(user) for user in people)
        self.stdout.write(
            f"Rebuilt {anew} passages and created {missing} missing ones. Read {read} older "
            "messages to find who is quoted and which days are mentioned."
        )
