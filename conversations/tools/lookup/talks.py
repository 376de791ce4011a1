"""Tools about conversations: listing, details, summary."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from pydantic import BaseModel, Field

from conversations.models import Conversation, Message
from conversations.search import message_search
from conversations.summaries import key_sentences
from conversations.tools import visibility
from conversations.tools.arguments import InTime, Words
from conversations.tools.lookup import topics
from conversations.tools.lookup.topics import OneTalk, TopicHere
from conversations.tools.tool import Result, Tool, ToolContext
from conversations.tools.visibility import ConversationRef, count_in_words
from memory.language.text.terms import content_words, split_words
from memory.models import Memory

_MOST = 50


# --- Listing -------------------------------------------------------------------------------------


class ListedTalk(BaseModel):
    """A conversation as a list shows it."""

    id: UUID
    title: str
    link: str
    started_at: datetime
    last_at: datetime
    messages: int
    archived: bool


class Talks(Result):
    """Conversations, latest first. total: all matches, shown or not. private: the number of private
    conversations besides, which are listed only from inside.
    """

    conversations: list[ListedTalk]
    total: int
    private: int

    def in_words(self) -> str:
        """Return the result in words: '3 conversations'."""
        return count_in_words(self.total, "conversation")


class ListTalks(InTime):
    """Which conversations to list."""

    title: Words = Field(
        "", description="Only conversations with these words in their title, such as 'move'."
    )
    archived: bool = Field(False, description="Include archived conversations.")
    limit: int = Field(20, ge=1, le=_MOST, description="Largest number of results.")


def list_talks(context: ToolContext, wanted: ListTalks) -> Talks:
    """Return the user's conversations; private ones are counted, and listed only from inside."""
    time = wanted.period(context)
    then = Q(**time.meets("started_at", "last_at"))
    if not wanted.archived:
        then &= Q(archived_at__isnull=True)
    rows = visibility.talks(context).filter(then)
    if words := content_words(wanted.title) or split_words(wanted.title):
        rows = rows.filter(
            pk__in=[conversation.pk for conversation in message_search.titled(rows, words)]
        )
    rows = rows.order_by("-last_at", "-pk")
    # Private conversations are counted whatever their title; otherwise their titles could be
    # guessed.
    private = Conversation.objects.for_user(context.user_id).filter(
        then, privacy=visibility.PRIVATE
    )
    if context.conversation_id is not None:
        private = private.exclude(pk=context.conversation_id)
    return Talks(
        conversations=[listed(conversation) for conversation in rows[: wanted.limit]],
        total=rows.count(),
        private=private.count(),
    )


def listed(conversation: Conversation) -> ListedTalk:
    """Return the list entry of a conversation."""
    return ListedTalk(
        id=conversation.pk,
        title=conversation.title or visibility.UNTITLED,
        link=conversation.get_absolute_url(),
        started_at=conversation.started_at,
        last_at=conversation.last_at,
        messages=conversation.last_number,
        archived=conversation.archived_at is not None,
    )


# --- Details -------------------------------------------------------------------------------------


class TalkDetails(Result):
    """One conversation. Message numbers run from `first_number` to `last_number`, without a gap."""

    conversation: ConversationRef
    started_at: datetime
    last_at: datetime
    privacy: str
    archived: bool
    messages: int
    from_person: int
    from_assistant: int
    taken_out: int
    first_number: int
    last_number: int
    topics: list[TopicHere]
    summary: str

    def in_words(self) -> str:
        """Return the result in words: '12 messages'."""
        return count_in_words(self.messages, "message")


