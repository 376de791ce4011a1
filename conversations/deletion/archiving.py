"""Putting a conversation away: out of the list, still there to be read and found."""

from django.utils.timezone import now

from conversations.models import Conversation


def put_away(conversation: Conversation, away: bool) -> None:
    """Put it away, or bring it back, in its owner's open block. Twice is once."""
    if away == (conversation.archived_at is not None):
        return
    conversation.archived_at = now() if away else None
    conversation.save(update_fields=["archived_at"])
