"""What is to come: told by the days that people name, on a question and on the first page."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.tools import registry
from conversations.tools.tool import ToolContext, ToolRefused
from conversations.tools.upcoming import AllUpcoming
from memory.language.dates.planned_days import find_planned_days, read_days_ahead
from memory.models import Memory
from memory.notes import note_store
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db
Talks = Callable[..., Talk]
# A Tuesday.
JUNE = datetime(2026, 6, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("dentist Friday 9am", ["5 June 2026"]),
        ("tomorrow: bins, then Asda", ["3 June 2026"]),
        ("It cost 3.50. We paid on 1.13.", []),
        ("We fly on Christmas Eve.", ["24 December 2026"]),
        ("We went to Leeds on Monday.", []),
    ],
)
def test_what_lay_ahead_when_it_was_said_is_read_with_its_days(text: str, days: list[str]) -> None:
    assert [one.days.in_words for one in find_planned_days(text, JUNE)] == days


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("friday", (6, 5), (6, 5)),
        ("next week", (6, 8), (6, 14)),
        ("in August", (8, 1), (8, 31)),
        ("for the weekend", (6, 6), (6, 7)),
        ("until Friday", (6, 2), (6, 5)),
    ],
)
def test_the_days_that_a_question_means_lie_ahead(
    words: str, first: tuple[int, int], last: tuple[int, int]
) -> None:
    assert read_days_ahead(words, JUNE) == (date(2026, *first), date(2026, *last))


@pytest.mark.parametrize("words", ["", "yesterday", "last week", "2026-13-45", "the garden"])
def test_what_names_no_day_to_come_is_not_read_as_one(words: str) -> None:
    assert read_days_ahead(words, JUNE) is None


@pytest.fixture
def told(alice: User) -> Conversation:
    """What Alice said on a Tuesday in June, and the day after."""
    first = tell(alice, "The dentist is on Friday at 9, with Dr Whitlock.", said_at=JUNE)
    here = first.conversation
    for text in (
        "The boiler man comes on Thursday.",
        "We're in Whitby from the 20th to the 27th.",
        "We painted the shed on Monday.",
    ):
        tell(alice, text, here, said_at=JUNE)
    moved = tell(alice, "The boiler man comes on Friday now.", here, said_at=JUNE + timedelta(1))
    with acting_as(alice):
        boiler = Message.objects.get(content="The boiler man comes on Thursday.")
        Message.objects.filter(pk=moved.pk).update(corrects=boiler)
    return here


def upcoming(
    user: User, at: datetime = JUNE + timedelta(1, hours=1), **arguments: Any
) -> list[tuple[str, str]]:
    with acting_as(user):
        asking = ToolContext(user.pk, at)
        found = registry.call(asking, "get_upcoming_plans", arguments)
    assert isinstance(found, AllUpcoming)
    return [(one.day, one.text) for one in found.found]


def test_days_to_come_are_listed_in_their_order_without_what_was_moved(
    alice: User, bob: User, told: Conversation
) -> None:
    tell(bob, "The piano tuner comes on Friday.", said_at=JUNE)
    assert upcoming(alice) == [
        ("5 June 2026", "The dentist is on Friday at 9, with Dr Whitlock."),
        ("5 June 2026", "The boiler man comes on Friday now."),
        ("20 to 27 June 2026", "We're in Whitby from the 20th to the 27th."),
    ]
    assert len(upcoming(alice, limit=1)) == 1
    assert [day for day, _ in upcoming(alice, when="on the 22nd")] == ["20 to 27 June 2026"]
    assert upcoming(alice, when="Sunday") == []
    with pytest.raises(ToolRefused, match="upcoming days"):
        upcoming(alice, when="the garden")


def test_what_is_private_or_was_taken_out_or_pasted_is_listed_nowhere_else(
    alice: User, told: Conversation
) -> None:
    tell(alice, "Between us, I see the therapist on Friday.", said_at=JUNE)
    mail = "From: Jo Hart\nTo: me\nSubject: Fair\n\nThe fair is on Friday in the park."
    tell(alice, mail, said_at=JUNE, pasted=[mail])
    apart = tell(alice, "The auction is on Friday.", said_at=JUNE)
    with acting_as(alice):
        Conversation.objects.filter(pk=apart.conversation_id).update(privacy="private")
        gone = Message.objects.filter(content__startswith="The dentist")
        gone.update(state=Message.State.REMOVED, content="")
    assert [text for _, text in upcoming(alice, when="Friday")] == [
        "The boiler man comes on Friday now."
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Dinner with Kim is cancelled.", []),
        ("Was the dinner with Kim cancelled?", ["Dinner with Kim is on Friday."]),
        ("The dinner with Kim is not cancelled.", ["Dinner with Kim is on Friday."]),
    ],
)
def test_only_what_was_called_off_is_listed_no_more(
    alice: User, text: str, left: list[str]
) -> None:
    tell(alice, "Dinner with Kim is on Friday.", said_at=JUNE)
    tell(alice, text, said_at=JUNE + timedelta(hours=1))
    assert [text for _, text in upcoming(alice)] == left


TWO_DAYS = "Lunch with Jo is on Friday, dinner with Sam is on Saturday."


@pytest.mark.parametrize(
    ("plan", "correction", "listed"),
    [
        (
            TWO_DAYS,
            "The lunch with Jo is on Thursday.",
            ["The lunch with Jo is on Thursday.", TWO_DAYS],
        ),
        (
            "Brigitte comes on Saturday. Mia starts ballet on Monday.",
            "Mia starts ballet on Tuesday now.",
            ["Brigitte comes on Saturday.", "Mia starts ballet on Tuesday now."],
        ),
        (
            "The dentist is on Friday at 3pm.",
            "No, at 4pm.",
            ["The dentist is on Friday at 3pm. … No, at 4pm."],
        ),
    ],
)
def test_a_correction_leaves_what_it_does_not_speak_of(
    alice: User, plan: str, correction: str, listed: list[str]
) -> None:
    first = tell(alice, plan, said_at=JUNE)
    later = tell(alice, correction, said_at=JUNE + timedelta(hours=1))
    with acting_as(alice):
        Message.objects.filter(pk=later.pk).update(corrects=first)
    assert [text for _, text in upcoming(alice)] == listed


def test_a_note_that_was_put_right_by_hand_counts_wherever_it_is_asked_for(
    alice: User, talk: Talks
) -> None:
    day = now().date() + timedelta(3)
    said = tell(alice, f"Jonas has a dentist appointment on {day:%A} at 3.")
    moved = day + timedelta(1)
    with acting_as(alice):
        (note,) = Memory.objects.filter(source_message=said)
        note_store.rewrite(note, f"Jonas has a dentist appointment on {moved:%A} at 3")
        assert Memory.objects.active().get(source_message=said).happened_on == moved
    here = talk()
    assert f"{moved:%A} at 3” ([said" in here.say("What's coming up?").content
    answer = here.say("When is the dentist appointment of Jonas?").content
    assert f"{moved:%A} at 3”" in answer
    assert "you, corrected" in answer
    assert f"{day:%A}" not in answer


def test_what_its_owner_took_back_is_told_nowhere(alice: User, talk: Talks) -> None:
    day = now().date() + timedelta(3)
    said = tell(alice, f"Jonas has a dentist appointment on {day:%A} at 3.")
    with acting_as(alice):
        (note,) = Memory.objects.filter(source_message=said)
        note_store.remove_note(note)
    here = talk()
    assert "dentist" not in here.say("What's coming up?").content
    assert "at 3" not in here.say("When is the dentist appointment of Jonas?").content
    with acting_as(alice):
        note_store.restore_note(note)
    assert "dentist" in here.say("What's coming up?").content
    assert "at 3" in here.say("When is the dentist appointment of Jonas?").content


def test_what_its_owner_had_forgotten_is_told_nowhere(alice: User, talk: Talks) -> None:
    day = now().date() + timedelta(3)
    here = talk()
    here.say(f"I work at the tax office. The party there is on {day:%A}.")
    assert "party" in here.say("What's coming up?").content
    here.say("forget where I work")
    here.say("yes")
    assert "party" not in here.say("What's coming up?").content


def test_a_question_for_a_day_gets_its_list_or_that_nothing_is_there(
    alice: User, talk: Talks
) -> None:
    day = now().date() + timedelta(3)
    free = day + timedelta(1)
    tell(alice, f"The dentist is on {day:%A} at 9.", said_at=now() - timedelta(hours=2))
    here = talk()
    answer = here.say(f"What's on this {day:%A}?").content
    assert answer.startswith(f"On {day:%A} {day.day} {day:%B}:\n- “The dentist is on")
    answer = here.say("What's coming up?").content
    assert f"- {day:%A} {day.day} {day:%B}: “The dentist is on" in answer
    assert here.say(f"Am I free on {free:%A}?").content == (
        f"I found nothing on {free:%A} {free.day} {free:%B}."
    )


def test_what_was_said_in_confidence_is_a_link(alice: User, talk: Talks) -> None:
    day = now().date() + timedelta(2)
    said = tell(alice, f"Between us, I see Jo on {day:%A}.", said_at=now() - timedelta(hours=2))
    answer = talk().say("What's coming up?").content
    assert "private plan" in answer
    assert said.get_absolute_url() in answer
    assert "Jo" not in answer


def test_the_first_page_shows_the_next_days_to_their_owner_alone(
    alice: User, as_alice: Client, as_bob: Client
) -> None:
    day = now().date() + timedelta(2)
    said = tell(alice, f"The dentist is on {day:%A}.", said_at=now() - timedelta(hours=2))
    tell(alice, f"Between us, I see Jo on {day:%A}.", said_at=now() - timedelta(hours=2))
    page = as_alice.get("/talk/").content.decode()
    assert "Coming up" in page
    assert said.get_absolute_url() in page
    assert "I see Jo" not in page
    assert "Coming up" not in as_bob.get("/talk/").content.decode()
    with acting_as(alice):
        alice.memory_on = False
        alice.save(update_fields=["memory_on"])
    assert "Coming up" not in as_alice.get("/talk/").content.decode()
