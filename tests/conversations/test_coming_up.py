"""Coming up: plans are listed, done, put off and undone, by their owner alone."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning
from conversations.models import Conversation, Message, PlanMark
from conversations.tools import registry
from conversations.tools.plans import Plan, plans_between
from conversations.tools.tool import ToolContext
from conversations.web.present import coming_up
from ledger.promotion import proposals
from memory.language.dates.clock_times import read_clock_time
from memory.models import Memory
from memory.notes import note_store
from tests.conversations.looking import alone, answer, look, operation
from tests.fakes.model_server import Serve, normal
from tests.people import Api, Talk, client_for, said, tell, values

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


def test_the_first_page_and_the_list_show_a_plan_with_its_day_and_its_source(
    dentist: Plan, as_alice: Client, as_bob: Client
) -> None:
    for address in ("/talk/", "/notebook/coming-up/"):
        page = as_alice.get(address).content.decode()
        day = in_days(3)
        assert f"{day:%A} {day.day} {day:%B}" in page
        assert "18:30" in page
        assert dentist.link in page
        assert str(dentist.key) not in as_bob.get(address).content.decode()


def test_a_plan_that_was_corrected_is_listed_once_on_its_new_day(alice: User) -> None:
    tell(alice, "Next Thursday I'm flying to Gothenburg to visit her for five days.")
    tell(alice, "Oh sorry, I meant Wednesday next week, not Thursday, for the flight.")
    (plan,) = plans(alice)
    assert plan.first.strftime("%A") == "Wednesday"
    assert "flying to Gothenburg" in plan.text


@pytest.mark.parametrize(
    ("before", "instead", "day", "time"),
    [
        (
            "The dentist is on 14 {month} at 9am.",
            "Sorry, the dentist is on the 15th, not the 14th.",
            15,
            "09:00:00",
        ),
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


def test_a_reminder_that_is_listed_is_never_said_to_take_a_model(talk: Talks) -> None:
    answer = talk().say("Remind me to book a kennel for Biscuit on Monday.")
    assert "It’s under [Coming up]" in answer.content


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


@pytest.mark.parametrize("until", ["", "soon", "2020-01-01", "9999-01-01"])
def test_a_day_that_cannot_be_is_said_beside_what_was_typed(
    until: str, alice: User, dentist: Plan, as_alice: Client
) -> None:
    page = press(as_alice, dentist, "snooze", until=until)
    assert page.status_code == 422
    assert f"until-{dentist.key}-error" in page.content.decode()
    assert f'value="{until}"' in page.content.decode()
    assert [plan.first for plan in plans(alice)] == [in_days(3)]


def test_a_stranger_marks_nothing(bob: User, dentist: Plan, as_bob: Client) -> None:
    for deed in ("done", "snooze", "undo"):
        assert press(as_bob, dentist, deed, until=in_days(1).isoformat()).status_code == 404
        assert Api(bob).post(f"plans/{dentist.key}/{deed}", {}).status_code in (400, 404)


def test_doing_one_of_two_that_say_the_same_does_not_bring_back_the_other(
    alice: User, as_alice: Client
) -> None:
    day = on(in_days(4))
    tell(alice, f"The plumber comes {day}.", said_at=now() - timedelta(hours=2))
    tell(alice, f"The plumber comes {day}, at 9.", said_at=now() - timedelta(hours=1))
    (plan,) = plans(alice)
    press(as_alice, plan, "done")
    assert texts(alice) == []


def test_two_plans_of_one_message_are_done_one_by_one(alice: User, as_alice: Client) -> None:
    day = on(in_days(4))
    tell(alice, f"Lunch with Jo is {day}. The piano tuner comes {day} too.")
    first, second = plans(alice)
    press(as_alice, first, "done")
    assert texts(alice) == [second.text]


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


def test_a_note_with_a_day_that_was_written_by_hand_is_listed(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    with acting_as(alice):
        note = note_store.write_by_hand(alice.pk, f"The MOT is due {on(in_days(6))}")
    (plan,) = plans(alice)
    assert (plan.link, plan.conversation) == (note.get_absolute_url(), None)
    assert "MOT" in talk().say("What's coming up?").content
    press(as_alice, plan, "done")
    assert texts(alice) == []
    press(as_alice, plan, "undo")
    with acting_as(alice):
        note_store.pause_note(note)
        note_store.write_by_hand(alice.pk, "The bins go out every Monday")
    assert [one.weekly for one in plans(alice)] == [True]


def test_a_note_that_says_tomorrow_shows_the_day_wherever_it_stands(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("Our cat Minka has to go to the vet tomorrow at 9.")
    day = in_days(1)
    shown = f"about {day:%A} {day.day} {day:%B}"
    with acting_as(alice):
        note = Memory.objects.active().get(happened_on=day)
    for address in ("", f"{note.pk}/why/", f"{note.pk}/erase/"):
        page = as_alice.get(f"/notebook/memories/{address}").content.decode()
        assert shown in page.replace("About", "about")
    with acting_as(alice):
        Memory.objects.filter(pk=note.pk).update(status=Memory.Status.WAITING)
    assert shown in as_alice.get("/notebook/profile/").content.decode().replace("About", "about")


def test_what_is_over_and_not_done_stands_under_earlier(alice: User, as_alice: Client) -> None:
    tell(alice, f"The fair is {on(in_days(-3))}.", said_at=now() - timedelta(days=9))
    tell(alice, f"The auction is {on(in_days(40))}.", said_at=now() - timedelta(days=9))
    with acting_as(alice):
        coming = coming_up.coming_up(alice)
    assert [len(rows) for rows in (coming.next, coming.later, coming.earlier)] == [0, 1, 1]
    page = as_alice.get("/notebook/coming-up/").content.decode()
    assert "Show later (1)" in page
    assert "Earlier" in page


def test_what_is_private_is_not_listed(alice: User, dentist: Plan) -> None:
    with acting_as(alice):
        Conversation.objects.update(privacy="private")
    assert texts(alice) == []


def test_marks_go_with_their_message(alice: User, dentist: Plan, as_alice: Client) -> None:
    press(as_alice, dentist, "done")
    with acting_as(alice):
        Message.objects.get(pk=dentist.id).conversation.delete()
        assert not PlanMark.objects.exists()


def test_software_lists_does_puts_off_and_undoes(alice: User, dentist: Plan) -> None:
    api = Api(alice)
    listed = api.get("plans").json()
    assert listed["count"] == 1
    (plan,) = listed["results"]
    assert plan["first"] == in_days(3).isoformat()
    assert plan["time"] == "18:30:00"
    assert UUID(plan["id"]) == dentist.key
    assert plan["conversation"]["id"] == str(dentist.conversation and dentist.conversation.id)
    day = in_days(9).isoformat()
    assert api.post(f"plans/{plan['id']}/snooze", {"until": day}).json()["first"] == day
    assert api.get(f"plans?to={in_days(5)}").json()["count"] == 0
    assert api.get(f"plans?from={day}&to={day}").json()["count"] == 1
    assert api.post(f"plans/{plan['id']}/done", {}).json()["done"] is True
    assert api.get("plans").json()["count"] == 0
    assert api.get("plans?done=true").json()["count"] == 1
    assert api.post(f"plans/{plan['id']}/undo", {}).json()["snoozed"] is True


@pytest.mark.parametrize("asked", ["from=soon", "to=", "from=2000-01-01&to=2030-01-01"])
def test_days_that_cannot_be_are_refused(asked: str, alice: User) -> None:
    refused = Api(alice).get(f"plans?{asked}")
    assert refused.status_code == 400
    assert refused.json()["errors"]


def test_no_day_is_between_two_in_the_wrong_order(alice: User) -> None:
    assert Api(alice).get("plans?from=2026-12-02&to=2026-12-01").json()["count"] == 0


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("dentist at 18:30", "18:30"),
        ("parents evening 6.30pm", "18:30"),
        ("dentist 9am", "09:00"),
        ("12 am is midnight", "00:00"),
        ("the train at 09:05", "09:05"),
        ("it may be 3:30", None),
        ("from 9am to 5pm", None),
        ("it costs 12.30", None),
        ("at 25:00", None),
        ("on the 4th", None),
    ],
)
def test_a_time_in_figures_is_read_where_it_is_clear(text: str, at: str | None) -> None:
    read = read_clock_time(text)
    assert (f"{read:%H:%M}" if read else None) == at


@alone
@pytest.mark.parametrize("dated", [True, False], ids=["its words name the day", "the model does"])
def test_a_plan_in_pasted_text_is_coming_up_once_its_owner_accepts_it(
    dated: bool, alice: User, serve: Serve
) -> None:
    day = in_days(9)
    pasted = f"The team offsite in Graz takes place {on(day)}, and I give the opening talk there."
    message = said(alice, f"Look what I got: {pasted}", pasted=(pasted,))
    message_learning.learn_now(message)
    text = "I give the opening talk at the team offsite in Graz"
    note = operation(
        text=f"{text} {on(day)}" if dated else text,
        words="I give the opening talk there",
        line=2,
        day=day.isoformat(),
    )
    serve(normal(answer(note)))
    look(alice, message.conversation)
    assert plans(alice) == []
    with acting_as(alice):
        (waiting,) = proposals.waiting(alice.pk)
        proposals.accept(waiting)
    (plan,) = plans(alice)
    assert (plan.first, plan.is_note) == (day, True)
    assert "opening talk" in plan.text
    page = client_for(alice).get("/notebook/coming-up/").content.decode()
    assert "opening talk" in page


@pytest.mark.parametrize(
    "text",
    ["I start a new job at Acme {on}", "I'm moving to Leeds {on}", "From {day} I work at Acme"],
)
def test_what_begins_on_a_day_to_come_is_a_plan_and_no_fact_until_then(
    text: str, alice: User, talk: Talks
) -> None:
    tell(alice, "I work at Google and live in York")
    day = in_days(20)
    tell(alice, text.format(on=on(day), day=on(day).removeprefix("on ")))
    (plan,) = plans(alice)
    assert plan.first == day
    assert (values(alice, "employer"), values(alice, "location")) == ({"Google"}, {"York"})
    assert "You work at Google." in talk().say("Where do I work?").content
