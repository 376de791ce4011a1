"""Taking out what was said: the answers elsewhere that quoted it."""

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.deletion import derived_texts, message_deletion
from conversations.models import Message
from conversations.tools.steps import Step
from tests.conversations.taking_out import (
    State,
    again,
    alone,
    remove,
)
from tests.people import Talk, client_for


def quoting_elsewhere(user: User) -> tuple[Message, Message]:
    """A turn, and an answer of another conversation that quoted it."""
    first = Talk(user).say("My cousin Zephyrine sold her lighthouse to a painter")
    second = Talk(user).say("What did I say about Zephyrine?")
    assert "lighthouse" in second.content
    return first, second


def preview(user: User, said: Message, *, whole: bool = False) -> message_deletion.DeletionScope:
    with acting_as(user):
        rows = (
            message_deletion.all_of(said.conversation) if whole else message_deletion.turn_of(said)
        )
        return message_deletion.preview(user, rows, whole=whole)


@alone
@pytest.mark.parametrize("whole", [True, False])
def test_the_answers_that_quoted_it_are_told_before_it_goes(alice: User, whole: bool) -> None:
    first, second = quoting_elsewhere(alice)
    Talk(alice).say("I like tea")
    assert [one.pk for one in preview(alice, first, whole=whole).quoted_by] == [second.pk]
    assert preview(alice, second, whole=whole).quoted_by == []


@alone
@pytest.mark.parametrize("whole", [True, False])
def test_an_answer_that_quoted_it_goes_when_its_owner_wants_it(alice: User, whole: bool) -> None:
    first, second = quoting_elsewhere(alice)
    with acting_as(alice):
        if whole:
            there = first.conversation
            message_deletion.remove_conversation(
                alice, there, message_deletion.everything, message_deletion.everything
            )
        else:
            message_deletion.remove_turn(
                alice, first, message_deletion.everything, message_deletion.everything
            )
        question, answer = Message.objects.filter(conversation=second.conversation_id).order_by(
            "number"
        )
    assert (question.state, question.content) == (State.DONE, "What did I say about Zephyrine?")
    assert (answer.state, answer.content, answer.steps) == (State.REMOVED, "", [])
    with acting_as(alice):
        assert not Message.objects.filter(content__contains="lighthouse").exists()


@alone
def test_a_private_conversation_that_quoted_it_is_neither_named_nor_quoted(alice: User) -> None:
    first, second = quoting_elsewhere(alice)
    with acting_as(alice):
        second.conversation.title = "Plan Xylo"
        second.conversation.save()
        privacy.choose(second.conversation, "private")
    page = client_for(alice).get(f"/messages/{first.pk}/delete/").content.decode()
    (told,) = preview(alice, first).quoting
    assert (told[0].pk, told[1:]) == (second.pk, ("", ""))
    assert second.get_absolute_url() in page
    asked = page[page.index("<main") : page.index("</main>")]
    assert "Plan Xylo" not in asked
    assert "(shown only in that conversation)" in asked


@alone
def test_steps_of_later_answers_tell_its_words_no_more(alice: User) -> None:
    there = Talk(alice)
    first = there.say("My cousin Zephyrine sold her lighthouse")
    later = there.say("Who bought the painting?")
    steps = [
        Step("recall_memories", {"query": "Zephyrine"}, "done", "nothing found", 1),
        Step("recall_memories", {"query": "painting", "limit": 5}, "done", "nothing found", 1),
        Step("forget_message", {}, "asked", "message 1 would be deleted: “My lighthouse”", 1),
    ]
    with acting_as(alice):
        kept = [step.as_kept() for step in steps]
        Message.objects.filter(pk=later.pk).update(steps=kept)
    remove(alice, first)
    named, own, asked = (Step.from_kept(step) for step in again(later).steps)
    assert (named.arguments, named.found) == ({}, derived_texts.ERASED)
    assert own == steps[1], "its own question says the word"
    assert (asked.state, asked.found) == ("declined", derived_texts.ERASED)
