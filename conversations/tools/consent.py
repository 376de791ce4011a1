"""The user's approval of a step: executes exactly what was shown, once."""

import time
from dataclasses import replace
from datetime import timedelta

import structlog
from django.db import transaction
from django.utils.timezone import now

from conversations.models import Message
from conversations.tools import registry
from conversations.tools.steps import Step
from conversations.tools.tool import ToolContext, ToolRefused
from memory.core.slot_locks import lock_names

log = structlog.get_logger(__name__)

# How long a request can be approved; later the result may differ from the preview.
STANDS = timedelta(days=1)


class NoLongerAsked(ValueError):
    """Raised where the step cannot be decided now; the message gives the reason to the user."""


def decide(answer: Message, position: int, mark: str, *, yes: bool) -> Step:
    """Execute or decline a step that waits for approval, in the user's transaction (`acting_as`);
    return the new step. A step that was decided before is returned unchanged. Raises NoLongerAsked.
    """
    _lock_approvals(answer)
    answer = Message.objects.for_user(answer.user_id).get(pk=answer.pk)
    step = _waiting_step(answer, position, mark)
    if step.state != "asked":
        return step
    if not yes:
        decided = step.went("declined", step.found, step.milliseconds)
    elif now() - answer.said_at > STANDS:
        raise NoLongerAsked("I asked this a while ago, and things may have changed. Ask me again.")
    else:
        decided = _run_step(step, _asking(answer))
    _keep(answer, position, step, decided)
    return decided


def asks(answer: Message) -> bool:
    """Return whether an answer has a step that waits for approval."""
    return any(step["state"] == "asked" for step in answer.steps)


def let_go_of_earlier(answer: Message) -> None:
    """Cancel the open requests of earlier answers in the conversation if this answer has one, in
    the user's transaction (`acting_as`).
    """
    if not asks(answer):
        return
    rows = Message.objects.beside(answer).filter(number__lt=answer.number)
    for before in rows.filter(steps__contains=[{"state": "asked"}]).order_by("number"):
        _lock_approvals(before)
        before.refresh_from_db(fields=["steps"])
        for position, kept in enumerate(before.steps):
            if kept["state"] == "asked":
                step = Step.from_kept(kept)
                let_go = step.went("overtaken", step.found, step.milliseconds)
                _keep(before, position, step, let_go)


def overtaken_by(answer: Message) -> list[tuple[Message, int, Step]]:
    """Return the steps that a newer request has cancelled: (answer, position, step)."""
    if not asks(answer):
        return []
    rows = Message.objects.beside(answer).filter(number__lt=answer.number)
    return [
        (before, position, Step.from_kept(kept))
        for before in rows.filter(steps__contains=[{"state": "overtaken"}]).order_by("number")
        for position, kept in enumerate(before.steps)
        if kept["state"] == "overtaken"
    ]


def _lock_approvals(answer: Message) -> None:
    """Lock the approvals of an answer with an advisory lock, as deletions lock rows in another
    order.
    """
    lock_names([f"answer {answer.pk}"])


def _waiting_step(answer: Message, position: int, mark: str) -> Step:
    if answer.in_progress:
        raise NoLongerAsked("I’m still writing. You can decide when I’m done.")
    step = Step.from_kept(answer.steps[position]) if position < len(answer.steps) else None
    if step is None or step.mark != mark:
        raise NoLongerAsked("I’m not asking this any more. Reload the page to see what I’m asking.")
    return step


def _asking(answer: Message) -> ToolContext:
    """Return the context of the original request, so that relative times have the same meaning."""
    question = Message.objects.beside(answer).filter(number=answer.number - 1).first() or answer
    return ToolContext(answer.user_id, question.said_at, answer.conversation_id, question.pk)


def _run_step(step: Step, context: ToolContext) -> Step:
    began = time.monotonic()
    try:
        with transaction.atomic():
            result = registry.in_words(registry.call(context, step.tool, step.arguments))
        decided = step.went("done", result, _since(began))
    except ToolRefused as refused:
        decided = step.went("failed", str(refused)[:300], _since(began))
    log.info("tool.allowed", state=decided.state, duration_ms=decided.milliseconds)
    return decided


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _keep(answer: Message, position: int, step: Step, decided: Step) -> None:
    """Store the decided step, unless its answer was deleted by it. If the step's text was erased
    meanwhile, only the decision is stored.
    """
    rows = Message.objects.for_user(answer.user_id).filter(pk=answer.pk)
    steps = rows.values_list("steps", flat=True).first() or []
    if position >= len(steps):
        return
    held = Step.from_kept(steps[position])
    emptied = held.is_emptied and held.tool == step.tool
    if held == step or emptied:
        kept = replace(decided, arguments={}) if emptied else decided
        steps[position] = kept.as_kept()
        rows.update(steps=steps)
