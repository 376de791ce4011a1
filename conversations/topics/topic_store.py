"""Topics of conversations: queries and manual changes. A topic that the user removed stays as links
with weight 0, so that it is not detected again.
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
# Seconds; not 0, because the worker would start while a user waits for an answer.
SOON = 5.0
# Least cosine similarity of a topic to the name asked for.
ASKED_FOR = 0.55
_LONGEST_NAME = 80


@dataclass(frozen=True)
class TopicFigures:
    """Statistics of a topic: counts of conversations and messages, first and last mention."""

    id: UUID
    name: str
    conversations: int
    messages: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class TopicHere:
    """A topic of one conversation; `weight` is its share of the conversation, 0..1."""

    id: UUID
    name: str
    weight: float
    messages: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class ConversationAbout:
    """A conversation about a topic, with the topic's share and times."""

    conversation: Conversation
    topic: TopicHere


# --- Queries -------------------------------------------------------------------------------------


def of_conversation(user_id: UUID, conversation_id: UUID) -> list[TopicHere]:
    """Return the topics of one conversation, largest share first; one query."""
    rows = (
        ConversationTopic.objects.for_user(user_id)
        .filter(conversation_id=conversation_id)
        .select_related("topic")
    )
    return [_as_topic_here(link) for link in rows.order_by("-weight", "topic__name")]


def conversations_about(user_id: UUID, topic: UUID | str) -> list[ConversationAbout]:
    """Return the conversations about a topic, latest first; [] if no topic has that name."""
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
    """Return statistics of every topic, most messages first; one query.

    With a period, topics that were mentioned in [since, until), with their counts of all time.
    `among` restricts the conversations.
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
    """Return the topic with this id, name or stems, else the most similar in meaning, or None."""
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
    """Return the topic most similar in meaning, if the cosine similarity is at least `least`."""
    if vector is None:
        return None
    near = rows.annotate(far=CosineDistance("embedding", vector.tolist())).order_by("far")
    return near.filter(far__lte=1 - least).first()


def _as_topic_here(link: ConversationTopic) -> TopicHere:
    return TopicHere(
        link.topic_id, link.topic.name, link.weight, link.messages, link.first_at, link.last_at
    )


# --- Changes by the user -------------------------------------------------------------------------


def rename(topic: Topic, name: str) -> Topic:
    """Rename a topic, or merge it into another topic of that name; return the resulting topic.
    `name` has 1 to 80 characters. The key stays, so that the topic is recognised again.
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
    """Move all links of one topic to another, and remove the first."""
    of_user = ConversationTopic.objects.filter(user_id=topic.user_id)
    there = {link.conversation_id: link for link in of_user.filter(topic=into)}
    for link in of_user.filter(topic=topic, messages__gt=0):
        known = there.get(link.conversation_id)
        if known is None:
            of_user.bulk_create([_copy(link, into)])
        else:
            # A message may mention both, so counts are not added: the larger one is used.
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
    """Remove a topic from all its conversations; it is not detected there again."""
    links = ConversationTopic.objects.filter(user_id=topic.user_id, topic=topic)
    links.update(weight=0.0, messages=0)


def forget(user_id: UUID, conversation_id: UUID) -> None:
    """Delete the topics of a conversation that became private."""
    ConversationTopic.objects.filter(user_id=user_id, conversation_id=conversation_id).delete()
    tidy(user_id)


def forget_unspoken(user_id: UUID, conversation_id: UUID) -> None:
    """Remove the topics that a conversation no longer mentions after a deletion.

    A message mentions a topic if it has all words of the topic's key. Topics named by the user stay
    while any message is left.
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
    """Delete the topics without any conversation."""
    Topic.objects.filter(user_id=user_id, conversations__isnull=True).delete()


def tidy_after(*, instance: Conversation, **kwargs: Any) -> None:
    """Delete the topics without any conversation after one was deleted (signal handler)."""
    tidy(instance.user_id)


def look_soon(user: User, conversation_id: UUID, *, delay: float = SOON) -> None:
    """Queue the detection of a conversation's topics, in the user's transaction (`acting_as`).
    Idempotent. For a conversation that has grown, or from which something was deleted.
    """
    work.enqueue(user, KIND, conversation_id, delay=delay)
