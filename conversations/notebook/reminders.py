"""What is said to a wish to be reminded: nothing is sent, and where the plan stands."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.models import NO_PLAN, Conversation
from conversations.notebook import standard_answers
from conversations.notebook.answer_builder import Answer
from conversations.notebook.message_parts import REMINDERS, TO_REMEMBER, Part
from conversations.prompt import Prompt
from conversations.tools.plans import AHEAD, Plan, plans_between
from conversations.tools.tool import ToolContext

_PRIVATE = "I don’t send notifications, and nothing from a private conversation is shown elsewhere."


def answer_order(prompt: Prompt, parts: Sequence[Part], answer: Answer) -> None:
    """Answer the parts that order to remember something: where it stands if it has a day, how to
    give it one if a reminder was wished.
    """
    ordered = [part for part in parts if part.kind == TO_REMEMBER]
    wished = any(part.topic == REMINDERS for part in ordered)
    if ordered and not say_where_it_is_listed(prompt, answer) and wished:
        _say_how(prompt, answer)


def answer_wish(prompt: Prompt, answer: Answer) -> None:
    """Answer a wish to be reminded, or a question whether that is possible."""
    if not say_where_it_is_listed(prompt, answer):
        _say_how(prompt, answer)


def say_where_it_is_listed(prompt: Prompt, answer: Answer) -> bool:
    """Name the days of the message that are listed as plans; False where there are none."""
    until = prompt.question.planned_until
    plans = _plans_of(prompt) if until and until > NO_PLAN else []
    if plans:
        page = reverse("conversations:coming_up")
        days = formatting.listed(list(dict.fromkeys(map(_day, plans))))
        _say_once(
            f"It’s under [Coming up]({page}): {days}. I don’t send notifications, but "
            f"[your calendar]({page}#calendar) can show it.",
            answer,
        )
    return bool(plans)


def _plans_of(prompt: Prompt) -> list[Plan]:
    """Return the plans that are read out of the message and listed outside of its conversation."""
    asked = ToolContext(prompt.question.user_id, prompt.question.said_at)
    today = localtime(asked.asked_at).date()
    plans = plans_between(asked, today, today + AHEAD)
    return [plan for plan in plans if plan.id == prompt.question.pk]


def _day(plan: Plan) -> str:
    if plan.weekly or plan.first != plan.last:
        return plan.day
    return f"{plan.first:%A} {plan.first.day} {plan.first:%B %Y}"


def _say_how(prompt: Prompt, answer: Answer) -> None:
    is_private = prompt.conversation.privacy == Conversation.Privacy.PRIVATE
    _say_once(_PRIVATE if is_private else standard_answers.help_on(REMINDERS), answer)


def _say_once(sentence: str, answer: Answer) -> None:
    if not any(sentence in piece for piece in answer.pieces):
        answer.say(sentence)
