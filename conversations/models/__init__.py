"""The database models of conversations, one module per theme."""

from conversations.models.learning_outcomes import LearningOutcome
from conversations.models.messages import (
    NO_PLAN,
    Conversation,
    ConversationQuerySet,
    Message,
    MessageQuerySet,
    quotable_elsewhere,
)
from conversations.models.model_connection import ModelConnection
from conversations.models.model_health import ModelAgreement, ModelHealth, ModelRefusal
from conversations.models.plans import CalendarFeed, PlanMark
from conversations.models.topics import ConversationTopic, ConversationTopicQuerySet, Topic

__all__ = [
    "NO_PLAN",
    "CalendarFeed",
    "Conversation",
    "ConversationQuerySet",
    "ConversationTopic",
    "ConversationTopicQuerySet",
    "LearningOutcome",
    "Message",
    "MessageQuerySet",
    "ModelAgreement",
    "ModelConnection",
    "ModelHealth",
    "ModelRefusal",
    "PlanMark",
    "Topic",
    "quotable_elsewhere",
]
