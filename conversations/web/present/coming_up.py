"""What is to come in the next days, on the page where a conversation begins."""

from dataclasses import dataclass

from django.utils.timezone import localtime, now

from accounts.models import User
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from conversations.tools.upcoming import AllUpcoming
from conversations.tools.visibility import shortened
from memory.notes import note_label

_DAYS, _MOST, _LONGEST = "next 7 days", 4, 140


@dataclass(frozen=True)
class ComingLine:
    """A line: the day, what was said of it, and where."""

    day: str
    text: str
    url: str


def coming_up(person: User) -> list[ComingLine]:
    """What a person said of the next seven days, without what is confidential."""
    context = ToolContext(person.pk, now())
    result = registry.call(context, "get_upcoming_plans", {"when": _DAYS, "limit": _MOST})
    assert isinstance(result, AllUpcoming)
    today = localtime(context.asked_at).date()
    return [
        ComingLine(
            day="Today"
            if plan.first <= today
            else f"{plan.first:%a} {plan.first.day} {plan.first:%b}",
            text=shortened(note_label(plan.text, plan.about), _LONGEST),
            url=plan.link,
        )
        for plan in result.found
    ]
