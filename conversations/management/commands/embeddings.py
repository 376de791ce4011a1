"""Report how many messages have embeddings of the embedding endpoint, and make missing ones."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from conversations.learning.embedding import sendable
from memory.models import EmbeddingModel
from memory.retrieval.embedding_endpoint import EndpointAway, endpoint_is_configured
from memory.retrieval.passage_vectors import count_vectors, embed_some, prepare_model


class Command(BaseCommand):
    """`manage.py embeddings [--make]`."""

    help = (
        "Show how many messages have a vector from the embedding endpoint, or create the "
        "missing ones with --make. Safe to repeat or interrupt."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--make", action="store_true", help="create the missing vectors")

    def handle(self, *args: Any, make: bool, **options: Any) -> None:
        """Embed the messages of each user and print counts only."""
        if not endpoint_is_configured():
            raise CommandError(
                "No embedding endpoint is set up. See docs/model.md for the settings."
            )
        try:
            model = prepare_model()
            people = list(User.objects.filter(is_active=True).order_by("pk"))
            if make:
                for position, user in enumerate(people, start=1):
                    self._make(user, model, f"{position} of {len(people)} people")
        except EndpointAway as error:
            raise CommandError(f"The endpoint didn’t answer: {error}. Try again.") from error
        counts = [count_vectors(user.pk, model, sendable) for user in people]
        self.stdout.write(
            f"{model.name}: {sum(count.made for count in counts)} messages have a vector, "
            f"{sum(count.missing for count in counts)} don’t; complete for "
            f"{[count.complete for count in counts].count(True)} of {len(people)} people."
        )

    def _make(self, user: User, model: EmbeddingModel, where: str) -> None:
        made = 0
        # It takes long: a user may turn memory off meanwhile, and then nothing more is sent.
        on = User.objects.filter(pk=user.pk, memory_on=True, is_active=True)
        while on.exists() and (some := embed_some(user.pk, model, sendable)):
            made += some
            self.stdout.write(f"  {where}: {made} messages")
