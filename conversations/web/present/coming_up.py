"""Plans as shown on the home page and on the plans page."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from uuid import UUID

from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.timezone import localtime, now

from accounts.models import User
from accounts.support import formatting
from conversations.search.search_parameters import as_id
from conversations.titles import name_and_stamp
from conversations.tools.plans import AHEAD, BACK, Plan, plans_between
from conversations.tools.tool import ToolContext
from conversations.tools.visibility import UNTITLED, shortened
from conversations.web.forms import SnoozeForm
from memory.notes.labels import context_label, note_label

# How many days are shown at first, and how many plans on the home page.
NEXT = timedelta(14)
_MOST_AT_HOME = 3
_LONGEST = 240


@dataclass(frozen=True)
class PlanRow:
    """A plan as templates show it."""

    plan: Plan
    day: str
    # 'Today', 'Tomorrow', or ''; 'every week'; the time of day.
    near: str
    text: str
    # The earlier message that the plan corrects.
    about: str
    source: str
    said: str
    put_off_from: str
    # The invalid input for this plan, if any.
    form: SnoozeForm | None
    just_marked: bool


@dataclass(frozen=True)
class Snoozes:
    """The days to which a plan can be snoozed with one click, and the first and last to choose."""

    tomorrow: date
    next_week: date
    first: date
    last: date


@dataclass
class ComingUp:
    """The coming plans, grouped as the page shows them."""

    next: list[PlanRow] = field(default_factory=list)
    later: list[PlanRow] = field(default_factory=list)
    done: list[PlanRow] = field(default_factory=list)
    earlier: list[PlanRow] = field(default_factory=list)
    # How many of the coming plans the home page leaves out.
    more: int = 0
    snoozes: Snoozes | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is no plan at all."""
        return not (self.next or self.later or self.done or self.earlier)


def coming_up(
    person: User, just: UUID | None = None, refused: tuple[UUID, SnoozeForm] | None = None
) -> ComingUp:
    """Return a user's plans, without private ones. just: the key of the plan that was just marked,
    which stays in its place. refused: the key of a plan with invalid input, and its form.
    """
    at = now()
    today = localtime(at).date()
    plans = plans_between(ToolContext(person.pk, at), today - BACK, today + AHEAD, done_too=True)
    coming = ComingUp(snoozes=_snoozes(today))
    for plan in plans:
        form = refused[1] if refused and refused[0] == plan.key else None
        row = _row(plan, today, form, just_marked=plan.key == just)
        if plan.done and not row.just_marked:
            coming.done.append(row)
        elif plan.last < today:
            coming.earlier.append(row)
        elif plan.first <= today + NEXT:
            coming.next.append(row)
        else:
            coming.later.append(row)
    coming.earlier.reverse()
    return coming


def at_home(person: User, just: UUID | None = None) -> ComingUp:
    """Return the plans for the home page; empty while memory is off. `just`: see `coming_up`."""
    if not person.memory_on:
        return ComingUp()
    coming = coming_up(person, just)
    kept = [row for row in coming.later if row.just_marked]
    shown = coming.next[:_MOST_AT_HOME]
    shown += [row for row in coming.next[_MOST_AT_HOME:] if row.just_marked]
    more = len(coming.next) - len(shown)
    return ComingUp(next=[*shown, *kept], more=more, snoozes=coming.snoozes)


def just_marked(request: HttpRequest) -> UUID | None:
    """Return the key of the plan that was just marked, from the URL."""
    return as_id(request.GET.get("just", ""))


def _snoozes(today: date) -> Snoozes:
    monday = today + timedelta(7 - today.weekday())
    return Snoozes(today + timedelta(1), monday, today, today + AHEAD)


def _row(plan: Plan, today: date, form: SnoozeForm | None, *, just_marked: bool) -> PlanRow:
    name = plan.conversation and name_and_stamp(plan.conversation.title)[0]
    return PlanRow(
        plan=plan,
        day=_days(plan, today),
        near=_near(plan, today),
        text=shortened(note_label(plan.text), _LONGEST),
        about=context_label(plan.about, _LONGEST) if plan.about else "",
        source="You wrote this" if plan.is_note else name or UNTITLED,
        said=formatting.day(plan.said_at, now()),
        put_off_from=formatting.weekday(plan.planned_for, today) if plan.snoozed else "",
        form=form,
        just_marked=just_marked,
    )


def _days(plan: Plan, today: date) -> str:
    """Return 'Friday 4 December', with the year if it is another; '20 to 27 June 2026'."""
    if plan.first != plan.last:
        return capfirst(plan.day)
    return formatting.weekday(plan.first, today)


def _near(plan: Plan, today: date) -> str:
    words = {today: "Today", today + timedelta(1): "Tomorrow"}.get(plan.first, "")
    weekly = "every week" if plan.weekly and not plan.snoozed else ""
    at = f"{plan.time:%H:%M}" if plan.time else ""
    return ", ".join(filter(None, (words, weekly, at)))
