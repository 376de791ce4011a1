"""Finding what was said: by words, by meaning, by time, by speaker, and never somebody else's."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from memory.core import statements
from memory.language.text import terms
from memory.retrieval import passage_candidates, passage_index, passage_search
from memory.retrieval.passage_search import Hit

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def talked(
    user: User, *texts: str, at: datetime = NOW - timedelta(days=200), speakers: str = " "
) -> list[Message]:
    """A conversation in which the person and another take turns, each turn findable.

    `speakers` are two names with a space between, for a dialogue that was played back.
    """
    with acting_as(user):
        conversation = Conversation.objects.create(user=user, started_at=at, last_at=at)
        drafts = [
            NewMessage(
                Message.Role.ASSISTANT if place % 2 else Message.Role.USER,
                text,
                said_at=at + timedelta(minutes=place),
                author=speakers.split(" ")[place % 2],
            )
            for place, text in enumerate(texts)
        ]
        messages = append(user, conversation, drafts)
        passage_index.index_messages(
            [
                passage_index.SaidMessage(
                    user_id=user.pk,
                    conversation_id=conversation.pk,
                    message_id=message.pk,
                    number=message.number,
                    text=message.content,
                    said_at=message.said_at,
                    by_user=message.role == Message.Role.USER,
                    speaker=message.author,
                )
                for message in messages
            ]
        )
    return messages


def search(user: User, question: str, k: int = 3, **changes: Any) -> list[Hit]:
    with acting_as(user):
        return passage_search.search_passages(user.pk, question, k=k, asked_at=NOW, **changes)


def first(user: User, question: str, **changes: Any) -> str:
    return search(user, question, **changes)[0].text


@pytest.fixture
def a_life(alice: User) -> User:
    """A few conversations of Alice's."""
    talked(alice, "I play the cello in a small orchestra", "How lovely", "On Thursdays we rehearse")
    talked(alice, "My sister moved to Porto", "When was that?", "Two weeks ago, with her dog")
    talked(alice, "The kitchen needs new tiles", "Which colour?", "Something green, I think")
    return alice


# --- What is found -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where did my sister move?", "My sister moved to Porto"),
        ("What needs tiles?", "The kitchen needs new tiles"),
        ("Which instrument do I play?", "I play the cello in a small orchestra"),
        ("Does anyone have a pet?", "Two weeks ago, with her dog"),
        ("When did my sister move to Porto?", "Two weeks ago, with her dog"),
    ],
)
def test_a_question_finds_what_was_said(a_life: User, question: str, text: str) -> None:
    assert text in [hit.text for hit in search(a_life, question)]


def test_a_hit_says_where_it_was_said_and_why_it_was_found(a_life: User) -> None:
    hit = search(a_life, "Where did my sister move?")[0]
    with acting_as(a_life):
        message = Message.objects.get(pk=hit.message_id)
    assert (hit.text, hit.number) == (message.content, message.number)
    assert (hit.conversation_id, hit.said_at) == (message.conversation_id, message.said_at)
    assert hit.by_user
    assert hit.score == pytest.approx(sum(factor.adds for factor in hit.factors), abs=1e-4)
    assert {"words", "cover", "meaning", "speaker"} <= {factor.name for factor in hit.factors}


def test_what_was_said_in_the_time_asked_about_comes_first(alice: User) -> None:
    for days in (400, 60, 1):
        talked(alice, f"We had dinner, menu {days}", at=NOW - timedelta(days=days))
    assert first(alice, "What dinner did we have yesterday?") == "We had dinner, menu 1"
    assert first(alice, "What dinner did we have in September 2026?") == "We had dinner, menu 60"
    assert first(alice, "What did we talk about last year?") == "We had dinner, menu 400"


def test_who_asks_for_a_time_is_told_of_it_before_what_was_asked_and_answered_of_late(
    alice: User,
) -> None:
    talked(alice, "I bought a kayak", at=datetime(2026, 5, 10, 12, tzinfo=UTC))
    talked(alice, "I fixed the bike", at=NOW - timedelta(days=14))
    asks = ("What did I do last May?", "I have no note about that. Tell me, and I will remember.")
    talked(alice, *asks, at=NOW - timedelta(hours=1))
    for question in ("What did I do last May?", "What did I do in May?", "What happened last May?"):
        assert first(alice, question) == "I bought a kayak"
    assert first(alice, "What did I do two weeks ago?") == "I fixed the bike"
    assert first(alice, "What did I do the past few weeks?") == "I fixed the bike"


def test_who_goes_on_with_something_gets_its_newest_state_whoever_said_it(alice: User) -> None:
    old, new = "The essay on whales has an outline", "Now the essay on whales has an outline"
    talked(alice, old)
    talked(alice, "Hello", new, at=NOW - timedelta(days=2))
    assert first(alice, "Where is my essay on whales?") == old
    assert first(alice, "I sat down with my essay on whales.") == new


