"""A day that is named without its year lies behind or ahead, as the tense says."""

from datetime import UTC, date, datetime

import pytest

from memory.language.dates import planned_days
from memory.notes import note_extraction

# A Saturday.
SATURDAY = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("He can come on 2 December", date(2026, 12, 2)),
        ("I have an interview on 5 June", date(2027, 6, 5)),
        ("Paid the deposit on 2 December", date(2025, 12, 2)),
        ("He said no on 2 December 2025", date(2025, 12, 2)),
        ("I'm so worried about the exam on Thursday", date(2026, 11, 26)),
        ("The van comes on Monday", date(2026, 11, 23)),
        ("He turned 40 on 12 April", date(2026, 4, 12)),
        ("The dentist called on Thursday", date(2026, 11, 19)),
    ],
)
def test_the_tense_decides_and_in_doubt_the_nearer_day(said: str, day: date) -> None:
    assert note_extraction.day_named(said, SATURDAY) == day
    told = planned_days.read_sentence_dates(said, SATURDAY)
    assert told is not None
    assert (told.first, told.last) == (day, day)


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("My contract ends in April", date(2027, 4, 1)),
        ("My contract ended in April", date(2026, 4, 1)),
        ("We're off skiing this winter", date(2026, 12, 1)),
    ],
)
def test_so_it_does_with_months_and_seasons(said: str, first: date) -> None:
    told = planned_days.read_sentence_dates(said, SATURDAY)
    assert told is not None
    assert told.first == first


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("The shearers are coming Thursday week", date(2026, 12, 3)),
        ("A week on Monday we fly", date(2026, 11, 30)),
        ("The shearers come next Thursday", date(2026, 11, 26)),
    ],
)
def test_a_weekday_and_a_week(said: str, day: date) -> None:
    told = planned_days.read_sentence_dates(said, SATURDAY)
    assert told is not None
    assert told.first == day


def test_a_stretch_to_come_is_of_this_year_whatever_was_last_year() -> None:
    said = "He lands on 19 June and stays till the 23rd. I haven't seen him since Christmas"
    told = planned_days.read_sentence_dates(said, datetime(2026, 6, 2, 12, tzinfo=UTC))
    assert told is not None
    assert (told.first, told.last) == (date(2026, 6, 19), date(2026, 6, 23))
