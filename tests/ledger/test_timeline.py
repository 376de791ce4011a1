"""The timeline: how each slot came to be, what held on a day, what changed, and how it is drawn."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support import formatting
from ledger.conflicts.resolution import Answer, resolve
from ledger.history import recent_changes, timeline, timeline_drawing
from ledger.history.timeline import Rival, SlotHistory, Span
from ledger.models import READ_OTHERWISE, Contradiction
from memory import manager
from memory.facts import revision
from memory.models import ProfileFact
from memory.slots import SLOTS
from memory.web import as_of
from privacy.archive import readable_pages
from tests.people import Api, Talk, dispute, tell, the_fact

PAGE = "/notebook/timeline/"
TODAY = date(2026, 11, 22)


# --- Sentences and days, without a database ------------------------------------------------------


def span(value: str, first: date, end: date | None = None, slot: str = "employer") -> Span:
    return Span(ProfileFact(slot=slot, value=value), first, end)


def strand(*spans: Span, rivals: tuple[str, ...] = ()) -> SlotHistory:
    against = spans[-1].fact
    opened = datetime(2026, 11, 16, tzinfo=UTC)
    stand = [
        Rival(Contradiction(opened_at=opened), against, ProfileFact(slot=against.slot, value=rival))
        for rival in rivals
    ]
    return SlotHistory(SLOTS[against.slot], list(spans), stand)


@pytest.mark.parametrize(
    ("spans", "sentence"),
    [
        (
            [
                span("Microsoft", date(2022, 4, 1), date(2024, 8, 6)),
                span("Google", date(2024, 8, 6)),
            ],
            "Employer: Microsoft, 2022 to 2024; Google since 2024.",
        ),
        ([span("Google", date(2026, 11, 6))], "Employer: Google since 6 November."),
        ([span("Google", TODAY)], "Employer: Google since today."),
        (
            [span("Acme", date(2026, 3, 4), date(2026, 3, 9))],
            "Employer: Acme, 4 to 9 March.",
        ),
        (
            [span("Acme", date(2025, 3, 4), date(2025, 5, 9))],
            "Employer: Acme, 4 March to 9 May 2025.",
        ),
        ([span("Acme", date(2025, 3, 4), date(2025, 3, 4))], "Employer: Acme, 4 March 2025."),
        (
            [
                span("German", date(2022, 1, 3), slot="languages"),
                span("English", date(2022, 1, 3), slot="languages"),
                span("French", date(2025, 9, 10), slot="languages"),
            ],
            "Languages: German and English since 2022; French since 2025.",
        ),
    ],
)
def test_a_slot_is_told_in_one_sentence(spans: list[Span], sentence: str) -> None:
    assert strand(*spans).sentence(TODAY) == sentence


def test_what_was_noted_after_it_had_ended_keeps_its_place_with_an_open_beginning(
    talk: Callable[..., Talk], alice: User, as_alice: Client
) -> None:
    here = talk()
    for value in ("Brandauer", "Nordkai", "Wilke"):
        here.say(f"I work at {value}.")
        settle_as_a_change(alice, localtime(now()).date() - timedelta(days=1))
    page = as_alice.get(PAGE).content.decode()
    assert "Brandauer and Nordkai, until " in page
    assert page.count("fades-in") == 1, "both end on one day and are drawn as one"
    assert "Brandauer, Nordkai</text>" in page
    assert page.count("Replaced") == 2
    told = talk().say("Where did I work before?").content
    assert "Brandauer: until" in told
    assert "Wilke" not in told


def test_what_was_held_until_a_day_and_began_nobody_knows_when_is_drawn_before_that_day() -> None:
    until = Span(ProfileFact(slot="employer", value="Acme"), TODAY, TODAY, True)
    long_over = Span(ProfileFact(slot="employer", value="Post"), TODAY, TODAY, True, True)
    told = strand(long_over, until, span("Google", TODAY))
    assert told.sentence(TODAY) == (
        "Employer: Post, some time ago; Acme, until 22 November; Google since today."
    )
    drawn = timeline_drawing.draw([told], TODAY, TODAY)
    (row,) = drawn.rows
    assert [line.fades_in for line in row.lines].count(True) == 2
    assert len(row.lines) == 3
    assert all(float(line.x1[:-1]) < float(line.x2[:-1]) for line in row.lines)
    assert not until.covers(date(2026, 11, 20)), "no day is known on which it held"


def settle_as_a_change(user: User, since: date) -> None:
    """Both are true, one after the other, where two values stand against each other."""
    with acting_as(user):
        entry = Contradiction.objects.for_user(user.pk).open().first()
        if entry is not None:
            resolve(entry, Answer("timeline", until=since, since=since), by=user)


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


def test_a_question_that_is_open_stands_in_the_sentence() -> None:
    told = strand(span("Microsoft", date(2022, 4, 1)), rivals=("Google",))
    assert told.sentence(TODAY) == "Employer: Microsoft since 2022; not settled: Google."


def test_a_value_counts_on_its_first_day_and_no_more_on_the_day_it_ended() -> None:
    one = span("Microsoft", date(2022, 4, 1), date(2024, 8, 6))
    days = [date(2022, 3, 31), date(2022, 4, 1), date(2024, 8, 5), date(2024, 8, 6)]
    assert [one.covers(day) for day in days] == [False, True, True, False]


def test_what_is_different_since_a_day_is_counted() -> None:
    job = strand(
        span("Microsoft", date(2022, 4, 1), date(2024, 8, 6)), span("Google", date(2024, 8, 6))
    )
    words = strand(
        span("German", date(2022, 1, 3), slot="languages"),
        span("Latin", date(2022, 1, 3), date(2025, 1, 1), slot="languages"),
        span("French", date(2025, 9, 10), slot="languages"),
    )
    since = timeline.changes_since([job, words], date(2024, 3, 14), TODAY)
    assert since.words == "Since then: 2 facts changed, 1 is new."
    assert timeline.changes_since([job], TODAY, TODAY).words == "Nothing has changed since then."


# --- What was typed ------------------------------------------------------------------------------

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "mend"),
    [
        ("14.03.2024", "Enter the date as YYYY-MM-DD, such as 2024-03-14."),
        ("2024-11-31", "November has 30 days."),
        ("2023-02-29", "February has 28 days."),
        ("2024-13-01", "A year has 12 months."),
        ("9999-12-31", "in the future"),
        ("0001-01-01", "too long ago"),
        ("2024-03-14\x00", "Enter the date"),
        ("٢٠٢٤-٠٣-١٤x", "Enter the date"),
    ],
)
def test_a_day_that_cannot_be_says_how_to_mend_it(typed: str, mend: str) -> None:
    with pytest.raises(as_of.UnfitDay, match=mend):
        as_of.day_looked_back_at(typed, NOW)


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2024-03-14", datetime(2024, 3, 14, 23, 59, 59, 999999, tzinfo=UTC)),
        ("2024-03-14T09:30:00+01:00", datetime(2024, 3, 14, 8, 30, tzinfo=UTC)),
        ("2024-03-14T09:30:00 01:00", datetime(2024, 3, 14, 8, 30, tzinfo=UTC)),
        ("2024-03-14T09:30", datetime(2024, 3, 14, 9, 30, tzinfo=UTC)),
        ("2024-03-14T09:30Z", datetime(2024, 3, 14, 9, 30, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_and_a_day_means_its_end(typed: str, moment: datetime) -> None:
    assert as_of.moment(typed, NOW) == moment


@pytest.mark.parametrize(
    "typed", ["T", "2026-11-22T12:01Z", "9999-12-31T23:59-23:00", "0001-01-01T00:00+23:00", "soon"]
)
def test_a_moment_that_cannot_be_is_refused(typed: str) -> None:
    with pytest.raises(as_of.UnfitDay):
        as_of.moment(typed, NOW)


# --- The drawing ---------------------------------------------------------------------------------


def x(place: str) -> float:
    return float(place.removesuffix("%"))


def crowd(count: int, slot: str = "employer") -> SlotHistory:
    """Many values, each a month long, one after the other."""
    days = [date(2020, 1, 1) + timedelta(days=30 * n) for n in range(count + 1)]
    ends: list[date | None] = [*days[1:count], None]
    return strand(*(span(f"Company {n}", days[n], ends[n], slot) for n in range(count)))


def overlaps(drawn: timeline_drawing.Drawing) -> list[tuple[str, str]]:
    """Pairs of labels that stand on each other, at the width for which they were placed."""
    found = []
    for row in drawn.rows:
        boxes = []
        for label in row.labels:
            width = len(label.text) * timeline_drawing._LETTER
            left = x(label.x) - (width if label.anchor == "end" else 0)
            boxes.append((label.y, left, left + width, label.text))
        for (y, left, right, text), (y2, left2, right2, other) in pairwise(sorted(boxes)):
            if y == y2 and left2 < right and left < right2:
                found.append((text, other))
    return found


@pytest.mark.parametrize("count", [1, 3, 12, 40, 400])
@pytest.mark.parametrize("slot", ["employer", "interests"])
def test_no_label_stands_on_another_however_many_there_are(count: int, slot: str) -> None:
    drawn = timeline_drawing.draw([crowd(count, slot)], TODAY, TODAY, timeline_drawing.MANY)
    assert overlaps(drawn) == []
    assert sum(len(row.labels) for row in drawn.rows) >= min(count, 3)
    assert all(0 <= x(line.x1) <= x(line.x2) <= 100 for line in drawn.rows[0].lines)


def test_values_that_held_at_the_same_time_are_drawn_in_lanes_of_their_own() -> None:
    one = strand(
        span("Latin", date(2020, 1, 1), date(2023, 1, 1), "languages"),
        span("Greek", date(2021, 1, 1), None, "languages"),
        span("Dutch", date(2023, 1, 1), None, "languages"),
    )
    (row,) = timeline_drawing.draw([one], TODAY, TODAY).rows
    assert len(row.lanes) == 2
    assert len({line.y for line in row.lines}) == 2


def test_of_too_many_values_those_of_today_and_the_latest_are_drawn_and_the_rest_is_counted() -> (
    None
):
    (row,) = timeline_drawing.draw([crowd(50)], TODAY, TODAY).rows
    assert "Company 49" in {label.text for label in row.labels}
    assert row.more == f"and {50 - timeline_drawing.FEW} more"


def test_an_open_dispute_is_a_fork_with_both_values_at_its_ends() -> None:
    one = strand(span("Microsoft", date(2022, 4, 1)), rivals=("Google", "Amazon"))
    (row,) = timeline_drawing.draw([one], TODAY, TODAY).rows
    assert len(row.forks) == 1
    assert x(row.lines[0].x2) == x(row.forks[0].x) < timeline_drawing.TODAY
    ends = [label.text for label in row.labels if label.disputed]
    assert ends == ["Microsoft?", "Amazon? and 1 more"]


def test_what_held_on_the_day_is_thick_and_the_rest_thin() -> None:
    one = strand(
        span("Microsoft", date(2022, 4, 1), date(2024, 8, 6)), span("Google", date(2024, 8, 6))
    )
    (row,) = timeline_drawing.draw([one], date(2024, 3, 14), TODAY).rows
    assert [line.shown for line in row.lines] == [True, False]


@pytest.mark.parametrize("days", [0, 1, 6, 20, 45, 100, 400, 1200, 3000, 9000, 40000])
def test_the_axis_has_few_marks_whether_it_spans_days_or_a_lifetime(days: int) -> None:
    drawn = timeline_drawing.draw(
        [strand(span("Acme", TODAY - timedelta(days=days)))], TODAY, TODAY
    )
    assert 2 <= len(drawn.ticks) <= 10
    places = [x(tick.x) for tick in drawn.ticks]
    assert places == sorted(set(places))
    assert places[-1] <= timeline_drawing.TODAY - 9


# --- What changed --------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


def told_of(user: User) -> list[tuple[str, str]]:
    with acting_as(user):
        made = recent_changes.with_sources(
            user.pk, recent_changes.changes_in(timeline.read(user.pk))
        )
    return [(one.title, f"{one.words} {one.link}".strip()) for one in made]


def settle(user: User, method: str, **more: Any) -> None:
    with acting_as(user):
        resolve(
            Contradiction.objects.for_user(user.pk).open().get(), Answer(method, **more), by=user
        )


def test_what_was_said_links_to_the_very_message(alice: User) -> None:
    message = tell(alice, "I work at Google")
    with acting_as(alice):
        (one,) = recent_changes.with_sources(
            alice.pk, recent_changes.changes_in(timeline.read(alice.pk))
        )
    assert (one.title, one.words) == ("Employer: Google", "Noted in")
    assert one.url == message.get_absolute_url()


def test_an_open_question_stands_first_and_leads_to_both_sides(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        newest = recent_changes.changes_in(timeline.read(alice.pk))[0]
    assert (newest.title, newest.is_open) == ("Employer: Google or Microsoft?", True)
    assert newest.url == entry.get_absolute_url()


@pytest.mark.parametrize(
    ("method", "title", "words"),
    [
        (
            "keep_new",
            "Microsoft",
            "Corrected: Google was set aside. You settled it: see both sides",
        ),
        (
            "keep_old",
            "Google",
            "Still right: Microsoft was set aside. You settled it: see both sides",
        ),
        (
            "dismiss",
            "Google",
            "Kept without asking again: Microsoft was set aside. You settled it: see both sides",
        ),
        ("timeline", "Microsoft", "Replaced Google. You settled it: why"),
        ("merge", "Acme", "Neither Google nor Microsoft was quite right. You settled it: why"),
    ],
)
def test_an_answer_is_told_once_with_who_gave_it(
    alice: User, method: str, title: str, words: str
) -> None:
    dispute(alice)
    settle(alice, method, value="Acme" if method == "merge" else "")
    told = told_of(alice)
    assert (f"Employer: {title}", words) in told
    assert sum("settled" in how for _, how in told) == 1
    if method != "merge":
        assert (
            sum(name == "Employer: Microsoft" and how.startswith("Noted") for name, how in told)
            == 0
        )


def test_a_hand_that_rewrites_ends_and_takes_back_is_told(alice: User) -> None:
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "employer", "Acme")
        revision.rewrite(the_fact(alice, "employer"), "Umbrella")
        revision.write_by_hand(alice.pk, "pets", "a dog")
        manager.end(the_fact(alice, "employer"), now())
        manager.retract(the_fact(alice, "pets"))
    told = told_of(alice)
    assert ("Employer: Umbrella", "Replaced Acme. You wrote it yourself.") in told
    assert ("Employer: Umbrella", "Ended. Erase for good") in told
    assert ("Pets: a dog", "You removed it. Erase for good") in told
    assert not [how for name, how in told if name == "Employer: Acme" and how.startswith("Ended")]


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


def test_a_fact_that_a_language_model_read_otherwise_is_no_change(alice: User) -> None:
    tell(alice, "I work at Google")
    with acting_as(alice):
        manager.withdraw(the_fact(alice, "employer"), READ_OTHERWISE)
    assert told_of(alice) == []


def test_a_question_that_a_language_model_read_otherwise_is_no_change(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_old"), by=None, reason=READ_OTHERWISE)
    assert {name for name, _ in told_of(alice)} == {"Employer: Google"}


def test_a_conversation_that_is_gone_leaves_the_change_without_its_link(alice: User) -> None:
    message = tell(alice, "I work at Google")
    with acting_as(alice):
        message.conversation.delete()
    assert told_of(alice) == [("Employer: Google", "You wrote it yourself.")]


# --- The page and the API ------------------------------------------------------------------------


def moved(user: User) -> None:
    """Munich until the end of 2023, then Zürich."""
    with acting_as(user):
        revision.write_by_hand(user.pk, "location", "Munich", datetime(2022, 1, 3, tzinfo=UTC))
        revision.rewrite(the_fact(user, "location"), "Zürich", datetime(2024, 1, 1, tzinfo=UTC))


def page(client: Client, **asked: str) -> Any:
    return client.get(PAGE, asked)


def test_the_page_shows_what_held_on_a_past_day_and_what_is_different_now(
    alice: User, as_alice: Client
) -> None:
    moved(alice)
    response = page(as_alice, as_of="2023-12-31")
    assert response.status_code == 200
    (held,) = response.context["held"]
    assert [one.value for one in held["spans"]] == ["Munich"]
    assert response.context["since_then"] == "Since then: 1 fact changed."
    assert "On 31 December 2023" in response.content.decode()
    assert "Lives in: Munich, 2022 to 2024; Zürich since 2024." in response.content.decode()


def test_links_lead_from_change_to_change_and_keep_the_slot(alice: User, as_alice: Client) -> None:
    moved(alice)
    first = page(as_alice, as_of="2023-06-01", slot="location").context
    assert first["next_url"] == f"{PAGE}?as_of=2024-01-01&slot=location"
    assert first["previous_url"] == f"{PAGE}?as_of=2022-01-03&slot=location"
    assert first["today_url"] == f"{PAGE}?slot=location"
    at_the_end = page(as_alice).context
    assert (at_the_end["next_url"], at_the_end["today_url"]) == ("", "")
    assert at_the_end["previous_url"] == f"{PAGE}?as_of=2024-01-01"


def test_a_bad_day_is_kept_beside_the_words_that_mend_it(alice: User, as_alice: Client) -> None:
    moved(alice)
    response = page(as_alice, as_of="2024-11-31")
    assert response.status_code == 422
    assert "November has 30 days. Pick another day." in response.content.decode()
    assert 'value="2024-11-31"' in response.content.decode()


def test_a_slot_chooses_what_is_shown_and_an_unknown_one_chooses_nothing(
    alice: User, as_alice: Client
) -> None:
    moved(alice)
    tell(alice, "I speak German")
    one = page(as_alice, slot="languages").context
    assert [thread["label"] for thread in one["threads"]] == ["Languages"]
    assert {change["change"].slot for change in one["changes"]} == {"languages"}
    assert len(page(as_alice, slot="nonsense").context["threads"]) == 2


def test_earlier_changes_are_a_link_away(alice: User, as_alice: Client) -> None:
    with acting_as(alice):
        for number in range(25):
            revision.write_by_hand(alice.pk, "possessions", f"stamp number {number}")
    first = page(as_alice).context
    assert len(first["changes"]) == 20
    assert first["more_url"] == f"{PAGE}?changes=40"
    rest = page(as_alice, changes="40").context
    assert (len(rest["changes"]), rest["more_url"]) == (25, "")
    assert len(page(as_alice, changes="-1").context["changes"]) == 20


def test_a_newcomer_is_told_what_the_page_is_for(as_alice: Client) -> None:
    assert "No facts yet" in page(as_alice).content.decode()


def test_a_stranger_sees_nothing_of_it(alice: User, as_bob: Client, bob_api: Api) -> None:
    moved(alice)
    assert "Munich" not in page(as_bob, as_of="2023-12-31").content.decode()
    assert bob_api.get("timeline").json()["results"] == []
    assert bob_api.get("profile?as_of=2023-12-31").json()["count"] == 0


def test_the_api_tells_each_value_with_its_time(alice: User, alice_api: Api) -> None:
    moved(alice)
    dispute(alice)
    told = {one["slot"]: one for one in alice_api.get("timeline").json()["results"]}
    spans = told["location"]["spans"]
    assert [(one["value"], one["current"]) for one in spans] == [
        ("Munich", False),
        ("Zürich", True),
    ]
    assert spans[0]["valid_to"] == spans[1]["valid_from"]
    assert told["location"]["sentence"] == "Lives in: Munich, 2022 to 2024; Zürich since 2024."
    assert [one["value"] for one in told["employer"]["open"]] == ["Microsoft"]
    only = alice_api.get("timeline?slot=location").json()
    assert [one["slot"] for one in only["results"]] == ["location"]


def test_the_api_says_which_slots_there_are(alice_api: Api) -> None:
    refused = alice_api.get("timeline?slot=shoes")
    assert refused.status_code == 400
    assert "employer" in json.dumps(refused.json())


@pytest.mark.parametrize(
    ("as_of", "value"),
    [
        ("2023-12-31", "Munich"),
        ("2024-01-01", "Zürich"),
        ("2023-12-31T23:59:59Z", "Munich"),
        ("2024-01-01T00:30:00+01:00", "Munich"),
        ("2024-01-01T00:00:00Z", "Zürich"),
    ],
)
def test_the_profile_is_read_as_of_a_day_or_a_moment(
    alice: User, alice_api: Api, as_of: str, value: str
) -> None:
    moved(alice)
    (fact,) = alice_api.get(f"profile?as_of={as_of}").json()["results"]
    assert fact["value"] == value


def test_the_profile_as_of_today_is_the_profile(alice: User, alice_api: Api) -> None:
    moved(alice)
    dispute(alice)
    today = localtime(now()).date().isoformat()
    assert alice_api.get(f"profile?as_of={today}").json() == alice_api.get("profile").json()


@pytest.mark.parametrize("as_of", ["yesterday", "2024-11-31", "2999-01-01", "2024-03-14Tnoon"])
def test_the_api_says_how_to_write_the_day(alice_api: Api, as_of: str) -> None:
    refused = alice_api.get(f"profile?as_of={as_of}")
    assert refused.status_code == 400
    assert "as_of" in refused.json()["errors"]


def test_what_lost_a_dispute_never_held(alice: User, alice_api: Api) -> None:
    dispute(alice)
    settle(alice, "keep_new")
    today = localtime(now()).date().isoformat()
    (fact,) = alice_api.get(f"profile?as_of={today}").json()["results"]
    assert fact["value"] == "Microsoft"


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
