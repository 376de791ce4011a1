"""Temporary conversations: always private, and deleted some time after the last message."""

from datetime import timedelta

from django.conf import settings
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import titles
from conversations.deletion import message_deletion
from conversations.deletion.message_deletion import BeingWritten, NotThere, everything
from conversations.models import Conversation

KIND = "vanish"


def expect(user: User, conversation: Conversation) -> None:
    """Queue the deletion of a temporary conversation, in the transaction that creates it."""
    work.enqueue(user, KIND, conversation.pk, delay=_lifetime().total_seconds())


def keep(user: User, conversation: Conversation) -> bool:
    """Make a temporary conversation permanent and private; return False if it is not temporary."""
    conversations = Conversation.objects.for_user(user.pk)
    if not conversations.filter(pk=conversation.pk, temporary=True).update(temporary=False):
        return False
    if conversation.title.startswith(titles.TEMPORARY):
        title = titles.title_from(
            conversations.next_called(titles.PRIVATE), conversation.started_at
        )
        conversations.filter(pk=conversation.pk).update(title=title)
    work.withdraw(user, KIND, conversation.pk)
    return True


def vanish_for(claim: work.Claim) -> None:
    """Worker entry point: delete a temporary conversation once it was silent long enough. Raises
    PutOff if it was not.
    """
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        conversations = Conversation.objects.for_user(claim.user_id).select_related("user")
        conversation = conversations.filter(pk=claim.subject, temporary=True).first()
        left = (conversation.last_at + _lifetime() - now()).total_seconds() if conversation else 0.0
        if left > 0:
            raise work.PutOff(left)
        work.finish(claim)
        if conversation is not None:
            try:
                message_deletion.remove_conversation(
                    conversation.user, conversation, everything, everything
                )
            except BeingWritten:
                raise work.PutOff(60) from None
            except NotThere:
                return


def _lifetime() -> timedelta:
    return timedelta(hours=settings.PRIVACY["temporary_hours"])
