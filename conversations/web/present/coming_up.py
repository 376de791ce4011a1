"""What is to come in the next days, on the page where a conversation begins."""

from dataclasses import dataclass

from django.utils.timezone import localtime, now

from accounts.models import User
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from conversations.tools.upcoming import AllUpcoming, Upcoming
from conversations.tools.visibility import shortened
from memory.notes import context_label, note_label

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
            text=_told(plan),
            url=plan.link,
        )
        for plan in result.found
    ]


def _told(plan: Upcoming) -> str:
    """Return what was said of a plan, and what it corrects as far as there is room."""
    about = f" (after “{context_label(plan.about, _LONGEST)}”)" if plan.about else ""
    return shortened(f"{note_label(plan.text)}{about}", _LONGEST)
