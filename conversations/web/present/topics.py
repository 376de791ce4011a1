"""Topics as a page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.timezone import now

from accounts.support import formatting
from conversations.topics.topic_store import ConversationAbout, TopicFigures, TopicHere


@dataclass(frozen=True)
class TopicRow:
    """One line of the list; `share` is the length of its bar, 1..100 of the longest."""

    name: str
    url: str
    share: int
    said_words: str
    last_words: str


@dataclass(frozen=True)
class TopicChip:
    """A topic under the title of a conversation."""

    name: str
    url: str


@dataclass(frozen=True)
class TalkRow:
    """A conversation on the page of a topic."""

    title: str
    url: str
    said_words: str
    last_words: str


def rows(figures: Sequence[TopicFigures]) -> list[TopicRow]:
    """The list, in the order given; bars against the topic of which most was said."""
    today, most = now(), max((one.messages for one in figures), default=1)
    return [
        TopicRow(
            name=one.name,
            url=reverse("conversations:topic", args=[one.id]),
            share=max(1, round(100 * one.messages / most)),
            said_words=f"{_messages(one.messages)} in {_conversations(one.conversations)}",
            last_words=f"last {formatting.day(one.last_at, today)}",
        )
        for one in figures
    ]


def chips(here: Sequence[TopicHere]) -> list[TopicChip]:
    """What a conversation is about, each with the way to the other conversations about it."""
    return [TopicChip(one.name, reverse("conversations:topic", args=[one.id])) for one in here]


def talks(about: Sequence[ConversationAbout]) -> list[TalkRow]:
    """The conversations about one topic."""
    today = now()
    return [
        TalkRow(
            title=one.conversation.name or "New conversation",
            url=one.conversation.get_absolute_url(),
            said_words=_messages(one.topic.messages),
            last_words=formatting.day(one.topic.last_at, today),
        )
        for one in about
    ]


def summed_up(about: Sequence[ConversationAbout]) -> str:
    """ "12 messages in 3 conversations, from 3 May to 4 November." """
    said = sum(one.topic.messages for one in about)
    first = _day(min(one.topic.first_at for one in about))
    last = _day(max(one.topic.last_at for one in about))
    span = f"on {last}" if first == last else f"from {first} to {last}"
    return f"{_messages(said)} in {_conversations(len(about))}, {span}."


def _day(at: datetime) -> str:
    return formatting.day(at, now())


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def _conversations(count: int) -> str:
    return f"{count:,} conversation{'' if count == 1 else 's'}"
