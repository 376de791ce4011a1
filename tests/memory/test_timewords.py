"""Phrases of time in a question, reckoned from the moment it was asked."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.timewords import Width, asks_when, spans, tells_when

# A Saturday.
ASKED_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last", "width"),
    [
        ("What did I do yesterday?", "2026-11-20", "2026-11-20", Width.DAY),
        ("What did I say today?", "2026-11-21", "2026-11-21", Width.DAY),
        ("Who called on Monday?", "2026-11-16", "2026-11-16", Width.DAY),
        ("And last Saturday?", "2026-11-14", "2026-11-14", Width.DAY),
        ("What happened on 7 May 2023?", "2023-05-07", "2023-05-07", Width.DAY),
        ("What happened on May 7th, 2023?", "2023-05-07", "2023-05-07", Width.DAY),
        ("What happened on 2023-05-07?", "2023-05-07", "2023-05-07", Width.DAY),
        ("Where was I on 24 December?", "2025-12-24", "2025-12-24", Width.DAY),
        ("What did I say on 31 February 2023?", "2023-02-01", "2023-02-28", Width.MONTH),
        ("Where was I on 29 February?", "2024-02-29", "2024-02-29", Width.DAY),
        ("What did we decide three days ago?", "2026-11-18", "2026-11-18", Width.DAY),
        ("What did I plan two weeks ago?", "2026-11-04", "2026-11-10", Width.WEEK),
        ("What did I cook last week?", "2026-11-09", "2026-11-15", Width.WEEK),
        ("What did I do last weekend?", "2026-11-14", "2026-11-15", Width.WEEK),
        ("What did I read in the last ten days?", "2026-11-11", "2026-11-21", Width.WEEK),
        ("Where did I go last May?", "2026-05-01", "2026-05-31", Width.MONTH),
        ("Where did I go last November?", "2025-11-01", "2025-11-30", Width.MONTH),
        ("Where will I be in December?", "2025-12-01", "2025-12-31", Width.MONTH),
        ("What did I do in October 2022?", "2022-10-01", "2022-10-31", Width.MONTH),
        ("What did I buy a couple of months ago?", "2026-09-01", "2026-09-30", Width.MONTH),
        ("Where did we go last summer?", "2026-06-01", "2026-08-31", Width.SEASON),
        ("Where was I in the winter of 2020?", "2020-12-01", "2021-02-28", Width.SEASON),
        ("What was I doing last year?", "2025-01-01", "2025-12-31", Width.YEAR),
        ("Where did I live in 2019?", "2019-01-01", "2019-12-31", Width.YEAR),
    ],
)
def test_a_phrase_of_time_becomes_a_span_of_days(
    question: str, first: str, last: str, width: Width
) -> None:
    (span,) = spans(question, ASKED_AT)
    assert (span.first, span.last) == (date.fromisoformat(first), date.fromisoformat(last))
    assert span.width is width


@pytest.mark.parametrize(
    "question",
    [
        "May I ask something?",
        "We march for peace, may it help",
        "Tell me about the Boeing 2000 model",
        "How many are 3 of 12?",
        "",
    ],
)
def test_words_that_only_look_like_times_are_left_alone(question: str) -> None:
    assert spans(question, ASKED_AT) == []


def test_the_longer_phrase_counts_where_two_overlap() -> None:
    assert [span.words for span in spans("on 7 May 2023 and in 2022", ASKED_AT)] == [
        "7 may 2023",
        "in 2022",
    ]


def test_a_day_begins_at_midnight_where_the_asker_is() -> None:
    east = timezone(timedelta(hours=9))
    asked_at = datetime(2026, 11, 21, 1, tzinfo=east)
    (span,) = spans("yesterday", asked_at)
    assert span.bounds(asked_at) == (
        datetime(2026, 11, 20, tzinfo=east),
        datetime(2026, 11, 21, tzinfo=east),
    )


_PIECES = st.sampled_from(
    "on in last this the ago 7 29 31 0 99 2023 1999 may march february monday summer winter two "
    "ten days weeks months years of past week weekend yesterday since 12th , - 2024-02-30".split()
)


@given(
    st.lists(_PIECES, max_size=12).map(" ".join),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_words_at_any_time_give_spans_in_order_and_no_error(
    question: str, asked_at: datetime
) -> None:
    for span in spans(question, asked_at):
        assert span.first <= span.last
        assert span.words in question


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
        ("What did I say since may 2024?", "in May 2024"),
    ],
)
def test_a_time_is_said_back_as_it_is_written(asked: str, said: str) -> None:
    assert spans(asked, ASKED_AT)[0].said == said
