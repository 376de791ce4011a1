"""The timeline: how each slot came to be, what held on a day, what changed, and how it is drawn."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support import formatting
from ledger.conflicts.resolution import Answer, resolve
from ledger.history import recent_changes, timeline
from memory.facts import revision
from memory.web import as_of
from privacy.archive import readable_pages
from tests.people import Api, Talk, dispute, tell, the_fact

PAGE = "/notebook/timeline/"


@pytest.mark.parametrize("gap", [1, 5])
def test_a_last_day_is_told_back_as_it_was_typed(alice: User, gap: int) -> None:
    until = localtime(now()).date() - timedelta(days=9)
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("timeline", until=until, since=until + timedelta(gap)), by=alice)
        told = timeline.slot_histories(timeline.read(alice.pk))
        (ended, _) = next(strand for strand in told if strand.slot.key == "employer").spans
        copy = "".join(dict(readable_pages(alice.pk, ["profile"]))["profile.md"])
    assert ended.words(until) == f"until {formatting.plain_date(until, until)}"
    assert f"until {until.day} {until:%B %Y}" in copy


NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "mend"),
    [
        ("2024-11-31", "November has 30 days."),
        ("0001-01-01", "too long ago"),
        ("2024-03-14\x00", "Enter the date"),
    ],
)
def test_a_day_that_cannot_be_says_how_to_mend_it(typed: str, mend: str) -> None:
    with pytest.raises(as_of.UnfitDay, match=mend):
        as_of.day_looked_back_at(typed, NOW)


pytestmark = pytest.mark.django_db


def told_of(user: User) -> list[tuple[str, str]]:
    with acting_as(user):
        made = recent_changes.with_sources(
            user.pk, recent_changes.changes_in(timeline.read(user.pk))
        )
    return [(one.title, f"{one.words} {one.link}".strip()) for one in made]


def test_a_value_that_was_corrected_never_held_and_did_not_end(alice: User, alice_api: Api) -> None:
    tell(alice, "I have a cat called Gravy")
    tell(alice, "Actually my cat is called Grady, not Gravy")
    told = [(name, how.split(".")[0]) for name, how in told_of(alice)]
    assert ("Pets: cat Grady", "Corrected from cat Gravy") in told
    assert not [how for _, how in told if how.startswith("Ended")]
    (strand,) = alice_api.get("timeline?slot=pets").json()["results"]
    assert [(span["value"], span["current"]) for span in strand["spans"]] == [("cat Grady", True)]
    lines = alice_api.get("audit?slot=pets").json()["results"]
    assert (lines[0]["before"], lines[0]["deed"]) == ("cat Gravy", "rewritten")
    assert lines[0]["why"] == "You corrected it"


def moved(user: User) -> None:
    """Munich until the end of 2023, then Zürich."""
    with acting_as(user):
        revision.write_by_hand(user.pk, "location", "Munich", datetime(2022, 1, 3, tzinfo=UTC))
        revision.rewrite(the_fact(user, "location"), "Zürich", datetime(2024, 1, 1, tzinfo=UTC))


def page(client: Client, **asked: str) -> Any:
    return client.get(PAGE, asked)


def test_a_stranger_sees_nothing_of_it(alice: User, as_bob: Client, bob_api: Api) -> None:
    moved(alice)
    assert "Munich" not in page(as_bob, as_of="2023-12-31").content.decode()
    assert bob_api.get("timeline").json()["results"] == []
    assert bob_api.get("profile?as_of=2023-12-31").json()["count"] == 0


@pytest.mark.parametrize(
    ("as_of", "value"),
    [
        ("2023-12-31", "Munich"),
        ("2024-01-01", "Zürich"),
        ("2024-01-01T00:30:00+01:00", "Munich"),
    ],
)
def test_the_profile_is_read_as_of_a_day_or_a_moment(
    alice: User, alice_api: Api, as_of: str, value: str
) -> None:
    moved(alice)
    (fact,) = alice_api.get(f"profile?as_of={as_of}").json()["results"]
    assert fact["value"] == value


def test_what_was_said_and_changed_on_one_day_did_not_end_before_it_was_said(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say("I can't stand coriander.")
    here.say("Actually I love coriander now.")
    today = localtime(now()).date()
    with acting_as(alice):
        disliked = next(
            one
            for one in timeline.slot_histories(timeline.read(alice.pk))
            if one.slot.key == "dislikes"
        )
    assert disliked.spans[0].words(today) == f"until {formatting.day_as_told(today, today, 'day')}"
