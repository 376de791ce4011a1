"""Answers to requests to be reminded: they say that nothing is sent, and where plans are listed."""

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
from memory.language.text.dedup import content_stem_ids

# Words of a reminder request that do not name the plan.
_SAYS_NO_PLAN = "remind reminder reminders"
# Least share of a plan's words in a message that names the plan.
_NAMES = 0.5
# How many plans are listed if the meant one is unclear.
_MOST = 5
_PRIVATE = "I don’t send notifications, and nothing from a private conversation is shown elsewhere."


def answer_order(prompt: Prompt, parts: Sequence[Part], answer: Answer) -> None:
    """Answer orders to remember something: where the plan is listed, or that a day is needed."""
    ordered = [part for part in parts if part.kind == TO_REMEMBER]
    wants_reminder = any(part.topic == REMINDERS for part in ordered)
    if ordered and not say_where_it_is_listed(prompt, answer) and wants_reminder:
        _say_how(prompt, answer)


def answer_wish(prompt: Prompt, answer: Answer) -> None:
    """Answer a request to be reminded, or a question whether that is possible."""
    if not say_where_it_is_listed(prompt, answer):
        _say_how(prompt, answer)


def call_off(prompt: Prompt, answer: Answer) -> bool:
    """Mark the plan as done whose reminder the message cancels, or list the possible plans; return
    False if the message is about something else.
    """
    reading = prompt.question.reading
    if [part.kind for part in message_parts.read(reading)] != [TO_FORGET]:
        return False
    names_reminders = product_topic(prompt.question.content)[0] == REMINDERS
    plans = _plans(prompt)
    if not names_reminders and (reading.asks_to_forget or not _named(prompt, plans)):
        return False
    page = f"[Coming up]({reverse('conversations:coming_up')})"
    meant, others = _plan_meant(prompt, plans), plans
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


def _plans(prompt: Prompt) -> list[Plan]:
    """Return all plans from today on."""
    context = ToolContext(prompt.question.user_id, prompt.question.said_at)
    today = localtime(context.asked_at).date()
    return plans_between(context, today, today + AHEAD)


def _named(prompt: Prompt, plans: Sequence[Plan], text: str = "") -> list[Plan]:
    """Return the plans that share half of the words of `text` (default: the message), without plans
    from the message itself.
    """
    words = content_stem_ids(text or prompt.question.content) - content_stem_ids(_SAYS_NO_PLAN)
    others = (plan for plan in plans if plan.id != prompt.question.pk)
    return [
        plan
        for plan in others
        if words and len(words & content_stem_ids(plan.text)) >= _NAMES * len(words)
    ]


def _plan_meant(prompt: Prompt, plans: Sequence[Plan]) -> Plan | None:
    """Return the plan that the message means: the only one it names, else the one told right
    before; else None.
    """
    question = prompt.question
    before = Message.objects.beside(question).filter(number=question.number - 2).first()
    told_before = [plan for plan in plans if before is not None and plan.id == before.pk]
    meant = _named(prompt, plans) or told_before
    # Of a weekly plan only the next occurrence would be marked as done.
    return meant[0] if len(meant) == 1 and not meant[0].weekly else None


def say_where_it_is_listed(prompt: Prompt, answer: Answer) -> bool:
    """Say for which days the message is listed as a plan; return False if it is not."""
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
    """Return the plans in the message that are listed outside of its conversation."""
    return [plan for plan in _plans(prompt) if plan.id == prompt.question.pk]


def _day(plan: Plan) -> str:
    if plan.weekly or plan.first != plan.last:
        return plan.day
    return f"{plan.first:%A} {plan.first.day} {plan.first:%B %Y}"


def say_where_it_can_be_marked(answer: Answer, plans: Sequence[Plan]) -> None:
    """List plans with a link to the page where they can be marked as done or snoozed."""
    page = f"[Coming up]({reverse('conversations:coming_up')})"
    answer.say(f"This is under {page}, where you can mark it as done or snooze it:")
    for plan in plans[:_MOST]:
        answer.point(f"{_day(plan)}: {quoted(plan.text)}")


def plans_named(prompt: Prompt, text: str, messages: Sequence[Message]) -> list[Plan]:
    """Return the coming plans that a text names, or that come from one of the messages."""
    plans, told_by = _plans(prompt), {message.pk for message in messages}
    return _named(prompt, plans, text) or [plan for plan in plans if plan.id in told_by]


def _say_how(prompt: Prompt, answer: Answer) -> None:
    is_private = prompt.conversation.privacy == Conversation.Privacy.PRIVATE
    if named := [] if is_private else _named(prompt, _plans(prompt)):
        say_where_it_can_be_marked(answer, named)
        return
    answer.say_once(_PRIVATE if is_private else standard_answers.help_on(REMINDERS))
