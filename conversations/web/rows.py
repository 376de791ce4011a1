"""Looking up a user's rows for pages and the API; 404 if they do not exist."""

from uuid import UUID

from django.shortcuts import get_object_or_404

from accounts.models import User
from conversations.models import Conversation


def conversation_of(person: User, pk: UUID) -> Conversation:
    """Return one of the user's conversations, in the user's transaction (`acting_as`). Raises
    Http404.
    """
    return get_object_or_404(Conversation.objects.for_user(person.pk), pk=pk)
