"""Plans in a calendar: the format, the file, and the secret link that shows one person's own."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as, acting_as_visitor
from accounts.models import AuditEvent, User
from conversations.calendars import feed, icalendar
from conversations.models import CalendarFeed, Conversation, Message
from conversations.tools.plans import Plan, find_plan
from conversations.tools.tool import ToolContext
from memory.models import Memory
from memory.notes import note_store
from tests.people import tell

KEY = UUID("01a229da-d104-729c-b18a-6980bf02ff94")
DAY = date(2026, 12, 4)


def plan(text: str = "The dentist is on Friday", **more: Any) -> Plan:
    given: dict[str, Any] = {
        "first": DAY,
        "last": DAY,
        "day": "4 December 2026",
        "text": text,
        "about": "",
        "id": KEY,
        "said_at": datetime(2026, 11, 30, 9, tzinfo=UTC),
        "link": "/talk/1/",
        "conversation": None,
        "key": KEY,
        "place": 0,
        "planned_for": DAY,
        "is_note": False,
        "weekly": False,
        "snoozed": False,
        "done": False,
        "changed_at": datetime(2026, 11, 30, 9, tzinfo=UTC),
        "time": None,
    }
    return Plan(**given | more)


def written(*plans: Plan) -> str:
    return icalendar.calendar(plans, lambda path: f"https://notes.example{path}")


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").split("\r\n")


def test_a_plan_is_an_event_of_days_of_a_time_or_of_each_week() -> None:
    weekly, moved = plan(weekly=True), plan(weekly=True, snoozed=True, first=DAY + timedelta(1))
    lines = unfolded(written(plan(last=DAY + timedelta(2)), plan(time=time(18, 30)), weekly, moved))
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert "DTSTART;VALUE=DATE:20261204" in lines
    assert "DTEND;VALUE=DATE:20261207" in lines, "the day after the last"
    assert "DTSTART:20261204T183000" in lines
    assert f"UID:{KEY}-0@throughline" in lines
    assert "URL:https://notes.example/talk/1/" in lines
    assert lines.count("RRULE:FREQ=WEEKLY") == 1


def test_marks_of_the_format_are_escaped_and_nothing_begins_a_line_of_its_own() -> None:
    text = "Bring: cake, tea; a \\ and\r\nBEGIN:VEVENT\x07\u2028no"
    lines = unfolded(written(plan(about=text)))
    assert r"DESCRIPTION:Bring: cake\, tea\; a \\ and\nBEGIN:VEVENT\nno" in lines
    assert lines.count("BEGIN:VEVENT") == 1


@pytest.mark.parametrize("text", ["ü" * 180, "👩‍👩‍👧" * 12, "short"])
def test_no_line_is_longer_than_75_octets_and_no_letter_is_cut(text: str) -> None:
    raw = written(plan(text)).encode()
    assert raw.endswith(b"\r\n")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    for line in raw.split(b"\r\n"):
        line.decode()
    assert f"SUMMARY:{text}" in unfolded(raw.decode())


def in_days(count: int) -> str:
    day = localdate() + timedelta(count)
    return f"on {day.day} {day:%B %Y}"


@pytest.fixture
def link(alice: User, db: None) -> str:
    """Alice's link, with one plan behind it."""
    cache.clear()
    tell(alice, f"The dentist is {in_days(3)}.", said_at=now() - timedelta(hours=1))
    with acting_as(alice):
        return f"/calendar/{feed.make(alice)}.ics"


def test_the_link_shows_its_owners_plans_without_a_session_and_sets_no_cookie(
    link: str, bob: User
) -> None:
    tell(bob, f"The plumber comes {in_days(3)}.", said_at=now() - timedelta(hours=1))
    answer = Client().get(link)
    assert answer.status_code == 200
    assert answer["Content-Type"] == icalendar.CONTENT_TYPE
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert "The dentist is" in answer.content.decode()
    assert "plumber" not in answer.content.decode()
    with acting_as(bob):
        assert not CalendarFeed.objects.exists()


def test_only_the_digest_is_kept_and_it_opens_that_row_alone(link: str, alice: User) -> None:
    secret = link.rsplit("/", maxsplit=1)[-1].removesuffix(".ics")
    with acting_as(alice):
        held = CalendarFeed.objects.get()
    assert secret not in (held.digest, str(held.pk))
    for digest, rows in ((held.digest, 1), (secret, 0), ("", 0)):
        with acting_as_visitor(digest):
            assert CalendarFeed.objects.count() == rows
            assert CalendarFeed.objects.update(last_read_at=None) == 0
            assert not Message.objects.exists()
    assert CalendarFeed.objects.count() == 0


def test_a_new_link_ends_the_old_one_and_closing_ends_both(
    link: str, alice: User, as_alice: Client
) -> None:
    page = as_alice.post("/notebook/coming-up/calendar/").content.decode()
    new = page.split('value="http://testserver', 1)[1].split('"', 1)[0]
    assert Client().get(link).status_code == 404
    assert Client().get(new).status_code == 200
    assert new not in as_alice.get("/notebook/coming-up/").content.decode()
    as_alice.post("/notebook/coming-up/calendar/", {"close": "1"})
    assert Client().get(new).status_code == 404
    with acting_as(alice):
        deeds = AuditEvent.objects.for_user(alice.pk).values_list("deed", flat=True)
        assert list(deeds.order_by("at", "pk")) == ["shared", "unshared", "shared", "unshared"]


def test_what_is_private_waits_or_is_done_is_not_in_it(link: str, alice: User) -> None:
    apart = tell(alice, f"The auction is {in_days(4)}.", said_at=now() - timedelta(hours=1))
    waits = tell(alice, f"The boiler man comes {in_days(5)}.", said_at=now() - timedelta(hours=1))
    with acting_as(alice):
        Conversation.objects.filter(pk=apart.conversation_id).update(privacy="private")
        note_store.write_by_hand(alice.pk, "Likes tea")
        Memory.objects.update(status=Memory.Status.WAITING, source_message=waits)
    shown = Client().get(link).content.decode()
    assert shown.count("BEGIN:VEVENT") == 1
    assert "dentist" in shown
    with acting_as(alice):
        (dentist,) = feed.calendar_plans(alice.pk)
        asked = ToolContext(alice.pk, now())
        assert find_plan(asked, dentist.key) is not None
    client = Client()
    client.force_login(alice)
    client.post(f"/notebook/coming-up/{dentist.key}/done/")
    assert "VEVENT" not in Client().get(link).content.decode()
    assert "VEVENT" not in client.get("/notebook/coming-up/plans.ics").content.decode()


def test_it_is_empty_while_memory_is_off_and_closed_for_who_may_not_come_in(
    link: str, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    assert "VEVENT" not in Client().get(link).content.decode()
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert Client().get(link).status_code == 404


def test_who_asks_too_often_is_told_to_wait(link: str) -> None:
    client = Client(REMOTE_ADDR="192.0.2.77")
    answers = {client.get(f"/calendar/{'b' * 43}.ics").status_code for _ in range(60)}
    assert answers == {404}
    assert client.get(link).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.78").get(link).status_code == 200
