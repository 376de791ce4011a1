"""Messages indexed for search."""

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import BitField, HalfVectorField

from accounts.database.owned import OwnedModel
from memory.language.text import EMBEDDING_DIMENSIONS


class Passage(OwnedModel):
    """One message, made ready to be found: its words as numbers, its meaning as a vector.

    Everything here can be made again from the message. `terms` holds the numbers of its telling
    words in reading order, 4 bytes each, little-endian; `words` the same as lexemes that carry
    their person's mark, so that the index on them is read for one person and not for everybody.
    """

    not_exported = "This is derived from messages, and can be rebuilt from them."

    # The indexes below lead with the user; one on the user alone would never be chosen.
    conversation = models.ForeignKey("conversations.Conversation", on_delete=models.CASCADE)
    message = models.OneToOneField("conversations.Message", on_delete=models.CASCADE)
    # The message's number in its conversation, and roughly the how manieth of its person it is:
    # the newest one's `place` stands for a count of them all.
    number = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    speaker = models.CharField(max_length=80, blank=True)
    by_user = models.BooleanField()
    said_at = models.DateTimeField()
    text = models.TextField()
    # What ranking notices about it: memory.retrieval.measures.Mark.
    marks = models.PositiveSmallIntegerField(default=0)
    terms = models.BinaryField()
    words = SearchVectorField()
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)
    # One bit a number: small enough for the index itself, so that a scan reads no rows. Stored
    # plainly (a migration says so), because a packed value has to be copied to be compared.
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
            # No list of pending entries: a search must not pay for the writes before it.
            GinIndex(fields=["words"], fastupdate=False, name="passages_by_words"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.number}"
