"""Writing an answer: claimed by one writer, learned from its question, written once, and stored.

A database that goes away before the first word costs time, and nothing else.
"""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import F

from accounts import work
from accounts.database.connections import release_connection
from accounts.database.isolation import acting_as
from accounts.support.best_effort import best_effort
from conversations import prompt, scheduling
from conversations.client_request import ClientRequest
from conversations.learning import indexing, message_learning
from conversations.llm import ModelFailure
from conversations.models import Conversation, LearningOutcome, Message
from conversations.prompt import Prompt
from conversations.summaries import compaction
from conversations.tools import consent
from conversations.tools.steps import Step
from conversations.turns import responder, streaming_answer
from conversations.turns.streaming_answer import StreamingAnswer
from memory.core.tracing import OperationVerb, timed_operation, traced_turn
from memory.retrieval.embedding_endpoint import endpoint_is_configured
from memory.retrieval.passage_search import prefetch_question_vector

log = structlog.get_logger(__name__)
State = Message.State
T = TypeVar("T")
HALF_WAY = "The reply stopped halfway. Your message is safe."
TROUBLE = "Something went wrong on my side. Your message is safe."


@dataclass(frozen=True)
class Text:
    """The answer's whole text so far."""

    so_far: str


@dataclass(frozen=True)
class Steps:
    """The stored steps of the answer so far."""

    so_far: list[dict[str, Any]]


@dataclass(frozen=True)
class FinishedAnswer:
    """The answer as it was kept: done, cut, stopped or failed; its question and what was noted
    from that, where they were just read.
    """

    answer: Message
    question: Message | None = None
    outcomes: list[LearningOutcome] | None = None


Event = Text | Steps | FinishedAnswer


# --- Taking it up --------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimedAnswer:
    """An answer's place that is ours to fill, what it answers, and whether that was noted from.

    client: what the app asks for through which the person speaks.
    """

    claim: work.Claim
    answer: Message
    question: Message
    learned: bool
    client: ClientRequest = field(default_factory=ClientRequest)


def claim_answer(user_id: UUID, claim: Callable[[], work.Claim | None]) -> ClaimedAnswer | None:
    """Claim the answer and learn from its question, in one transaction; return None when there is
    nothing to claim. Where the learning fails, it is claimed without: the worker learns later.

    A long question is read between two transactions: none of them waits for that.
    """
    claimed = None
    try:
        with acting_as(user_id):
            claimed = _load_or_close(claim())
            if claimed is None or not claimed.answer.in_progress:
                return claimed
            if not claimed.question.is_long:
                return _learned(claimed)
        with work.keeping(claimed.claim):
            message_learning.read_ahead(claimed.question)
        with acting_as(user_id):
            return _learned(claimed)
    except message_learning.PutOff:
        if claimed is not None and claimed.question.is_long:
            return claimed
        with acting_as(user_id):
            return _load_or_close(claim())


def _learned(claimed: ClaimedAnswer) -> ClaimedAnswer:
    """Return the claimed answer, its question learned from, in the person's open block. Raises
    PutOff.
    """
    return replace(claimed, learned=message_learning.learn_here(claimed.question))


def _load_or_close(claim: work.Claim | None) -> ClaimedAnswer | None:
    """Load what was claimed; None where that is nothing, or its place is gone.

    A place that already has text was left by a process that died: it keeps the text and is cut.
    One that has text and waits is to be written anew: it waits until the first words come.
    """
    if claim is None:
        return None
    both = _question_and_answer(claim)
    if both is None:
        work.finish(claim)
        return None
    question, answer = both
    if answer.state == State.WRITING and answer.content:
        rows = Message.objects.for_user(claim.user_id).filter(pk=answer.pk, state=State.WRITING)
        rows.update(state=State.CUT, failure=HALF_WAY)
        answer.refresh_from_db(fields=["state", "failure"])
    if not answer.in_progress:
        work.finish(claim)
    return ClaimedAnswer(claim, answer, question, learned=True)


def _question_and_answer(claim: work.Claim) -> tuple[Message, Message] | None:
    """Return the question and the claimed answer, with conversation and user."""
    answer_number = F("conversation__messages__number")
    rows = Message.objects.for_user(claim.user_id).filter(
        conversation__messages=claim.subject, number__range=(answer_number - 1, answer_number)
    )
    both = list(rows.select_related("conversation", "user").order_by("number"))
    if len(both) < 2:
        return None
    question, answer = both
    answer.conversation, answer.user = question.conversation, question.user
    return question, answer


# --- Writing it ----------------------------------------------------------------------------------


def retry_while_database_is_away(call: Callable[[], T]) -> T:
    """Return what `call` returns; call it again while the database cannot be reached.

    After `streaming_answer.PATIENCE` seconds the error is raised; the work row stays.
    """
    give_up = time.monotonic() + streaming_answer.PATIENCE
    while True:
        try:
            return call()
        except work.DATABASE_AWAY as error:
            _wait_or_raise(error, give_up)


