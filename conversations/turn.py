"""A turn: the message is safe before anything else, then the answer is written once.

`begin` is one short transaction. `fill` is claimed by whoever has the reader on the line, and by
the worker when nobody has; a second reader follows what is being written and never starts another.
"""

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist

from accounts import work
from accounts.connections import release_connection
from accounts.isolation import acting_as
from accounts.models import User
from conversations import (
    compaction,
    consent,
    deletion,
    growing,
    learning,
    prompt,
    responder,
    scheduling,
)
from conversations.growing import Growing
from conversations.llm import ModelFailure
from conversations.messages import Draft, append
from conversations.models import Conversation, Message
from conversations.tools.steps import Step
from memory import locks

log = structlog.get_logger(__name__)
KIND = "answer"
State = Message.State

# How often a second reader looks for what the first one's process has written, in seconds.
# With many at once it is more: what one look costs is told beside it, in seconds.
LOOK_EVERY, LOOK_COSTS = 0.15, 0.001
# The same for a text on its way to a reader, who need not see every letter come.
SHOW_EVERY, SHOW_COSTS = 0.05, 0.0005
HALF_WAY = "The reply stopped half way. Your message is safe."
TROUBLE = "Something went wrong on my side. Your message is safe."


@dataclass(frozen=True)
class Exchange:
    """What a person said, and the place where the answer goes."""

    question: Message
    answer: Message


@dataclass(frozen=True)
class Text:
    """The whole answer so far."""

    so_far: str


@dataclass(frozen=True)
class Steps:
    """What was looked up for the answer so far, as it is kept."""

    so_far: list[dict[str, Any]]


@dataclass(frozen=True)
class Finished:
    """The answer as it was kept: done, cut, stopped or failed."""

    answer: Message


Event = Text | Steps | Finished


# --- Beginning -----------------------------------------------------------------------------------


def begin(
    user: User,
    conversation: Conversation | None,
    content: str,
    client_key: str = "",
    pasted: Sequence[str] = (),
    *,
    private: bool = False,
) -> Exchange:
    """Keep what was said, reserve the answer's place, and write down the work both need.

    With no conversation a new one is made, private from its first word if that is wished. The same
    `client_key` again returns the exchange that the first one made. `pasted` are stretches of the
    content that the page saw being pasted.
    """
    with scheduling.in_turn(conversation.pk if conversation else (user.pk, client_key)):
        return _begin(user, conversation, content, client_key, pasted, private=private)


def _begin(
    user: User,
    conversation: Conversation | None,
    content: str,
    client_key: str,
    pasted: Sequence[str],
    *,
    private: bool,
) -> Exchange:
    with acting_as(user):
        _one_at_a_time(user, client_key)
        known = _already_begun(user, client_key)
        if known is not None:
            if known.question.content == content:
                return known
            # Other words under a used key are not the same form sent twice.
            client_key = ""
        if conversation is None:
            privacy = Conversation.Privacy.PRIVATE if private else Conversation.Privacy.USUAL
            conversation = Conversation.objects.create(user=user, privacy=privacy)
        question, answer = append(
            user,
            conversation,
            [
                Draft(Message.Role.USER, content, client_key=client_key, pasted=tuple(pasted)),
                Draft(Message.Role.ASSISTANT, state=State.WAITING),
            ],
        )
        work.enqueue(user, learning.KIND, question.pk, delay=settings.ANSWER_GRACE_SECONDS)
        work.enqueue(user, KIND, answer.pk, delay=settings.ANSWER_GRACE_SECONDS)
        return Exchange(question, answer)


def record(user: User, conversation: Conversation, draft: Draft) -> Message:
    """Keep a message that was said elsewhere, and write down that it is to be learned from."""
    with scheduling.in_turn(conversation.pk), acting_as(user):
        (message,) = append(user, conversation, [draft])
        work.enqueue(user, learning.KIND, message.pk, delay=settings.ANSWER_GRACE_SECONDS)
        if message.number % settings.COMPACT_EVERY == 0:
            compaction.compact_soon(user, conversation.pk)
        return message


