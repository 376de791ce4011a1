"""An answer in progress: collected in memory, saved every `SAVE_EVERY` seconds, finished once."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from typing import Any

from accounts import work
from accounts.database.connections import release_connection
from accounts.database.isolation import acting_as
from conversations import scheduling
from conversations.learning import indexing, listening_runs
from conversations.messages import keepable
from conversations.models import LearningOutcome, Message, MessageQuerySet
from conversations.summaries import compaction
from conversations.tools.steps import Step
from conversations.turns import client_history
from memory.context.prompt_items import PromptItem
from memory.lessons.experience_days import count_answer

State = Message.State
# The columns that are stored when the answer is finished.
_KEPT = (
    "content",
    "state",
    "failure",
    "history_key",
    "exchange_key",
    "recalled",
    "used_facts",
    "used_conversations",
    "steps",
    "tokens_in",
    "tokens_out",
    "tokens_estimated",
    "milliseconds",
)
# Seconds between saves of an answer in progress, which is also the delay of Stop; and the cost of a
# save in seconds, by which the interval grows with many answers.
SAVE_EVERY, SAVE_COSTS = 0.4, 0.003
# How many seconds a finished answer waits for the database.
PATIENCE = 60
# The largest value of the column; counts by a server are not trusted.
_MOST_COUNTED = 2**31 - 1


class StreamingAnswer:
    """An answer in progress, and its stored row."""

    def __init__(self, claim: work.Claim, answer: Message, question: Message) -> None:
        """Prepare an answer of which this process holds the claim."""
        self.claim = claim
        self.question = question
        self._loaded = answer
        # Set when finished: whether the user has deleted the answer in the meantime.
        self.gone = False
        self.began = self.saved_at = time.monotonic()
        # The former text of a regenerated answer, kept until the new one begins.
        self.former = answer.content
        # Why the notebook answers instead of the model; '' if it does not.
        self.failed = ""
        self.reset()

    def reset(self) -> None:
        """Clear everything, as after a lost transaction."""
        # A copy, because the changes may never be stored.
        self.answer = copy(self._loaded)
        self.text = ""
        self.steps: list[dict[str, Any]] = []
        # The outcomes of the question, if they were just read.
        self.notes: list[LearningOutcome] | None = None
        # The handles of the user's personas.
        self.member_of: tuple[str, ...] = ()
        self._forget_what_the_former_used()

    def _forget_what_the_former_used(self) -> None:
        self.answer.recalled, self.answer.steps = [], []
        self.answer.used_facts, self.answer.used_conversations = [], 0
        self.answer.tokens_in = self.answer.tokens_out = None
        self.answer.tokens_estimated = False

    def add(self, piece: str | Step) -> None:
        """Add the next piece. A step is saved at the next check, as somebody may be following."""
        if isinstance(piece, Step):
            self.steps = [*self.steps, piece.as_kept()]
            self.saved_at = 0.0
        else:
            self.text += keepable(piece)

    def take(self, pieces: Iterable[str | Step]) -> None:
        """Add all pieces of a whole answer."""
        for piece in pieces:
            self.add(piece)

    def uses(self, items: Sequence[PromptItem], conversations: int) -> None:
        """Record the items that the answer uses."""
        self.answer.recalled = [item.as_kept() for item in items]
        self.answer.used_facts = [
            item.id for item in items if item.what in ("fact", "dispute") and not item.offered
        ]
        self.answer.used_conversations = conversations

    def fall_back_to_notebook(self, why: str) -> bool:
        """Record why the notebook answers; return False if the answer has a former text, which then
        stays.
        """
        if self.former:
            return False
        self.failed = why
        self._forget_what_the_former_used()
        return True

    def spent(self, tokens_in: int, tokens_out: int, *, measured: bool) -> None:
        """Add the tokens of one request; `measured`: whether the server counted these."""
        self.answer.tokens_estimated = self.answer.tokens_estimated or not measured
        self.answer.tokens_in = min((self.answer.tokens_in or 0) + tokens_in, _MOST_COUNTED)
        self.answer.tokens_out = min((self.answer.tokens_out or 0) + tokens_out, _MOST_COUNTED)

    def save_when_due(self) -> bool:
        """Save the text if it is time; return False if the answer was stopped or the claim
        is lost.
        """
        begins = bool(self.former and self.text)
        every = scheduling.spaced(SAVE_EVERY, SAVE_COSTS)
        if time.monotonic() - self.saved_at < every and not begins:
            return True
        self.saved_at = time.monotonic()
        try:
            with acting_as(self.claim.user_id):
                if not work.still_holding(self.claim):
                    return False
                writing = self._rows().filter(state__in=Message.IN_PROGRESS)
                if self.former and not self.text:
                    return writing.exists()
                going_on = writing.update(content=self.text, steps=self.steps, state=State.WRITING)
                self.former = "" if going_on else self.former
        except work.DATABASE_AWAY:
            # The text is still in memory; it is saved when the database is back.
            return True
        finally:
            release_connection()
        return going_on == 1

    def end(self, state: State, failure: str = "") -> None:
        """Store the finished text in its own transaction; retry while the database is away, because
        the text exists nowhere else.
        """
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                with acting_as(self.claim.user_id):
                    # The user may have turned memory off in the meantime.
                    self.answer.user.refresh_from_db(fields=["memory_on"])
                    self.keep(state, failure, index=indexing.make_findable)
                return
            except work.DATABASE_AWAY:
                if time.monotonic() > give_up:
                    raise
                with scheduling.waiting():
                    time.sleep(1)

    def keep(
        self, state: State, failure: str = "", index: Callable[[Message], None] = indexing.index
    ) -> None:
        """Store the finished text and finish the job, in the user's transaction (`acting_as`)."""
        if not work.finish(self.claim):
            # Another process took over after our lease expired: its answer counts.
            standing = self._rows().first()
            self.answer, self.gone = standing or self.answer, standing is None
            return
        begun = bool(self.text or not self.former)
        if not (begun and self._write_down(state, failure, Message.IN_PROGRESS)):
            current = self._rows().select_for_update().get()
            if not begun or (self.former and current.state == State.DONE):
                self._let_the_former_stand(current, failure)
                return
            self._write_down(State.STOPPED, "", (State.STOPPED,))
        index(self.answer)
        self._count_for_personas()
        listening_runs.listen_soon(self.answer.user, self.answer.conversation)
        if compaction.has_grown(self.answer.conversation):
            compaction.compact_soon(self.answer.user, self.answer.conversation_id)

    def _count_for_personas(self) -> None:
        """Count the answer in the statistics of the user's personas."""
        if self.member_of:
            count_answer(
                self.member_of,
                with_lessons=any(item["what"] == "lesson" for item in self.answer.recalled),
                # The first message of a conversation is number 1, its answer 2.
                begins=self.answer.number == 2,
                calls=len(self.steps),
                failed=sum(step["state"] == "failed" for step in self.steps),
            )

    def _write_down(self, state: State, failure: str, before: Collection[State]) -> bool:
        """Store the finished answer if its state is one of `before`, and return whether it was; the
        user may have stopped the answer.
        """
        self.answer.content, self.answer.steps = self.text, self.steps
        self.answer.state, self.answer.failure = state, failure
        self.answer.history_key = client_history.key_of_answer(self.question, self.text)
        self.answer.exchange_key = client_history.exchange_key_of(self.question, self.text)
        self.answer.milliseconds = round((time.monotonic() - self.began) * 1000)
        values = {name: getattr(self.answer, name) for name in _KEPT}
        return self._rows().filter(state__in=before).update(**values) == 1

    def _let_the_former_stand(self, current: Message, failure: str) -> None:
        stopped = current.state != State.WAITING
        current.state, current.failure = State.DONE, "" if stopped else failure
        current.save(update_fields=["state", "failure"])
        self.answer = current

    def _rows(self) -> MessageQuerySet:
        return Message.objects.for_user(self.claim.user_id).filter(pk=self.answer.pk)
