"""Messages made findable: what a passage holds, and that making it twice changes nothing."""

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.language.reading import Reading
from memory.language.text import terms
from memory.models import Passage
from memory.retrieval import passage_index
from memory.retrieval.measures import PassageMarks
from memory.retrieval.passage_index import SaidMessage, lexeme_of
from tests.people import said


def said_as_recall_takes_it(user: User, text: str) -> SaidMessage:
    message = said(user, text)
    return SaidMessage(
        user_id=user.pk,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        number=message.number,
        text=message.content,
        said_at=message.said_at,
        by_user=True,
    )


def index(one: SaidMessage) -> None:
    passage_index.index_message(one, Reading(one.text))


def test_a_message_becomes_one_passage_with_words_meaning_and_place(alice: User) -> None:
    one = said_as_recall_takes_it(alice, "My violin lesson is on Tuesdays")
    with acting_as(alice):
        index(one)
        passage = Passage.objects.get(message_id=one.message_id)
    assert passage.text == "My violin lesson is on Tuesdays"
    assert passage.terms == b"".join(
        terms.stem_id(word).to_bytes(4, "little", signed=True)
        for word in ("violin", "lesson", "tuesdays")
    )
    assert passage.embedding_model == terms.MEANING_MODEL_NAME
    assert passage.embedding is not None
    assert passage.place == 1
    assert PassageMarks.TELLS_WHEN in PassageMarks(passage.marks)


def test_indexing_again_changes_nothing(alice: User) -> None:
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(alice):
        index(one)
        before = Passage.objects.values().get()
        index(one)
        assert Passage.objects.values().get() == before


def test_without_the_model_a_passage_is_kept_without_a_vector(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terms, "meaning_vectors", lambda texts: [None for _ in texts])
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(alice):
        index(one)
        passage = Passage.objects.get()
    assert (passage.embedding, passage.signs, passage.embedding_model) == (None, None, "")


def test_a_passage_goes_with_its_message(alice: User) -> None:
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(alice):
        index(one)
        passage = Passage.objects.get()
        passage.message.delete()
        assert not Passage.objects.exists()


def test_two_people_have_no_lexeme_in_common(alice: User, bob: User) -> None:
    assert lexeme_of(alice.pk, 7) != lexeme_of(bob.pk, 7)
    assert lexeme_of(alice.pk, -1) != lexeme_of(alice.pk, 1)
    assert all(c in "0123456789abcdef" for c in lexeme_of(alice.pk, -(2**31)))


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("I prefer short answers", PassageMarks.STANDING | PassageMarks.OF_SPEAKER),
        ("Are we there yet?", PassageMarks.ASKS | PassageMarks.OF_SPEAKER),
        ("Petra Larsson and Jonas Meier opened a bakery in Paris", PassageMarks.MATTERS),
    ],
)
def test_what_a_text_does_is_noticed(text: str, marks: PassageMarks) -> None:
    assert passage_index.marks_of(Reading(text)) == marks
