"""What is to come in the next days, on the page where a conversation begins."""

from dataclasses import dataclass

from django.utils.timezone import localtime, now

from accounts.models import User
from conversations.tools import registry
from conversations.tools.tool import Asking
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
    asking = Asking(person.pk, now())
    found = registry.call(asking, "get_upcoming_plans", {"when": _DAYS, "limit": _MOST})
    assert isinstance(found, AllUpcoming)
    today = localtime(asking.asked_at).date()
    return [
        ComingLine(
            day="Today" if one.first <= today else f"{one.first:%a} {one.first.day} {one.first:%b}",
            text=shortened(note_label(one.text, one.about), _LONGEST),
            url=one.link,
        )
        for one in found.found
    ]
