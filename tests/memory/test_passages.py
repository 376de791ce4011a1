"""Messages made findable: what a passage holds, and that making it twice changes nothing."""

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.language.reading import Reading
from memory.models import Passage
from memory.retrieval import passage_index
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
