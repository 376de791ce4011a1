"""A turn: the message is safe before anything else, then the answer is written once.

`begin` is one short transaction. `fill` is claimed by whoever has the reader on the line, and by
the worker when nobody has; a second reader follows what is being written and never starts another.
"""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import F

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
from conversations.messages import Draft, append, hold, name_of
from conversations.models import Conversation, Message, Note
from conversations.prompt import Prompt
from conversations.tools.steps import Step
from memory import locks

log = structlog.get_logger(__name__)
KIND = "answer"
State = Message.State
T = TypeVar("T")

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
    """The answer as it was kept: done, cut, stopped or failed; its question and what was noted
    from that, where they were just read.
    """

    answer: Message
    question: Message | None = None
    notes: list[Note] | None = None


Event = Text | Steps | Finished


# --- Beginning -----------------------------------------------------------------------------------


def begin(
    user: User,
    conversation: Conversation | UUID | None,
    content: str,
    client_key: str = "",
    pasted: Sequence[str] = (),
    *,
    private: bool = False,
) -> Exchange:
    """Keep what was said, reserve the answer's place, and write down the work both need.

    With no conversation a new one is made, private from its first word if that is wished. The same
    `client_key` again returns the exchange that the first one made. `pasted` are stretches of the
    content that the page saw being pasted. Raises Conversation.DoesNotExist.
    """
    talk = conversation.pk if isinstance(conversation, Conversation) else conversation
    with scheduling.in_turn(talk or (user.pk, client_key)):
        return _begin(user, conversation, content, client_key, pasted, private=private)


def _begin(
    user: User,
    conversation: Conversation | UUID | None,
    content: str,
    client_key: str,
    pasted: Sequence[str],
    *,
    private: bool,
) -> Exchange:
    talk = conversation.pk if isinstance(conversation, Conversation) else conversation
    with acting_as(user):
        _one_at_a_time(user, client_key, talk)
        known = _already_begun(user, client_key)
        if known is not None:
            if known.question.content == content:
                return known
            # Other words under a used key are not the same form sent twice.
            client_key = ""
        if talk is None:
            privacy = Conversation.Privacy.PRIVATE if private else Conversation.Privacy.USUAL
            talk = Conversation.objects.create(user=user, privacy=privacy).pk
        question, answer = append(
            user,
            talk,
            [
                Draft(Message.Role.USER, content, client_key=client_key, pasted=tuple(pasted)),
                Draft(Message.Role.ASSISTANT, state=State.WAITING),
            ],
        )
        grace = settings.ANSWER_GRACE_SECONDS
        to_do = [work.Due(learning.KIND, question.pk, grace), work.Due(KIND, answer.pk, grace)]
        work.enqueue_all(user, to_do)
        return Exchange(question, answer)


def record(user: User, conversation: Conversation, draft: Draft) -> Message:
    """Keep a message that was said elsewhere, and write down that it is to be learned from."""
    with scheduling.in_turn(conversation.pk), acting_as(user):
        hold(conversation.pk)
        (message,) = append(user, conversation, [draft])
        work.enqueue(user, learning.KIND, message.pk, delay=settings.ANSWER_GRACE_SECONDS)
        if message.number % settings.COMPACT_EVERY == 0:
            compaction.compact_soon(user, conversation.pk)
        return message


def _one_at_a_time(user: User, client_key: str, talk: UUID | None = None) -> None:
    """Let the second of two equal forms wait for the first to be kept, and what is said in a
    conversation for what was said before it.
    """
    names = [f"form {user.pk} {client_key}"] if client_key else []
    if talk is not None:
        names.append(name_of(talk))
    if names:
        locks.hold(names)


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
        taken = _patiently(
            lambda: _take(user_id, lambda: work.claim_here(user_id, KIND, answer_id))
        )
        if taken is not None:
            if (yield from _write_patiently(taken)):
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


def write(user_id: UUID, answer_id: UUID) -> Event | None:
    """Have the answer written, or wait until whoever writes it is done; nobody reads along.

    Returns what was said of it last; None where its place is gone.
    """
    last = None
    with scheduling.working(user_id):
        for event in fill(user_id, answer_id):
            last = event
    return last


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
    taken = _take(held.user_id, lambda: held)
    for _ in _write_patiently(taken) if taken is not None else ():
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


# --- Taking it up --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Taken:
    """An answer's place that is ours to fill, what it answers, and whether that was noted from."""

    held: work.Claim
    answer: Message
    question: Message
    noted: bool


def _take(user_id: UUID, claim: Callable[[], work.Claim | None]) -> _Taken | None:
    """Claim the answer and learn from its question, in one transaction; None when there is nothing
    to claim. Where the learning fails, it is claimed without: the worker learns later.
    """
    try:
        with acting_as(user_id):
            taken = _open(claim())
            if taken is not None and taken.answer.in_progress:
                taken = replace(taken, noted=learning.learn_here(taken.question))
            return taken
    except learning.PutOff:
        with acting_as(user_id):
            return _open(claim())


