"""What is told as past: it enters the history, and nothing of what holds now changes."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome, Message
from conversations.web.present.chips import notes_of
from ledger.history import recent_changes, timeline, timeline_drawing
from ledger.models import Contradiction
from memory.facts import past_facts
from tests.people import Api, Talk, tell, the_fact, values

SAID = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def history_of(user: User) -> list[str]:
    today = localtime(now()).date()
    with acting_as(user):
        return [
            strand.sentence(today) for strand in timeline.slot_histories(timeline.read(user.pk))
        ]


def read(text: str, value: str = "Acme") -> past_facts.PastPeriod | None:
    at = text.index(value)
    return past_facts.read_past_time(text, at, at + len(value), SAID)


@pytest.mark.parametrize(
    ("text", "begun", "ended"),
    [
        ("I worked at Acme from 2009 to 2016.", date(2009, 1, 1), date(2016, 1, 1)),
        ("I worked at Acme, 2009-2016.", date(2009, 1, 1), date(2016, 1, 1)),
        ("from May 2009 until March 2016 i was with Acme", date(2009, 5, 1), date(2016, 3, 1)),
        ("I worked at Acme until last year", None, date(2025, 1, 1)),
        ("I worked at Acme in 2012.", date(2012, 1, 1), date(2012, 12, 31)),
        ("I used to work at Acme.", None, None),
        ("I worked at Acme and in 2009 I lived in Bonn until 2012.", None, None),
        ("I worked at Acme until last March, then at Bosch.", None, date(2026, 3, 1)),
    ],
)
def test_as_much_of_a_past_time_is_read_as_is_told(
    text: str, begun: date | None, ended: date | None
) -> None:
    time = read(text)
    assert time is not None
    assert time.begun is None if begun is None else time.begun and time.begun.day == begun
    assert time.ended is None if ended is None else time.ended and time.ended.day == ended


@pytest.mark.parametrize(
    "text",
    [
        "I worked at Acme from 2009 until now.",
        "I worked at Acme yesterday.",
        "I worked at Acme last week.",
        "I worked at Acme until noon.",
    ],
)
def test_what_lasts_and_what_was_a_days_work_is_no_time_of_a_life(text: str) -> None:
    assert read(text) is None


def chips(user: User, answer: Message) -> list[str]:
    """What the chips above an answer say."""
    with acting_as(user):
        asked = Message.objects.get(conversation=answer.conversation, number=answer.number - 1)
        return [one.text for one in notes_of(asked)]


def test_what_is_told_as_past_stands_in_the_history_and_answers_for_its_years(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I work at Google.")
    noted = talk().say("I worked at Post AG from 2009 to 2016.")
    assert any("Post AG, 2009 to 2016" in text for text in chips(alice, noted))
    assert values(alice, "employer") == {"Google"}
    assert history_of(alice) == ["Employer: Post AG, 2009 to 2016; Google since today."]
    assert "Post AG: 2009 to 2016" in talk().say("Where did I work before?").content
    for question in ("Where did I work in 2012?", "What was my job in March 2013?"):
        told = talk().say(question).content
        assert "Post AG: 2009 to 2016" in told
        assert "Google" not in told
    assert "Your employer" not in talk().say("Where did I work in 2019?").content


def test_what_was_once_without_a_time_gets_its_years_when_they_are_told(
    alice: User, talk: Callable[..., Talk]
) -> None:
    told = talk().say("I used to work at Aldenham Park.")
    assert any("Aldenham Park, some time ago" in text for text in chips(alice, told))
    assert "Aldenham Park" in talk().say("Where did I work before?").content
    tell(alice, "I used to work at Aldenham Park.")
    tell(alice, "I worked at Aldenham Park from 1990 to 2005.")
    assert history_of(alice)[0] == "Employer: Aldenham Park, 1990 to 2005."


def test_a_new_value_leaves_what_has_no_time_and_what_is_told_beside_it_is_past(
    alice: User,
) -> None:
    tell(alice, "I used to live in Graz.")
    tell(alice, "I worked at Lidl in 2005, and now I work at Bosch.")
    tell(alice, "I live in Vienna since 2015.")
    assert history_of(alice) == [
        "Employer: Lidl, 2005; Bosch since today.",
        "Lives in: Graz, some time ago; Vienna since 2015.",
    ]


def test_what_is_over_is_named_in_the_past_in_the_list_the_drawing_and_what_is_taken_away(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    tell(alice, "I used to live in Graz.")
    with acting_as(alice):
        told = timeline.read(alice.pk)
        (strand,) = timeline.slot_histories(told)
        titles = [change.title for change in recent_changes.changes_in(told)]
    assert set(titles) == {"Lived in: Graz"}
    today = localtime(now()).date()
    (row,) = timeline_drawing.draw([strand], today, today).rows
    assert row.name == "Lived in"
    assert history_of(alice) == ["Lived in: Graz, some time ago."]
    page = as_alice.get("/notebook/timeline/").content.decode()
    assert "Lives in" not in page
    (told_to_clients,) = alice_api.get("timeline").json()["results"]
    assert told_to_clients["sentence"] == "Lived in: Graz, some time ago."
    (line,) = alice_api.get("audit").json()["results"]
    assert line["sentence"] == "Noted from what you said: Lived in Graz"


@pytest.mark.parametrize(
    ("slot", "value", "line"),
    [
        ("employer", "Post AG", "Worked at Post AG"),
        ("vehicle", "an old Volvo", "Drove an old Volvo"),
        ("job_title", "head gardener", "Earlier job: head gardener"),
    ],
)
def test_what_is_over_and_written_by_hand_reads_so_in_the_history(
    alice: User, as_alice: Client, alice_api: Api, slot: str, value: str, line: str
) -> None:
    told = {"slot": slot, "value": value, "since": "2009-01-01", "over": "2016-01-01"}
    page = as_alice.post("/notebook/profile/add/", told, follow=True).content.decode()
    assert f"Noted as past: {line}." in page
    (kept,) = alice_api.get("audit").json()["results"]
    assert kept["sentence"] == f"You added this yourself: {line}"


def test_what_holds_again_keeps_its_name_in_the_present(alice: User) -> None:
    tell(alice, "I used to live in Graz.")
    tell(alice, "I live in Vienna since 2015.")
    with acting_as(alice):
        told = timeline.read(alice.pk)
        (strand,) = timeline.slot_histories(told)
        titles = {change.title for change in recent_changes.changes_in(told)}
    assert strand.label == "Lives in"
    assert titles == {"Lived in: Graz", "Lives in: Vienna"}


def test_what_is_held_then_or_now_or_is_asked_about_is_not_put_into_the_past(alice: User) -> None:
    tell(alice, "I work at Google since 2012.")
    tell(alice, "I worked at Post AG from 2009 to 2016.")
    tell(alice, "I work at Amazon.")
    tell(alice, "I worked at Amazon until 2011.")
    tell(alice, "I worked at Google until last year.")
    assert values(alice, "employer", "past") == set()
    with acting_as(alice):
        assert Contradiction.objects.for_user(alice.pk).open().count() == 1


def test_what_is_past_is_not_noted_unasked_nor_from_a_private_conversation(alice: User) -> None:
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy="private")
        asked = Conversation.objects.create(user=alice, privacy="ask")
    tell(alice, "I worked at Post AG from 2009 to 2016.", private)
    tell(alice, "I worked at Post AG from 2009 to 2016.", asked)
    tell(alice, "My neighbour worked at Siemens until 2010.")
    assert history_of(alice) == []


# --- Taking it back ------------------------------------------------------------------------------


def the_chip(user: User) -> str:
    with acting_as(user):
        return f"/notes/{LearningOutcome.objects.get(fact__isnull=False, fact__value='Post AG').pk}"


def test_what_is_over_is_taken_back_at_its_chip_and_comes_back_as_it_was(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I worked at Post AG from 2009 to 2016.")
    assert there.conversation is not None
    page = there.conversation.get_absolute_url()
    chip = the_chip(alice)
    assert f"{chip}/undo/" in as_alice.get(page).content.decode()
    as_alice.post(f"{chip}/undo/")
    assert values(alice, "employer", "removed") == {"Post AG"}
    assert history_of(alice) == []
    assert "Post AG" not in talk().say("Where did I work in 2012?").content
    shown = as_alice.get(page).content.decode()
    assert f"{chip}/restore/" in shown
    assert "Bring back: Worked at Post AG" in shown
    as_alice.post(f"{chip}/restore/")
    assert values(alice, "employer") == set()
    assert history_of(alice) == ["Employer: Post AG, 2009 to 2016."]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_brought_back_from_the_profile_what_is_over_stands_on_the_timeline(
    alice: User, as_alice: Client, headers: dict[str, str]
) -> None:
    tell(alice, "I worked at Post AG from 2009 to 2016.")
    fact = the_fact(alice, "employer", status="past")
    as_alice.post(f"{the_chip(alice)}/undo/")
    answer = as_alice.post(f"/notebook/facts/{fact.pk}/restore/", headers=headers)
    to = answer["HX-Redirect"] if headers else answer["Location"]
    assert to == "/notebook/timeline/"
    assert values(alice, "employer", "past") == {"Post AG"}


def test_taking_back_what_is_over_is_told_of_on_the_day_on_which_it_was_done(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    tell(alice, "I worked at Post AG from 2009 to 2016.")
    as_alice.post(f"{the_chip(alice)}/undo/")
    with acting_as(alice):
        (taken_back,) = [
            one
            for one in recent_changes.changes_in(timeline.read(alice.pk))
            if one.words == "You removed it."
        ]
    assert localtime(taken_back.at).date() == localtime(now()).date()
    lines = [line["sentence"] for line in alice_api.get("audit").json()["results"]]
    assert lines == [
        "You removed this: Worked at Post AG",
        "Noted from what you said: Worked at Post AG",
    ]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_bringing_back_what_is_over_says_why_when_something_else_held_then(
    alice: User, as_alice: Client, headers: dict[str, str]
) -> None:
    tell(alice, "I worked at Post AG from 2009 to 2016.")
    chip = the_chip(alice)
    as_alice.post(f"{chip}/undo/")
    tell(alice, "I worked at Lidl from 2010 to 2012.")
    answer = as_alice.post(f"{chip}/restore/", headers=headers, follow=True)
    assert "Your timeline has another value for that time." in answer.content.decode()
    assert values(alice, "employer", "past") == {"Lidl"}


def test_what_ended_in_the_profile_is_not_taken_back_at_its_chip(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Post AG.")
    fact = the_fact(alice, "employer")
    as_alice.post(f"/notebook/facts/{fact.pk}/over/", {"over": ""})
    as_alice.post(f"{the_chip(alice)}/undo/")
    assert values(alice, "employer", "past") == {"Post AG"}


def test_what_is_over_is_forgotten_with_all_that_a_conversation_taught(
    alice: User, as_alice: Client
) -> None:
    message = tell(alice, "I worked at Post AG from 2009 to 2016.")
    deed = f"/talk/{message.conversation_id}"
    as_alice.post(f"{deed}/unlearn/")
    assert history_of(alice) == []
    as_alice.post(f"{deed}/relearn/")
    assert history_of(alice) == ["Employer: Post AG, 2009 to 2016."]
