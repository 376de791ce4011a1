"""Phrases of time in a question, reckoned from the moment it was asked."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.language.dates.asked_times import asks_when, find_asked_times, tells_when
from memory.language.dates.time_expressions import Width, find_stated_times
from tests.clock import ends_in_reasonable_time

# A Saturday.
ASKED_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last", "width"),
    [
        ("What did I do yesterday?", "2026-11-20", "2026-11-20", Width.DAY),
        ("And last Saturday?", "2026-11-14", "2026-11-14", Width.DAY),
        ("Where was I on 24 December?", "2025-12-24", "2025-12-24", Width.DAY),
        ("What did we decide three days ago?", "2026-11-18", "2026-11-18", Width.DAY),
        ("What did I do last weekend?", "2026-11-14", "2026-11-15", Width.WEEK),
        ("Where did I go last November?", "2025-11-01", "2025-11-30", Width.MONTH),
        ("Where did we go last summer?", "2026-06-01", "2026-08-31", Width.SEASON),
        ("Where did I live in 2019?", "2019-01-01", "2019-12-31", Width.YEAR),
    ],
)
def test_a_phrase_of_time_becomes_a_span_of_days(
    question: str, first: str, last: str, width: Width
) -> None:
    (span,) = find_asked_times(question, ASKED_AT)
    assert (span.first, span.last) == (date.fromisoformat(first), date.fromisoformat(last))
    assert span.width is width


@pytest.mark.parametrize(
    ("question", "first", "last", "width"),
    [
        # Without a word before it, and with counts in words.
        ("What did I eat the past week?", "2026-11-14", "2026-11-21", Width.WEEK),
        # One time told by two.
        ("What did I do in May last year?", "2025-05-01", "2025-05-31", Width.MONTH),
        ("What did I do at the weekend?", "2026-11-21", "2026-11-22", Width.WEEK),
        # Stretches.
        ("What did I do before June?", "1900-01-01", "2026-05-31", Width.YEAR),
        ("What did I do the Sunday before 25 October?", "2026-10-18", "2026-10-25", Width.WEEK),
        # Quarters, dates in numbers, feasts.
        ("Where was I last Christmas?", "2025-12-24", "2025-12-26", Width.WEEK),
        # What is to come.
        ("What did I say I will do in March?", "2026-03-01", "2026-03-31", Width.MONTH),
        ("Where have I worked since 2019?", "2019-01-01", "2026-11-21", Width.YEAR),
    ],
)
def test_what_only_a_question_means_by_a_time_is_read(
    question: str, first: str, last: str, width: Width
) -> None:
    (span,) = find_asked_times(question, ASKED_AT)
    assert (span.first, span.last) == (date.fromisoformat(first), date.fromisoformat(last))
    assert span.width is width
    assert span.words in question.lower()


@pytest.mark.parametrize("told", ["before June", "next week"])
def test_what_is_told_is_not_read_as_a_question_means_it(told: str) -> None:
    assert all(
        span.words != told.lower() for span in find_stated_times(f"I was there {told}", ASKED_AT)
    )


@pytest.mark.parametrize(
    "question",
    [
        "May I ask something?",
        "We march for peace, may it help",
        "How many are 3 of 12?",
        "What do I do before lunch and after work?",
        "Which last name did the first one have?",
        "What did I buy at the Christmas market?",
        "Is version 3.11.2024.1 out?",
        "",
    ],
)
def test_words_that_only_look_like_times_are_left_alone(question: str) -> None:
    assert find_asked_times(question, ASKED_AT) == []


def test_the_longer_phrase_counts_where_two_overlap() -> None:
    assert [span.words for span in find_asked_times("on 7 May 2023 and in 2022", ASKED_AT)] == [
        "7 may 2023",
        "in 2022",
    ]


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


@given(st.lists(_PIECES, min_size=1, max_size=5).map(" ".join))
@settings(max_examples=25, deadline=None)
def test_pieces_repeated_for_twenty_thousand_letters_are_read_in_no_time(piece: str) -> None:
    with ends_in_reasonable_time():
        find_asked_times((piece + " ") * (20_000 // (len(piece) + 1)), ASKED_AT)


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("I went there yesterday", True),
        ("We have been married for five years", True),
        ("It was in May", True),
        ("You may go", False),
        ("I like tea", False),
    ],
)
def test_it_is_noticed_when_a_text_tells_a_time(text: str, does: bool) -> None:
    assert tells_when(text) is does


@pytest.mark.parametrize(
    ("question", "does"),
    [("When did I go?", True), ("How long was it?", True), ("Where did I go?", False)],
)
def test_it_is_noticed_when_a_question_asks_for_a_time(question: str, does: bool) -> None:
    assert asks_when(question) is does


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How often did I mention hiking in march?", "in March"),
        ("What did we talk about 18 november?", "on 18 November"),
        ("What did we talk about on the 18 of november?", "on 18 of November"),
        ("Which conversations did we have november 18?", "on November 18"),
        ("What did we talk about last friday?", "last Friday"),
        ("What did I say summer 2019?", "in summer 2019"),
        ("What did I say last week?", "last week"),
        ("What did I say in may 2024?", "in May 2024"),
        ("What did I say since may 2024?", "since May 2024"),
        ("What did I do last christmas?", "last Christmas"),
    ],
)
def test_a_time_is_said_back_as_it_is_written(asked: str, said: str) -> None:
    assert find_asked_times(asked, ASKED_AT)[0].said == said
