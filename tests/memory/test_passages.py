"""Messages made findable: what a passage holds, and that making it twice changes nothing."""

from dataclasses import replace

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, transaction

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.language.reading import Reading
from memory.language.text import terms
from memory.models import Passage
from memory.retrieval import passage_index
from memory.retrieval.measures import PassageMarks
from memory.retrieval.passage_index import SaidMessage, index_messages, lexeme_of, reindex_passages
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


def test_a_changed_text_replaces_the_passage(alice: User) -> None:
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(alice):
        index(one)
        index(replace(one, text="Do I keep goats?"))
        passage = Passage.objects.get()
    assert (passage.text, passage.marks) == (
        "Do I keep goats?",
        PassageMarks.ASKS | PassageMarks.OF_SPEAKER,
    )


def test_many_messages_are_written_in_few_statements(
    alice: User, django_assert_max_num_queries: object
) -> None:
    many = [said_as_recall_takes_it(alice, f"Bee hive {n}") for n in range(30)]
    with acting_as(alice), django_assert_max_num_queries(4):  # type: ignore[operator]
        assert index_messages(many) == 30
    with acting_as(alice):
        assert sorted(Passage.objects.values_list("place", flat=True)) == list(range(1, 31))


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_text_is_passed_over(alice: User, text: str) -> None:
    one = replace(said_as_recall_takes_it(alice, "x"), text=text)
    with acting_as(alice):
        assert index_messages([one]) == 0
        assert not Passage.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        "the of and",
        "!!! ???",
        "🙂",
        "x" * 20_000,
        "word " * 4_000,
        "naïve Ünïcödé 猫が好き",
        "a'b''c",
    ],
)
def test_a_strange_text_is_kept_all_the_same(alice: User, text: str) -> None:
    one = replace(said_as_recall_takes_it(alice, "x"), text=text)
    with acting_as(alice):
        index(one)
        assert Passage.objects.get().text == text


def test_without_the_model_a_passage_is_kept_without_a_vector(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terms, "meaning_vectors", lambda texts: [None for _ in texts])
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(alice):
        index(one)
        passage = Passage.objects.get()
    assert (passage.embedding, passage.signs, passage.embedding_model) == (None, None, "")


def test_nobody_can_index_in_somebody_elses_name(alice: User, bob: User) -> None:
    one = said_as_recall_takes_it(alice, "I keep bees")
    with acting_as(bob), pytest.raises(ProgrammingError, match="row-level security"):
        with transaction.atomic():
            index(one)


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
        ("From now on use metric units", PassageMarks.STANDING),
        ("Are we there yet?", PassageMarks.ASKS | PassageMarks.OF_SPEAKER),
        ("See you on Tuesday", PassageMarks.TELLS_WHEN),
        ("I have a dog", PassageMarks.OF_SPEAKER),
        ("Petra Larsson and Jonas Meier opened a bakery in Paris", PassageMarks.MATTERS),
        ("The kettle is blue", PassageMarks(0)),
    ],
)
def test_what_a_text_does_is_noticed(text: str, marks: PassageMarks) -> None:
    assert passage_index.marks_of(Reading(text)) == marks


def test_a_text_too_long_for_talk_is_not_looked_through() -> None:
    telling = "Petra Larsson and Jonas Meier opened a bakery in Paris. "
    assert PassageMarks.MATTERS in passage_index.marks_of(Reading(telling))
    assert PassageMarks.MATTERS not in passage_index.marks_of(Reading(telling * 50))


def test_what_an_earlier_version_did_not_notice_is_noticed_by_making_it_anew(
    alice: User, bob: User
) -> None:
    with acting_as(alice):
        index_messages([said_as_recall_takes_it(alice, f"I have {n} dogs") for n in range(2, 5)])
        Passage.objects.update(marks=0, embedding=None)
        before = list(Passage.objects.order_by("place").values_list("pk", "message", "text"))
    assert (reindex_passages(alice.pk), reindex_passages(bob.pk)) == (3, 0)
    with acting_as(alice):
        after = Passage.objects.order_by("place")
        assert list(after.values_list("pk", "message", "text")) == before
        assert all(one.marks and one.signs for one in after)


def test_everybody_s_passages_are_made_anew_and_nothing_more_is_found(
    alice: User, bob: User, capsys: pytest.CaptureFixture[str]
) -> None:
    with acting_as(alice):
        index(said_as_recall_takes_it(alice, "I have a dog"))
    with acting_as(bob):
        index(said_as_recall_takes_it(bob, "I have a cat"))
        said(bob, "This was said while memory was off")
    call_command("reindex")
    assert "2 passages" in capsys.readouterr().out
    with acting_as(bob):
        assert [one.text for one in Passage.objects.all()] == ["I have a cat"]