def write_with_retries(claimed: ClaimedAnswer) -> Generator[Event, None, bool]:
    """Write it; start again when the database goes away before the first word.

    After `streaming_answer.PATIENCE` seconds the error is raised; the work row stays. False when
    another process has claimed the answer meanwhile.
    """
    give_up = time.monotonic() + streaming_answer.PATIENCE
    begun = False
    while True:
        try:
            if begun and not work.renew(claimed.claim):
                return False
            begun = True
            yield from _write(claimed)
            return True
        except work.DATABASE_AWAY as error:
            _wait_or_raise(error, give_up)


def _wait_or_raise(error: Exception, give_up: float) -> None:
    release_connection()
    if not work.is_the_databases(error) or time.monotonic() > give_up:
        raise error
    with scheduling.waiting():
        time.sleep(1)


def _write(claimed: ClaimedAnswer) -> Iterator[Event]:
    with traced_turn(claimed.question.pk):
        yield from _write_traced(claimed)


def _write_traced(claimed: ClaimedAnswer) -> Iterator[Event]:
    claim, answer, question = claimed.claim, claimed.answer, claimed.question
    if not answer.in_progress:
        yield FinishedAnswer(answer, question)
        return
    draft = StreamingAnswer(claim, answer, question)
    # Whatever breaks, the answer is to end in words: its reader waits, and nobody is above to tell.
    with best_effort(partial(_end_in_words, draft)):
        compaction.catch_up(question)
        answer_prompt = _try_notebook(claimed, draft)
        if answer_prompt is None:
            if draft.steps:
                yield Steps(draft.steps)
            yield Text(draft.text)
        else:
            yield from _stream_model(answer_prompt, claimed, draft)
            draft.end(State.FAILED if draft.failed else State.DONE, draft.failed)
        if consent.asks(draft.answer):
            with acting_as(claim.user_id):
                consent.let_go_of_earlier(draft.answer)
    release_connection()
    if not draft.gone:
        yield FinishedAnswer(draft.answer, question, draft.notes)


def _end_in_words(draft: StreamingAnswer, error: Exception) -> None:
    """Keep what came before it broke. Raises the error of a database that is away before the first
    word: that costs nothing but time.
    """
    model_failed, lost = isinstance(error, ModelFailure), isinstance(error, ObjectDoesNotExist)
    if not model_failed and not lost:
        log.error("answer_failed", message=str(draft.answer.pk), exc_info=error)
        if work.is_the_databases(error) and not draft.text:
            raise error
    words = error.words if isinstance(error, ModelFailure) else TROUBLE
    draft.end(State.CUT if draft.text else State.FAILED, words)
    if lost and not draft.gone:
        log.error("answer_failed", message=str(draft.answer.pk), exc_info=error)


def _try_notebook(
    claimed: ClaimedAnswer,
    draft: StreamingAnswer,
    index: Callable[[Message], None] = indexing.index,
) -> Prompt | None:
    """Store the notebook's answer in the transaction that reads what it is made of; return the
    prompt when a model is to answer instead, else None.

    None when the notebook answered; else the prompt for the model. When the transaction is lost,
    what the answer reports as done is lost too: it is made once more, and indexed later.
    """

    def write(answer_prompt: Prompt) -> Prompt | None:
        pieces = responder.from_the_notebook(answer_prompt, draft)
        if pieces is None:
            return answer_prompt
        draft.take(pieces)
        draft.notes = (
            answer_prompt.outcomes if answer_prompt.memory_on and answer_prompt.notes_read else None
        )
        draft.keep(State.DONE, index=index)
        return None

    def reset(error: Exception) -> None:
        made = bool(draft.text)
        draft.reset()
        if not made or index == indexing.make_findable:
            raise error
        log.error("answer_made_anew", message=str(claimed.answer.pk), exc_info=error)

    with best_effort(reset):
        return _with_prompt(claimed, write)
    return _try_notebook(claimed, draft, indexing.make_findable)


def _stream_model(
    answer_prompt: Prompt, claimed: ClaimedAnswer, draft: StreamingAnswer
) -> Iterator[Event]:
    """Yield the model's answer and save it as it grows; its end is not stored yet."""
    release_connection()
    model = timed_operation(claimed.claim.user_id, OperationVerb.MODEL, "model")
    with (
        work.keeping(claimed.claim),
        model,
        closing(responder.stream(answer_prompt, draft)) as pieces,
    ):
        for piece in pieces:
            draft.add(piece)
            # Nothing, for a while, is a moment to look whether to go on.
            if piece:
                yield Steps(draft.steps) if isinstance(piece, Step) else Text(draft.text)
            if not draft.save_when_due():
                return


def _with_prompt(claimed: ClaimedAnswer, use: Callable[[Prompt], T]) -> T:
    """Return what `use` returns, called in the transaction that gathers its prompt.

    Where memory cannot be read, that transaction is given up for another, of the conversation
    alone.
    """
    question = claimed.question
    private = claimed.question.conversation.privacy == Conversation.Privacy.PRIVATE
    if endpoint_is_configured() and question.user.memory_on and not private:
        with scheduling.waiting():
            prefetch_question_vector(question.reading.text)
    try:
        with acting_as(question.user_id):
            answer_prompt = prompt.build(question, noted=claimed.learned)
            return use(replace(answer_prompt, client=claimed.client))
    except prompt.NotesUnread:
        with acting_as(question.user_id):
            return use(replace(prompt.from_the_talk(question), client=claimed.client))
