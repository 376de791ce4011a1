"""What a message corrects, as its author was told, is stored, and told beside it."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from tests.people import Talk

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]

_BOILER = "The boiler man is booked for Thursday at 10, he checks the pressure too."
_MOVED = "The boiler man rang, he's been moved to Friday, same time."


def _said(person: User, beginning: str) -> Message:
    with acting_as(person):
        return Message.objects.for_user(person.pk).get(content__startswith=beginning)


def test_both_are_told_the_new_one_first_and_the_old_one_marked(talk: Talks) -> None:
    talk().say(_BOILER)
    talk().say("My sister Ida has found a flat in Hull.")
    talk().say(_MOVED)
    told = talk().say("When does the boiler man come?").content
    assert told.index("Friday") < told.index("Thursday")
    assert "you later said something else" in told[told.index("Thursday") :]


def test_what_corrects_nothing_stores_nothing(alice: User, talk: Talks) -> None:
    talk().say(_BOILER)
    talk().say("My sister Ida has found a flat in Hull.")
    assert _said(alice, "My sister Ida").corrects_id is None


def test_when_what_was_corrected_is_erased_the_correction_stands(alice: User, talk: Talks) -> None:
    talk().say(_BOILER)
    talk().say(_MOVED)
    with acting_as(alice):
        _said(alice, "The boiler man is").delete()
    assert _said(alice, "The boiler man rang").corrects_id is None
    assert "Friday" in talk().say("When does the boiler man come?").content


def test_what_was_said_in_another_place_is_not_told_where_it_is_private(
    alice: User, talk: Talks
) -> None:
    talk().say(_BOILER)
    here = talk()
    here.say(f"{_MOVED} Keep this between us.")
    assert "Friday" not in talk().say("When does the boiler man come?").content


def test_a_question_never_told_is_not_answered_by_a_word_in_common(talk: Talks) -> None:
    here = talk()
    here.say("A man came about the walk-in shower and drank two cups of tea.")
    here.say("Keep that between us.")
    told = here.say("Did I ever tell you when the boiler man is due?").content
    assert "In this conversation you said" not in told


def test_two_questions_with_one_answer_have_it_once(talk: Talks) -> None:
    told = talk().say(
        "Can you write me a poem about the sea? And can you translate it into Polish?"
    )
    assert told.content.count("need a language model") == 1


def test_a_clause_about_a_place_is_no_second_question(talk: Talks) -> None:
    talk().say("Margaret Duthie has the spare key for the quad shed.")
    told = talk().say("who's got the other key, for where the quad's kept?").content
    assert told.count("Margaret Duthie") == 1


_SUIT = (
    "My dry suit is at the repair in Newton Abbot, it leaks at the left wrist, they want 85 pounds."
)


def test_the_day_that_is_told_first_is_the_one_that_holds(talk: Talks) -> None:
    here = talk()
    here.say("The plumber comes on Tuesday the 24th at half ten.")
    here.say("The plumber rang, they have moved it to Thursday the 26th.")
    told = here.say("When does the plumber come?").content
    assert told.index("26") < told.index("24")


def test_beside_a_question_only_what_says_so_corrects(talk: Talks) -> None:
    here = talk()
    here.say("My niece Bernadette gets married on 14 November in Old Town.")
    told = here.say(
        "Can you write me a label? To Bernadette, with a little blessing in it."
    ).content
    assert "correction" not in told


def test_what_is_off_stands_before_what_it_calls_off(talk: Talks) -> None:
    here = talk()
    here.say("The dinner with Ben is on Friday the 27th at the harbour.")
    here.say("The dinner with Ben is cancelled, he is ill.")
    told = talk().say("When is the dinner with Ben?").content
    assert "cancelled" in told.partition("harbour")[0]


@pytest.mark.parametrize(
    ("answered", "rejected", "kept"),
    [("York is right", "Leeds", "York"), ("Leeds is right", "York", "Leeds")],
)
def test_a_quote_of_a_value_that_was_rejected_names_what_holds(
    talk: Talks, answered: str, rejected: str, kept: str
) -> None:
    talk().say("I live in Leeds.")
    here = talk()
    here.say("I live in York.")
    here.say(answered)
    told = talk().say(f"What did I say about {rejected}?").content
    assert f"I live in {rejected}" in told
    assert f"replaced by: Lives in {kept}" in told
    told = talk().say(f"What did I say about {kept}?").content
    assert "replaced by" not in told
