"""One conversation to take along: as Markdown to be read, as JSON for programs."""

import json
from typing import Any

from conversations.models import Conversation, LearningOutcome, Message
from privacy import readable
from privacy.archive import FORMAT, VERSION, ExactEncoder


def as_markdown(conversation: Conversation) -> str:
    """Return what was said, in order."""
    said = Message.objects.of(conversation).exclude(state=Message.State.REMOVED)
    return "".join(readable.conversation(conversation.title, said.order_by("number")))


def as_json(conversation: Conversation) -> str:
    """Return its rows as the whole copy has them: the conversation, its messages, their chips."""
    owner = conversation.user_id
    outcomes = LearningOutcome.objects.filter(user=owner, message__conversation=conversation)
    tables: dict[str, list[dict[str, Any]]] = {
        "conversations.conversation": list(
            Conversation.objects.for_user(owner)
            .filter(pk=conversation.pk)
            .values("id", *Conversation.exported)
        ),
        "conversations.message": list(
            Message.objects.of(conversation).order_by("number").values("id", *Message.exported)
        ),
        "conversations.learningoutcome": list(
            outcomes.order_by("pk").values("id", *LearningOutcome.exported)
        ),
    }
    told = {"format": FORMAT, "version": VERSION, "tables": tables}
    return json.dumps(told, cls=ExactEncoder, ensure_ascii=False, indent=2)
