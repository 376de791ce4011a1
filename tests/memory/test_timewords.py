"""Phrases of time in a question, reckoned from the moment it was asked."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.dates import planned_days
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.time_expressions import Width
from memory.notes import note_extraction

# A Saturday.
ASKED_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last", "width"),
    [
        ("What did I do yesterday?", "2026-11-20", "2026-11-20", Width.DAY),
        ("Where was I on 24 December?", "2025-12-24", "2025-12-24", Width.DAY),
        ("What did I do last weekend?", "2026-11-14", "2026-11-15", Width.WEEK),
        ("Where did I go last November?", "2025-11-01", "2025-11-30", Width.MONTH),
        ("Where did I live in 2019?", "2019-01-01", "2019-12-31", Width.YEAR),
        ("What did I do in May last year?", "2025-05-01", "2025-05-31", Width.MONTH),
        ("What did I do before June?", "1900-01-01", "2026-05-31", Width.YEAR),
        ("What did I say I will do in March?", "2026-03-01", "2026-03-31", Width.MONTH),
        ("Where have I worked since 2019?", "2019-01-01", "2026-11-21", Width.YEAR),
    ],
)
def test_a_phrase_of_time_becomes_a_span_of_days(
    question: str, first: str, last: str, width: Width
) -> None:
    (span,) = find_asked_times(question, ASKED_AT)
    assert (span.first, span.last) == (date.fromisoformat(first), date.fromisoformat(last))
    assert span.width is width


@pytest.mark.parametrize(
    "question",
    [
        "May I ask something?",
        "What do I do before lunch and after work?",
        "Is version 3.11.2024.1 out?",
        "",
    ],
)
def test_words_that_only_look_like_times_are_left_alone(question: str) -> None:
    assert find_asked_times(question, ASKED_AT) == []


def test_a_day_begins_at_midnight_where_the_asker_is() -> None:
    east = timezone(timedelta(hours=9))
    asked_at = datetime(2026, 11, 21, 1, tzinfo=east)
    (span,) = find_asked_times("yesterday", asked_at)
    assert span.bounds(asked_at) == (
        datetime(2026, 11, 20, tzinfo=east),
        datetime(2026, 11, 21, tzinfo=east),
    )


_PIECES = st.sampled_from(
    "on in last this the ago 7 29 31 0 99 2023 1999 may march february monday summer winter two "
    "ten days weeks months years of past week weekend yesterday since 12th , - 2024-02-30 before "
    "after until between and from to early mid- end q1 quarter 12/05/2025 31.12.9999 easter at "
    "christmas next tomorrow several half a year fortnight will".split()
)


@given(
    st.lists(_PIECES, max_size=12).map(" ".join),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_words_at_any_time_give_spans_in_order_and_no_error(
    question: str, asked_at: datetime
) -> None:
    for span in find_asked_times(question, asked_at):
        assert span.first <= span.last
        assert span.words in question
        first, after = span.bounds(asked_at)
        assert first < after


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I have an interview on 5 June", date(2027, 6, 5)),
        ("Paid the deposit on 2 December", date(2025, 12, 2)),
        ("The van comes on Monday", date(2026, 11, 23)),
        ("The dentist called on Thursday", date(2026, 11, 19)),
    ],
)
def test_the_tense_decides_and_in_doubt_the_nearer_day(said: str, day: date) -> None:
    assert note_extraction.day_named(said, ASKED_AT) == day
    told = planned_days.read_sentence_dates(said, ASKED_AT)
    assert told is not None
    assert (told.first, told.last) == (day, day)
