"""Coming up: plans are listed, done, put off and undone."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import PlanMark
from conversations.tools import registry
from conversations.tools.plans import Plan, plans_between
from conversations.tools.tool import ToolContext
from conversations.web.present import coming_up
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]


def in_days(count: int) -> date:
    return localdate() + timedelta(count)


def on(day: date) -> str:
    return f"on {day.day} {day:%B %Y}"


def plans(user: User, *, done_too: bool = False, days: int = 30) -> list[Plan]:
    with acting_as(user):
        asked = ToolContext(user.pk, now() + timedelta(seconds=1))
        return plans_between(asked, localdate(), in_days(days), done_too=done_too)


def texts(user: User, **more: Any) -> list[str]:
    return [plan.text for plan in plans(user, **more)]


def told_by_tool(user: User) -> list[str]:
    with acting_as(user):
        asking = ToolContext(user.pk, now() + timedelta(seconds=1))
        found = registry.call(asking, "get_upcoming_plans", {}).model_dump()["found"]
    return [plan["text"] for plan in found]


def press(client: Client, plan: Plan, deed: str, **sent: str) -> Any:
    return client.post(f"/notebook/coming-up/{plan.key}/{deed}/", sent, follow=True)


@pytest.fixture
def dentist(alice: User) -> Plan:
    """A plan for in three days."""
    tell(alice, f"The dentist is {on(in_days(3))} at 18:30.", said_at=now() - timedelta(hours=1))
    (plan,) = plans(alice)
    return plan


@pytest.mark.parametrize(
    ("before", "instead", "day", "time"),
    [
        (
            "Juno's school play is on 11 {month} at 2pm, and I have to bring a cake.",
            "Actually it's the 12th, not the 11th, the school changed it.",
            12,
            "14:00:00",
        ),
        (
            "We're going to Rome in {month}.",
            "Actually we're going to Naples instead of Rome.",
            1,
            "None",
        ),
    ],
)
def test_a_plan_that_was_moved_is_listed_once_as_it_is_now(
    talk: Talks, alice: User, before: str, instead: str, day: int, time: str
) -> None:
    next_month = (localdate().replace(day=1) + timedelta(40)).replace(day=1)
    before = before.format(month=f"{next_month:%B}")
    here = talk()
    here.say(before)
    here.say(instead)
    (plan,) = plans(alice, days=100)
    assert (plan.first, str(plan.time)) == (next_month.replace(day=day), time)
    assert plan.text != before


def test_what_is_done_leaves_every_list_and_comes_back(
    alice: User, dentist: Plan, as_alice: Client
) -> None:
    page = press(as_alice, dentist, "done", back="home")
    assert page.redirect_chain[0][0].startswith("/talk/?just=")
    assert f"/{dentist.key}/undo/" in page.content.decode()
    assert texts(alice) == told_by_tool(alice) == []
    assert str(dentist.key) not in as_alice.get("/talk/").content.decode()
    press(as_alice, dentist, "done")
    with acting_as(alice):
        assert PlanMark.objects.count() == 1
    assert "Done (1)" in as_alice.get("/notebook/coming-up/").content.decode()
    press(as_alice, dentist, "undo")
    assert texts(alice) == told_by_tool(alice) == [dentist.text]
    with acting_as(alice):
        assert PlanMark.objects.get().undone_at is not None


def test_what_is_put_off_stands_under_its_new_day_until_that_is_undone(
    alice: User, dentist: Plan, as_alice: Client
) -> None:
    page = press(as_alice, dentist, "snooze", until=in_days(5).isoformat()).content.decode()
    assert f"Moved from {in_days(3):%A} {in_days(3).day}" in page
    (moved,) = plans(alice)
    assert (moved.key, moved.first, moved.time) == (dentist.key, in_days(5), None)
    assert "put off from" in moved.day
    press(as_alice, dentist, "snooze", until=in_days(60).isoformat())
    assert texts(alice) == []
    assert texts(alice, days=90) == [dentist.text]
    press(as_alice, dentist, "done")
    assert texts(alice, days=90) == []
    press(as_alice, dentist, "undo")
    assert [plan.first for plan in plans(alice, days=90)] == [in_days(60)]
    press(as_alice, dentist, "undo")
    press(as_alice, dentist, "undo")
    assert [plan.first for plan in plans(alice)] == [in_days(3)]


def test_doing_one_of_two_that_say_the_same_does_not_bring_back_the_other(
    alice: User, as_alice: Client
) -> None:
    day = on(in_days(4))
    tell(alice, f"The plumber comes {day}.", said_at=now() - timedelta(hours=2))
    tell(alice, f"The plumber comes {day}, at 9.", said_at=now() - timedelta(hours=1))
    (plan,) = plans(alice)
    press(as_alice, plan, "done")
    assert texts(alice) == []


def test_of_what_is_each_week_the_next_time_comes_up_when_one_is_done(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "Every Wednesday I go to the choir.", said_at=now() - timedelta(hours=1))
    (plan,) = plans(alice)
    press(as_alice, plan, "done")
    assert [one.first for one in plans(alice)] == [plan.first + timedelta(7)]
    (following,) = plans(alice)
    press(as_alice, following, "snooze", until=in_days(1).isoformat())
    listed = {one.first for one in plans(alice)}
    assert listed == {in_days(1), plan.first + timedelta(14)}


def test_what_is_over_and_not_done_stands_under_earlier(alice: User, as_alice: Client) -> None:
    tell(alice, f"The fair is {on(in_days(-3))}.", said_at=now() - timedelta(days=9))
    tell(alice, f"The auction is {on(in_days(40))}.", said_at=now() - timedelta(days=9))
    with acting_as(alice):
        coming = coming_up.coming_up(alice)
    assert [len(rows) for rows in (coming.next, coming.later, coming.earlier)] == [0, 1, 1]
    assert "Earlier" in as_alice.get("/notebook/coming-up/").content.decode()
