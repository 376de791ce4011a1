"""What is to come: what was said of the days that a question means, day by day."""

from datetime import date

from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import Answer, after, on, quoted, used_message
from conversations.notebook.steps import asking_of, call
from conversations.prompt import Prompt
from conversations.tools.tool import ToolRefused
from conversations.tools.upcoming import AllUpcoming, Upcoming, may_name_a_day
from memory.language import QueryIntent, find_planned_days

# So many days are named whose words stay in their own conversations.
_MOST_APART = 3


def coming(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """List what was said of those days, or say that nothing was."""
    try:
        found = call(prompt, made, "get_upcoming_plans", {"when": wish.about})
    except ToolRefused:
        found = call(prompt, made, "get_upcoming_plans", {})
    assert isinstance(found, AllUpcoming)
    today = localtime(prompt.question.said_at).date()
    _list(prompt, found, today, made)
    if apart := _in_confidence(prompt, found):
        links = [f"[on {on(one.said_at)}]({one.get_absolute_url()})" for one in apart]
        also = "also " if found.found else ""
        made.say(
            f"What you said in confidence {formatting.listed(links)} {also}names a day then; it is "
            "shown only there."
        )
    elif not found.found:
        made.say(f"I find nothing {_days_of(found, today)}.")
    return True


def _list(prompt: Prompt, found: AllUpcoming, today: date, made: Answer) -> None:
    said = Message.objects.for_user(prompt.question.user_id).in_bulk([m.id for m in found.found])
    if found.found:
        coming = "Coming up " if found.since < found.until and found.since <= today else ""
        made.say(f"{capfirst(f'{coming}{_days_of(found, today)}')}:")
    for one in found.found:
        is_of_one_day = found.since == found.until == one.first == one.last
        when = "" if is_of_one_day else f"{_when(one, today)}: "
        where = f"([said on {on(one.said_at)}]({one.link}))"
        told = f"{quoted(one.text)}{after(one.about, one.text)}"
        made.point(f"{when}{told} {where}", used_message(said[one.id]))


def _days_of(found: AllUpcoming, today: date) -> str:
    """'on Thursday 4 June', 'until Sunday 7 June': the days that are asked for."""
    if found.since == found.until:
        return f"on {_day(found.since, today)}"
    first = "" if found.since <= today else f"from {_day(found.since, today)} "
    return f"{first}until {_day(found.until, today)}"


def _when(one: Upcoming, today: date) -> str:
    return _day(one.first, today) if one.first == one.last else capfirst(one.day)


def _day(day: date, today: date) -> str:
    """'Thursday 4 June'; of another year with that."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def _in_confidence(prompt: Prompt, found: AllUpcoming) -> list[Message]:
    """What names one of those days and is quoted in its own conversation only, the newest first."""
    asking = asking_of(prompt)
    rows = (
        Message.objects.for_user(asking.user_id)
        .filter(confidential=True)
        .exclude(conversation=prompt.conversation)
        .exclude(conversation__privacy=Conversation.Privacy.PRIVATE)
        .exclude(state=Message.State.REMOVED)
    )
    named = (
        one
        for one in may_name_a_day(rows, asking)
        if any(
            planned.within(found.since, found.until)
            for planned in find_planned_days(one.content, localtime(one.said_at))
        )
    )
    return list(named)[:_MOST_APART]
