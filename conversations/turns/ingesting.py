"""Storing messages of other software in a conversation, without writing an answer."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import scheduling
from conversations.learning import listening_runs, message_learning
from conversations.messages import NewMessage, append, lock_conversation
from conversations.models import Conversation, Message
from conversations.summaries import compaction

# How many messages are learned from before the response; the worker does the rest.
LEARNED_AT_ONCE = 5
# Seconds between the due times of jobs, so that the worker learns in the order of messages.
_IN_ORDER = 1e-6


@dataclass(frozen=True)
class Ingested:
    """The stored messages in the order of their drafts, and the ids of the new ones."""

    messages: list[Message]
    new: frozenset[UUID]


class DifferentMessage(ValueError):
    """Another message is stored under the client key of the draft at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def client_key(conversation_id: UUID, external_id: str) -> str:
    """Return the client key for an external id in a conversation; '' for none."""
    named = f"{conversation_id} {external_id}".encode()
    return f"ingest:{hashlib.sha256(named).hexdigest()}" if external_id else ""


def ingest(user: User, conversation_id: UUID, drafts: Sequence[NewMessage]) -> Ingested:
    """Add the messages to a conversation, all or none, and queue learning; a few are learned from
    at once.

    Drafts whose `client_key` was used are not added again. Raises DifferentMessage if such a draft
    has another role, author or text, and Conversation.DoesNotExist.
    """
    with scheduling.in_turn(conversation_id), acting_as(user):
        lock_conversation(conversation_id)
        known = _known(user, drafts)
        for position, draft in enumerate(drafts):
            there = known.get(draft.client_key)
            if there is not None and not _is_the_same(there, draft):
                raise DifferentMessage(position)
        new = [draft for draft in drafts if draft.client_key not in known]
        made = append(user, conversation_id, new) if new else []
        if made:
            _plan_the_learning(user, made)
    if len(made) <= LEARNED_AT_ONCE:
        with scheduling.working(user.pk):
            for message in made:
                message_learning.learn_now(message)
    fresh = iter(made)
    messages = [known.get(draft.client_key) or next(fresh) for draft in drafts]
    return Ingested(messages, frozenset(message.pk for message in made))


def count_unlearned(user: User, messages: Sequence[Message]) -> int:
    """Return how many of these messages are not learned from yet, in the user's transaction
    (`acting_as`).
    """
    keys = [message.pk for message in messages]
    return Message.objects.for_user(user.pk).filter(pk__in=keys, learned_at=None).count()


def _known(user: User, drafts: Sequence[NewMessage]) -> dict[str, Message]:
    keys = {draft.client_key for draft in drafts} - {""}
    rows = Message.objects.for_user(user.pk).filter(client_key__in=keys)
    return {message.client_key: message for message in rows}


def _is_the_same(message: Message, draft: NewMessage) -> bool:
    there = (message.role, message.author, message.content)
    return there == (draft.role, draft.author, draft.content)


def _plan_the_learning(user: User, made: Sequence[Message]) -> None:
    conversation: Conversation = made[0].conversation
    grace = settings.ANSWER_GRACE_SECONDS if len(made) <= LEARNED_AT_ONCE else 0.0
    due = [
        work.DueWork(message_learning.KIND, message.pk, grace + position * _IN_ORDER)
        for position, message in enumerate(made)
    ]
    work.enqueue_all(user, due)
    listening_runs.listen_soon(user, conversation)
    if compaction.has_grown(conversation):
        compaction.compact_soon(user, conversation.pk)
