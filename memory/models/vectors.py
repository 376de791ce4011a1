"""Models of message embeddings by a model that is called over HTTP, beside the built-in ones."""

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel


class EmbeddingModel(models.Model):
    """An embedding model that was in use on this site, and the means that centre its vectors.

    `name` includes everything that the vectors depend on. The means are float32 bytes, subtracted
    from every vector before it is normalised. `backfilled_to` is the last user whose earlier
    messages were queued for embedding.
    """

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=300, unique=True)
    dimensions = models.PositiveSmallIntegerField()
    query_mean = models.BinaryField()
    passage_mean = models.BinaryField()
    backfilled_to = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class PassageVector(OwnedModel):
    """The centred unit vector of a message's passage; `signs` has one bit per dimension.

    The database deletes it with the passage, and when the passage's text changes.
    """

    not_exported = "This is derived from messages, and can be rebuilt from them."

    message = models.ForeignKey(
        "conversations.Message",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, related_name="+")
    vector = HalfVectorField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "model"], name="one_vector_a_message")
        ]

    def __str__(self) -> str:
        return str(self.message_id)


class VectorProgress(OwnedModel):
    """The `place` up to which all eligible passages of a user have a vector."""

    not_exported = "This is only a progress counter."

    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, related_name="+")
    complete_to = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "model"], name="one_progress_a_model")
        ]

    def __str__(self) -> str:
        return str(self.complete_to)
