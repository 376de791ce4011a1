"""A turn: the message is stored first, then its answer is written once.

`begin` is one short transaction. `fill` is run by the process of the first reader, or by the worker
if nobody reads; a second reader follows the same answer.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.conf import settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations import scheduling
from conversations.client_request import ClientRequest
from conversations.deletion import message_deletion, vanishing
from conversations.learning import message_learning
from conversations.messages import (
    NewMessage,
    append,
    is_what_was_drafted,
    lock_conversation,
    name_of,
)
from conversations.models import Conversation, Message
from conversations.summaries import compaction
from conversations.turns.answer_writer import (
    Event,
    FinishedAnswer,
    Steps,
    Text,
    claim_answer,
    retry_while_database_is_away,
    write_with_retries,
)
from memory.core.slot_locks import lock_names

KIND = "answer"
State = Message.State

# Seconds between the checks of a second reader for new text of the writer; and the cost of a check
# in seconds, by which the interval grows with many answers.
LOOK_EVERY, LOOK_COSTS = 0.15, 0.001
# The same for sending text to a reader.
SHOW_EVERY, SHOW_COSTS = 0.05, 0.0005


@dataclass(frozen=True)
class Exchange:
    """A question and its answer, which may still be empty."""

    question: Message
    answer: Message
    # Whether the exchange existed already, because its key was sent again.
    replayed: bool = False


# --- Beginning -----------------------------------------------------------------------------------


class KeyTaken(ValueError):
    """Raised where another message is stored under this key."""

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used for a different message. Nothing was saved. "
            "Send it with a new key."
        )


def begin(
    user: User,
    conversation: Conversation | UUID | None,
    content: str,
    client_key: str = "",
    pasted: Sequence[str] = (),
    *,
    private: bool = False,
    temporary: bool = False,
    refuse_taken_key: bool = False,
) -> Exchange:
    """Store a message, create its empty answer, and queue the jobs for both.

    Without a conversation a new one is created: private if `private` or the user's setting says so,
    temporary if `temporary`. Repeating a `client_key` with the same message returns the existing
    exchange; with another message the key is ignored, or KeyTaken is raised if `refuse_taken_key`.
    `pasted` are the pasted parts of the content. Also raises Conversation.DoesNotExist.
    """
    conversation_id = conversation.pk if isinstance(conversation, Conversation) else conversation
    with scheduling.in_turn(conversation_id or (user.pk, client_key)):
        make = partial(make_conversation, user, private=private, temporary=temporary)
        draft = NewMessage(Message.Role.USER, content, client_key=client_key, pasted=tuple(pasted))
        return _begin(user, conversation_id, draft, make, refuse_taken_key=refuse_taken_key)


def make_conversation(user: User, *, private: bool, temporary: bool = False) -> UUID:
    """Create a conversation and return its id; a temporary one is private too."""
    private = private or temporary or PrivacySettings.of(user.pk).begins_private
    privacy = Conversation.Privacy.PRIVATE if private else Conversation.Privacy.USUAL
    conversation = Conversation.objects.create(user=user, privacy=privacy, temporary=temporary)
    if temporary:
        vanishing.expect(user, conversation)
    return conversation.pk


def _begin(
    user: User,
    conversation_id: UUID | None,
    draft: NewMessage,
    make: Callable[[], UUID],
    *,
    refuse_taken_key: bool,
) -> Exchange:
    with acting_as(user):
        _serialize(user, draft.client_key, conversation_id)
        known = _already_begun(user, draft.client_key)
        if known is not None:
            if _is_sent_again(known.question, conversation_id, draft):
                return known
            if refuse_taken_key:
                raise KeyTaken
            # Another text or conversation under a used key is not the same form sent twice.
            draft = replace(draft, client_key="")
        if conversation_id is None:
            conversation_id = make()
        return keep_exchange(user, conversation_id, draft)


def keep_exchange(
    user: User, conversation_id: UUID, draft: NewMessage, earlier: Sequence[NewMessage] = ()
) -> Exchange:
    """Add a message and its empty answer after `earlier` messages, and queue their jobs, in the
    user's transaction (`acting_as`). The caller must hold `lock_conversation`.
    """
    waiting = NewMessage(Message.Role.ASSISTANT, state=State.WAITING)
    *before, question, answer = append(user, conversation_id, [*earlier, draft, waiting])
    grace = settings.ANSWER_GRACE_SECONDS
    questions = [message for message in before if message.role == Message.Role.USER]
    unread = [message for message in (*questions, question) if message.learned_at is None]
    to_do = [work.DueWork(message_learning.KIND, message.pk, grace) for message in unread]
    work.enqueue_all(user, [*to_do, work.DueWork(KIND, answer.pk, grace)])
    return Exchange(question, answer)


def record(user: User, conversation: Conversation, draft: NewMessage) -> Message:
    """Store a message that was said elsewhere, and queue learning."""
    with scheduling.in_turn(conversation.pk), acting_as(user):
        lock_conversation(conversation.pk)
        (message,) = append(user, conversation, [draft])
        work.enqueue(user, message_learning.KIND, message.pk, delay=settings.ANSWER_GRACE_SECONDS)
        if message.number % settings.COMPACT_EVERY == 0:
            compaction.compact_soon(user, conversation.pk)
        return message


def _serialize(user: User, client_key: str, conversation_id: UUID | None = None) -> None:
    """Lock the form key and the conversation, so that equal requests run one after the other."""
    names = [f"form {user.pk} {client_key}"] if client_key else []
    if conversation_id is not None:
        names.append(name_of(conversation_id))
    if names:
        lock_names(names)


def _already_begun(user: User, client_key: str) -> Exchange | None:
    if not client_key:
        return None
    messages = Message.objects.for_user(user.pk).select_related("conversation")
    question = messages.filter(client_key=client_key).first()
    if question is None:
        return None
    answer = messages.get(conversation=question.conversation, number=question.number + 1)
    return Exchange(question, answer, replayed=True)


def _is_sent_again(question: Message, conversation_id: UUID | None, draft: NewMessage) -> bool:
    """Return whether the stored question came from the same request."""
    began = question.number == 1
    same_place = began if conversation_id is None else question.conversation_id == conversation_id
    return same_place and is_what_was_drafted(question, draft)


def retry(user: User, answer: Message) -> None:
    """Queue a cut, stopped or failed answer again; any other is left unchanged."""
    with acting_as(user):
        again = (
            Message.objects.for_user(user.pk)
            .filter(pk=answer.pk, state__in=[State.CUT, State.STOPPED, State.FAILED])
            .update(
                state=State.WAITING,
                content="",
                failure="",
                recalled=[],
                used_facts=[],
                used_conversations=0,
                steps=[],
                tokens_in=None,
                tokens_out=None,
                milliseconds=None,
            )
        )
        if again:
            compaction.invalidate(user.pk, answer.conversation_id, answer.number)
            # A writer that has not noticed the stop yet loses its claim with the job.
            work.withdraw(user, KIND, answer.pk)
            work.enqueue(user, KIND, answer.pk, delay=settings.ANSWER_GRACE_SECONDS)


class NotTheLast(ValueError):
    """Raised where newer messages follow the answer."""

    def __init__(self) -> None:
        super().__init__(
            "There are newer messages after this answer. Ask again at the end of the conversation."
        )


def regenerate(user: User, answer: Message) -> None:
    """Write the last answer of a conversation again, even if it is finished. The former text stays
    until the first words of the new one; for good if none come. Raises NotTheLast.
    """
    with acting_as(user):
        conversations = Conversation.objects.for_user(user.pk).select_for_update(no_key=True)
        if not conversations.filter(pk=answer.conversation_id, last_number=answer.number).exists():
            raise NotTheLast
        stands = Message.objects.for_user(user.pk).filter(pk=answer.pk, state=State.DONE)
        if stands.update(state=State.WAITING, failure=""):
            compaction.invalidate(user.pk, answer.conversation_id, answer.number)
            work.enqueue(user, KIND, answer.pk, delay=settings.ANSWER_GRACE_SECONDS)
        else:
            retry(user, answer)


def resend(
    user: User,
    question: Message,
    content: str,
    client_key: str = "",
    pasted: Sequence[str] = (),
    *,
    up_to: int | None = None,
) -> Exchange:
    """Replace a message: delete it, all later messages, and what was learned only from these; then
    send the new text.

    `up_to` is the last message number that the user was shown. Raises the exceptions of
    message_deletion.cut_off.
    """
    with scheduling.in_turn(question.conversation_id), acting_as(user):
        _serialize(user, client_key)
        known = _already_begun(user, client_key)
        before = [question.content[start:end] for start, end in question.pasted]
        draft = NewMessage(Message.Role.USER, content, pasted=(*before, *pasted))
        if known and _is_sent_again(known.question, question.conversation_id, draft):
            return known
        message_deletion.cut_off(user, question, message_deletion.everything, up_to=up_to)
        return begin(user, question.conversation, content, client_key, draft.pasted)


def stop(user: User, answer: Message) -> None:
    """Stop an answer in progress; its text so far stays.

    The writer notices within `streaming_answer.SAVE_EVERY` seconds. A regenerated answer without
    new words keeps its former text.
    """
    with acting_as(user):
        rows = Message.objects.for_user(user.pk).filter(pk=answer.pk)
        rows.filter(state=State.WAITING).exclude(content="").update(state=State.DONE)
        rows.filter(state__in=Message.IN_PROGRESS).update(state=State.STOPPED)


# --- Writing or following an answer --------------------------------------------------------------


def fill(
    user_id: UUID,
    answer_id: UUID,
    disconnected: threading.Event | None = None,
    client: ClientRequest | None = None,
) -> Iterator[Event]:
    """Write the answer, with the wishes of `client`, or follow its writer; yield its events.

    Ends with FinishedAnswer, unless the answer was deleted. After `disconnected` is set only the
    following ends: a begun answer is written to its end.
    """
    while True:
        taken = retry_while_database_is_away(
            lambda: claim_answer(user_id, lambda: work.claim_here(user_id, KIND, answer_id))
        )
        if taken is not None:
            if client is not None:
                taken = replace(taken, client=client)
            if (yield from write_with_retries(taken)):
                return
            continue
        try:
            for event in _follow(user_id, answer_id, disconnected):
                yield event
                if isinstance(event, FinishedAnswer):
                    return
        except Message.DoesNotExist:
            return
        if disconnected is not None and disconnected.is_set():
            return


def write(user_id: UUID, answer_id: UUID, client: ClientRequest | None = None) -> Event | None:
    """Write the answer, or wait for its writer; return the last event, None if it was deleted."""
    last = None
    with scheduling.working(user_id):
        for event in fill(user_id, answer_id, client=client):
            last = event
    return last


def without_replaced_texts(events: Iterator[Event]) -> Iterator[Event]:
    """Yield the events without texts that are replaced within `SHOW_EVERY` seconds."""
    held_back: Text | None = None
    at = 0.0
    for event in events:
        if isinstance(event, Text):
            now = time.monotonic()
            if now - at < scheduling.spaced(SHOW_EVERY, SHOW_COSTS):
                held_back = event
                continue
            at = now
        elif held_back is not None:
            yield held_back
        held_back = None
        yield event
    if held_back is not None:
        yield held_back


def answer_unattended(claim: work.Claim) -> None:
    """Worker entry point: write an answer that nobody reads at the moment."""
    taken = claim_answer(claim.user_id, lambda: claim)
    for _ in write_with_retries(taken) if taken is not None else ():
        pass


def _follow(
    user_id: UUID, answer_id: UUID, disconnected: threading.Event | None
) -> Iterator[Event]:
    """Yield what another process writes; return after a while, to let the caller try to claim."""
    seen, steps = "", 0
    until = time.monotonic() + settings.WORK_LEASE_SECONDS / 4
    while time.monotonic() < until and not (disconnected is not None and disconnected.is_set()):
        with acting_as(user_id):
            answer = Message.objects.for_user(user_id).get(pk=answer_id)
        if not answer.in_progress:
            yield FinishedAnswer(answer)
            return
        if len(answer.steps) != steps:
            steps = len(answer.steps)
            yield Steps(answer.steps)
        if answer.content != seen:
            seen = answer.content
            yield Text(seen)
        with scheduling.waiting():
            time.sleep(scheduling.spaced(LOOK_EVERY, LOOK_COSTS))
