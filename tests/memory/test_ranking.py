"""The score of passages: what each factor sees, from numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import terms
from memory.retrieval.measures import AskedTime, Columns, PassageMarks, RankingQuestion, rarity
from memory.retrieval.ranking import WEIGHTS, explain, factors, total

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


def test_a_rare_word_outweighs_a_common_one() -> None:
    turns = talk("I like green tea", "My green kayak leaks")
    question = asked("green kayak", rarity=rarity([2, 1], 100))
    assert best(turns, question) == "My green kayak leaks"


def test_a_turn_is_understood_from_the_question_before_it() -> None:
    turns = [
        *talk("Where did you learn pottery?", "In Lisbon, from my aunt"),
        *talk("What a day", "In Lisbon it rained", conversation=2),
    ]
    strengths = factors(columns(turns), asked("pottery Lisbon"))
    assert strengths["words"][1] > strengths["words"][3]
    assert strengths["cover"][1] > strengths["cover"][3]


def test_the_turns_of_another_conversation_lend_nothing() -> None:
    turns = [Turn("pottery", conversation=1, number=1), Turn("Lisbon", conversation=2, number=2)]
    strengths = factors(columns(turns), asked("pottery"))
    assert strengths["cover"][1] == 0


def test_a_turn_that_is_missing_leaves_a_gap() -> None:
    turns = [Turn("pottery", number=1), Turn("Lisbon", number=3)]
    near = factors(columns([turns[0], replace(turns[1], number=2)]), asked("pottery"))
    far = factors(columns(turns), asked("pottery"))
    assert near["cover"][1] > far["cover"][1] == 0


def test_a_word_that_stands_in_counts_for_less_than_the_word() -> None:
    turns = talk("I play the guitar", "Nothing here", "Nothing found", "", "", "", "An instrument")
    kin = [[(terms.stem_id("guitar"), 0.5)]]
    strengths = factors(columns(turns), asked("instrument", related=kin))
    assert strengths["cover"][0] == pytest.approx(0.5)
    assert strengths["cover"][6] == pytest.approx(1.0)
    assert strengths["words"][0] == 0


def test_a_conversation_in_which_something_alike_was_meant_lends_to_all_its_turns() -> None:
    turns = [
        Turn("One", conversation=1, number=1, nearness=0.9),
        Turn("Two", conversation=1, number=9, nearness=0.1),
        Turn("Three", conversation=2, number=1, nearness=0.1),
    ]
    strengths = factors(columns(turns), asked("anything"))
    assert strengths["talk"].tolist() == [1, 1, 0]
    assert strengths["meaning"][1] == strengths["meaning"][2]


def test_conversations_that_are_hardly_different_are_hardly_told_apart() -> None:
    turns = [
        Turn("One", conversation=1, nearness=0.50),
        Turn("Two", conversation=2, nearness=0.51),
    ]
    strengths = factors(columns(turns), asked("anything"))
    assert strengths["talk"].max() < 0.2


def test_the_one_speaker_who_is_named_is_preferred_and_two_are_not() -> None:
    turns = [Turn("tea", speaker="Ann", number=1), Turn("tea", speaker="Bo", number=2)]
    one = factors(columns(turns), asked("tea", names=frozenset({"Bo"})))
    two = factors(columns(turns), asked("tea", names=frozenset({"Ann", "Bo"})))
    assert one["speaker"].tolist() == [0, 1]
    assert two["speaker"].tolist() == [0, 0]


def test_a_question_about_the_asker_prefers_what_the_asker_said() -> None:
    turns = talk("tea", "tea")
    assert factors(columns(turns), asked("tea", about_asker=True))["speaker"].tolist() == [1, 0]
    assert factors(columns(turns), asked("tea"))["speaker"].tolist() == [0, 0]


def test_who_goes_on_with_something_hears_the_assistant_as_well_as_themselves() -> None:
    at = asked("tea", about_asker=True, goes_on=True)
    turns = [replace(turn, marks=int(PassageMarks.STANDING)) for turn in talk("tea", "tea")]
    strengths = factors(columns(turns), at)
    assert strengths["speaker"].tolist() == [0, 0]
    # How the person wants things done holds all the same.
    assert strengths["standing"].tolist() == [1, 0]


def test_a_question_that_asks_when_prefers_a_turn_that_tells_a_time() -> None:
    turns = [Turn("tea", number=1), Turn("tea", number=5, marks=int(PassageMarks.TELLS_WHEN))]
    assert factors(columns(turns), asked("tea", asks_when=True))["tells_when"].tolist() == [0, 1]
    assert factors(columns(turns), asked("tea"))["tells_when"].tolist() == [0, 0]


def test_what_was_said_in_the_time_asked_about_is_preferred() -> None:
    turns = [Turn("tea", number=n, said_at=n * 10 * DAY) for n in (1, 2, 3)]
    question = asked("tea", times=[AskedTime(20 * DAY, 21 * DAY, 1.3)], asked_at=40 * DAY)
    strengths = factors(columns(turns), question)
    assert strengths["date"].tolist() == pytest.approx([0, 1.3, 0])


def test_what_was_said_in_the_time_comes_first_as_far_as_it_bears_on_the_question() -> None:
    then = [AskedTime(20 * DAY, 50 * DAY, 0.8)]
    turns = [
        Turn("tea", number=1, said_at=10 * DAY),
        Turn("tea", number=10, said_at=30 * DAY),
        Turn("chess", number=20, said_at=30 * DAY),
    ]
    strengths = factors(columns(turns), asked("tea", times=then))
    assert strengths["date"].tolist() == pytest.approx([0, 0.8, 0.24])
    assert not strengths["elsewhen"].any()


def test_who_asks_for_nothing_but_a_time_gets_what_was_said_in_it_before_anything_alike() -> None:
    turns = [
        Turn("tea in the garden", conversation=1, said_at=10 * DAY, nearness=0.9),
        Turn("chess", conversation=2, said_at=30 * DAY),
    ]
    whatever = replace(asked(""), times=[AskedTime(20 * DAY, 50 * DAY, 0.3)], only_time=True)
    assert best(turns, whatever) == "chess"
    assert best(turns, replace(whatever, only_time=False)) == "tea in the garden"


def test_what_only_asks_in_that_time_and_what_the_assistant_said_tell_nothing_of_it() -> None:
    turns = [
        Turn("tea", number=1, said_at=30 * DAY, marks=int(PassageMarks.ASKS)),
        Turn("tea", number=2, said_at=30 * DAY, by_user=False),
        Turn("tea", number=10, said_at=30 * DAY),
        Turn("tea", number=20, said_at=30 * DAY, marks=int(PassageMarks.ASKS), speaker="Ann"),
        Turn(
            "tea", number=30, said_at=30 * DAY, marks=int(PassageMarks.ASKS | PassageMarks.MATTERS)
        ),
    ]
    then = [AskedTime(20 * DAY, 50 * DAY, 0.8)]
    of_then = asked("tea", times=then, only_time=True)
    mine = factors(columns(turns), replace(of_then, about_asker=True))
    assert (mine["date"] > 0).tolist() == [False, False, True, True, True]
    assert mine["elsewhen"].tolist() == [1, 1, 0, 0, 0]
    others = factors(columns(turns), of_then)
    assert (others["date"] > 0).tolist() == [False, True, True, True, True]


def test_a_day_missed_by_a_little_still_counts() -> None:
    turns = [Turn("tea", number=1, said_at=22 * DAY)]
    strengths = factors(columns(turns), asked("tea", times=[AskedTime(20 * DAY, 21 * DAY, 1.0)]))
    assert 0 < strengths["date"][0] < 1


def test_a_turn_that_speaks_of_the_day_counts_like_one_said_on_it() -> None:
    turns = [
        Turn("The party is on 5 April 2024", number=1),
        Turn("The party is on 9 April 2024", number=9),
    ]
    words = asked("party 5 April 2024")
    question = replace(words, times=[AskedTime(20 * DAY, 21 * DAY, 1.3, words=[1, 2, 3])])
    assert factors(columns(turns), question)["date"].tolist() == pytest.approx([1.3, 0])


def test_a_long_message_borrows_less_meaning_from_the_turn_before() -> None:
    long = " ".join(f"word{n}" for n in range(200))
    turns = [
        Turn("before", conversation=1, number=1, nearness=1.0),
        Turn("short", conversation=1, number=2),
        Turn("before", conversation=2, number=1, nearness=1.0),
        Turn(long, conversation=2, number=2),
    ]
    meaning = factors(columns(turns), asked("anything"))["meaning"]
    assert meaning[1] > meaning[3]


def test_a_long_message_lends_less_to_the_turn_after_it() -> None:
    long = "pottery " + " ".join(f"word{n}" for n in range(200))
    turns = [
        *talk("pottery", "In Lisbon"),
        *talk(long, "In Lisbon", conversation=2),
    ]
    words = factors(columns(turns), asked("pottery"))["words"]
    assert words[1] > words[3] > 0


def test_who_asks_for_several_things_is_not_given_one_conversation_only() -> None:
    here = [Turn("We cooked curry", number=9 * n, nearness=0.9) for n in range(8)]
    turns = [*here, Turn("We cooked curry", conversation=2, nearness=0.8)]
    one, several = asked("cooked curry"), asked("cooked curry", asks_several=True)
    assert total(factors(columns(turns), one)).argmin() == 8
    assert total(factors(columns(turns), several)).argmin() == 7


def test_within_a_conversation_the_order_stays_when_several_things_are_asked_for() -> None:
    turns = [Turn("curry", number=n, nearness=n / 40) for n in range(1, 30)]
    one, several = asked("curry"), asked("curry", asks_several=True)
    before = (-total(factors(columns(turns), one))).argsort(kind="stable")
    after = (-total(factors(columns(turns), several))).argsort(kind="stable")
    assert before.tolist() == after.tolist()


def test_a_question_ranks_behind_its_answer() -> None:
    turns = [
        Turn("Do you like tea?", number=1, marks=int(PassageMarks.ASKS)),
        Turn("Green tea, yes", number=2, by_user=False),
    ]
    assert best(turns, asked("tea")) == "Green tea, yes"


@pytest.mark.parametrize("mark", [PassageMarks.OF_SPEAKER, PassageMarks.MATTERS])
def test_what_tells_something_of_its_speaker_is_preferred_among_equals(mark: PassageMarks) -> None:
    turns = [Turn("tea", number=1), Turn("tea", number=9, marks=int(mark))]
    strengths = factors(columns(turns), asked("tea"))
    assert total(strengths).argmax() == 1


def test_the_more_is_told_of_a_speaker_the_more_it_counts_and_a_long_message_tells_less() -> None:
    much = PassageMarks.OF_SPEAKER | PassageMarks.MATTERS
    long = " ".join(f"word{n}" for n in range(200))
    turns = [
        Turn("tea", number=1),
        Turn("tea", number=2, marks=int(PassageMarks.MATTERS)),
        Turn("tea", number=3, marks=int(much)),
        Turn(long, number=4, marks=int(much)),
    ]
    told = factors(columns(turns), asked("tea"))["personal"]
    assert told.tolist() == pytest.approx([0, 1 / 2, 1, 0.1])


def test_what_is_newer_is_preferred_among_equals() -> None:
    turns = [
        Turn("tea", conversation=1, said_at=0),
        Turn("tea", conversation=2, said_at=100 * DAY),
    ]
    strengths = factors(columns(turns), asked("tea", asked_at=101 * DAY))
    assert total(strengths).argmax() == 1


def test_what_is_newer_counts_more_for_who_goes_on_with_something() -> None:
    turns = [
        Turn("tea in green cups", conversation=1, said_at=0),
        Turn("tea", conversation=2, said_at=100 * DAY),
    ]
    at = asked("tea green", asked_at=101 * DAY, rarity=np.array([1, 0.4], np.float32))
    assert best(turns, at) == "tea in green cups"
    assert best(turns, replace(at, goes_on=True)) == "tea"


def test_an_explanation_adds_up_to_the_score_and_begins_with_the_weightiest() -> None:
    turns = talk("I paint", "Really?", "Watercolour landscapes of Norway")
    strengths = factors(columns(turns), asked("watercolour Norway", about_asker=True))
    (reasons,) = explain(strengths, np.array([2]))
    assert sum(reason.adds for reason in reasons) == pytest.approx(float(total(strengths)[2]))
    assert [abs(r.adds) for r in reasons] == sorted((abs(r.adds) for r in reasons), reverse=True)


def test_every_weighted_factor_is_computed_and_nothing_else() -> None:
    assert set(factors(columns(talk("tea")), asked("tea"))) == set(WEIGHTS)


def test_no_candidates_have_no_scores() -> None:
    assert len(total(factors(columns([]), asked("tea")))) == 0


def test_a_question_without_words_ranks_by_the_rest() -> None:
    assert len(total(factors(columns(talk("tea", "milk")), asked("")))) == 2


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_rarity_is_never_negative_and_falls_with_use(holding: int, every: int) -> None:
    rare, common = rarity([holding, holding + 1], every)
    assert rare >= common >= 0


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
