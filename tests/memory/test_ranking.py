"""The score of passages: what each factor sees, from numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import terms
from memory.retrieval.measures import AskedTime, Columns, PassageMarks, RankingQuestion
from memory.retrieval.ranking import explain, factors, total

DAY = 86_400.0


@dataclass(frozen=True)
class Turn:
    text: str
    conversation: int = 1
    number: int = 1
    by_user: bool = True
    speaker: str = ""
    said_at: float = 0.0
    marks: int = 0
    nearness: float = 0.0


def talk(*texts: str, conversation: int = 1) -> list[Turn]:
    return [
        Turn(text, conversation=conversation, number=n, by_user=n % 2 == 1)
        for n, text in enumerate(texts, start=1)
    ]


def columns(turns: Sequence[Turn]) -> Columns:
    numbers = [[terms.stem_id(word) for word in terms.content_words(t.text)] for t in turns]
    return Columns(
        conversation=np.array([t.conversation for t in turns], np.int64),
        number=np.array([t.number for t in turns], np.int64),
        by_user=np.array([t.by_user for t in turns], bool),
        speakers=[t.speaker for t in turns],
        said_at=np.array([t.said_at for t in turns], np.float64),
        marks=np.array([t.marks for t in turns], np.int64),
        nearness=np.array([t.nearness for t in turns], np.float32),
        lengths=np.array([len(some) for some in numbers], np.int64),
        terms=np.array([n for some in numbers for n in some], np.int32),
    )


def asked(question: str, **changes: object) -> RankingQuestion:
    words = list(dict.fromkeys(terms.content_words(question)))
    made = RankingQuestion(
        numbers=[terms.stem_id(word) for word in words],
        rarity=np.ones(len(words), np.float32),
        related=[[] for _ in words],
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def best(turns: Sequence[Turn], question: RankingQuestion) -> str:
    scores = total(factors(columns(turns), question))
    return turns[int(scores.argmax())].text


def test_a_turn_is_understood_from_the_question_before_it() -> None:
    turns = [
        *talk("Where did you learn pottery?", "In Lisbon, from my aunt"),
        *talk("What a day", "In Lisbon it rained", conversation=2),
    ]
    strengths = factors(columns(turns), asked("pottery Lisbon"))
    assert strengths["words"][1] > strengths["words"][3]
    assert strengths["cover"][1] > strengths["cover"][3]


def test_a_question_about_the_asker_prefers_what_the_asker_said() -> None:
    turns = talk("tea", "tea")
    assert factors(columns(turns), asked("tea", about_asker=True))["speaker"].tolist() == [1, 0]
    assert factors(columns(turns), asked("tea"))["speaker"].tolist() == [0, 0]


def test_what_was_said_in_the_time_asked_about_is_preferred() -> None:
    turns = [Turn("tea", number=n, said_at=n * 10 * DAY) for n in (1, 2, 3)]
    question = asked("tea", times=[AskedTime(20 * DAY, 21 * DAY, 1.3)], asked_at=40 * DAY)
    strengths = factors(columns(turns), question)
    assert strengths["date"].tolist() == pytest.approx([0, 1.3, 0])


def test_a_question_ranks_behind_its_answer() -> None:
    turns = [
        Turn("Do you like tea?", number=1, marks=int(PassageMarks.ASKS)),
        Turn("Green tea, yes", number=2, by_user=False),
    ]
    assert best(turns, asked("tea")) == "Green tea, yes"


def test_an_explanation_adds_up_to_the_score_and_begins_with_the_weightiest() -> None:
    turns = talk("I paint", "Really?", "Watercolour landscapes of Norway")
    strengths = factors(columns(turns), asked("watercolour Norway", about_asker=True))
    (reasons,) = explain(strengths, np.array([2]))
    assert sum(reason.adds for reason in reasons) == pytest.approx(float(total(strengths)[2]))
    assert [abs(r.adds) for r in reasons] == sorted((abs(r.adds) for r in reasons), reverse=True)


_TURNS = st.lists(
    st.builds(
        Turn,
        text=st.text(alphabet="ab ", max_size=12),
        conversation=st.integers(1, 3),
        number=st.integers(1, 12),
        by_user=st.booleans(),
        said_at=st.floats(0, 1e9),
        marks=st.integers(0, 7),
        nearness=st.floats(-1, 1),
    ),
    max_size=20,
    unique_by=lambda t: (t.conversation, t.number),
)


@given(_TURNS)
def test_scores_are_finite_whatever_was_said(turns: list[Turn]) -> None:
    turns.sort(key=lambda t: (t.conversation, t.number))
    scores = total(factors(columns(turns), asked("aa bb ab", asks_when=True, about_asker=True)))
    assert np.isfinite(scores).all()
