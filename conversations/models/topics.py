"""Topics of conversations."""

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.utils.timezone import now
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel
from conversations.models.messages import Conversation
from memory.language.text import EMBEDDING_DIMENSIONS

if TYPE_CHECKING:
    from uuid import UUID


class Topic(OwnedModel):
    """Something that a user's conversations are about, with a readable name."""

    exported = ("name", "key", "named_by_hand", "created_at")

    name = models.CharField(max_length=80)
    # The stems of the name's words, by which the topic is recognised again.
    key = models.CharField(max_length=80)
    # The user has named it, so it is not renamed automatically.
    named_by_hand = models.BooleanField(default=False)
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="one_topic_a_key")
        ]

    def __str__(self) -> str:
        return str(self.pk)


class ConversationTopicQuerySet(models.QuerySet["ConversationTopic"]):
    """Queries over topics of conversations."""

    def for_user(self, user_id: "UUID") -> "ConversationTopicQuerySet":
        """Return the user's links, without topics that the user removed."""
        return self.filter(user_id=user_id, messages__gt=0)


class ConversationTopic(OwnedModel):
    """The link between a conversation and a topic, with its weight."""

    exported = ("conversation_id", "topic_id", "weight", "messages", "first_at", "last_at")

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="about", db_index=False
    )
    topic = models.ForeignKey(
        Topic, on_delete=models.CASCADE, related_name="conversations", db_index=False
    )
    # How much of the conversation is about it, 0..1, and in how many of its messages it occurs.
    weight = models.FloatField()
    messages = models.PositiveIntegerField()
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    objects = ConversationTopicQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "conversation", "topic"], name="one_topic_a_conversation"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "topic", "-last_at"], name="conversations_about"),
            models.Index(fields=["conversation"], name="topics_of_conversation"),
            models.Index(fields=["topic"], name="links_of_topic"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
