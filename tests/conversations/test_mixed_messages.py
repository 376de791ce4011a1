"""Messages of which one part is noted and another is private, unsure or forgotten."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.prompt import as_messages, build
from memory import manager
from memory.language.text.compression import drop_clauses
from memory.models import Mention
from tests.people import Talk, tell, the_fact, values

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    "text",
    [
        "I've been vegetarian since I was 15, and I'm allergic to walnuts.",
        "I've been vegetarian since I was 15 and allergic to walnuts.",
        "I'm vegetarian and allergic to walnuts.",
    ],
)
def test_an_allergy_late_in_a_sentence_is_noted_as_diet(alice: User, text: str) -> None:
    tell(alice, text)
    assert values(alice, "diet") == {"vegetarian", "allergic to walnuts"}


@pytest.mark.parametrize(
    "text",
    [
        "I'm vegetarian, and my son is allergic to walnuts.",
        "I'm vegetarian and not allergic to walnuts.",
        "I'm vegetarian. Is she allergic to walnuts?",
    ],
)
def test_an_allergy_that_is_not_the_writers_is_not_noted_as_theirs(alice: User, text: str) -> None:
    tell(alice, text)
    assert values(alice, "diet") == {"vegetarian"}


@pytest.mark.parametrize(
    ("told", "question", "answered"),
    [
        (
            "Don't tell anyone, but I am leaving my job at Siemens.",
            "What did I say about Siemens?",
            "leaving my job",
        ),
        ("I have arthritis in both knees.", "What did I say about my knees?", "arthritis"),
    ],
)
def test_confided_words_answer_in_their_conversation_and_in_no_other(
    talk: Talks, told: str, question: str, answered: str
) -> None:
    here = talk()
    here.say(told)
    assert answered in here.say(question).content.replace(question, "")
    assert told not in talk().say(question).content


def prompt_for(user: User, text: str) -> str:
    message = tell(user, text)
    with acting_as(user):
        fresh = Message.objects.select_related("conversation", "user").get(pk=message.pk)
        return as_messages(build(fresh))[0]["content"]


def test_a_model_is_told_that_private_words_are_noted_nowhere(alice: User) -> None:
    whole = prompt_for(alice, "I have arthritis in both knees.")
    assert "What the person has just said is private." in whole
    assert "The rest is noted." not in whole


def test_a_model_is_told_which_part_of_a_message_is_noted_nowhere(alice: User) -> None:
    part = prompt_for(alice, "I live in Leeds. I play the cello. I have arthritis in both knees.")
    assert "A part of what the person has just said (Health) is private." in part
    assert "The rest is noted." in part


def test_of_a_message_only_the_forgotten_part_is_not_quoted(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I've been vegetarian since I was 15, and my aunt Rosa plays the harp.")
    with acting_as(alice):
        manager.retract(the_fact(alice, "diet"))
    answer = here.say("Who plays the harp?").content
    assert "my aunt Rosa plays the harp" in answer
    assert "vegetarian" not in answer
    assert "15" not in here.say("Since when have I been vegetarian?").content
    assert "vegetarian" not in talk().say("Who plays the harp?").content


def test_of_a_message_nothing_is_quoted_where_the_forgotten_value_is_not_where_it_is_marked(
    alice: User, talk: Talks
) -> None:
    """A value that its owner put in other words, or that an import names, has no place of its own
    in the message.
    """
    here = talk()
    here.say("My aunt Rosa plays the harp, and I've been vegetarian since I was 15.")
    with acting_as(alice):
        fact = the_fact(alice, "diet")
        Mention.objects.filter(user=alice, fact=fact).update(start=0, end=10)
        manager.retract(fact)
    assert "15" not in here.say("Since when have I been vegetarian?").content


@pytest.mark.parametrize(
    ("text", "spans", "rest"),
    [
        ("I'm vegan, and I row.", [(4, 9)], "and I row."),
        ("I row, and I'm vegan.", [(15, 20)], "I row"),
        ("I'm vegan and I row.", [(4, 9)], ""),
        ("I'm vegan. I row. Vegan food is dull.", [(4, 9)], "I row."),
    ],
)
def test_whole_clauses_are_left_out(text: str, spans: list[tuple[int, int]], rest: str) -> None:
    assert drop_clauses(text, spans) == rest
