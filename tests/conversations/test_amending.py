"""What is put right just after it was said is followed, and changes nothing by itself."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.notebook.disagreements import ASKED
from ledger.models import Contradiction
from memory.language import amendments, goes_on_about, is_correction
from tests.people import Talk, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "put_right", "slot", "asked"),
    [
        ("My birthday is 4 May.", "I meant 5 May.", "birthday", "5 May"),
        ("I live in Rome.", "Sorry, I meant Milan.", "location", "Milan"),
    ],
)
def test_what_puts_a_fact_right_is_asked_about(
    alice: User, talk: Talks, said: str, put_right: str, slot: str, asked: str
) -> None:
    here = talk()
    here.say(said)
    held = values(alice, slot)
    assert asked in here.say(put_right).content
    assert values(alice, slot) == held
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).open().get(slot=slot)
    assert entry.said_as == "correction"


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("I live in Rome", "no thanks"),
        ("I live in Rome", "No, I am fine."),
        ("I live in Rome", "sorry, Monday was busy"),
        ("I live in Rome", "sorry, Monday"),
        ("My sister lives in Rome", "no, sorry, Milan"),
        ("I live in Rome", "It is the 16th of June 1955."),
        ("I work as a nurse", "no, wait, later"),
    ],
)
def test_what_puts_nothing_right_asks_nothing(
    alice: User, talk: Talks, said: str, then: str
) -> None:
    here = talk()
    here.say(said)
    here.say(then)
    with acting_as(alice):
        assert not Contradiction.objects.for_user(alice.pk).exists()


@pytest.mark.parametrize(
    ("said", "then", "question", "right"),
    [
        (
            "Twenty-six people are coming to the party.",
            "Correction: twenty-four people.",
            "How many people are coming to the party?",
            "twenty-four",
        ),
        (
            "My piano teacher was called Beatrix Moll.",
            "No, sorry, Beatrice Moll.",
            "What was my piano teacher called?",
            "Beatrice",
        ),
        ("The exam starts at 9:30.", "I meant 9:45", "When does the exam start?", "9:45"),
    ],
)
def test_what_was_only_said_is_told_with_what_put_it_right(
    talk: Talks, said: str, then: str, question: str, right: str
) -> None:
    here = talk()
    here.say(said)
    here.say(then)
    assert right in talk().say(question).content


@pytest.mark.parametrize("then", ["9:30", "*10", "make that ten", "can you move the dentist to 10"])
def test_what_followed_and_states_nothing_by_itself_costs_no_answer(talk: Talks, then: str) -> None:
    here = talk()
    here.say("The dentist is on Thursday at 9.")
    here.say(then)
    assert "dentist" in talk().say("When is the dentist?").content


def test_a_name_put_right_in_the_same_breath_is_quoted_with_it(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll. No, sorry, Beatrice Moll.")
    assert "Beatrice" in talk().say("What was my piano teacher called?").content


def test_what_followed_and_corrects_nothing_hides_nothing(talk: Talks) -> None:
    here = talk()
    here.say("My piano teacher was called Beatrix Moll.")
    here.say("No, sorry, too busy.")
    assert "Beatrix Moll" in talk().say("What was my piano teacher called?").content


def test_what_was_put_right_in_private_is_told_in_no_other_conversation(talk: Talks) -> None:
    here = talk()
    here.say("My doctor is called Anna Moll.")
    here.say("No, sorry, Anna Mohl, keep this between us")
    assert "Mohl" not in talk().say("What is my doctor called?").content


@pytest.mark.parametrize("text", ["", "no", "no way", "sorry", "No. Why?", "wait what", "actually"])
def test_a_word_that_gives_no_value_corrects_nothing(text: str) -> None:
    assert amendments.read_corrected_value(text) is None


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("My workshop is on Wednesdays at 6.", "Tuesdays, sorry. Wednesday is choir."),
        ("my sister anouk is 17 and my cousin remy is 22", "other way round, anouk is 22"),
        ("The vet is on the 3rd at 4pm.", "Strike that, we've cancelled it."),
        ("I drive a red van for work.", "blue*"),
        ("We've got three cats.", "Two cats. Pickle is the neighbor's."),
        ("The flight is on the 18th at 6:40.", "make that 7:40"),
        ("I'm Catherine.", "With a K please, Katherine"),
        ("My boss Agnieszka is from Gdansk.", "From Gdynia!! She will kill me"),
        ("My uncle has a llama.", "alpaca, not llama"),
        ("Plumber Monday between 8 and 10.", "Between 10 and 12 he says now"),
        ("Half a pill every evening.", "Half a pill was the old dose."),
    ],
)
def test_a_correction_is_heard_by_what_it_sets_against_what_was_said(
    before: str, said: str
) -> None:
    assert is_correction(said, [before])


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("I live in Ghent, near the station.", "I'm in Lyon till Thursday for the trade fair."),
        ("I don't like coffee.", "Bought my dad a bag of that fancy coffee he loves."),
        ("My sister Paulina is a pilot.", "My other sister, Beata, teaches maths."),
        ("I have the podiatrist on the 12th at 9.", "The podiatrist for my dad is the 14th at 9."),
        ("My son Idris is 11.", "Is Idris not 12?"),
    ],
)
def test_what_only_goes_on_is_no_correction(before: str, said: str) -> None:
    assert not is_correction(said, [before])


def test_a_correction_that_changes_nothing_names_the_note_and_keeps_it(
    alice: User, talk: Talks
) -> None:
    here = talk()
    here.say("I drive a red van.")
    held = values(alice, "vehicle")
    answer = here.say("blue*").content
    assert "red van" in answer
    assert "/edit/" in answer
    assert values(alice, "vehicle") == held


def test_what_cannot_hold_beside_a_note_is_asked_about_and_changes_nothing(
    alice: User, talk: Talks
) -> None:
    talk().say("I'm vegetarian.")
    held = values(alice, "diet")
    here = talk()
    answer = here.say("Had a bacon sandwich for breakfast, best ever").content
    assert ASKED in answer
    assert "vegetarian" in answer
    assert values(alice, "diet") == held
    talk().say("Our daughter Wren is 5 and asks why about everything.")
    assert ASKED in talk().say("Wren just turned eight last month.").content
    assert ASKED not in talk().say("Cooked a beef stew for the lads.").content


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("We have three hens", "Two. The fox."),
        ("My son Ambrose is at college in Cork", "was. He finished in May"),
        ("I do yoga with Sabitha on Wednesdays", "pilates, she'd kill me"),
        ("Gym code is 5521", "5512. And don't show it"),
        ("My cousin Fenella moved to Perth", "Perth in Scotland, before you get excited"),
    ],
)
def test_a_short_addition_is_kept_beside_what_it_adds_to(last: str, said: str) -> None:
    assert goes_on_about([(last, said)]) == [True]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("We have three hens", "I bought a new bike for the holidays."),
        ("We have three hens", "What is the weather?"),
        ("The boiler man comes on Wednesday at 8", "It rained all day."),
        ("My name is Bob and I live at Thistlewick.", "Looking for new Taco Bell sites in Houston"),
        ("My sister lives in Perth", "Trying to find a flat in Leeds"),
        ("", "Two. The fox."),
        ("My cousin moved to Perth", "😀"),
    ],
)
def test_what_stands_by_itself_is_no_addition(last: str, said: str) -> None:
    assert goes_on_about([(last, said)]) == [False]


def test_both_are_told_when_it_is_asked_for(talk: Talks) -> None:
    here = talk()
    here.say("Our gardener Fenella moved to Perth.")
    answer = here.say("Perth in Scotland, before you get excited").content
    assert "“Our gardener Fenella moved to Perth” · [edit or remove]" in answer
    told = talk().say("Where did Fenella move?").content
    assert "in Scotland" in told
    assert "moved to Perth" in told
