"""The tool that finds the conversation in which something was said."""

from dataclasses import dataclass, field
from datetime import datetime

from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Conversation, Message
from conversations.search import message_search
from conversations.tools import visibility
from conversations.tools.arguments import InTime, Period, Sought
from conversations.tools.lookup import recall
from conversations.tools.tool import Result, Tool, ToolContext
from conversations.tools.visibility import ConversationRef, Quote, count_in_words
from memory.language.text.terms import content_words, split_words
from memory.retrieval.passage_search import Hit
from memory.retrieval.relevance import read_question, relevance_of

_MOST = 30
_QUOTES_A_TALK = 3
# Least relevance of a message that has only similar words: 'trip' for 'travel'.
_RELATED_SHARE = 0.2


class FoundTalk(BaseModel):
    """A matching conversation; `messages` counts its matching messages."""

    conversation: ConversationRef
    in_title: bool
    messages: int
    first_at: datetime
    last_at: datetime
    quotes: list[Quote]


class FoundTalks(Result):
    """Conversations, best match first."""

    conversations: list[FoundTalk]
    total: int

    def in_words(self) -> str:
        """Return the result in words: '2 conversations'."""
        return count_in_words(self.total, "conversation")


class SearchArguments(InTime):
    """What to search for."""

    query: Sought = Field(
        description="Words in the title or in messages, such as 'marathon training'."
    )
    title_only: bool = Field(False, description="Search titles only.")
    limit: int = Field(10, ge=1, le=_MOST, description="Largest number of results.")


def search_conversations(context: ToolContext, arguments: SearchArguments) -> FoundTalks:
    """Find conversations by title and message content, archived ones included."""
    time = arguments.period(context)
    conversations = conversations_with(
        context, arguments.query, time, title_only=arguments.title_only
    )
    return FoundTalks(conversations=conversations[: arguments.limit], total=len(conversations))


@dataclass
class _Gathered:
    """The matches in one conversation, best first."""

    conversation: Conversation
    in_title: bool = False
    messages: list[Message] = field(default_factory=list)


def conversations_with(
    context: ToolContext, query: str, time: Period, *, title_only: bool = False
) -> list[FoundTalk]:
    """Return every conversation with the words in its title or something similar in its messages:
    title matches first, then by the best match. Four queries.
    """
    gathered = {
        conversation.pk: _Gathered(conversation, in_title=True)
        for conversation in _titled(context, query, time)
    }
    hits = [] if title_only else recall.hits_of(context, query, recall.LOOKED_AT, "anyone")
    hits = _speaking_of(context, query, [hit for hit in hits if time.holds(hit.said_at)])
    seen = recall.quotable_of(context, hits)
    for hit in hits:
        if message := seen.get(hit.message_id):
            new = _Gathered(message.conversation)
            gathered.setdefault(message.conversation_id, new).messages.append(message)
    return [_as_found_talk(context, group) for group in gathered.values()]


def _speaking_of(context: ToolContext, query: str, hits: list[Hit]) -> list[Hit]:
    """Return the hits with the query's words, or else those with similar words."""
    question = read_question(query, localtime(context.asked_at))
    fits = {hit.message_id: relevance_of(hit.text, question) for hit in hits}
    matches = [hit for hit in hits if fits[hit.message_id] >= recall.SPEAKS_OF]
    return matches or [hit for hit in hits if fits[hit.message_id] >= _RELATED_SHARE]


def _titled(context: ToolContext, query: str, time: Period) -> list[Conversation]:
    words = content_words(query) or split_words(query)
    if not words:
        return []
    rows = visibility.talks(context).filter(**time.meets("started_at", "last_at"))
    return message_search.titled(rows, words)


def _as_found_talk(context: ToolContext, gathered: _Gathered) -> FoundTalk:
    said_at = [message.said_at for message in gathered.messages]
    return FoundTalk(
        conversation=visibility.place(gathered.conversation),
        in_title=gathered.in_title,
        messages=len(gathered.messages),
        first_at=min(said_at, default=gathered.conversation.started_at),
        last_at=max(said_at, default=gathered.conversation.last_at),
        quotes=[
            visibility.quote(context, message) for message in gathered.messages[:_QUOTES_A_TALK]
        ],
    )


TOOLS = (
    Tool(
        name="search_conversations",
        purpose="Find conversations by words in their title or in their messages, with the"
        " messages that match. Use it for 'where did we talk about the marathon?'.",
        arguments=SearchArguments,
        run=search_conversations,
    ),
)
