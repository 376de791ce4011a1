"""What messages mean to an embedding model that is asked over HTTP, beside the built-in vectors."""

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel


class EmbeddingModel(models.Model):
    """An embedding model that was in use here, and how its vectors are centred.

    `name` holds all that its vectors depend on; another one is another model. The means are float32
    numbers, taken from every vector before its length is made 1. `backfilled_to` is the last person
    whose earlier messages were put on the list of work.
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
    """The centred unit vector of one message's passage; `signs` are its signs, a bit a number.

    The database deletes it with the passage, and when the passage gets another text.
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
    """Up to which of a person's passages, by `place`, every one that may have a vector has it."""

    not_exported = "This is only a progress counter."

    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, related_name="+")
    complete_to = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "model"], name="one_progress_a_model")
        ]

    def __str__(self) -> str:
        return str(self.complete_to)
