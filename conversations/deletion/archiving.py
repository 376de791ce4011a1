"""Archiving and pinning conversations."""

from django.utils.timezone import now

from conversations.models import Conversation


def put_away(conversation: Conversation, away: bool) -> None:
    """Archive (`away`) or restore a conversation, in the user's transaction (`acting_as`).
    Idempotent.
    """
    if away == (conversation.archived_at is not None):
        return
    conversation.archived_at = now() if away else None
    if away:
        conversation.pinned_at = None
    conversation.save(update_fields=["archived_at", "pinned_at"])


def pin(conversation: Conversation, pinned: bool) -> None:
    """Pin a conversation to the top of the list, or unpin it, in the user's transaction
    (`acting_as`). Idempotent. Pinning also restores an archived conversation.
    """
    if pinned == (conversation.pinned_at is not None):
        return
    conversation.pinned_at = now() if pinned else None
    if pinned:
        conversation.archived_at = None
    conversation.save(update_fields=["pinned_at", "archived_at"])
