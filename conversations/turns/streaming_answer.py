"""A growing answer: in memory at once, in the database twice a second, its end once."""

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
# What of an answer is known at its end.
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
# How often a growing answer is written down, in seconds; also how soon a Stop is noticed.
# With many at once it is more: what one costs is told beside it, in seconds.
SAVE_EVERY, SAVE_COSTS = 0.4, 0.003
# How long a finished answer waits for a database that is away, in seconds.
PATIENCE = 60
# The largest count that a row can hold; what a server counts is not to be relied on.
_MOST_COUNTED = 2**31 - 1


class StreamingAnswer:
    """One answer in progress, and what is stored of it."""

    def __init__(self, claim: work.Claim, answer: Message, question: Message) -> None:
        """Share the loaded conversation and person between both messages."""
        self.claim = claim
        self.question = question
        self._loaded = answer
        # At its end: whether its owner has let the answer's place go meanwhile.
        self.gone = False
        self.began = self.saved_at = time.monotonic()
        # The former answer, which stands until this one has begun.
        self.former = answer.content
        # Why the notebook answers in the model's place, when it does.
        self.failed = ""
        self.reset()

    def reset(self) -> None:
        """Clear everything, as after a lost transaction."""
        # A copy: what is written on it may never be kept.
        self.answer = copy(self._loaded)
        self.text = ""
        self.steps: list[dict[str, Any]] = []
        # What was noted from the question, where that was just read.
        self.notes: list[LearningOutcome] | None = None
        # The personas of whom it is for, by handle.
        self.member_of: tuple[str, ...] = ()
        self._forget_what_the_former_used()

    def _forget_what_the_former_used(self) -> None:
        self.answer.recalled, self.answer.steps = [], []
        self.answer.used_facts, self.answer.used_conversations = [], 0
        self.answer.tokens_in = self.answer.tokens_out = None
        self.answer.tokens_estimated = False

    def add(self, piece: str | Step) -> None:
        """Add the next piece. A step is saved at once: somebody may be following."""
        if isinstance(piece, Step):
            self.steps = [*self.steps, piece.as_kept()]
            self.saved_at = 0.0
        else:
            self.text += keepable(piece)

    def take(self, pieces: Iterable[str | Step]) -> None:
        """Add a whole answer at once."""
        for piece in pieces:
            self.add(piece)

    def uses(self, items: Sequence[PromptItem], conversations: int) -> None:
        """Record what the answer drew on."""
        self.answer.recalled = [item.as_kept() for item in items]
        self.answer.used_facts = [
            item.id for item in items if item.what in ("fact", "dispute") and not item.offered
        ]
        self.answer.used_conversations = conversations

    def fall_back_to_notebook(self, why: str) -> bool:
        """Record why the notebook answers for the model; return False where a former
        answer stands.
        """
        if self.former:
            return False
        self.failed = why
        self._forget_what_the_former_used()
        return True

    def spent(self, tokens_in: int, tokens_out: int, *, measured: bool) -> None:
        """Count what one request put before the model and had written by it; `measured` where its
        server counted.
        """
        self.answer.tokens_estimated = self.answer.tokens_estimated or not measured
        self.answer.tokens_in = min((self.answer.tokens_in or 0) + tokens_in, _MOST_COUNTED)
        self.answer.tokens_out = min((self.answer.tokens_out or 0) + tokens_out, _MOST_COUNTED)

    def save_when_due(self) -> bool:
        """Write the text so far down; False when the reader has stopped it or the lease is lost."""
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
            # The database is away; the text is still here, and the end of it waits for its return.
            return True
        finally:
            release_connection()
        return going_on == 1

    def end(self, state: State, failure: str = "") -> None:
        """Keep the finished text in a transaction of its own; patient with a database that is away,
        because the text exists nowhere else.
        """
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                with acting_as(self.claim.user_id):
                    # Writing took long: its owner may have turned memory off meanwhile.
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
        """Store the finished text and finish the work, in its owner's open block."""
        if not work.finish(self.claim):
            # Somebody took over after our lease ran out: theirs is the answer that stands.
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
        """Count the answer for the staff's figures, for members of a persona."""
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
        """Store the finished answer, if its state was one of `before`; its owner may have stopped
        it.
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