def _one_at_a_time(user: User, client_key: str) -> None:
    """Let the second of two equal forms wait for the first to be kept."""
    if client_key:
        locks.hold([f"form {user.pk} {client_key}"])


def _already_begun(user: User, client_key: str) -> Exchange | None:
    if not client_key:
        return None
    messages = Message.objects.for_user(user.pk).select_related("conversation")
    question = messages.filter(client_key=client_key).first()
    if question is None:
        return None
    return Exchange(
        question,
        messages.get(conversation=question.conversation, number=question.number + 1),
    )


def retry(user: User, answer: Message) -> None:
    """Ask for a cut, stopped or failed answer once more. Does nothing for one that stands."""
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
            compaction.make_anew(user.pk, answer.conversation_id, answer.number)
            # A writer that has not yet noticed the stop loses its claim with the row.
            work.withdraw(user, KIND, answer.pk)
            work.enqueue(user, KIND, answer.pk, delay=settings.ANSWER_GRACE_SECONDS)


class NotTheLast(ValueError):
    """Something was said after it."""

    def __init__(self) -> None:
        super().__init__("The conversation went on after this answer. Ask again at its end.")


def regenerate(user: User, answer: Message) -> None:
    """Have the last answer of a conversation written once more, also one that stands.

    What stands is there until the first words of the new one, and for good when none come.
    Raises NotTheLast.
    """
    with acting_as(user):
        talks = Conversation.objects.for_user(user.pk).select_for_update(no_key=True)
        if not talks.filter(pk=answer.conversation_id, last_number=answer.number).exists():
            raise NotTheLast
        stands = Message.objects.for_user(user.pk).filter(pk=answer.pk, state=State.DONE)
        if stands.update(state=State.WAITING, failure=""):
            compaction.make_anew(user.pk, answer.conversation_id, answer.number)
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
    """Say something else in the place of what was said: that goes, with all after it and with what
    was learned from nothing else.

    `up_to` is the last number that its owner was shown. Raises what deletion.cut_off does.
    """
    with scheduling.in_turn(question.conversation_id), acting_as(user):
        _one_at_a_time(user, client_key)
        known = _already_begun(user, client_key)
        if known is not None and known.question.content == content:
            return known
        deletion.cut_off(user, question, deletion.everything, up_to=up_to)
        before = [question.content[start:end] for start, end in question.pasted]
        return begin(user, question.conversation, content, client_key, [*before, *pasted])


def stop(user: User, answer: Message) -> None:
    """Stop an answer in progress; what came stays. The writer notices within growing.SAVE_EVERY.

    Of one that is written anew, the former stands until the first words of the new one came.
    """
    with acting_as(user):
        mine = Message.objects.for_user(user.pk).filter(pk=answer.pk)
        mine.filter(state=State.WAITING).exclude(content="").update(state=State.DONE)
        mine.filter(state__in=Message.IN_PROGRESS).update(state=State.STOPPED)


# --- Filling -------------------------------------------------------------------------------------


def fill(user_id: UUID, answer_id: UUID, gone: threading.Event | None = None) -> Iterator[Event]:
    """Write the answer, or follow whoever writes it; ends with Finished, and without it when its
    owner has let the answer's place go meanwhile.

    A reader who goes away (`gone`) ends only their own following: an answer that was begun is
    written to its end, and is there when they come back.
    """
    while True:
        held = work.claim(user_id, KIND, answer_id)
        if held is not None:
            if (yield from _write_patiently(held)):
                return
            continue
        try:
            for event in _follow(user_id, answer_id, gone):
                yield event
                if isinstance(event, Finished):
                    return
        except Message.DoesNotExist:
            return
        if gone is not None and gone.is_set():
            return


def write(user_id: UUID, answer_id: UUID) -> None:
    """Have the answer written, or wait until whoever writes it is done; nobody reads along."""
    with scheduling.working(user_id):
        for _ in fill(user_id, answer_id):
            pass


def shown(events: Iterator[Event]) -> Iterator[Event]:
    """The same, without the texts that another takes the place of before they are seen."""
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


def answer_unattended(held: work.Claim) -> None:
    """The worker's way in: nobody is reading, and the answer is owed all the same."""
    for _ in _write_patiently(held):
        pass


