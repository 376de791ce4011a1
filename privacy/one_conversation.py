"""Exporting one conversation as Markdown or JSON."""

import json
from typing import Any

from conversations.models import Conversation, LearningOutcome, Message
from conversations.web.present import chips
from privacy.archive import FORMAT, VERSION, ExactEncoder, conversation_page


def as_markdown(conversation: Conversation) -> str:
    """Return the messages in order as Markdown, each with what was learned from it."""
    messages = Message.objects.of(conversation).exclude(state=Message.State.REMOVED)
    shown = list(messages.select_related("conversation").order_by("number"))
    noted = {
        key: [line for view in views if (line := _line(view))]
        for key, views in chips.by_message(shown).items()
    }
    return "".join(conversation_page(conversation.title, shown, noted))


def _line(view: chips.NoteView) -> str:
    """Return the text of a fact or memory below a message; '' if forgotten or still a question."""
    settled = view.conflict.settled_words if view.conflict else ""
    text = view.text or settled
    return f"{view.word}: {text}" if text and view.kind not in ("undone", "declined") else ""


def as_json(conversation: Conversation) -> str:
    """Return the rows of a conversation, its messages and what was learned, as in a full export."""
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
    document = {"format": FORMAT, "version": VERSION, "tables": tables}
    return json.dumps(document, cls=ExactEncoder, ensure_ascii=False, indent=2)
