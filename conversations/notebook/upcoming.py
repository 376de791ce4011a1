"""What is to come: what was said of the days that a question means, day by day."""

from datetime import date

from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import Answer, after, day_in_full, quoted, used_message
from conversations.notebook.steps import call, tool_context_of
from conversations.prompt import Prompt
from conversations.tools.tool import ToolRefused
from conversations.tools.upcoming import AllUpcoming, Upcoming, planning
from memory.language import QueryIntent, find_planned_days

# So many days are named whose words stay in their own conversations.
_MOST_APART = 3


def list_upcoming(prompt: Prompt, intent: QueryIntent, answer: Answer) -> bool:
    """List what was said of those days, or say that nothing was."""
    try:
        found = call(prompt, answer, "get_upcoming_plans", {"when": intent.about})
    except ToolRefused:
        found = call(prompt, answer, "get_upcoming_plans", {})
    assert isinstance(found, AllUpcoming)
    today = localtime(prompt.question.said_at).date()
    _list(prompt, found, today, answer)
    if apart := _in_confidence(prompt, found):
        links = [
            f"[on {day_in_full(message.said_at)}]({message.get_absolute_url()})"
            for message in apart
        ]
        also = "also " if found.found else ""
        answer.say(
            f"What you said in confidence {formatting.listed(links)} {also}names a day then; it is "
            "shown only there."
        )
    elif not found.found:
        answer.say(f"I find nothing {_days_of(found, today)}.")
    return True


def _list(prompt: Prompt, plans: AllUpcoming, today: date, answer: Answer) -> None:
    said = Message.objects.for_user(prompt.question.user_id).in_bulk([m.id for m in plans.found])
    if plans.found:
        coming = "Coming up " if plans.since < plans.until and plans.since <= today else ""
        answer.say(f"{capfirst(f'{coming}{_days_of(plans, today)}')}:")
    for plan in plans.found:
        is_of_one_day = plans.since == plans.until == plan.first == plan.last
        when = "" if is_of_one_day else f"{_day_or_days(plan, today)}: "
        where = f"([said on {day_in_full(plan.said_at)}]({plan.link}))"
        told = f"{quoted(plan.text)}{after(plan.about, plan.text)}"
        answer.point(f"{when}{told} {where}", used_message(said[plan.id]))


def _days_of(plans: AllUpcoming, today: date) -> str:
    """'on Thursday 4 June', 'until Sunday 7 June': the days that are asked for."""
    if plans.since == plans.until:
        return f"on {_day(plans.since, today)}"
    first = "" if plans.since <= today else f"from {_day(plans.since, today)} "
    return f"{first}until {_day(plans.until, today)}"


def _day_or_days(plan: Upcoming, today: date) -> str:
    return _day(plan.first, today) if plan.first == plan.last else capfirst(plan.day)


def _day(day: date, today: date) -> str:
    """'Thursday 4 June'; of another year with that."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def _in_confidence(prompt: Prompt, plans: AllUpcoming) -> list[Message]:
    """What names one of those days and is quoted in its own conversation only, the newest first."""
    context = tool_context_of(prompt)
    rows = (
        Message.objects.for_user(context.user_id)
        .filter(confidential=True)
        .exclude(conversation=prompt.conversation)
        .exclude(conversation__privacy=Conversation.Privacy.PRIVATE)
        .exclude(state=Message.State.REMOVED)
    )
    named = (
        message
        for message in planning(rows, context)
        if any(
            planned.within(plans.since, plans.until)
            for planned in find_planned_days(message.content, localtime(message.said_at))
        )
    )
    return list(named)[:_MOST_APART]