def _follow(user_id: UUID, answer_id: UUID, gone: threading.Event | None) -> Iterator[Event]:
    """Show what another process writes; returns after a lease's time to let the caller claim."""
    seen, steps = "", 0
    until = time.monotonic() + settings.WORK_LEASE_SECONDS / 4
    while time.monotonic() < until and not (gone is not None and gone.is_set()):
        with acting_as(user_id):
            answer = Message.objects.for_user(user_id).get(pk=answer_id)
        if not answer.in_progress:
            yield Finished(answer)
            return
        if len(answer.steps) != steps:
            steps = len(answer.steps)
            yield Steps(answer.steps)
        if answer.content != seen:
            seen = answer.content
            yield Text(seen)
        with scheduling.waiting():
            time.sleep(scheduling.spaced(LOOK_EVERY, LOOK_COSTS))


def _write_patiently(held: work.Claim) -> Generator[Event, None, bool]:
    """Begin anew when the database goes away before the first word; after growing.PATIENCE the
    error goes on, and the work stays written down. False when another has taken over meanwhile.
    """
    give_up = time.monotonic() + growing.PATIENCE
    begun = False
    while True:
        try:
            if begun and not work.renew(held):
                return False
            begun = True
            yield from _write(held)
            return True
        except Exception as error:
            release_connection()
            if not work.is_the_databases(error) or time.monotonic() > give_up:
                raise
            with scheduling.waiting():
                time.sleep(1)


def _write(held: work.Claim) -> Iterator[Event]:
    answer = _open(held)
    if answer is None:
        return
    if not answer.in_progress:
        yield Finished(answer)
        return
    draft = Growing(held, answer)
    try:
        question = _question_of(answer)
        learning.learn_now(question)
        compaction.catch_up(question)
        with acting_as(held.user_id):
            asked = prompt.build(question)
        with work.keeping(held), closing(responder.stream(asked, draft)) as pieces:
            for piece in pieces:
                draft.add(piece)
                yield Steps(draft.steps) if isinstance(piece, Step) else Text(draft.text)
                if not draft.save_when_due():
                    break
        draft.end(State.DONE)
        with acting_as(held.user_id):
            consent.let_go_of_earlier(draft.answer)
    except ModelFailure as failure:
        draft.end(State.CUT if draft.text else State.FAILED, failure.words)
    except ObjectDoesNotExist:
        draft.end(State.CUT if draft.text else State.FAILED, TROUBLE)
        if not draft.gone:
            log.exception("answer_failed", message=str(answer.pk))
    except Exception as error:
        log.exception("answer_failed", message=str(answer.pk))
        _raise_what_can_wait(error, draft)
        draft.end(State.CUT if draft.text else State.FAILED, TROUBLE)
    release_connection()
    if not draft.gone:
        yield Finished(draft.answer)


def _raise_what_can_wait(error: Exception, draft: Growing) -> None:
    """A database that is away before the first word costs nothing but time."""
    if work.is_the_databases(error) and not draft.text:
        raise error


def _open(held: work.Claim) -> Message | None:
    """Load the answer's place and mark it as being written; None when it is gone.

    A place that already has text was left by a process that died: it keeps the text and is cut.
    One that has text and waits is to be written anew: it waits until the first words come.
    """
    with acting_as(held.user_id):
        rows = Message.objects.for_user(held.user_id).select_for_update()
        answer = rows.filter(pk=held.subject).first()
        if answer is None:
            work.finish(held)
            return None
        if answer.state == State.WRITING and answer.content:
            answer.state, answer.failure = State.CUT, HALF_WAY
        elif answer.in_progress and not answer.content:
            # Steps of one that died before its first word are taken anew: they only looked.
            answer.state, answer.steps = State.WRITING, []
        if not answer.in_progress:
            work.finish(held)
        answer.save(update_fields=["state", "failure", "steps"])
        return answer


def _question_of(answer: Message) -> Message:
    with acting_as(answer.user_id):
        return (
            Message.objects.for_user(answer.user_id)
            .select_related("conversation", "user")
            .get(conversation_id=answer.conversation_id, number=answer.number - 1)
        )
