"""Titles and URLs of conversations and messages, from ids that may no longer exist."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import QuerySet
from django.db.models.functions import Left

from memory.deletion.redaction_terms import RedactionTerms

UNTITLED = "a conversation"
# The characters of a message that identify it for the user.
_BEGINNING = 200


@dataclass(frozen=True)
class SourcePlace:
    """A conversation's title and its name; for a message also URL, time and beginning."""

    title: str
    name: str
    url: str
    said_at: datetime | None = None
    words: str = ""


def source_places(
    user_id: UUID, conversations: Iterable[UUID | None], messages: Iterable[UUID | None]
) -> dict[UUID, SourcePlace]:
    """Return the places that still exist, by message or conversation id; two queries.

    The models belong to a higher package and are looked up by name.
    """

    def place(talk: Any, url: str, *of_message: Any) -> SourcePlace:
        return SourcePlace(talk.title or UNTITLED, talk.name or UNTITLED, url, *of_message)

    talks = apps.get_model("conversations", "Conversation")._default_manager
    message_rows = apps.get_model("conversations", "Message")._default_manager
    places = {
        conversation.pk: place(conversation, conversation.get_absolute_url())
        for conversation in talks.filter(
            user_id=user_id, pk__in={key for key in conversations if key}
        )
    }
    rows = message_rows.filter(user_id=user_id, pk__in={key for key in messages if key})
    named: QuerySet[Any] = rows.select_related("conversation").annotate(
        beginning=Left("content", _BEGINNING)
    )
    named = named.only("number", "said_at", "conversation__title")
    for message in named:
        url = message.get_absolute_url()
        places[message.pk] = place(message.conversation, url, message.said_at, message.beginning)
    return places


def with_words(user_id: UUID, words: RedactionTerms) -> frozenset[UUID]:
    """Return the ids of a user's messages and replies that contain the words; one query."""
    message_rows = apps.get_model("conversations", "Message")._default_manager
    rows = message_rows.filter(words.may_be_in("content"), user_id=user_id).values_list(
        "pk", "content"
    )
    return frozenset(key for key, text in rows if words.occur_in(text))
