"""What tools may read from the conversation that asks: all of the user's data, but private or
confidential messages only from their own conversation.
"""

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from pydantic import BaseModel

from conversations.messages import stretches_of
from conversations.models import (
    Conversation,
    ConversationQuerySet,
    Message,
    MessageQuerySet,
    quotable_elsewhere,
)
from conversations.tools.tool import NotThere, ToolContext, ToolRefused
from memory.core.allowances import allowances_of
from memory.core.persistence_gate import PersistenceRequest, RecordKind, decide_persistence
from memory.language.message_provenance import TextStanding, collect_quotable_parts
from memory.models import Memory, MemoryQuerySet, Passage

PRIVATE = Conversation.Privacy.PRIVATE
UNTITLED = "A conversation"
_TEXT_LENGTH = 500


class ConversationRef(BaseModel):
    """A reference to a conversation."""

    id: UUID
    title: str
    link: str


class Quote(BaseModel):
    """A quoted message. `speaker`: person, assistant, or a name in a replayed dialogue. `text` is
    what the speaker said; pasted text and unchecked claims are separate.
    """

    id: UUID
    number: int
    speaker: str
    text: str
    pasted_text: str
    unchecked_claim: str
    said_at: datetime
    link: str
    conversation: ConversationRef


def is_asked_in_private(context: ToolContext) -> bool:
    """Return whether a private conversation asks; its queries are sent to no external service."""
    return Conversation.objects.for_user(context.user_id).is_private(context.conversation_id)


def talks(context: ToolContext) -> ConversationQuerySet:
    """Return the conversations that may be named here."""
    return Conversation.objects.for_user(context.user_id).filter(
        ~Q(privacy=PRIVATE) | Q(pk=context.conversation_id)
    )


def refuse_where_nothing_is_kept(context: ToolContext, kind: RecordKind) -> None:
    """Raise ToolRefused if the persistence gate allows nothing of this kind to be stored from the
    asking conversation.
    """
    decision = decide_persistence(
        PersistenceRequest(kind), allowances_of(context.user_id, context.conversation_id)
    )
    if not decision.kept:
        raise ToolRefused(decision.reason.in_full)


def hidden(context: ToolContext) -> list[UUID]:
    """Return the ids of the conversations that must not be named here."""
    private = Conversation.objects.for_user(context.user_id).filter(privacy=PRIVATE)
    ids = private.values_list("pk", flat=True)
    return [pk for pk in ids if pk != context.conversation_id]


def talk(context: ToolContext, wanted: UUID | None) -> Conversation:
    """Return a conversation by its id or that of one of its messages; by default the current one.
    Raises ToolRefused.
    """
    pk = wanted or context.conversation_id
    if pk is None:
        raise ToolRefused("Name a conversation by its id; get_user_conversations lists them.")
    rows = Conversation.objects.for_user(context.user_id)
    conversation = rows.filter(pk=pk).first() or rows.filter(messages=pk).first()
    if conversation is None:
        raise NotThere(
            "I can’t find a conversation with this id. get_user_conversations lists them."
        )
    if conversation.privacy == PRIVATE and conversation.pk != context.conversation_id:
        raise ToolRefused("That conversation is private. It can be read only from inside it.")
    return conversation


def messages(context: ToolContext) -> MessageQuerySet:
    """Return the messages that may be quoted here; of other conversations only indexed ones that
    are not confidential.
    """
    rows = Message.objects.for_user(context.user_id).exclude(state=Message.State.REMOVED)
    findable = Passage.objects.filter(user=context.user_id, message=OuterRef("pk"))
    elsewhere = quotable_elsewhere(context.user_id) & Q(Exists(findable))
    here = Q(conversation=context.conversation_id)
    return rows.filter(here | elsewhere).select_related("conversation")


def own_messages(context: ToolContext) -> MessageQuerySet:
    """Return the user's messages that may be deleted from here: all except those of other private
    conversations.
    """
    rows = Message.objects.for_user(context.user_id).exclude(state=Message.State.REMOVED)
    return rows.filter(role=Message.Role.USER, author="").exclude(conversation__in=hidden(context))


def notes(context: ToolContext) -> MemoryQuerySet:
    """Return the memories that may be used here; some hold in one conversation only."""
    everywhere = ~Q(kind=Memory.Kind.WORKING)
    return Memory.objects.for_user(context.user_id).filter(
        everywhere | Q(source_conversation=context.conversation_id, kind=Memory.Kind.WORKING)
    )


def place(conversation: Conversation) -> ConversationRef:
    """Return a reference to a conversation."""
    return ConversationRef(
        id=conversation.pk,
        title=conversation.title or UNTITLED,
        link=conversation.get_absolute_url(),
    )


def place_seen(context: ToolContext, conversation: Conversation | None) -> ConversationRef | None:
    """Return a reference to a conversation, or None if it may not be named here."""
    if conversation is None:
        return None
    hidden = conversation.privacy == PRIVATE and conversation.pk != context.conversation_id
    return None if hidden else place(conversation)


def quote(context: ToolContext, message: Message, length: int = _TEXT_LENGTH) -> Quote:
    """Return a message as results show it, each part cut to `length` characters, without text that
    may not be quoted here.
    """
    by_user = message.role == Message.Role.USER
    texts = {TextStanding.OWN: message.content}
    if by_user or message.author:
        elsewhere = message.conversation_id != context.conversation_id
        parts = collect_quotable_parts(message.content, stretches_of(message), elsewhere=elsewhere)
        texts = {part.standing: part.text for part in parts}
    return Quote(
        id=message.pk,
        number=message.number,
        speaker=message.author or ("person" if by_user else "assistant"),
        text=shortened(texts.get(TextStanding.OWN, ""), length),
        pasted_text=shortened(texts.get(TextStanding.PASTED, ""), length),
        unchecked_claim=shortened(texts.get(TextStanding.CLAIM, ""), length),
        said_at=message.said_at,
        link=message.get_absolute_url(),
        conversation=place(message.conversation),
    )


def own_words(context: ToolContext, message: Message) -> str:
    """Return the parts of a message that its author wrote and that may be quoted here."""
    elsewhere = message.conversation_id != context.conversation_id
    parts = collect_quotable_parts(message.content, stretches_of(message), elsewhere=elsewhere)
    return "\n".join(part.text for part in parts if part.standing == TextStanding.OWN)


def shortened(text: str, length: int = _TEXT_LENGTH) -> str:
    """Return a text cut to `length` characters, between words."""
    if len(text) <= length:
        return text
    return f"{text[: length - 1].rsplit(maxsplit=1)[0]}…"


def count_in_words(count: int, singular: str, plural: str = "") -> str:
    """Return a count in words: 'nothing found', '1 note', '3 notes'."""
    if not count:
        return "nothing found"
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
