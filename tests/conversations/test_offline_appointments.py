"""When something is to be: the weekday is right, and what was moved is told by its last day."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from memory.language.dates import asked_times, planned_days
from tests.people import Talk, tell

Talks = Callable[..., Talk]
# A Monday.
MAY = datetime(2023, 5, 8, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sentence", "guessed"),
    [
        ("We married on 4 April.", True),
        ("We married on 4 April 2011.", False),
        ("We moved here last April.", False),
        ("I was there on Saturday.", False),
        ("I may go on Friday.", False),
        ("The bins go out on Monday.", True),
        ("Wyn did the milk on Friday mornings.", True),
        ("They moved me to Wednesday, same time.", False),
        ("The exam is on 3 June.", False),
    ],
)
def test_a_month_that_is_over_has_no_year_of_its_own(sentence: str, guessed: bool) -> None:
    told = planned_days.read_sentence_dates(sentence, MAY)
    assert told is not None
    assert told.is_a_guess is guessed


@pytest.mark.parametrize(
    "text",
    [
        "I changed jobs and now I work Monday to Friday.",
        "The rehearsal is moved to Saturday or Sunday.",
    ],
)
def test_what_names_several_weekdays_names_no_day(text: str) -> None:
    told = planned_days.read_sentence_dates(text, MAY)
    assert told is None or told.is_a_guess or told.first != told.last


def test_the_year_in_which_it_was_said_is_not_told_with_it(alice: User) -> None:
    tell(alice, "Our class had its reunion on 4 April in the old mill.", said_at=MAY)
    answer = Talk(alice).say("When did our class have its reunion?").content
    assert "4 April" in answer
    assert "4 April 2023" not in answer


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("The viewing is on Saturday 20 May at 11.", "20 May 2023"),
        ("The audit was moved to Monday 5 June.", "5 June 2023"),
        ("It takes place on Mon 5 Jun", "5 June 2023"),
        ("The viewing was moved from Saturday 20 May to Monday 22 May", "22 May 2023"),
        ("I was at the dentist on Tuesday the 2nd", "2 May 2023"),
        ("We see her on Wednesday the 24th", "24 May 2023"),
        ("The party was moved to 3 May", "3 May 2023"),
        ("The party was moved to 3 June", "3 June 2023"),
    ],
)
def test_a_day_of_the_month_is_the_weekday_that_stands_with_it(sentence: str, days: str) -> None:
    found = planned_days.read_sentence_dates(sentence, MAY)
    assert found is not None
    assert found.in_words == days


def test_a_weekday_that_fits_no_near_year_was_a_slip() -> None:
    found = planned_days.read_sentence_dates("We met on Thursday 3 May", MAY)
    assert found is not None
    assert found.in_words == "3 May 2023"


def test_a_day_with_its_weekday_is_said_back_as_it_is_written() -> None:
    (span,) = asked_times.find_asked_times("what was on Monday 1 May?", MAY)
    assert span.said == "on Monday 1 May"


def in_turn(user: User, *texts: str) -> None:
    """Things said one day after another, each in a conversation of its own."""
    for day, text in enumerate(texts):
        tell(user, text, said_at=MAY + timedelta(days=day))


@pytest.mark.parametrize(
    "moved",
    [
        "The viewing has been moved to Monday 22 May at 16:30.",
        "They put off the viewing to Monday 22 May.",
        "Mrs Ott rescheduled the viewing from Saturday 20 May to Monday 22 May.",
        "The viewing is now on Monday, May 22nd.",
        "No, sorry, the viewing is on Monday 22 May.",
    ],
)
@pytest.mark.parametrize("asked", ["When is the viewing?", "What day is the viewing?"])
def test_an_appointment_that_was_moved_is_told_by_its_new_day(
    alice: User, talk: Talks, moved: str, asked: str
) -> None:
    in_turn(alice, "The viewing is on Saturday 20 May at 11.", moved)
    answer = talk().say(asked).content
    first = answer.splitlines()[1]
    assert "22 May" in first or "May 22nd" in first


def test_a_move_that_only_says_it_moves_what_was_told_before(alice: User, talk: Talks) -> None:
    first = tell(alice, "The viewing is on Saturday 20 May at 11.", said_at=MAY)
    tell(
        alice,
        "Sorry, it was moved to Monday 22 May.",
        first.conversation,
        said_at=MAY + timedelta(minutes=1),
    )
    assert "22 May" in talk().say("When is the viewing?").content.splitlines()[1]


def test_the_move_of_another_appointment_moves_nothing(alice: User, talk: Talks) -> None:
    in_turn(
        alice,
        "The viewing of the house in Linz is on Saturday 20 May.",
        "The concert in Graz has been moved to Monday 22 May.",
    )
    answer = talk().say("When is the viewing of the house in Linz?").content
    assert "20 May" in answer.splitlines()[1]


@pytest.mark.parametrize("off", ["cancelled", "called off"])
def test_an_appointment_that_was_called_off_has_no_day(alice: User, talk: Talks, off: str) -> None:
    in_turn(alice, "The viewing is on Saturday 20 May at 11.", f"The viewing was {off}.")
    answer = talk().say("When is the viewing?").content
    assert f"The viewing was {off}." in answer.splitlines()[1]


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("The boys are coming from the 21st to the 29th.", "21 to 29 May 2023"),
        ("They arrive on Sunday the 21st and stay until the 29th", "21 to 29 May 2023"),
        ("They come 21st to 29th December", "21 to 29 December 2023"),
        ("We are in Rome from 28 December to 3 January", "28 December 2023 to 3 January 2024"),
        ("We are away 3-8 June", "3 to 8 June 2023"),
        ("We were in Rome between the 1st and the 5th", "1 to 5 May 2023"),
        ("We went from 2 to 9 April 2022", "2 to 9 April 2022"),
    ],
)
def test_a_stretch_of_days_is_told_from_its_first_to_its_last(sentence: str, days: str) -> None:
    found = planned_days.read_sentence_dates(sentence, MAY)
    assert found is not None
    assert found.in_words == days


def test_numbers_that_are_no_days_are_no_stretch() -> None:
    assert planned_days.read_sentence_dates("I read from page 3 to 9 and 10-12 more", MAY) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "The dog was at the vet yesterday, and I am to bring him back on the 8th of June at four",
        "We fly out on 3 June and come home on 9 June",
    ],
)
def test_of_two_days_in_one_sentence_neither_is_told_as_the_day(sentence: str) -> None:
    assert planned_days.read_sentence_dates(sentence, MAY) is None


def test_a_move_may_name_the_appointment_in_fewer_words(alice: User, talk: Talks) -> None:
    in_turn(
        alice,
        "The boiler is serviced on Tuesday 23 May.",
        "The plumber rang: the boiler is put off to Thursday 25 May.",
    )
    assert "25 May" in talk().say("When is the boiler serviced?").content.splitlines()[1]


def test_the_same_elsewhere_that_was_moved_is_another(alice: User, talk: Talks) -> None:
    in_turn(
        alice,
        "The viewing in Linz is on Saturday 20 May.",
        "The viewing in Graz has been moved to Monday 22 May.",
    )
    assert "20 May" in talk().say("When is the viewing in Linz?").content.splitlines()[1]
