"""A correction that gives the right value is proposed for what was noted; a yes changes it."""

import threading
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.turns import turn
from conversations.web.views import talk as views
from memory.language.substitution import put_right
from memory.models import Memory
from tests.people import Talk

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db
DENTIST = "Jonas has a dentist appointment on Tuesday at 3pm."


@pytest.mark.parametrize(
    ("noted", "told", "made"),
    [
        (DENTIST, "no, Thursday", "Jonas has a dentist appointment on Thursday at 3pm."),
        ("green", "Correct that: my favourite colour is blue, not green", "blue"),
        ("Sarah, Monday 14:00", "the meeting is at 15:00 not 14:00", "Sarah, Monday 15:00"),
        ("I owe Imran 600", "I said 600 but it is 650, not 600", "I owe Imran 650"),
        ("My son is ten", "correction: he is eleven, not ten", "My son is eleven"),
        ("Boiler, Wednesday 8:00", "moved to Friday at 9:30", "Boiler, Friday 9:30"),
        ("The flat costs £540 a month", "actually £560", "The flat costs £560 a month"),
        ("The party is on 12 June", "sorry, the 14 June", "The party is on 14 June"),
        ("Dinner on Friday", "not Friday but Saturday", "Dinner on Saturday"),
        ("Her name is Anna", "no, it's Hannah not Anna", "Her name is Hannah"),
        (
            "the MOT is due 19 may",
            "sorry I meant 16 may for the mot not 19",
            "the MOT is due 16 may",
        ),
        (
            "95 quid at the docs",
            "turns out its 110 for that medical not 95",
            "110 quid at the docs",
        ),
        (
            "part time, mon to weds",
            "she does tues to thurs not mon to weds",
            "part time, tues to thurs",
        ),
        ("the wedding is in luton", "no not luton i ment leicester", "the wedding is in leicester"),
        (
            "14 Cope Street, half eight",
            "I meant 41 Cope Street, not 14",
            "41 Cope Street, half eight",
        ),
        ("My car is blue", "not blue but dark green", "My car is dark green"),
        ("My car is blue", "dark green instead of blue", "My car is dark green"),
        ("The party is on the 5th of May", "on the 6th", "The party is on the 6th of May"),
        # What speaks of something else, denies, or takes more words than stand there.
        ("I love Rome", "I did not love Rome but Paris", ""),
        ("I like red wine", "I don't like wine, not red anyway", ""),
        ("Tom is allergic to nuts", "Tom is fine, not allergic to nuts", ""),
        ("I drink tea in the morning", "I drink coffee rather than tea in the evening", ""),
        ("I don't eat meat", "I do eat fish, not meat", ""),
        ("Appointment Monday", "I can't do Tuesday", ""),
        ("Rent is £950", "My phone costs £20", ""),
        ("Mum's birthday is 3 March", "Dad's birthday is 4 March", ""),
        ("Dinner on Friday", "I can't make Friday, but Thursday is Ben's party", ""),
        # Of two numbers either may be meant; and nothing is given instead.
        ("84 cows and 3 dogs", "no, 85", ""),
        ("I like tea", "no, I don't", ""),
        ("Dr Okafor, Thursday the 18th of June", "they moved it to Friday", ""),
        ("the dresser costs 1 790", "no, 1 850", ""),
        ("We are 86 at the wedding", "we were 91 in the end, at 12 tables", ""),
        (DENTIST, "is it Thursday?", ""),
        (DENTIST, "no, Tuesday", ""),
    ],
)
def test_a_value_takes_the_place_of_the_one_of_its_kind(noted: str, told: str, made: str) -> None:
    assert put_right(noted, told) == made


def _notes(person: User) -> set[str]:
    with acting_as(person):
        return {one.original or one.content for one in Memory.objects.for_user(person.pk).active()}


@pytest.fixture
def corrected(alice: User, talk: Talks) -> Talk:
    del alice
    here = talk()
    here.say(DENTIST)
    answer = here.say("no wait, that was wrong, it's Thursday")
    assert "Shall I change it to “Jonas has a dentist appointment on Thursday" in answer.content
    return here


def test_a_yes_changes_the_note(alice: User, corrected: Talk) -> None:
    assert corrected.say("yes").content.startswith("Changed to “Jonas has a dentist appointment on")
    assert any("Thursday at 3pm" in one for one in _notes(alice))
    assert not any("Tuesday" in one for one in _notes(alice))
    assert "Changed to" not in corrected.say("yes").content, "once"


def test_after_a_yes_it_is_told_once_and_listed_on_its_new_day(
    alice: User, corrected: Talk, as_alice: Client
) -> None:
    corrected.say("yes")
    assert len(_notes(alice)) == 1
    answer = corrected.say("What's coming up?").content
    assert "“Jonas has a dentist appointment on Thursday at 3pm”" in answer
    assert "wrong" not in answer
    assert "Thursday at 3pm" in as_alice.get("/talk/").content.decode()


def test_a_yes_closes_the_card_of_whoever_reads_along(alice: User, corrected: Talk) -> None:
    assert corrected.conversation is not None
    exchange = turn.begin(alice, corrected.conversation, "yes")
    came = "".join(views._stream(alice, exchange.answer.pk, threading.Event()))
    assert 'hx-swap-oob="true"' in came
    assert "Changed to" in came.split('id="claim-')[1]


def test_a_no_leaves_it(alice: User, corrected: Talk) -> None:
    assert corrected.say("no").content == "I left it as it was."
    assert any("Tuesday at 3pm" in one for one in _notes(alice))


def test_its_card_has_the_new_value_in_its_field(corrected: Talk, as_alice: Client) -> None:
    assert corrected.conversation is not None
    page = as_alice.get(corrected.conversation.get_absolute_url()).content.decode()
    assert "Jonas has a dentist appointment on Thursday at 3pm</textarea>" in page
    assert "Noted so far: Jonas has a dentist appointment on Tuesday at 3pm" in page


def test_nobody_elses_yes_changes_it(alice: User, bob: User, corrected: Talk, talk: Talks) -> None:
    talk(bob).say("yes")
    assert any("Tuesday at 3pm" in one for one in _notes(alice))


def test_of_several_claims_of_a_message_only_the_one_that_is_meant_is_shown(talk: Talks) -> None:
    here = talk()
    here.say("I live in Graz and I like hiking and my favourite colour is green.")
    answer = here.say("No, that's wrong: my favourite colour is blue, not green.")
    assert "hiking” · [edit" not in answer.content


def test_what_is_told_in_a_private_conversation_is_proposed_for_no_note(
    alice: User, talk: Talks
) -> None:
    talk().say(DENTIST)
    here = talk()
    here.say("Hello")
    with acting_as(alice):
        here.conversation.privacy = here.conversation.Privacy.PRIVATE
        here.conversation.save(update_fields=["privacy"])
    answer = here.say("no wait, the dentist appointment of Jonas is on Thursday, that was wrong")
    assert "Shall I change it" not in answer.content
