"""A typed word is an answer only when it can be nothing else."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation, LearningOutcome
from ledger.models import Contradiction, Resolution
from tests.once import made_once, rolled_back
from tests.people import PASSWORD, Talk, tell, values

OLD, NEW = {"Microsoft"}, {"Google"}


@pytest.fixture(scope="module")
def opened(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Talk]:
    """A conversation that has just asked: Microsoft, which was noted, or Google?"""
    with made_once(django_db_blocker):
        talk = Talk(User.objects.create_user("nick@example.org", PASSWORD))
        tell(talk.user, "I work at Microsoft")
        talk.say("I work at Google")
        yield talk


@pytest.fixture
def db(opened: Talk, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def asked(db: None, opened: Talk) -> Talk:
    assert opened.conversation is not None
    user = User.objects.get(pk=opened.user.pk)
    with acting_as(user):
        return Talk(user, Conversation.objects.get(pk=opened.conversation.pk))


def standing(user: User) -> Resolution | None:
    with acting_as(user):
        return Contradiction.objects.for_user(user.pk).get().resolution


@pytest.mark.parametrize(
    ("text", "method", "current"),
    [
        ("Google", "keep_new", NEW),
        ("not Microsoft", "keep_new", NEW),
        ("Microsoft before, now Google", "timeline", NEW),
        ("Microsoft", "keep_old", OLD),
        ("the old one", "keep_old", OLD),
        ("I don't work at Microsoft any more", "timeline", NEW),
    ],
)
def test_a_clear_answer_settles_it_and_the_note_says_how(
    asked: Talk, text: str, method: str, current: set[str]
) -> None:
    answer = asked.say(text)
    made = standing(asked.user)
    assert made is not None
    assert made.method == method
    assert values(asked.user, "employer") == current
    with acting_as(asked.user):
        note = LearningOutcome.objects.get(
            message__number=answer.number - 1, message__conversation=asked.conversation
        )
    assert note.kind == LearningOutcome.Kind.SETTLED
    assert made.kept is not None
    assert answer.content


@pytest.mark.parametrize(
    "text",
    [
        "Is it Google?",
        "both",
        "My sister works at Google",
        "I'm not sure it's Google",
        "Just google it",
        '"Google"',
    ],
)
def test_anything_else_leaves_the_question_open(asked: Talk, text: str) -> None:
    asked.say(text)
    assert standing(asked.user) is None
    assert values(asked.user, "employer") == OLD


def test_several_questions_at_once_are_settled_on_their_pages(asked: Talk) -> None:
    Talk(asked.user).say("I work at Siemens")
    elsewhere = Talk(asked.user)
    assert "/conflicts/)" in elsewhere.say("Where do I work?").content
    elsewhere.say("the second one")
    assert values(asked.user, "employer") == OLD


def test_an_answer_in_another_conversation_is_no_answer(asked: Talk) -> None:
    Talk(asked.user).say("Google")
    assert standing(asked.user) is None


def test_after_three_exchanges_nobody_listens_for_it_any_more(asked: Talk) -> None:
    for _ in range(3):
        asked.say("Let us talk about the weather")
    asked.say("Google")
    assert standing(asked.user) is None


def test_in_a_conversation_that_became_private_nothing_is_settled(asked: Talk) -> None:
    assert asked.conversation is not None
    with acting_as(asked.user):
        privacy.choose(asked.conversation, "private")
    asked.say("Google")
    assert standing(asked.user) is None


def test_of_two_open_questions_only_a_value_tells_which_is_meant(asked: Talk) -> None:
    tell(asked.user, "I live in Rome")
    asked.say("I live in Paris")
    asked.say("the new one")
    with acting_as(asked.user):
        assert Contradiction.objects.open().count() == 2
    asked.say("Paris")
    assert values(asked.user, "location") == {"Paris"}
    assert values(asked.user, "employer") == OLD


def test_pasted_words_answer_nothing(asked: Talk) -> None:
    from conversations.turns import turn

    exchange = turn.begin(asked.user, asked.conversation, "Google", pasted=["Google"])
    list(turn.fill(asked.user.pk, exchange.answer.pk))
    assert standing(asked.user) is None


def test_a_day_that_is_named_is_the_day_of_the_change(asked: Talk) -> None:
    asked.say("Google since 3 February 2025")
    made = standing(asked.user)
    assert made is not None
    assert (str(made.until), str(made.since)) == ("2025-02-02", "2025-02-03")


@pytest.mark.parametrize(
    ("text", "likes", "dislikes"),
    [
        ("the new one", set(), {"cheese"}),
        ("I don't like it any more", set(), {"cheese"}),
        ("the old one", {"cheese"}, set()),
    ],
)
def test_whether_a_thing_is_liked_may_be_answered(
    alice: User, text: str, likes: set[str], dislikes: set[str]
) -> None:
    tell(alice, "I love cheese")
    talk = Talk(alice)
    talk.say("I hate cheese")
    talk.say(text)
    assert (values(alice, "likes"), values(alice, "dislikes")) == (likes, dislikes)
    assert standing(alice) is not None


@pytest.mark.parametrize(
    "text", ["cheese", "I like it in summer", "like my father", "I hate that smell"]
)
def test_of_a_thing_liked_and_disliked_anything_else_settles_nothing(
    alice: User, text: str
) -> None:
    tell(alice, "I love cheese")
    talk = Talk(alice)
    talk.say("I hate cheese")
    talk.say(text)
    assert standing(alice) is None
