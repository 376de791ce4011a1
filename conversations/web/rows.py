"""A person's rows for pages and the API: theirs, or 404."""

from uuid import UUID

from django.shortcuts import get_object_or_404

from accounts.models import User
from conversations.models import Conversation


def conversation_of(person: User, pk: UUID) -> Conversation:
    """Return one of the person's conversations, in their open block. Raises Http404."""
    return get_object_or_404(Conversation.objects.for_user(person.pk), pk=pk)
