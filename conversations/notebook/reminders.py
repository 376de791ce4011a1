"""Answers to requests to be reminded: nothing is sent, and where the plan is listed."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.models import NO_PLAN, Conversation, Message
from conversations.notebook import message_parts, standard_answers
from conversations.notebook.answer_builder import Answer, quoted
from conversations.notebook.message_parts import REMINDERS, TO_FORGET, TO_REMEMBER, Part
from conversations.notebook.standard_answers import product_topic
from conversations.prompt import Prompt
from conversations.tools import plan_marks
from conversations.tools.plans import AHEAD, Plan, plans_between
from conversations.tools.tool import ToolContext
from memory.language import content_stem_ids

# What names a reminder, and no plan.
_SAYS_NO_PLAN = "remind reminder reminders"
# So many plans are listed where it is not clear which is meant.
_MOST = 5
_PRIVATE = "I don’t send notifications, and nothing from a private conversation is shown elsewhere."


def answer_order(prompt: Prompt, parts: Sequence[Part], answer: Answer) -> None:
    """Answer orders to remember something: where a dated one is listed, or how to give a day."""
    ordered = [part for part in parts if part.kind == TO_REMEMBER]
    wants_reminder = any(part.topic == REMINDERS for part in ordered)
    if ordered and not say_where_it_is_listed(prompt, answer) and wants_reminder:
        _say_how(prompt, answer)


def answer_wish(prompt: Prompt, answer: Answer) -> None:
    """Answer a request to be reminded, or a question whether that is possible."""
    if not say_where_it_is_listed(prompt, answer):
        _say_how(prompt, answer)


def call_off(prompt: Prompt, answer: Answer) -> bool:
    """Mark the plan as done whose reminder the message lets go of; where that may be several, list
    them. False where it is about something else.
    """
    text = prompt.question.content
    parts = message_parts.read(prompt.question.reading)
    if [part.kind for part in parts] != [TO_FORGET] or product_topic(text)[0] != REMINDERS:
        return False
    page = f"[Coming up]({reverse('conversations:coming_up')})"
    meant, others = _plans_meant(prompt)
    if meant is not None:
        plan_marks.mark_done(prompt.question.user, meant)
        answer.say(f"I marked this as done: {quoted(meant.text)}. You can undo it under {page}.")
    elif others:
        answer.say(f"I’m not sure which one you mean. You can mark it as done under {page}:")
        for plan in others[:_MOST]:
            answer.point(f"{_day(plan)}: {quoted(plan.text)}")
    else:
        answer.say(f"There’s nothing under {page}.")
    return True


def _plans_meant(prompt: Prompt) -> tuple[Plan | None, list[Plan]]:
    """Return the one plan that the message names, else the one that was told right before it; and
    all there are.
    """
    question = prompt.question
    context = ToolContext(question.user_id, question.said_at)
    today = localtime(context.asked_at).date()
    plans = plans_between(context, today, today + AHEAD)
    words = content_stem_ids(question.content) - content_stem_ids(_SAYS_NO_PLAN)
    before = Message.objects.beside(question).filter(number=question.number - 2).first()
    named = [plan for plan in plans if words & content_stem_ids(plan.text)]
    meant = named or [plan for plan in plans if before is not None and plan.id == before.pk]
    # Of what is each week only the next time would be done.
    return (meant[0] if len(meant) == 1 and not meant[0].weekly else None), plans


def say_where_it_is_listed(prompt: Prompt, answer: Answer) -> bool:
    """Name the days of the message that are listed as plans; False where there are none."""
    until = prompt.question.planned_until
    plans = _plans_of(prompt) if until and until > NO_PLAN else []
    if plans:
        page = reverse("conversations:coming_up")
        days = formatting.listed(list(dict.fromkeys(map(_day, plans))))
        answer.say_once(
            f"It’s under [Coming up]({page}): {days}. I don’t send notifications, but "
            f"[your calendar]({page}#calendar) can show it."
        )
    return bool(plans)


def _plans_of(prompt: Prompt) -> list[Plan]:
    """Return the plans that are read out of the message and listed outside of its conversation."""
    context = ToolContext(prompt.question.user_id, prompt.question.said_at)
    today = localtime(context.asked_at).date()
    plans = plans_between(context, today, today + AHEAD)
    return [plan for plan in plans if plan.id == prompt.question.pk]


def _day(plan: Plan) -> str:
    if plan.weekly or plan.first != plan.last:
        return plan.day
    return f"{plan.first:%A} {plan.first.day} {plan.first:%B %Y}"


def _say_how(prompt: Prompt, answer: Answer) -> None:
    is_private = prompt.conversation.privacy == Conversation.Privacy.PRIVATE
    answer.say_once(_PRIVATE if is_private else standard_answers.help_on(REMINDERS))