def details(context: ToolContext, wanted: OneTalk) -> TalkDetails:
    """Return one conversation with its details; four queries."""
    conversation = visibility.talk(context, wanted.conversation_id)
    taken_out = Q(state=Message.State.REMOVED)
    counts = (
        Message.objects.for_user(context.user_id)
        .filter(conversation=conversation)
        .aggregate(
            person=Count("pk", filter=Q(role=Message.Role.USER) & ~taken_out),
            assistant=Count("pk", filter=Q(role=Message.Role.ASSISTANT) & ~taken_out),
            taken_out=Count("pk", filter=taken_out),
        )
    )
    return TalkDetails(
        conversation=visibility.place(conversation),
        started_at=conversation.started_at,
        last_at=conversation.last_at,
        privacy=Conversation.Privacy(conversation.privacy).label,
        archived=conversation.archived_at is not None,
        messages=counts["person"] + counts["assistant"],
        from_person=counts["person"],
        from_assistant=counts["assistant"],
        taken_out=counts["taken_out"],
        first_number=min(1, conversation.last_number),
        last_number=conversation.last_number,
        topics=topics.topics_of(context, conversation.pk),
        summary=kept_summary(context, conversation)[0],
    )


# --- Summary -------------------------------------------------------------------------------------


class TalkSummary(Result):
    """A summary of a conversation. made: 'summary' if stored, 'now' if made from the most
    significant sentences. up_to: the number of the last message covered.
    """

    conversation: ConversationRef
    summary: str
    made: str
    up_to: int
    since_then: list[str]

    def in_words(self) -> str:
        """Return the result in words: 'a summary', 'not enough to sum up'."""
        return "a summary" if self.summary or self.since_then else "not enough to sum up"


def summary(context: ToolContext, wanted: OneTalk) -> TalkSummary:
    """Return a summary of a conversation; a few sentences are added for messages that the stored
    summary does not cover.
    """
    conversation = visibility.talk(context, wanted.conversation_id)
    kept, up_to = kept_summary(context, conversation)
    whole = up_to >= conversation.last_number or (bool(kept) and not up_to)
    later = [] if whole else _sentences(context, conversation, after=up_to)
    return TalkSummary(
        conversation=visibility.place(conversation),
        summary=kept or " ".join(later),
        made="summary" if kept else "now",
        up_to=up_to or conversation.last_number,
        since_then=later if kept else [],
    )


def kept_summary(context: ToolContext, conversation: Conversation) -> tuple[str, int]:
    """Return the stored summary and the number of its last message; ('', 0) for none. The running
    summary may contain confidential text, so it is used inside its conversation only.
    """
    if conversation.pk == context.conversation_id and conversation.compact_summary:
        return conversation.compact_summary, conversation.compacted_up_to
    note = (
        Memory.objects.for_user(context.user_id)
        .active()
        .filter(source_conversation=conversation, category=Memory.Category.SUMMARY)
        .values_list("original", "content")
        .first()
    )
    # Summaries of an earlier version leave out what other memories say, so their sources are used.
    return next(filter(None, note or ()), ""), 0


def _sentences(context: ToolContext, conversation: Conversation, after: int) -> list[str]:
    """Return the user's most significant sentences that may be quoted here."""
    messages = visibility.messages(context).filter(
        conversation=conversation, role=Message.Role.USER
    )
    # Messages whose memory was retracted are left out.
    messages = messages.filter(number__gt=after).exclude(memory__status=Memory.Status.REMOVED)
    newest: Iterable[Message] = messages.order_by("-number")[: key_sentences.MOST_MESSAGES]
    return [
        visibility.shortened(sentence, 300)
        for sentence in key_sentences.extract(list(newest)[::-1])
    ]


TOOLS = (
    Tool(
        name="get_user_conversations",
        purpose="List the person's conversations, latest first, and count them. Use it for 'how "
        "many conversations do I have?' or 'what did we talk about last week?'.",
        arguments=ListTalks,
        run=list_talks,
    ),
    Tool(
        name="get_conversation_details",
        purpose="Look at one conversation: dates, number of messages by speaker, topics, summary.",
        arguments=OneTalk,
        run=details,
    ),
    Tool(
        name="get_conversation_summary",
        purpose="Sum up one conversation in a few sentences. Use it for 'what was that talk "
        "about?' and 'sum this up'.",
        arguments=OneTalk,
        run=summary,
    ),
)
