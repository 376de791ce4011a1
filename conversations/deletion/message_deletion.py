"""Deleting messages: one turn, the end of a conversation, or whole conversations.

The messages of a deleted turn stay as numbered rows without content, so that numbers have no gaps;
a deleted end leaves no rows. Everything runs in the user's transaction (`acting_as`). Transactions
that are learning from the messages finish first; later ones find the messages gone.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import erased_list, work
from accounts.erased_list import Kind
from accounts.models import User, Work
from conversations import messages
from conversations.deletion import (
    conversation_plan,
    derived_texts,
    learned_only_there,
    quoted_answers,
)
from conversations.messages import as_read
from conversations.models import (
    Conversation,
    ConversationTopic,
    LearningOutcome,
    Message,
    MessageQuerySet,
    Topic,
)
from conversations.summaries import compaction
from conversations.titles import UNNAMED, is_made_of, may_change, title_from
from conversations.topics import topic_store
from ledger.models import Erasure
from memory.core.signals import messages_taken_out
from memory.core.slot_locks import lock_deletions
from memory.deletion.evidence import drop_passages, drop_summaries

State = Message.State
# How many messages are tried for another title.
_MOST_LOOKED_AT = 20
# Says of the id of a learned item whether to delete it.
Take = Callable[[UUID], bool]


def everything(_: UUID) -> bool:
    """Return True: delete every item that was learned from the messages."""
    return True


def nothing(_: UUID) -> bool:
    """Return False: keep every item that was learned from the messages."""
    return False


class BeingWritten(ValueError):
    """Raised where one of the messages to delete is an answer in progress."""

    def __init__(self) -> None:
        super().__init__("I’m still writing here. Let me finish, or press Stop, then try again.")


class ConversationContinued(ValueError):
    """Raised where the conversation has newer messages than those that the user was shown."""

    def __init__(self) -> None:
        super().__init__("There are new messages here. Check what will be deleted, then try again.")


class NotThere(ValueError):
    """Raised where the messages are already deleted."""

    def __init__(self) -> None:
        super().__init__("This message has already been deleted.")


@dataclass(frozen=True)
class DeletionScope:
    """What a deletion would remove: messages, what only they support, and optionally answers
    elsewhere that quote them.
    """

    said: list[Message]
    learned: learned_only_there.LearnedItems
    quoted_by: list[Message]
    # The answers quoting the messages that may be quoted outside of their conversation.
    quotable: frozenset[UUID] = frozenset()

    @property
    def quoting(self) -> list[tuple[Message, str, str]]:
        """The answers quoting the messages, with conversation name and text; both '' for
        confidential answers.
        """
        here = {message.conversation_id for message in self.said}
        return [
            (message, message.conversation.name, as_read(message))
            if message.pk in self.quotable or message.conversation_id in here
            else (message, "", "")
            for message in self.quoted_by
        ]


# --- What would be deleted -----------------------------------------------------------------------


def turn_of(message: Message) -> MessageQuerySet:
    """Return a question and its answer, given either of the two."""
    rows = Message.objects.beside(message)
    step = 1 if message.role == Message.Role.USER else -1
    beside = rows.filter(number=message.number + step).exclude(role=message.role)
    return rows.filter(number__in=[message.number, *beside.values_list("number", flat=True)])


def from_here_on(message: Message) -> MessageQuerySet:
    """Return a message and all later messages of its conversation."""
    rows = Message.objects.beside(message)
    return rows.filter(number__gte=message.number)


def all_of(conversation: Conversation) -> MessageQuerySet:
    """Return every message of a conversation."""
    return Message.objects.of(conversation)


def plan(
    user: User, conversation: Conversation, take: Take, take_answers: Take
) -> conversation_plan.Plan:
    """Return what deleting a whole conversation would remove; nothing is changed."""
    affected = all_of(conversation)
    return conversation_plan.plan(user, [conversation], affected, take, take_answers)


def preview(user: User, affected: MessageQuerySet, *, whole: bool = False) -> DeletionScope:
    """Return what would be deleted with these messages, in a fixed number of queries."""
    standing = affected.exclude(state=State.REMOVED).order_by("number")
    quoted_by = quoted_answers.answers_that_quote(user.pk, affected, whole=whole)
    rows = Message.objects.filter(pk__in=[message.pk for message in quoted_by])
    quotable = rows.quotable_elsewhere(user.pk).values_list("pk", flat=True)
    return DeletionScope(
        list(standing),
        learned_only_there.only_from(user.pk, affected),
        quoted_by,
        frozenset(quotable),
    )


# --- Deleting ------------------------------------------------------------------------------------


def remove_turn(user: User, message: Message, take: Take, take_answers: Take = nothing) -> None:
    """Remove the content of a turn; idempotent. `take_answers` chooses the answers quoting it to
    delete too. Raises BeingWritten, and NotThere when the message was deleted in the meantime.
    """
    affected = turn_of(message)
    (here,) = _lock(user, [message.conversation_id], affected)
    deleted = list(affected.order_by("number"))
    if message.pk not in {row.pk for row in deleted}:
        raise NotThere
    if all(row.state == State.REMOVED for row in deleted):
        return
    _see_to_answers(user, affected, deleted, take_answers)
    _empty(user, here, affected, deleted, take)


def _empty(
    user: User, here: Conversation, affected: MessageQuerySet, deleted: list[Message], take: Take
) -> None:
    """Remove everything of these messages but their numbers."""
    for message in deleted:
        erased_list.note(user.pk, Kind.MESSAGE, message.pk)
    _take_back(user, affected, take)
    affected.update(
        state=State.REMOVED,
        content="",
        metadata={},
        failure="",
        client_key="",
        history_key=None,
        exchange_key=None,
        pasted=[],
        stretches=None,
        read_up_to=None,
        recalled=[],
        steps=[],
        used_facts=[],
        used_conversations=0,
        learned_at=now(),
    )
    _tidy(here, deleted)


def cut_off(user: User, message: Message, take: Take, *, up_to: int | None = None) -> None:
    """Delete a message and all later ones; the next message gets the number of this one.

    `up_to` is the last number that the user was shown. Raises BeingWritten, ConversationContinued,
    and NotThere when the message is already deleted.
    """
    affected = from_here_on(message)
    (here,) = _lock(user, [message.conversation_id], affected)
    deleted = list(affected.order_by("number"))
    if not deleted or deleted[0].pk != message.pk or deleted[0].state == State.REMOVED:
        raise NotThere
    if up_to is not None and here.last_number != up_to:
        raise ConversationContinued
    _see_to_answers(user, affected, deleted, nothing)
    _take_back(user, affected, take)
    for row in deleted:
        erased_list.note(user.pk, Kind.MESSAGE, row.pk)
    affected.delete()
    here.last_number = message.number - 1
    _tidy(here, deleted)


def remove_conversation(
    user: User, conversation: Conversation, take: Take, take_answers: Take = nothing
) -> Erasure:
    """Delete a conversation, and the answers elsewhere that quote it and that `take_answers`
    chooses. Returns the receipt. Raises BeingWritten, and NotThere.
    """
    target = remove_conversations(user, [conversation.pk], take, take_answers)
    return conversation_plan.receipt(user, conversation.pk, target.counts, target.marks)


def remove_conversations(
    user: User, keys: Collection[UUID], take: Take, take_answers: Take = nothing
) -> conversation_plan.Plan:
    """Delete several conversations like `remove_conversation`, without a receipt. Returns what was
    removed. Raises BeingWritten, and NotThere where one does not exist.
    """
    affected = Message.objects.for_user(user.pk).filter(conversation__in=keys)
    here = _lock(user, keys, affected)
    going = conversation_plan.plan(user, here, affected, take, take_answers)
    _see_to_answers(user, affected, list(affected), take_answers, whole=True)
    _take_back(user, affected, take)
    about = ConversationTopic.objects.filter(user=user, conversation__in=keys)
    topics = list(about.values_list("topic", flat=True))
    for key in keys:
        messages_taken_out.send(Message, user_id=user.pk, conversation=key, messages=(), whole=True)
        erased_list.note(user.pk, Kind.CONVERSATION, key)
    drop_summaries(user.pk, keys)
    Work.objects.filter(user=user, subject__in=keys).delete()
    Conversation.objects.for_user(user.pk).filter(pk__in=keys).delete()
    Topic.objects.filter(user=user, pk__in=topics, conversations__isnull=True).delete()
    for part in going.parts:
        part.delete()
    return going


# --- Steps of a deletion -------------------------------------------------------------------------


def _lock(user: User, keys: Collection[UUID], affected: MessageQuerySet) -> list[Conversation]:
    """Lock the jobs that learn from these messages, then their conversations, in a fixed order. The
    jobs on the messages themselves are deleted, which voids every claim on them.
    """
    lock_deletions(user.pk)
    messages.lock_conversations(keys)
    waiting = Work.objects.select_for_update().filter(user=user)
    on_messages = list(waiting.filter(subject__in=affected.values("pk")).order_by("pk"))
    list(waiting.filter(subject__in=keys).order_by("pk"))
    here = list(Conversation.objects.all_held(user.pk, keys))
    if len(here) < len(keys):
        raise NotThere
    if affected.filter(state__in=Message.IN_PROGRESS).exists():
        raise BeingWritten
    Work.objects.filter(user=user, pk__in=[item.pk for item in on_messages]).delete()
    return here


def _see_to_answers(
    user: User,
    affected: MessageQuerySet,
    deleted: list[Message],
    take: Take,
    *,
    whole: bool = False,
) -> None:
    """Delete the answers quoting these messages that `take` chooses, and remove the deleted words
    from the steps of all other answers.
    """
    if not deleted:
        return
    quoting = quoted_answers.answers_that_quote(user.pk, affected, whole=whole)
    for answer in sorted(filter(lambda message: take(message.pk), quoting), key=_by_place):
        alone = Message.objects.for_user(user.pk).filter(pk=answer.pk)
        (there,) = _lock(user, [answer.conversation_id], alone)
        _empty(user, there, alone, [answer], nothing)
    staying = [message for message in quoting if not take(message.pk)]
    if whole:
        derived_texts.erase_quotes(staying, deleted)
        return
    later = Message.objects.for_user(user.pk).filter(
        conversation=deleted[0].conversation_id, number__gt=deleted[0].number
    )
    beside = later.exclude(pk__in=[message.pk for message in (*deleted, *quoting)]).exclude(
        steps=[]
    )
    derived_texts.erase_quotes([*staying, *beside], deleted)


def _by_place(message: Message) -> tuple[UUID, int]:
    """Return the sort key of a message: its conversation, then its number."""
    return message.conversation_id, message.number


def _take_back(user: User, affected: MessageQuerySet, take: Take) -> None:
    """Retract what was learned from the messages, and delete their passages and outcomes."""
    for here in affected.order_by().values_list("conversation", flat=True).distinct():
        keys = list(affected.filter(conversation=here).values_list("pk", flat=True))
        messages_taken_out.send(
            Message, user_id=user.pk, conversation=here, messages=keys, whole=False
        )
    learned_only_there.take_back(user, affected, take)
    drop_passages(user.pk, affected)
    LearningOutcome.objects.filter(user=user, message__in=affected).delete()


def _tidy(here: Conversation, deleted: list[Message]) -> None:
    """Remove the deleted words from the conversation's title, topics and summary."""
    here.topics_up_to = 0
    here.reflected_up_to = min(here.reflected_up_to, here.last_number)
    if any(is_made_of(here.title, message.content, message.said_at) for message in deleted):
        here.title = _another_title(here)
    here.save(update_fields=["last_number", "topics_up_to", "reflected_up_to", "title"])
    topic_store.forget_unspoken(here.user_id, here.pk)
    drop_summaries(here.user_id, [here.pk])
    for kind in _withdraw(here.user, here.pk):
        # A job that is reading the conversation starts again, without the deleted messages.
        work.enqueue(here.user, kind, here.pk, delay=settings.MEMORY["reflection_delay"])
    compaction.invalidate(here.user_id, here.pk, deleted[0].number)


def remaining_statements(conversation: Conversation) -> MessageQuerySet:
    """Return the messages of the user in a conversation that are not deleted."""
    rows = all_of(conversation).filter(role=Message.Role.USER)
    return rows.exclude(state=State.REMOVED)


def _another_title(here: Conversation) -> str:
    """Return a title from the first remaining message that gives one, else an unnamed title; '' if
    the conversation is empty.
    """
    left = remaining_statements(here).filter(confidential=False).order_by("number")
    titles = [title_from(message.content, message.said_at) for message in left[:_MOST_LOOKED_AT]]
    if titles:
        return next((title for title in titles if not may_change(title)), titles[0])
    return title_from(UNNAMED, here.started_at) if here.last_number else ""


def _withdraw(user: User, conversation_id: UUID) -> list[str]:
    """Void every claim on the conversation's jobs; return the kinds of jobs that were due."""
    waiting = Work.objects.filter(user=user, subject=conversation_id)
    kinds = list(waiting.values_list("kind", flat=True))
    waiting.delete()
    return kinds
