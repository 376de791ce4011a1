"""How private a conversation is, and what becoming private does to what was said in it."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from accounts import audit
from accounts.audit import Deed
from conversations import summaries, topics
from conversations.models import Conversation, Message, Note
from conversations.titles import is_made_of, title_from
from memory import summing_up
from memory.models import ProfileFact

# What a note of these kinds tells of was learned, and is known in other conversations.
_LEARNED = (Note.Kind.STORED, Note.Kind.REINFORCED, Note.Kind.MEMORY)


def choose(conversation: Conversation, privacy: str) -> None:
    """Save its owner's choice, in their open block. The same again is nothing.

    What was said in a private conversation is quoted in no other, before and after the choice, and
    stays so. What was learned before stays learned. Raises ValueError for no such choice.
    """
    wanted = Conversation.Privacy(privacy)
    if conversation.privacy == wanted:
        return
    before = Conversation.Privacy(conversation.privacy)
    conversation.privacy = wanted
    conversation.save(update_fields=["privacy"])
    if wanted == Conversation.Privacy.PRIVATE:
        said = Message.objects.for_user(conversation.user_id).filter(conversation=conversation)
        said.update(confidential=True)
        summing_up.drop(conversation.user_id, conversation.pk)
        topics.forget(conversation.user_id, conversation.pk)
        first = said.order_by("number").first()
        if first is not None:
            hide_the_title(conversation, first)
    audit.record(
        conversation.user_id,
        Deed.ALLOWED,
        subject=conversation.pk,
        conversation=conversation.pk,
        before=before.label,
        after=wanted.label,
        why="Chosen for one conversation",
    )


def keep_here(*, fact: ProfileFact, **kwargs: Any) -> None:
    """What says this fact is quoted in its own conversation only, and stays so."""
    rows = Message.objects.for_user(fact.user_id).filter(mention__fact=fact)
    for message in rows.select_related("conversation", "user"):
        message.confidential = True
        message.save(update_fields=["confidential"])
        hide_the_title(message.conversation, message)
        summing_up.drop(fact.user_id, message.conversation_id)
        summaries.summarise_soon(message.user, message.conversation)
        topics.look_soon(message.user, message.conversation_id)


def keep_erased_here(*, user_id: UUID, messages: Collection[UUID], **kwargs: Any) -> None:
    """What says something that was erased, or has its words, is quoted in its own conversation
    only, and is read for notes no more; what sums it up is made anew without it.
    """
    rows = Message.objects.for_user(user_id).filter(pk__in=messages)
    found = list(rows.only("conversation", "content", "said_at"))
    talks = Conversation.objects.for_user(user_id).filter(
        pk__in={message.conversation_id for message in found}
    )
    # Whoever is just writing down a second look at one of them is waited for.
    talks = talks.select_related("user").order_by("pk")
    held = {talk.pk: talk for talk in talks.select_for_update(no_key=True, of=("self",))}
    rows.update(confidential=True)
    for message in found:
        if message.conversation_id in held:
            hide_the_title(held[message.conversation_id], message)
    for key in summing_up.drop_all(user_id, held):
        summaries.summarise_soon(held[key].user, held[key])


def hide_the_title(conversation: Conversation, message: Message) -> None:
    """A title made of confidential words would stand wherever the conversation is named. What
    stands instead tells nothing, and is told from others by its number.
    """
    if is_made_of(conversation.title, message.content, message.said_at):
        theirs = Conversation.objects.for_user(conversation.user_id)
        name = theirs.next_called("Only between us")
        conversation.title = title_from(name, message.said_at)
        conversation.save(update_fields=["title"])


def taught(conversation: Conversation) -> bool:
    """Whether something was learned from it that is known in other conversations."""
    notes = Note.objects.filter(user_id=conversation.user_id, message__conversation=conversation)
    return notes.filter(kind__in=_LEARNED).exists()
