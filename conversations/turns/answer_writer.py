"""Writing an answer: claiming the job, learning from the question, writing and storing the answer.
If the database connection is lost before the first word, the answer is started again.
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
    """The whole text of the answer so far."""

    so_far: str


@dataclass(frozen=True)
class Steps:
    """The stored steps of the answer so far."""

    so_far: list[dict[str, Any]]


@dataclass(frozen=True)
class FinishedAnswer:
    """The stored answer: done, cut, stopped or failed. question, outcomes: the question and its
    outcomes if they were just read, else None.
    """

    answer: Message
    question: Message | None = None
    outcomes: list[LearningOutcome] | None = None


Event = Text | Steps | FinishedAnswer


# --- Claiming ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimedAnswer:
    """An answer claimed by this process, its question, and whether the question was learned from.
    client: the request of the OpenAI-compatible endpoint, if any.
    """

    claim: work.Claim
    answer: Message
    question: Message
    learned: bool
    client: ClientRequest = field(default_factory=ClientRequest)


def claim_answer(user_id: UUID, claim: Callable[[], work.Claim | None]) -> ClaimedAnswer | None:
    """Claim the answer and learn from its question in one transaction; None if it cannot be
    claimed.

    If learning fails, the answer is claimed without, and the worker learns later. A long question
    is read between two transactions, so that none stays open meanwhile.
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
    """Learn from the question of a claimed answer, in the user's transaction (`acting_as`); return
    the updated claim. Raises PutOff.
    """
    return replace(claimed, learned=message_learning.learn_here(claimed.question))


def _load_or_close(claim: work.Claim | None) -> ClaimedAnswer | None:
    """Load a claimed answer; None if there is no claim, or the answer was deleted.

    An answer in state WRITING with text was left by a process that died: it keeps the text and is
    marked as cut. One in state WAITING with text is to be regenerated: the text stays until the
    first words of the new one.
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
    """Return the question and the claimed answer, with conversation and user loaded; None if the
    answer was deleted.
    """
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


# --- Writing -------------------------------------------------------------------------------------


def retry_while_database_is_away(call: Callable[[], T]) -> T:
    """Return what `call` returns; retry while the database cannot be reached. After
    `streaming_answer.PATIENCE` seconds the error is raised; the job stays queued.
    """
    give_up = time.monotonic() + streaming_answer.PATIENCE
    while True:
        try:
            return call()
        except work.DATABASE_AWAY as error:
            _wait_or_raise(error, give_up)


def write_with_retries(claimed: ClaimedAnswer) -> Generator[Event, None, bool]:
    """Write the answer; start again if the database connection is lost before the first word.

    After `streaming_answer.PATIENCE` seconds the error is raised; the job stays queued. Returns
    False if another process has claimed the answer meanwhile.
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
    # Every error must end the answer with a sentence: the reader waits, and no caller handles it.
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
    """Store the text before the error, with a failure sentence. Raises a database error before the
    first word, so that the answer can be started again.
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
    """Try to answer with the notebook, and store its answer in the transaction that reads the data.

    Returns None if the notebook answered, else the prompt for the model. If the transaction is
    lost, the answer is made once more and indexed with a savepoint.
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
    """Yield the model's answer and save it as it grows; the caller stores its end."""
    release_connection()
    model = timed_operation(claimed.claim.user_id, OperationVerb.MODEL, "model")
    with (
        work.keeping(claimed.claim),
        model,
        closing(responder.stream(answer_prompt, draft)) as pieces,
    ):
        for piece in pieces:
            draft.add(piece)
            # '' means silence: time to check whether to go on.
            if piece:
                yield Steps(draft.steps) if isinstance(piece, Step) else Text(draft.text)
            if not draft.save_when_due():
                return


def _with_prompt(claimed: ClaimedAnswer, use: Callable[[Prompt], T]) -> T:
    """Return what `use` returns for the prompt, in the transaction that builds the prompt. If
    memory cannot be read, a new transaction and a prompt without memory are used.
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
