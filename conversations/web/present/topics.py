"""Topics as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.timezone import now

from accounts.support import formatting
from conversations.topics.topic_store import ConversationAbout, TopicFigures, TopicHere


@dataclass(frozen=True)
class TopicRow:
    """A line of the topic list; `share` is the length of its bar, 1..100 (the longest)."""

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
    """A conversation in the list on a topic's page."""

    title: str
    url: str
    said_words: str
    last_words: str


def rows(figures: Sequence[TopicFigures]) -> list[TopicRow]:
    """Return the lines of the topic list."""
    today, most = now(), max((topic.messages for topic in figures), default=1)
    return [
        TopicRow(
            name=topic.name,
            url=reverse("conversations:topic", args=[topic.id]),
            share=max(1, round(100 * topic.messages / most)),
            said_words=f"{_messages(topic.messages)} in {_conversations(topic.conversations)}",
            last_words=f"last {formatting.day(topic.last_at, today)}",
        )
        for topic in figures
    ]


def chips(here: Sequence[TopicHere]) -> list[TopicChip]:
    """Return the topics of a conversation, each with the URL of its page."""
    return [
        TopicChip(topic.name, reverse("conversations:topic", args=[topic.id])) for topic in here
    ]


def talks(about: Sequence[ConversationAbout]) -> list[TalkRow]:
    """Return the lines of the conversations about one topic."""
    today = now()
    return [
        TalkRow(
            title=talk.conversation.name or "New conversation",
            url=talk.conversation.get_absolute_url(),
            said_words=_messages(talk.topic.messages),
            last_words=formatting.day(talk.topic.last_at, today),
        )
        for talk in about
    ]


def summed_up(about: Sequence[ConversationAbout]) -> str:
    """Return a topic's totals: "12 messages in 3 conversations, from 3 May to 4 November"."""
    messages = sum(talk.topic.messages for talk in about)
    first = _day(min(talk.topic.first_at for talk in about))
    last = _day(max(talk.topic.last_at for talk in about))
    span = f"on {last}" if first == last else f"from {first} to {last}"
    return f"{_messages(messages)} in {_conversations(len(about))}, {span}."


def _day(at: datetime) -> str:
    return formatting.day(at, now())


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def _conversations(count: int) -> str:
    return f"{count:,} conversation{'' if count == 1 else 's'}"
