"""A long message is kept and found whole, read as far as the budget goes, and freezes nobody."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import message_learning
from conversations.models import Message
from conversations.search import message_search
from conversations.search.search_query import SearchQuery
from memory.language import reading as reading_module
from memory.language.budget import READ_CHARS
from memory.language.reading import Reading
from memory.language.reading_process import ReadingProcess
from memory.models import Memory, ProfileFact
from tests.conversations.test_not_kept import page_of, say
from tests.memory.test_reading_budget import prose
from tests.people import Api, Talk, said, tell

pytestmark = pytest.mark.django_db

IN_PART = (
    "I looked for facts in the first 8,000 characters of this message. All of it is saved and "
    "searchable."
)
NOT_READ = "I couldn’t look for facts in this message. It’s saved and searchable here."


@pytest.fixture
def never_ready(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The reading process gives every long text up; the texts that it was given."""
    made, given = ReadingProcess(cpu_seconds=0.02), list[str]()

    def compute_parts(reading: Reading) -> None:
        given.append(reading.whole)

    monkeypatch.setattr(made, "compute_parts", compute_parts)
    monkeypatch.setattr("memory.language.reading_process.shared", lambda: made)
    reading_module._read_apart.cache_clear()
    yield given
    reading_module._read_apart.cache_clear()


def as_kept(message: Message) -> Message:
    with acting_as(message.user_id):
        message.refresh_from_db()
    return message


def find(user: User, words: str, within: Message | None = None) -> list[Message | None]:
    place = within.conversation_id if within else None
    with acting_as(user):
        found = message_search.find(user.pk, SearchQuery(text=words, within=place))
    return [result.message for result in found.results]


def test_of_a_long_message_the_beginning_is_read_and_all_is_found(
    alice: User, alice_api: Api
) -> None:
    text = f"My name is Ada Lund. {prose(READ_CHARS)} I work at Google. The kazoo is in the attic."
    told = say(alice_api, text)
    assert [note["slot"] for note in told["notes"] if note["kind"] == "stored"] == ["name"]
    assert told["reading_notice"] == IN_PART
    assert page_of(alice, told["conversation"]).count(IN_PART) == 1
    with acting_as(alice):
        message = Message.objects.get(pk=told["message"]["id"])
    assert (message.read_up_to, message.content) == (READ_CHARS, text)
    assert message in find(alice, "kazoo", message)


def test_what_was_not_read_is_quoted_in_no_other_conversation(
    talk: Callable[..., Talk], alice: User
) -> None:
    first = talk()
    first.say(f"{prose(READ_CHARS)} The kazoo of my aunt is in the attic.")
    assert "attic" not in talk().say("Where is the kazoo of my aunt?").content
    assert "attic" in first.say("Where is the kazoo of my aunt?").content


def test_a_secret_beyond_what_was_read_keeps_the_message_to_its_conversation(alice: User) -> None:
    card = "My card is 4111 1111 1111 1111."
    assert as_kept(tell(alice, f"{prose(READ_CHARS)} {card}")).confidential
    assert not as_kept(tell(alice, f"{prose(READ_CHARS)} The tram was late.")).confidential


def test_a_message_that_cannot_be_read_is_kept_found_confidential_and_not_tried_again(
    alice: User, alice_api: Api, never_ready: list[str]
) -> None:
    text = f"I live in Rome. The kazoo is in the attic. {prose(2_000)}"
    told = say(alice_api, text)
    assert (told["notes"], told["reading_notice"]) == ([], NOT_READ)
    assert page_of(alice, told["conversation"]).count(NOT_READ) == 1
    with acting_as(alice):
        message = Message.objects.get(pk=told["message"]["id"])
    assert message.confidential
    assert message.learned_at is not None
    assert message.read_up_to == 0
    with acting_as(alice):
        assert not Work.objects.filter(kind=message_learning.KIND).exists()
        assert not ProfileFact.objects.exists()
        assert not Memory.objects.exists()
    assert find(alice, "kazoo", message) == [message]
    assert find(alice, "kazoo") == [message]
    del never_ready[:]
    assert message.reading.is_unreadable
    assert never_ready == []


def test_an_answer_of_a_million_characters_is_put_before_a_model_in_part(
    talk: Callable[..., Talk], alice: User
) -> None:
    from conversations import prompt

    first = talk()
    answer = first.say("Hello.")
    with acting_as(alice):
        Message.objects.filter(pk=answer.pk).update(content="word. " * 180_000)
    question = said(alice, "And now?", first.conversation)
    with acting_as(alice):
        question = Message.objects.select_related("user", "conversation").get(pk=question.pk)
        sent = prompt.as_messages(prompt.build(question))
    assert any("word. word." in one["content"] for one in sent)
    assert sum(len(one["content"]) for one in sent) < 4 * settings.MESSAGE_MAX_LENGTH
