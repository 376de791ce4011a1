"""Running summaries of long conversations, so that a prompt covers everything.

A prompt contains the summary of the messages up to a number, and the later messages verbatim.
Nothing is learned from a summary, and it is used in its own conversation only.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection
from django.db.models import F, Min

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.best_effort import best_effort
from conversations import llm, markdown, messages
from conversations.llm import background
from conversations.models import Conversation, Message
from conversations.summaries import digest, extractive_summary, model_summary
from conversations.summaries.extractive_summary import SpokenMessage
from memory.language.budget import READ_CHARS

log = structlog.get_logger(__name__)
KIND = "compact"
# How many messages one step summarizes at most; longer conversations take several steps.
MOST_AT_ONCE = 2 * settings.COMPACT_EVERY


@dataclass(frozen=True)
class _Step:
    """One step: the former summary, and the messages `after` (exclusive) to `up_to` (inclusive)."""

    former: str
    after: int
    up_to: int
    talk: list[SpokenMessage]
    attempt: int = 1


def has_grown(conversation: Conversation) -> bool:
    """Return whether enough new messages were added since the last summary, by the loaded row."""
    return conversation.last_number - conversation.compacted_up_to >= settings.COMPACT_EVERY


def compact_soon(user: User, conversation_id: UUID) -> None:
    """Queue the summary of a conversation if enough was added since the last one. Call it in the
    user's transaction (`acting_as`), in the transaction that finishes a message.
    """
    grown = Conversation.objects.for_user(user.pk).filter(
        pk=conversation_id, last_number__gte=F("compacted_up_to") + settings.COMPACT_EVERY
    )
    if grown.exists():
        work.enqueue_anew(user, KIND, conversation_id)


def invalidate(user_id: UUID, conversation_id: UUID, number: int = 1) -> None:
    """Delete the summary if it covers message `number`, which was changed or deleted.

    A worker that is summarizing the old text loses its claim. Call it in the user's transaction
    (`acting_as`), after the change; the worker makes a new summary.
    """
    rows = Conversation.objects.for_user(user_id).select_related("user")
    conversation = rows.select_for_update(of=["self"], no_key=True).get(pk=conversation_id)
    work.withdraw(conversation.user, KIND, conversation_id)
    if conversation.compacted_up_to >= number:
        conversation.compact_summary, conversation.compacted_up_to = "", 0
        conversation.save(update_fields=["compact_summary", "compacted_up_to"])
    compact_soon(conversation.user, conversation_id)


def compact_for(claim: work.Claim) -> None:
    """Worker entry point: summarize one conversation step by step. Raises ModelFailure; the steps
    before the failure stay stored.
    """
    while (step := _next_step(claim)) is not None:
        if not connection.in_atomic_block:
            # Outside of any transaction: the model is slow, and other code needs the connection.
            connection.close()
        with work.keeping(claim):
            summary = _summary(step)
        if not _keep(claim, step, summary):
            return


def catch_up(question: Message) -> None:
    """Summarize, before an answer, the messages that the prompt would neither contain nor
    summarize.

    Needed only after an import, or if the worker is behind. Uses the rule-based summary, because a
    user waits. Never raises: the worker does the rest.
    """
    behind = question.number - 1 - question.conversation.compacted_up_to
    if behind <= settings.HISTORY_MESSAGES:
        return

    def put_off(error: Exception) -> None:
        kind = type(error).__name__
        log.error("compaction_put_off", message=str(question.pk), error=kind, exc_info=error)

    with best_effort(put_off):
        with acting_as(question.user_id):
            compact_soon(question.user, question.conversation_id)
        claim = work.claim(question.user_id, KIND, question.conversation_id)
        if claim is not None:
            _by_rules_only(claim)


def _by_rules_only(claim: work.Claim) -> None:
    while (step := _next_step(claim)) is not None:
        if not _keep(claim, step, extractive_summary.extract(step.former, step.talk).text()):
            return


# --- One step ------------------------------------------------------------------------------------


def _next_step(claim: work.Claim) -> _Step | None:
    """Return the next step; if there is nothing to summarize, finish the job and return None."""
    with acting_as(claim.user_id):
        conversation = _locked(claim)
        if conversation is None:
            return None
        after, up_to = conversation.compacted_up_to, _boundary(conversation)
        if up_to <= after:
            work.finish(claim)
            return None
        # The failed step may have been too long for the model.
        most = MOST_AT_ONCE if claim.attempt == 1 else settings.COMPACT_EVERY
        up_to = min(up_to, after + most)
        rows = messages.in_range(claim.user_id, conversation.pk, after + 1, up_to)
        rows = rows.filter(left_out_of_summaries=False)
        return _Step(
            conversation.compact_summary,
            after,
            up_to,
            [as_spoken_message(message) for message in rows],
            claim.attempt,
        )


def _locked(claim: work.Claim) -> Conversation | None:
    """Return the conversation, or None if the claim is lost. Locks the conversation, then the job,
    in the same order as code that adds or deletes messages.
    """
    conversation = Conversation.objects.held(claim.user_id, claim.subject)
    if not work.still_holding(claim):
        return None
    if conversation is None:
        work.finish(claim)
    return conversation


def _boundary(conversation: Conversation) -> int:
    """Return the greatest multiple of COMPACT_EVERY up to which every message is finished."""
    after = conversation.compacted_up_to
    unfinished = Message.objects.of(conversation).filter(
        number__gt=after, state__in=Message.IN_PROGRESS
    )
    first = unfinished.aggregate(first=Min("number"))["first"]
    finished = conversation.last_number if first is None else first - 1
    return int(finished - finished % settings.COMPACT_EVERY)


def as_spoken_message(message: Message) -> SpokenMessage:
    """Return a message as summaries need it: an answer without Markdown and URLs."""
    own, text = message.role == Message.Role.USER, message.content[:READ_CHARS]
    if not own and not message.author:
        text = markdown.plain(text)
    name = " ".join(message.author.replace(":", " ").split())
    return SpokenMessage(
        by=name or (digest.YOU if own else digest.I),
        own=own,
        said_at=message.said_at,
        text=text,
        foreign=message.reading.foreign if own else (),
        number=message.number,
        gives_back=_gives_back(message),
    )


def _gives_back(message: Message) -> bool:
    """Return whether an answer was written by the notebook, which only repeats stored data."""
    if message.role == Message.Role.USER or message.author or message.tokens_out is not None:
        return False
    return message.milliseconds is not None or bool(message.steps) or "](/" in message.content


def _summary(step: _Step) -> str:
    """Return the model's summary if there is a valid one, else the rule-based summary."""
    made = None
    if llm.configured():
        try:
            # A model that is paused after failures is not waited for.
            with suppress(background.ModelUnavailable):
                made = model_summary.write(step.former, step.talk)
        except llm.ModelFailure as failure:
            # A refused request would be refused again. One that was too long is shorter at the
            # second attempt.
            refused = failure.of_the_request and failure.kind == "refused"
            if not refused or (failure.situation == "too long" and step.attempt == 1):
                raise
    return (made or extractive_summary.extract(step.former, step.talk)).text()


def _keep(claim: work.Claim, step: _Step, summary: str) -> bool:
    """Store the summary with one conditional update; return False if the claim is lost."""
    with acting_as(claim.user_id):
        if _locked(claim) is None:
            return False
        rows = Conversation.objects.for_user(claim.user_id).filter(pk=claim.subject)
        made: dict[str, Any] = {"compact_summary": summary, "compacted_up_to": step.up_to}
        kept = rows.filter(compacted_up_to=step.after).update(**made)
        log.info("compacted", conversation=str(claim.subject), up_to=step.up_to, kept=bool(kept))
        return True
