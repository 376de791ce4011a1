"""The privacy setting of a conversation, and its effects on messages, titles and memories."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts import audit
from accounts.audit import Action
from conversations.models import Conversation, LearningOutcome, Message
from conversations.titles import UNNAMED, is_made_of, reach, title_from
from conversations.topics import topic_store
from memory.deletion.sought import ErasurePart
from memory.language.engine.sentences import find_sentence_spans
from memory.language.message_provenance import TextStanding, is_confidential
from memory.language.reading import Reading
from memory.models import Memory, MemoryQuerySet, ProfileFact
from memory.notes.note_store import pause_note
from memory.notes.summary_store import drop_summaries_of, drop_summary

# Least words of a title, how many messages are tried for a title, and the longest bare request in
# words.
_A_NAME, _MOST_LOOKED_AT, _BARE = 3, 20, 9


def choose(conversation: Conversation, privacy: str) -> None:
    """Save the user's privacy choice for a conversation, in the user's transaction (`acting_as`).
    Idempotent.

    Messages of a private conversation are never quoted in others, whether sent before or after the
    choice; memories in their words are paused. Other learned items stay. Raises ValueError for an
    unknown choice.
    """
    wanted = Conversation.Privacy(privacy)
    if conversation.privacy == wanted:
        return
    before = Conversation.Privacy(conversation.privacy)
    conversation.privacy = wanted
    conversation.save(update_fields=["privacy"])
    if wanted == Conversation.Privacy.PRIVATE:
        messages = Message.objects.of(conversation)
        messages.update(confidential=True)
        drop_summary(conversation.user_id, conversation.pk)
        topic_store.forget(conversation.user_id, conversation.pk)
        for note in _in_its_words(conversation):
            pause_note(note)
        first = messages.order_by("number").first()
        if first is not None:
            hide_the_title(conversation, first)
    audit.record(
        conversation.user_id,
        Action.ALLOWED,
        subject=conversation.pk,
        conversation=conversation.pk,
        before=before.label,
        after=wanted.label,
        why="Chosen for one conversation",
    )


def _in_its_words(conversation: Conversation) -> MemoryQuerySet:
    """Return the active memories that contain a sentence of a message of the conversation."""
    notes = Memory.objects.for_user(conversation.user_id).active().filter(slot="")
    notes = notes.filter(source_message__conversation=conversation)
    return notes.exclude(source=Memory.Source.MANUAL).defer("embedding", "terms")


def keep_here(*, fact: ProfileFact, **kwargs: Any) -> None:
    """Make the messages that state this fact confidential, and renew titles, summaries and topics
    of their conversations (signal handler).
    """
    rows = Message.objects.for_user(fact.user_id).filter(mention__fact=fact)
    for message in rows.select_related("conversation__user"):
        message.confidential = True
        message.save(update_fields=["confidential"])
        hide_the_title(message.conversation, message)
        drop_summary(fact.user_id, message.conversation_id)
        topic_store.look_soon(message.conversation.user, message.conversation_id)


def keep_erased_here(*, user_id: UUID, messages: Collection[UUID], **kwargs: Any) -> None:
    """Make messages with erased words confidential, leave the messages out of future summaries, and
    delete the summaries of their conversations (signal handler).
    """
    rows = Message.objects.for_user(user_id).filter(pk__in=messages)
    conversations = Conversation.objects.for_user(user_id).filter(
        pk__in=rows.values("conversation")
    )
    # Wait for a job that is storing the model's operations on one of these messages.
    conversations = conversations.order_by("pk").select_for_update(no_key=True)
    held = list(conversations.values_list("pk", flat=True))
    rows.update(confidential=True, left_out_of_summaries=True)
    drop_summaries_of(user_id, held)


def titles_of(user_id: UUID, messages: Collection[UUID]) -> ErasurePart:
    """Return the titles made from words of these messages, for an erasure."""
    rows = Message.objects.for_user(user_id).filter(pk__in=messages).order_by("number")
    named: dict[UUID, Message] = {}
    for message in rows.select_related("conversation").defer("stretches", "recalled", "steps"):
        if is_made_of(message.conversation.title, message.content, message.said_at):
            named.setdefault(message.conversation_id, message)

    def hide_titles() -> None:
        for message in named.values():
            hide_the_title(message.conversation, message)

    return ErasurePart("titles", len(named), hide_titles)


def hide_the_title(conversation: Conversation, message: Message) -> None:
    """Replace a title made of confidential words by one from the next message that may be shown, or
    by a neutral numbered name.
    """
    if not is_made_of(conversation.title, message.content, message.said_at):
        return
    messages = Message.objects.quotable_elsewhere(conversation.user_id).filter(
        conversation=conversation, role=Message.Role.USER, learned_at__isnull=False
    )
    others = messages.exclude(pk=message.pk).order_by("number")[:_MOST_LOOKED_AT]
    instead = next((later for later in others if len(later.content.split()) >= _A_NAME), None)
    if instead is not None:
        conversation.title = title_from(instead.content, instead.said_at)
    else:
        conversations = Conversation.objects.for_user(conversation.user_id)
        name = conversations.next_called(UNNAMED)
        conversation.title = title_from(name, message.said_at)
    conversation.save(update_fields=["title"])


def hide_what_is_told(conversation: Conversation, message: Message) -> None:
    """Hide a title that contains confidential sentences of the message."""
    text = message.content
    made_of = reach(conversation.title, text)
    begun = next((text[:end] for _, end, _ in find_sentence_spans(text) if end >= made_of), text)
    private = conversation.privacy == Conversation.Privacy.PRIVATE
    elsewhere = is_confidential(message.reading) and not is_confidential(Reading(begun))
    if private or not elsewhere or message.reading.asks_to_forget:
        hide_the_title(conversation, message)


def hide_what_goes_no_further(conversation: Conversation, message: Message) -> None:
    """Hide a title that begins with an order or with a fact that holds in this conversation only,
    as other conversations may show the title.
    """
    made_of = reach(conversation.title, message.content)
    withheld = (TextStanding.HERE, TextStanding.ORDER)
    if any(what in withheld and start < made_of for start, _, what in message.stretches or ()):
        hide_the_title(conversation, message)


def said_before(message: Message) -> Message | None:
    """Return the message before one that only asks to keep something secret; None for any other."""
    if not message.reading.asks_for_silence or len(message.content.split()) > _BARE:
        return None
    rows = Message.objects.beside(message).filter(role=Message.Role.USER, number__lt=message.number)
    return rows.order_by("-number").first()


def taught(conversation: Conversation) -> bool:
    """Return whether something learned from the conversation is in use elsewhere, or paused."""
    notes = LearningOutcome.objects.filter(
        user_id=conversation.user_id, message__conversation=conversation
    )
    kept = Q(fact__status=ProfileFact.Status.CURRENT) | Q(
        memory__status__in=[Memory.Status.ACTIVE, Memory.Status.PAUSED]
    )
    return notes.filter(kept).exists()