def _open(held: work.Claim | None) -> _Taken | None:
    """Load what was claimed; None where that is nothing, or its place is gone.

    A place that already has text was left by a process that died: it keeps the text and is cut.
    One that has text and waits is to be written anew: it waits until the first words come.
    """
    if held is None:
        return None
    both = _with_its_question(held)
    if both is None:
        work.finish(held)
        return None
    question, answer = both
    if answer.state == State.WRITING and answer.content:
        rows = Message.objects.for_user(held.user_id).filter(pk=answer.pk, state=State.WRITING)
        rows.update(state=State.CUT, failure=HALF_WAY)
        answer.refresh_from_db(fields=["state", "failure"])
    if not answer.in_progress:
        work.finish(held)
    return _Taken(held, answer, question, noted=True)


def _with_its_question(held: work.Claim) -> tuple[Message, Message] | None:
    """The question and the answer that is claimed, with what both belong to."""
    place = F("conversation__messages__number")
    found = Message.objects.for_user(held.user_id).filter(
        conversation__messages=held.subject, number__range=(place - 1, place)
    )
    both = list(found.select_related("conversation", "user").order_by("number"))
    if len(both) < 2:
        return None
    question, answer = both
    answer.conversation, answer.user = question.conversation, question.user
    return question, answer


# --- Writing it ----------------------------------------------------------------------------------


def _patiently(deed: Callable[[], T]) -> T:
    """What comes of it, begun anew while the database is away; after growing.PATIENCE the error
    goes on, and the work stays written down.
    """
    give_up = time.monotonic() + growing.PATIENCE
    while True:
        try:
            return deed()
        except work.DATABASE_AWAY as error:
            _wait_or_raise(error, give_up)


def _write_patiently(taken: _Taken) -> Generator[Event, None, bool]:
    """Begin anew when the database goes away before the first word; after growing.PATIENCE the
    error goes on, and the work stays written down. False when another has taken over meanwhile.
    """
    give_up = time.monotonic() + growing.PATIENCE
    begun = False
    while True:
        try:
            if begun and not work.renew(taken.held):
                return False
            begun = True
            yield from _write(taken)
            return True
        except work.DATABASE_AWAY as error:
            _wait_or_raise(error, give_up)


def _wait_or_raise(error: Exception, give_up: float) -> None:
    release_connection()
    if not work.is_the_databases(error) or time.monotonic() > give_up:
        raise error
    with scheduling.waiting():
        time.sleep(1)


def _write(taken: _Taken) -> Iterator[Event]:
    held, answer, question = taken.held, taken.answer, taken.question
    if not answer.in_progress:
        yield Finished(answer, question)
        return
    draft = Growing(held, answer, question)
    try:
        compaction.catch_up(question)
        asked = _at_once(taken, draft)
        if asked is None:
            if draft.steps:
                yield Steps(draft.steps)
            yield Text(draft.text)
        else:
            yield from _as_it_comes(asked, taken, draft)
            draft.end(State.FAILED if draft.failed else State.DONE, draft.failed)
        if consent.asks(draft.answer):
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
        yield Finished(draft.answer, question, draft.notes)


def _raise_what_can_wait(error: Exception, draft: Growing) -> None:
    """A database that is away before the first word costs nothing but time."""
    if work.is_the_databases(error) and not draft.text:
        raise error


def _at_once(taken: _Taken, draft: Growing) -> Prompt | None:
    """The notebook's answer, whole: the transaction that reads what it is made of keeps it too.

    Where a model is to answer, what it is to be given.
    """

    def write(asked: Prompt) -> Prompt | None:
        pieces = responder.from_the_notebook(asked, draft)
        if pieces is None:
            return asked
        draft.take(pieces)
        draft.notes = asked.notes if asked.memory_on and asked.notes_read else None
        draft.keep(State.DONE)
        return None

    try:
        return _with_what_is_known(taken, write)
    except Exception:
        if not draft.text:
            raise
        log.exception("answer_kept_apart", message=str(taken.answer.pk))
        draft.end(State.DONE)
        return None


def _as_it_comes(asked: Prompt, taken: _Taken, draft: Growing) -> Iterator[Event]:
    """The model's answer, written down as it grows; its end is not kept yet."""
    release_connection()
    with work.keeping(taken.held), closing(responder.stream(asked, draft)) as pieces:
        for piece in pieces:
            draft.add(piece)
            # Nothing, for a while, is a moment to look whether to go on.
            if piece:
                yield Steps(draft.steps) if isinstance(piece, Step) else Text(draft.text)
            if not draft.save_when_due():
                return


def _with_what_is_known(taken: _Taken, use: Callable[[Prompt], T]) -> T:
    """What comes of `use`, in the transaction that gathers what it is given.

    Where what is remembered cannot be read, that one is given up for another, of the talk alone.
    """
    question = taken.question
    try:
        with acting_as(question.user_id):
            return use(prompt.build(question, noted=taken.noted))
    except prompt.NotesUnread:
        with acting_as(question.user_id):
            return use(prompt.from_the_talk(question))
