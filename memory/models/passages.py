"""Model of messages indexed for search."""

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import BitField, HalfVectorField

from accounts.database.owned import OwnedModel
from memory.language.text import EMBEDDING_DIMENSIONS


class Passage(OwnedModel):
    """A message indexed for search by words and by meaning.

    All columns can be computed again from the message. `terms` holds the numbers of its content
    words in reading order, 4 bytes each, little-endian; `words` holds the same as lexemes with a
    mark of the user, so that an index scan reads only this user's entries.
    """

    not_exported = "This is derived from messages, and can be rebuilt from them."

    # The indexes below start with the user; an index on the user alone would never be used.
    conversation = models.ForeignKey("conversations.Conversation", on_delete=models.CASCADE)
    message = models.OneToOneField("conversations.Message", on_delete=models.CASCADE)
    # `number` is the message's number in its conversation; `place` its approximate number among all
    # messages of the user, so the newest `place` approximates their count.
    number = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    speaker = models.CharField(max_length=80, blank=True)
    by_user = models.BooleanField()
    said_at = models.DateTimeField()
    text = models.TextField()
    # Features for ranking: memory.retrieval.measures.Mark.
    marks = models.PositiveSmallIntegerField(default=0)
    terms = models.BinaryField()
    words = SearchVectorField()
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)
    # One bit per dimension: small enough for the index, so that a scan reads no rows. Stored
    # uncompressed (by a migration), because a compressed value is copied for each comparison.
    signs = models.GeneratedField(
        expression=models.Func(
            models.F("embedding"),
            template=f"binary_quantize(%(expressions)s)::bit({EMBEDDING_DIMENSIONS})",
        ),
        output_field=BitField(length=EMBEDDING_DIMENSIONS),
        db_persist=True,
    )
    embedding_model = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "conversation", "number"], name="one_passage_a_number"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["user", "place"],
                include=["signs", "conversation", "number"],
                name="passages_by_meaning",
            ),
            models.Index(fields=["user", "said_at"], name="passages_by_time"),
            # No pending list: a search must not wait for earlier writes.
            GinIndex(fields=["words"], fastupdate=False, name="passages_by_words"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.number}"
