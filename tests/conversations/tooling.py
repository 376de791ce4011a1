"""Calling a tool as a person, and what tests of tools talk about."""

from datetime import datetime
from typing import Any

from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from tests.people import tell

SECRET = "Zanzibar"


def call(user: User, name: str, *, here: Any = None, **arguments: Any) -> Any:
    """Call a tool as this person, from inside the conversation `here` or from nowhere."""
    with acting_as(user):
        return registry.call(asking(user, here), name, arguments)


def asking(user: User, here: Conversation | None = None) -> ToolContext:
    return ToolContext(user.pk, now(), here.pk if here else None)


def told(result: Any) -> str:
    return str(result.model_dump_json())


def private_talk(user: User, text: str) -> Conversation:
    with acting_as(user):
        made = Conversation.objects.create(user=user, privacy="private", title=f"About {SECRET}")
    tell(user, text, made)
    return made


def about(user: User, conversation: Conversation, name: str, messages: int = 2) -> Topic:
    """A topic of a conversation."""
    with acting_as(user):
        topic, _ = Topic.objects.get_or_create(user=user, key=name.lower(), defaults={"name": name})
        ConversationTopic.objects.create(
            user=user,
            conversation=conversation,
            topic=topic,
            weight=0.5,
            messages=messages,
            first_at=conversation.started_at,
            last_at=conversation.last_at,
        )
    return topic


def talk_of(user: User, message: Message) -> Conversation:
    with acting_as(user):
        return Conversation.objects.get(pk=message.conversation_id)


def past(user: User, text: str, at: datetime) -> Message:
    return tell(user, text, said_at=at)
