"""Messages of which one part is noted and another is private, unsure or forgotten."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.prompt import as_messages, build
from conversations.summaries import key_sentences
from memory import manager
from memory.models import Mention
from tests.people import Talk, said, tell, the_fact

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]


def test_a_model_is_told_that_private_words_are_noted_nowhere(alice: User) -> None:
    message = tell(alice, "I have arthritis in both knees.")
    with acting_as(alice):
        fresh = Message.objects.select_related("conversation", "user").get(pk=message.pk)
        whole = as_messages(build(fresh))[0]["content"]
    assert "What the person has just said is private." in whole
    assert "The rest is noted." not in whole


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


def test_the_key_sentences_hold_what_was_typed_and_nothing_that_was_pasted(alice: User) -> None:
    pasted = "I started a job at Initech in Oslo on 3 May and I bought a house there."
    typed = "I moved to Lisbon on the 12th of May."
    message = said(alice, f"{typed} Look: {pasted}", pasted=(pasted,))
    with acting_as(alice):
        extracted = " ".join(key_sentences.extract([message]))
    assert "Lisbon" in extracted
    assert "Initech" not in extracted
