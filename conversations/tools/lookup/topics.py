"""Tools about topics: of a conversation, conversations about a topic, and counts."""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from conversations.models import ConversationTopic
from conversations.tools import visibility
from conversations.tools.arguments import InTime, OptionalId, Period, Sought
from conversations.tools.lookup import conversation_search
from conversations.tools.tool import Arguments, Result, Tool, ToolContext
from conversations.tools.visibility import ConversationRef, count_in_words
from conversations.topics import topic_store
from memory.language.text.dedup import content_stem_ids
from memory.language.text.terms import meaning_vectors

_MOST, _MOST_HERE = 50, 12
# How many topics, those with most conversations first, are compared with a name by its words.
_MOST_KNOWN = 500


class TopicHere(BaseModel):
    """A topic of one conversation; `weight` is its share of the conversation, 0..1."""

    id: UUID
    name: str
    weight: float
    messages: int
    first_at: datetime
    last_at: datetime


class TopicsOfTalk(Result):
    """The topics of one conversation, largest share first."""

    conversation: ConversationRef
    topics: list[TopicHere]

    def in_words(self) -> str:
        """Return the result in words: '3 topics'."""
        return count_in_words(len(self.topics), "topic")


class OneTalk(Arguments):
    """Which conversation."""

    conversation_id: OptionalId = Field(
        None,
        description="Id of the conversation, as returned by a list. Leave it out for this "
        "conversation.",
    )


def of_talk(context: ToolContext, wanted: OneTalk) -> TopicsOfTalk:
    """Return the topics of a conversation."""
    conversation = visibility.talk(context, wanted.conversation_id)
    return TopicsOfTalk(
        conversation=visibility.place(conversation), topics=topics_of(context, conversation.pk)
    )


def topics_of(context: ToolContext, conversation_id: UUID) -> list[TopicHere]:
    """Return the topics of a conversation that may be shown here, largest first; one query."""
    topics = topic_store.of_conversation(context.user_id, conversation_id)[:_MOST_HERE]
    return [TopicHere(**{**asdict(topic), "weight": round(topic.weight, 3)}) for topic in topics]


# --- Conversations about a topic -----------------------------------------------------------------


class TalkAbout(BaseModel):
    """A conversation about a topic, and when it mentioned the topic."""

    conversation: ConversationRef
    topics: list[str]
    messages: int
    first_at: datetime
    last_at: datetime


class TalksAbout(Result):
    """Conversations about a topic, latest first. `found_by`: 'topic', or 'words' if no topic has
    that name but its words were said.
    """

    found_by: str
    conversations: list[TalkAbout]
    total: int

    def in_words(self) -> str:
        """Return the result in words: '2 conversations'."""
        return count_in_words(self.total, "conversation")


class AboutTopic(InTime):
    """The topic, and the period, to list conversations for."""

    topic: Sought = Field(
        description="Name or subject of the topic, such as 'travel' or 'sourdough baking'."
    )
    limit: int = Field(20, ge=1, le=_MOST, description="Largest number of results.")


def about_topic(context: ToolContext, wanted: AboutTopic) -> TalksAbout:
    """Return the conversations about a topic, or with its words if there is no such topic."""
    time = wanted.period(context)
    talks = _with_topics(context, _known_as(context, wanted.topic), time)
    if not talks:
        return _by_words(context, wanted, time)
    return TalksAbout(found_by="topic", conversations=talks[: wanted.limit], total=len(talks))


def _known_as(context: ToolContext, name: str) -> list[UUID]:
    """Return the ids of topics with this name: same words, else some words, else similar
    meaning.
    """
    topics = topic_store.topics_in_use(context.user_id)
    wanted = content_stem_ids(name)
    rows = topics.values_list("pk", "name").order_by("-created_at")[:_MOST_KNOWN]
    stems = {pk: content_stem_ids(name) for pk, name in rows}
    same = [pk for pk, words in stems.items() if wanted and words == wanted]
    within = [pk for pk, words in stems.items() if wanted and (wanted <= words or words <= wanted)]
    known = same or [pk for pk in within if stems[pk]]
    if not known:
        near = topic_store.nearest(topics, meaning_vectors([name])[0], topic_store.ASKED_FOR)
        known = [near.pk] if near else []
    return known


def _with_topics(context: ToolContext, known: list[UUID], time: Period) -> list[TalkAbout]:
    if not known:
        return []
    rows = (
        ConversationTopic.objects.for_user(context.user_id)
        .filter(topic__in=known, conversation__in=visibility.talks(context))
        .filter(**time.meets("first_at", "last_at"))
        .select_related("topic", "conversation")
        .order_by("-last_at")
    )
    talks: dict[UUID, TalkAbout] = {}
    for row in rows:
        talk = talks.setdefault(
            row.conversation_id,
            TalkAbout(
                conversation=visibility.place(row.conversation),
                topics=[],
                messages=0,
                first_at=row.first_at,
                last_at=row.last_at,
            ),
        )
        talk.topics.append(row.topic.name)
        talk.messages = max(talk.messages, row.messages)
        talk.first_at = min(talk.first_at, row.first_at)
    return list(talks.values())


def _by_words(context: ToolContext, wanted: AboutTopic, time: Period) -> TalksAbout:
    """Return the conversations with the name's words in messages or the title."""
    talks = conversation_search.conversations_with(context, wanted.topic, time)
    return TalksAbout(
        found_by="words",
        conversations=[
            TalkAbout(
                conversation=talk.conversation,
                topics=[],
                messages=talk.messages,
                first_at=talk.first_at,
                last_at=talk.last_at,
            )
            for talk in sorted(talks, key=lambda talk: talk.last_at, reverse=True)
        ][: wanted.limit],
        total=len(talks),
    )


# --- Counts --------------------------------------------------------------------------------------


class TopicCount(BaseModel):
    """A topic, and how often it was mentioned."""

    id: UUID
    name: str
    conversations: int
    messages: int
    first_at: datetime
    last_at: datetime


class TopicStatistics(Result):
    """Topics, most frequent first; `total` counts all of them."""

    topics: list[TopicCount]
    total: int

    def in_words(self) -> str:
        """Return the result in words: '7 topics'."""
        return count_in_words(self.total, "topic")


class WhichTopics(InTime):
    """The period, and how many topics to return."""

    limit: int = Field(20, ge=1, le=_MOST, description="Largest number of results.")


def statistics(context: ToolContext, wanted: WhichTopics) -> TopicStatistics:
    """Return statistics of the user's topics; one query."""
    time = wanted.period(context)
    topics = topic_store.statistics(
        context.user_id, time.since, time.until, visibility.talks(context)
    )
    return TopicStatistics(
        topics=[TopicCount(**asdict(figures)) for figures in topics[: wanted.limit]],
        total=len(topics),
    )


TOOLS = (
    Tool(
        name="get_topics_by_conversation",
        purpose="List the topics of one conversation, with the share of each.",
        arguments=OneTalk,
        run=of_talk,
    ),
    Tool(
        name="get_conversations_by_topic",
        purpose="List the conversations about something, latest first. Use it for 'list my "
        "conversations about travel'.",
        arguments=AboutTopic,
        run=about_topic,
    ),
    Tool(
        name="get_topic_statistics",
        purpose="Count what the person talks about: for each topic the number of "
        "conversations and messages, and the first and last time. Use it for 'what"
        " do I talk about most?'.",
        arguments=WhichTopics,
        run=statistics,
    ),
)
