"""Where something was said, told from the bare ids that outlive a conversation."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.apps import apps

UNTITLED = "a conversation"


@dataclass(frozen=True)
class Place:
    """A conversation by its title, with the address of the very message where one is known."""

    title: str
    url: str


def places(
    user_id: UUID, conversations: Iterable[UUID | None], messages: Iterable[UUID | None]
) -> dict[UUID, Place]:
    """The places that still exist, by the id of the message or of the conversation; two reads.

    The tables belong to a room above: like the foreign keys, this knows them by name only.
    """
    talks = apps.get_model("conversations", "Conversation")._default_manager
    said = apps.get_model("conversations", "Message")._default_manager
    found = {
        talk.pk: Place(talk.title or UNTITLED, talk.get_absolute_url())
        for talk in talks.filter(user_id=user_id, pk__in={key for key in conversations if key})
    }
    rows = said.filter(user_id=user_id, pk__in={key for key in messages if key})
    for message in rows.select_related("conversation").only("number", "conversation__title"):
        title = message.conversation.title or UNTITLED
        found[message.pk] = Place(title, message.get_absolute_url())
    return found
