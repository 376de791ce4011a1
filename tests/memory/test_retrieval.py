"""Finding what was said: by words, by meaning, by time, by speaker, and never somebody else's."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from memory.retrieval import passage_index, passage_search
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


def test_without_vectors_words_still_find(a_life: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "memory.language.text.terms.meaning_vectors", lambda texts: [None for _ in texts]
    )
    monkeypatch.setattr("memory.language.text.terms.find_related_stems", lambda word: ())
    assert first(a_life, "What needs tiles?") == "The kitchen needs new tiles"


@pytest.mark.parametrize(
    "question",
    ["'; drop table memory_passage; --", "a:* & !b | (c <-> d)", "%s %(user)s {only}", "\\"],
)
def test_the_signs_of_a_query_language_are_only_text(a_life: User, question: str) -> None:
    search(a_life, question)
    assert search(a_life, "tiles")
    assert search(a_life, "the of and") == []


# --- Whose it is ---------------------------------------------------------------------------------


def test_another_persons_passages_never_appear(a_life: User, bob: User) -> None:
    talked(bob, "My sister moved to Lyon", "Oh", "I play the flute and the kitchen has tiles")
    for question in ("Where did my sister move?", "kitchen tiles", "Which instrument do I play?"):
        mine = {hit.text for hit in search(a_life, question, k=100)}
        his = {hit.text for hit in search(bob, question, k=100)}
        assert mine
        assert his
        assert not mine & his


def test_asking_for_somebody_elses_or_outside_anybodys_block_finds_nothing(
    a_life: User, bob: User
) -> None:
    assert passage_search.search_passages(a_life.pk, "sister", k=5, asked_at=NOW) == []
    with acting_as(bob):
        assert passage_search.search_passages(a_life.pk, "sister", k=5, asked_at=NOW) == []


def test_a_shared_mark_does_not_let_anything_through(
    a_life: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_index, "mark_of", lambda user_id: "00000000")
    talked(bob, "My sister moved to Lyon")
    talked(a_life, "My sister moved again")
    assert "My sister moved to Lyon" not in {hit.text for hit in search(a_life, "sister", k=50)}
