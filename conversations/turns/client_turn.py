"""Beginning a turn for a client that sends its whole history with each request. The rules are in
docs/api.md, the reasons in docs/decisions/0067-recognising-histories.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import scheduling
from conversations.learning import message_learning
from conversations.messages import NewMessage, UnfitText, fit, keepable, lock_conversation
from conversations.models import Conversation, Message
from conversations.turns import turn
from conversations.turns.client_history import (
    MemoryMode,
    SentMessage,
    StoredHistory,
    exchange_key,
    is_same_text,
    keys_of,
)
from conversations.turns.turn import Exchange
from memory.core.slot_locks import lock_names

Role = Message.Role
# For so long, sending the first message of a conversation again regenerates its answer; later it
# begins a new conversation.
FIRST_AGAIN = timedelta(minutes=10)
# How many messages of a new history are learned from before the answer; the rest after it.
MOST_READ_AHEAD = 60
_APART = timedelta(seconds=1)


class ConversationWentOn(ValueError):
    """Raised where the named conversation has messages that are missing in the client's history."""

    def __init__(self) -> None:
        super().__init__(
            "This conversation has newer messages than the history you sent. Read them, or leave "
            "the conversation out to start a new one from this history."
        )


class NotPrivate(ValueError):
    """Raised where read-only memory was requested in a conversation that is learned from."""

    def __init__(self) -> None:
        super().__init__(
            "Read-only memory works only in conversations that Throughline doesn’t learn from. "
            "Leave the conversation out, or make it private first."
        )


@dataclass(frozen=True)
class ClientTurn:
    """A request to answer the last message of `history`, which is the user's. goes_on: whether the
    client sends results of its tools for this answer.
    """

    history: Sequence[SentMessage]
    mode: MemoryMode = MemoryMode.ON
    conversation_id: UUID | None = None
    goes_on: bool = False


@dataclass(frozen=True)
class _Place:
    """The conversation of the new message; `again`: the stored message to answer again instead."""

    conversation_id: UUID
    again: Message | None = None


def begin(user: User, request: ClientTurn) -> Exchange:
    """Store the message to answer, in the conversation that its history belongs to.

    If the last message is repeated, its answer is regenerated. A history that is not stored, or was
    changed, begins a new conversation. Two equal concurrent requests count as one. Raises
    UnfitText, Conversation.DoesNotExist, ConversationWentOn and NotPrivate.
    """
    text = fit(request.history[-1].text)
    name = f"history {user.pk} {keys_of(request.history, request.mode)[-1]}"
    with scheduling.in_turn(name), acting_as(user):
        lock_names([name])
        exchange = _begin(user, request, text)
        unread = Message.objects.beside(exchange.question).filter(
            role=Role.USER, learned_at=None, number__lt=exchange.question.number
        )
        brought = list(unread.order_by("number")[:MOST_READ_AHEAD])
    for message in brought:
        message_learning.learn_now(message)
    return exchange


def _begin(user: User, request: ClientTurn, text: str) -> Exchange:
    stored = _stored(user, request)
    place = _place_of(user, request, stored)
    if place is not None:
        lock_conversation(place.conversation_id)
        # Looked up again under the lock: messages may have been added in the meantime.
        stored = _stored(user, request)
        place = _place_of(user, request, stored)
    if place is not None and place.again is not None:
        return _ask_again(user, place.again)
    draft = NewMessage(Role.USER, text, history_key=stored.key)
    if place is not None:
        return turn.keep_exchange(user, place.conversation_id, draft)
    return _begin_conversation(user, request, stored, draft)


def _stored(user: User, request: ClientTurn) -> StoredHistory:
    messages = Message.objects.for_user(user.pk)
    if request.conversation_id is not None:
        messages = messages.filter(conversation_id=request.conversation_id)
    return StoredHistory.of(messages, request.history, request.mode)


def _place_of(user: User, request: ClientTurn, stored: StoredHistory) -> _Place | None:
    """Return the place in the named conversation, or in the one with this history; None if there is
    none.
    """
    again = stored.asked_last()
    if request.conversation_id is not None:
        return _place_in(user, request, request.conversation_id, stored)
    if again is not None and (len(request.history) > 1 or _is_first_again(request, again)):
        return _Place(again.conversation_id, again)
    before = stored.last_before()
    return None if before is None else _Place(before.conversation_id)


