"""Taking out what was said, and looking at what is left."""

from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import message_deletion
from conversations.models import Conversation, Message
from conversations.turns import answer_writer, turn

State = Message.State
alone = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)


def remove(
    user: User, message: Message, take: message_deletion.Take = message_deletion.everything
) -> None:
    with acting_as(user):
        message_deletion.remove_turn(user, message, take)


def messages_of(there: Conversation) -> list[Message]:
    with acting_as(there.user_id):
        return list(Message.objects.filter(conversation=there).order_by("number"))


def numbers(there: Conversation) -> list[int]:
    return [message.number for message in messages_of(there)]


def again(row: Any) -> Any:
    with acting_as(row.user_id):
        return type(row).objects.get(pk=row.pk)


def question_of(answer: Message) -> Message:
    with acting_as(answer.user_id):
        return Message.objects.select_related("conversation").get(
            conversation=answer.conversation_id, number=answer.number - 1
        )


def fill(answer: Message) -> Message:
    *_, last = turn.fill(answer.user_id, answer.pk)
    assert isinstance(last, answer_writer.FinishedAnswer)
    return last.answer