def test_a_named_speaker_is_preferred_in_a_played_back_dialogue(alice: User) -> None:
    talked(alice, "I adore sushi", "I adore curry", speakers="Ann Bo")
    assert first(alice, "What does Bo adore?") == "I adore curry"
    assert first(alice, "What does Ann adore?") == "I adore sushi"


def test_a_speaker_whose_name_has_two_lines_is_still_told_from_the_others(alice: User) -> None:
    talked(alice, "I adore sushi", "I adore curry", "I adore soup", speakers="Ann\nLee Bo")
    assert first(alice, "What does Bo adore?") == "I adore curry"


def test_what_the_assistant_said_is_found_when_it_is_asked_for(alice: User) -> None:
    talked(alice, "Which train should I take to Porto?", "Take the night train at eleven")
    assert first(alice, "Which train did you suggest?") == "Take the night train at eleven"


def test_a_message_can_be_left_out(a_life: User) -> None:
    found = search(a_life, "My sister moved to Porto")[0]
    rest = search(a_life, "My sister moved to Porto", k=50, but=found.message_id)
    assert found.text == "My sister moved to Porto"
    assert found.message_id not in {hit.message_id for hit in rest}


def test_a_search_can_be_narrowed_to_one_conversation(a_life: User) -> None:
    home = search(a_life, "tiles")[0].conversation_id
    hits = search(a_life, "my sister and the green cello", k=50, conversation=home)
    assert {hit.conversation_id for hit in hits} == {home}


@pytest.mark.parametrize("question", ["", "   ", "?!", "what is it that you are", "the of and"])
def test_a_question_that_asks_for_nothing_finds_nothing(a_life: User, question: str) -> None:
    assert search(a_life, question) == []


def test_nothing_is_found_where_nothing_was_said(alice: User) -> None:
    assert search(alice, "Where did my sister move?") == []


def test_no_more_is_given_than_was_asked_for(a_life: User) -> None:
    assert len(search(a_life, "sister", k=2)) == 2
    assert search(a_life, "sister", k=0) == []
    assert len(search(a_life, "sister", k=500)) == 9


def test_the_same_question_gets_the_same_answer(a_life: User) -> None:
    assert search(a_life, "green cello", k=9) == search(a_life, "green cello", k=9)


def test_without_vectors_words_still_find(a_life: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "memory.language.text.terms.meaning_vectors", lambda texts: [None for _ in texts]
    )
    monkeypatch.setattr("memory.language.text.terms.find_related_stems", lambda word: ())
    assert first(a_life, "What needs tiles?") == "The kitchen needs new tiles"


def test_a_word_in_very_many_passages_is_told_from_a_rare_one(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_candidates, "MOST_A_WORD", 10)
    talked(alice, *[f"Coffee number {n} today" for n in range(60)])
    talked(alice, "Coffee with Marguerite")
    numbers = [terms.stem_id("coffee"), terms.stem_id("marguerite")]
    with acting_as(alice):
        wanted = passage_candidates.CandidateQuery(
            user_id=alice.pk,
            numbers=numbers,
            stand_ins=[[], []],
            meaning=None,
            spans=[],
        )
        found = passage_candidates.find(wanted, statements.send_alone)()
    common, rare = (found.holding[number] for number in numbers)
    assert 50 <= common <= 70
    assert (rare, found.total) == (1, 61)


def test_the_turns_around_many_candidates_come_once_each_in_reading_order(alice: User) -> None:
    for _ in range(2):
        talked(alice, *["Tea"] * 3, *[f"Bill {n}" for n in range(8)], "Tea", "Bill 9", "Tea", "No")
    tea = passage_candidates.CandidateQuery(
        user_id=alice.pk,
        numbers=[terms.stem_id("tea")],
        stand_ins=[[]],
        meaning=None,
        spans=[],
    )
    with acting_as(alice):
        found = passage_candidates.find(tea, statements.send_alone)()
    around = [1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 15]
    assert found.rows.number.tolist() == around * 2
    assert found.rows.conversation.tolist() == [1] * len(around) + [2] * len(around)
    assert len(set(found.conversation_ids.tolist())) == 2


def test_a_word_that_only_names_the_time_is_not_looked_up(alice: User) -> None:
    asked = passage_search._parse_question("Which recipe did I try last summer?", NOW)
    wanted = passage_search._candidate_query(alice.pk, asked, None, None)
    assert wanted.spans
    assert set(wanted.numbers) == {terms.stem_id(w) for w in ("recipe", "try")}


@pytest.fixture
def many_words(a_life: User) -> str:
    return " ".join(f"word{n}" for n in range(200)) + " sister Porto"


def test_a_long_time_is_not_read_to_its_end(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_candidates, "MOST_A_SPAN", 5)
    monkeypatch.setattr(passage_candidates, "BY_MEANING", 0)
    # A statement that an earlier search put together would be used again.
    monkeypatch.setattr(passage_candidates, "_text", passage_candidates._text.__wrapped__)
    last_year = NOW - timedelta(days=400)
    talked(alice, *[f"Menu {n}" for n in range(60)], at=last_year)
    found = search(alice, "What was there last year?", k=100)
    assert 0 < len(found) < 20
    assert "Menu 59" in {hit.text for hit in found}