def _is_first_again(request: ClientTurn, first: Message) -> bool:
    recent = now() - first.said_at < FIRST_AGAIN
    return request.goes_on or recent or _answer_to(first).in_progress


def _place_in(user: User, request: ClientTurn, key: UUID, stored: StoredHistory) -> _Place:
    """Return the place in a named conversation, whatever its history is. Raises NotPrivate and
    ConversationWentOn.
    """
    rows = Conversation.objects.for_user(user.pk)
    conversation = rows.get(pk=key)
    private = conversation.privacy == Conversation.Privacy.PRIVATE
    if request.mode is MemoryMode.READ_ONLY and not private:
        raise NotPrivate
    again = stored.asked_last() if len(request.history) > 1 else None
    again = again or _being_answered(conversation, request)
    if again is None and stored.last_before() is None and stored.is_earlier():
        raise ConversationWentOn
    return _Place(conversation.pk, again)


def _being_answered(conversation: Conversation, request: ClientTurn) -> Message | None:
    """Return the last question of the conversation if it equals the message to answer and its
    answer is in progress; else None.
    """
    number = conversation.last_number - 1
    last = Message.objects.of(conversation).filter(number=number, role=Role.USER).first()
    if last is None or not is_same_text(last.content, request.history[-1].text):
        return None
    return last if request.goes_on or _answer_to(last).in_progress else None


def _answer_to(question: Message) -> Message:
    return Message.objects.beside(question).get(number=question.number + 1)


def _ask_again(user: User, question: Message) -> Exchange:
    """Regenerate the last answer, unless it is still being written. Raises ConversationWentOn."""
    answer = _answer_to(question)
    if answer.in_progress:
        return Exchange(question, answer, replayed=True)
    try:
        turn.regenerate(user, answer)
    except turn.NotTheLast:
        raise ConversationWentOn from None
    return Exchange(question, answer)


def _begin_conversation(
    user: User, request: ClientTurn, stored: StoredHistory, draft: NewMessage
) -> Exchange:
    """Create a conversation with the whole history. Messages that are already stored elsewhere are
    not learned from again.
    """
    messages = Message.objects.for_user(user.pk)
    others = [
        StoredHistory.of(messages, request.history, mode)
        for mode in (MemoryMode.ON, MemoryMode.READ_ONLY)
        if mode is not request.mode
    ]
    known = [
        next((row for finder in (stored, *others) if (row := finder.row_of(position))), None)
        for position in range(len(request.history))
    ]
    earlier = [
        NewMessage(
            message.role,
            _storable_text(message),
            said_at=now() - (len(request.history) - position) * _APART,
            history_key=stored.keys[position],
            exchange_key=_exchange_key(request.history, position),
            repeats=known[position],
        )
        for position, message in enumerate(request.history[:-1])
    ]
    if earlier:
        draft = replace(draft, repeats=known[-1])
    draft = replace(draft, history_key=stored.keys[-1])
    key = turn.make_conversation(user, private=request.mode is MemoryMode.READ_ONLY)
    exchange = turn.keep_exchange(user, key, draft, earlier)
    repeated = next((at for at, row in enumerate(known[:-1]) if row is None), len(earlier))
    # A model reads only the messages after the repeated ones.
    Conversation.objects.for_user(user.pk).filter(pk=key).update(reflected_up_to=repeated)
    return exchange


def _exchange_key(history: Sequence[SentMessage], position: int) -> UUID | None:
    """Return the exchange key of an answer and its question; None for any other message."""
    if position == 0 or history[position].role != Role.ASSISTANT:
        return None
    return exchange_key(history[position - 1].text, history[position].text)


def _storable_text(message: SentMessage) -> str:
    """Return a message of the history as it is stored, with unsuitable characters replaced."""
    try:
        return fit(keepable(message.text))
    except UnfitText as unfit:
        return unfit.mended.strip()[: settings.MESSAGE_MAX_LENGTH]
