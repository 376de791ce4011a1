"""Topics of conversations: looked up from both sides, and edited by hand.

A topic that its owner took out of a conversation stays there as a link that counts nothing, so that
it is not found there again.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Greatest, Least
from pgvector.django import CosineDistance

from accounts import work
from accounts.models import User
from conversations.models import Conversation, ConversationQuerySet, ConversationTopic, Topic
from memory.language.text.keyphrases import make_keyphrase_key
from memory.language.text.stemming import stem
from memory.language.text.terms import Float32Array, meaning_vectors, split_words
from memory.models import Passage

KIND = "topics"
# Seconds; not at once, for then the bell would be rung while somebody waits for an answer.
SOON = 5.0
# How near in meaning a topic must be to what somebody asks for.
ASKED_FOR = 0.55
_LONGEST_NAME = 80


@dataclass(frozen=True)
class TopicFigures:
    """A topic in numbers: in how many conversations, how many messages, from when to when."""

    id: UUID
    name: str
    conversations: int
    messages: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class TopicHere:
    """A topic of one conversation, and how much of it (0..1) is about it."""

    id: UUID
    name: str
    weight: float
    messages: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class ConversationAbout:
    """A conversation about a topic."""

    conversation: Conversation
    topic: TopicHere


# --- Questions -----------------------------------------------------------------------------------


def of_conversation(user_id: UUID, conversation_id: UUID) -> list[TopicHere]:
    """Return the topics of one conversation, the most frequent first; one read."""
    rows = (
        ConversationTopic.objects.for_user(user_id)
        .filter(conversation_id=conversation_id)
        .select_related("topic")
    )
    return [_as_topic_here(link) for link in rows.order_by("-weight", "topic__name")]


def conversations_about(user_id: UUID, topic: UUID | str) -> list[ConversationAbout]:
    """Return the conversations about a topic, the latest first; [] when there is none
    of that name.
    """
    topic_row = find(user_id, topic)
    if topic_row is None:
        return []
    rows = (
        ConversationTopic.objects.for_user(user_id)
        .filter(topic=topic_row)
        .select_related("topic", "conversation")
    )
    return [
        ConversationAbout(link.conversation, _as_topic_here(link))
        for link in rows.order_by("-last_at", "-pk")
    ]


def statistics(
    user_id: UUID,
    since: datetime | None = None,
    until: datetime | None = None,
    among: ConversationQuerySet | None = None,
) -> list[TopicFigures]:
    """Return every topic in numbers, what was said most first; one read.

    With days given, what came up in [since, until): the links count whole, as they are kept.
    `among` narrows to some conversations.
    """
    links = ConversationTopic.objects.for_user(user_id)
    if among is not None:
        links = links.filter(conversation__in=among)
    if since is not None:
        links = links.filter(last_at__gte=since)
    if until is not None:
        links = links.filter(first_at__lt=until)
    rows = (
        links.values("topic_id", "topic__name")
        .annotate(
            talks=Count("pk"), said=Sum("messages"), first=Min("first_at"), last=Max("last_at")
        )
        .order_by("-said", "-last", "topic__name")
    )
    figures = rows.values_list("topic_id", "topic__name", "talks", "said", "first", "last")
    return [TopicFigures(*row) for row in figures]


def find(user_id: UUID, topic: UUID | str) -> Topic | None:
    """Return the topic of this id, name or stems; else the nearest in meaning."""
    rows = topics_in_use(user_id)
    if isinstance(topic, UUID):
        return rows.filter(pk=topic).first()
    name = " ".join(topic.split())
    if not name:
        return None
    named = list(rows.filter(Q(name__iexact=name) | Q(key=make_keyphrase_key(name))))
    if named:
        return max(named, key=lambda topic: topic.name.casefold() == name.casefold())
    return nearest(rows, meaning_vectors([name])[0], ASKED_FOR)


def topics_in_use(user_id: UUID) -> "QuerySet[Topic]":
    """Return the topics that any conversation is about."""
    spoken_of = ConversationTopic.objects.for_user(user_id).values("topic")
    return Topic.objects.filter(user_id=user_id, pk__in=spoken_of)


def nearest(rows: "QuerySet[Topic]", vector: Float32Array | None, least: float) -> Topic | None:
    """Return the nearest of these topics in meaning, if within `least` (cosine)."""
    if vector is None:
        return None
    near = rows.annotate(far=CosineDistance("embedding", vector.tolist())).order_by("far")
    return near.filter(far__lte=1 - least).first()


def _as_topic_here(link: ConversationTopic) -> TopicHere:
    return TopicHere(
        link.topic_id, link.topic.name, link.weight, link.messages, link.first_at, link.last_at
    )


# --- Deeds of its owner --------------------------------------------------------------------------


def rename(topic: Topic, name: str) -> Topic:
    """Call it otherwise; called as another one is, the two become one. Returns what it is now.

    `name` holds 1 to 80 characters. Its key stays, so that it is known when it comes up again.
    """
    name = " ".join(name.split())[:_LONGEST_NAME]
    others = topics_in_use(topic.user_id).exclude(pk=topic.pk)
    with transaction.atomic():
        same = others.select_for_update().filter(name__iexact=name).first()
        if same is not None:
            _hand_over(topic, same)
            return same
        vector = meaning_vectors([name])[0]
        topic.name, topic.named_by_hand = name, True
        topic.embedding = None if vector is None else vector.tolist()
        topic.save(update_fields=["name", "named_by_hand", "embedding"])
    return topic


def _hand_over(topic: Topic, into: Topic) -> None:
    """Move all links of one topic to another, and retire the first."""
    of_user = ConversationTopic.objects.filter(user_id=topic.user_id)
    there = {link.conversation_id: link for link in of_user.filter(topic=into)}
    for link in of_user.filter(topic=topic, messages__gt=0):
        known = there.get(link.conversation_id)
        if known is None:
            of_user.bulk_create([_copy(link, into)])
        else:
            # A message may speak of both: of two counts the larger is surely true.
            of_user.filter(pk=known.pk).update(
                weight=Greatest(F("weight"), link.weight),
                messages=Greatest(F("messages"), link.messages),
                first_at=Least(F("first_at"), link.first_at),
                last_at=Greatest(F("last_at"), link.last_at),
            )
    Topic.objects.filter(pk=into.pk).update(named_by_hand=True)
    remove(topic)


def _copy(link: ConversationTopic, topic: Topic) -> ConversationTopic:
    return ConversationTopic(
        user_id=link.user_id,
        conversation_id=link.conversation_id,
        topic=topic,
        weight=link.weight,
        messages=link.messages,
        first_at=link.first_at,
        last_at=link.last_at,
    )


def remove(topic: Topic) -> None:
    """Remove a topic from all its conversations; it is not detected in them again."""
    links = ConversationTopic.objects.filter(user_id=topic.user_id, topic=topic)
    links.update(weight=0.0, messages=0)


def forget(user_id: UUID, conversation_id: UUID) -> None:
    """Delete the topics of a conversation that became private."""
    ConversationTopic.objects.filter(user_id=user_id, conversation_id=conversation_id).delete()
    tidy(user_id)


def forget_unspoken(user_id: UUID, conversation_id: UUID) -> None:
    """Remove the topics that are no longer spoken of in a conversation from which something was
    deleted. A topic is spoken of in a message that has all the words of its key; one that its owner
    named stays as long as anything is said.
    """
    passages = Passage.objects.filter(user_id=user_id, conversation_id=conversation_id)
    spoken = [set(map(stem, split_words(text))) for text in passages.values_list("text", flat=True)]
    links = ConversationTopic.objects.filter(user_id=user_id, conversation_id=conversation_id)
    outdated = [
        link.pk
        for link in links.select_related("topic")
        if not any(_speaks_of(stems, link.topic) for stems in spoken)
    ]
    links.filter(pk__in=outdated).delete()
    tidy(user_id)


def _speaks_of(stems: set[str], topic: Topic) -> bool:
    return topic.named_by_hand or set(topic.key.split()) <= stems


def tidy(user_id: UUID) -> None:
    """Delete the topics that no conversation is about."""
    Topic.objects.filter(user_id=user_id, conversations__isnull=True).delete()


def tidy_after(*, instance: Conversation, **kwargs: Any) -> None:
    """Delete the topics that are left without a conversation."""
    tidy(instance.user_id)


def look_soon(user: User, conversation_id: UUID, *, delay: float = SOON) -> None:
    """Ask for a look at what a conversation is about; asking twice is asking once.

    For when it has grown, and when something was taken out of it. In the person's block.
    """
    work.enqueue(user, KIND, conversation_id, delay=delay)