def test_a_very_long_question_is_answered(a_life: User, many_words: str) -> None:
    assert "My sister moved to Porto" in [hit.text for hit in search(a_life, many_words)]


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(question=st.text(max_size=80))
def test_no_question_breaks_the_search(a_life: User, question: str) -> None:
    assert len(search(a_life, question)) <= 3


@pytest.mark.parametrize(
    "question",
    ["'; drop table memory_passage; --", "a:* & !b | (c <-> d)", "%s %(user)s {only}", "\\"],
)
def test_the_signs_of_a_query_language_are_only_text(a_life: User, question: str) -> None:
    search(a_life, question)
    assert search(a_life, "tiles")


# --- Whose it is ---------------------------------------------------------------------------------


def test_another_persons_passages_never_appear(a_life: User, bob: User) -> None:
    talked(bob, "My sister moved to Lyon", "Oh", "I play the flute and the kitchen has tiles")
    for question in ("Where did my sister move?", "kitchen tiles", "Which instrument do I play?"):
        mine = {hit.text for hit in search(a_life, question, k=100)}
        his = {hit.text for hit in search(bob, question, k=100)}
        assert mine
        assert his
        assert not mine & his


def test_asking_for_somebody_elses_finds_nothing(a_life: User, bob: User) -> None:
    with acting_as(bob):
        assert passage_search.search_passages(a_life.pk, "sister", k=5, asked_at=NOW) == []


def test_outside_anybodys_block_nothing_is_found(a_life: User) -> None:
    assert passage_search.search_passages(a_life.pk, "sister", k=5, asked_at=NOW) == []


def test_a_shared_mark_does_not_let_anything_through(
    a_life: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_index, "mark_of", lambda user_id: "00000000")
    talked(bob, "My sister moved to Lyon")
    talked(a_life, "My sister moved again")
    assert "My sister moved to Lyon" not in {hit.text for hit in search(a_life, "sister", k=50)}


# --- How it is read ------------------------------------------------------------------------------


def test_two_reads_are_enough(a_life: User, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    rows = statements.fetch_rows

    def counted(statement: str, parameters: Any = None) -> list[statements.Row]:
        read.append(statement)
        return rows(statement, parameters)

    monkeypatch.setattr(statements, "fetch_rows", counted)
    monkeypatch.setattr(passage_search, "fetch_rows", counted)
    search(a_life, "Where did my sister move?", k=5)
    assert len(read) == 2


def test_the_nearest_by_meaning_are_found_however_many_are_measured_first(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    talked(alice, *[f"I fed the {animal}" for animal in ("dog", "cat", "horse", "hen", "goat")])
    talked(alice, *[f"The bill number {n} is paid" for n in range(40)])
    monkeypatch.setattr(passage_candidates, "BY_MEANING", 5)
    monkeypatch.setattr(passage_candidates, "MOST_A_WORD", 0)
    found = []
    for first_ones in (0, 3, 5, 10, 100):
        monkeypatch.setattr(passage_candidates, "MEASURED_FIRST", first_ones)
        found.append([hit.message_id for hit in search(alice, "Which pets do I have?", k=100)])
    assert found[0]
    assert all(other == found[0] for other in found)


def test_a_hit_is_hashable_and_carries_plain_values(a_life: User) -> None:
    hit = search(a_life, "tiles")[0]
    assert isinstance(hit.message_id, UUID)
    assert hash(hit)


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Which countries have I been to?", True),
        ("What are my hobbies?", True),
        ("How many races did I run?", True),
        ("Where has Ann camped?", True),
        ("What does Ann think of it?", False),
        ("What was the bus called?", False),
        ("What is Ann's job?", False),
        ("When did we move?", False),
    ],
)
def test_a_question_for_several_things_is_told_from_one_for_one(
    question: str, several: bool
) -> None:
    assert bool(passage_search._SEVERAL.search(question.lower())) is several


def test_a_search_is_narrowed_and_still_brings_its_best(a_life: User) -> None:
    def texts(**only: Any) -> list[str]:
        found = search(
            a_life, "sister dog cello", k=50, only=passage_candidates.PassageFilter(**only)
        )
        return [hit.text for hit in found]

    moved = search(a_life, "Where did my sister move?")[0]
    assert set(texts(conversations=[moved.conversation_id])) == {
        "My sister moved to Porto",
        "When was that?",
        "Two weeks ago, with her dog",
    }
    assert "My sister moved to Porto" not in texts(elsewhere=[moved.conversation_id])
    assert texts(conversations=[]) == []
    assert set(texts(by_person=False)) <= {"How lovely", "When was that?", "Which colour?"}
    assert "How lovely" not in texts(by_person=True)
    assert texts(phrases=[r"\mher\s+dog\M"]) == ["Two weeks ago, with her dog"]
    assert texts(since=NOW) == []
    assert len(texts(until=NOW)) > 3
