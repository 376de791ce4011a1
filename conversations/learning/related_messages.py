"""Earlier messages that are needed to understand a message that does not stand alone.

For a correction, the message it corrects (`Message.corrects`); for others, the previous message of
the user in the conversation.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from conversations.messages import stretches_of
from conversations.models import Message, MessageQuerySet
from memory.language.message_provenance import TextStanding, collect_quotable_parts
from memory.language.reading import stands_alone
from memory.models import Passage

# How many messages back to look for a quotable one; half of them are answers.
_REACH = 6


def said_before(question: Message, messages: Iterable[Message]) -> dict[UUID, Message]:
    """Return, by message id, the earlier message that each message continues or corrects.

    Messages that stand alone and correct nothing are left out, as are earlier messages that may not
    be quoted beside the question.
    """
    messages = [
        message for message in messages if message.corrects_id or not stands_alone(message.content)
    ]
    if not messages:
        return {}
    wanted = Q(pk__in=[message.corrects_id for message in messages if message.corrects_id])
    for message in messages:
        numbers = (message.number - _REACH, message.number - 1)
        wanted |= Q(conversation=message.conversation_id, number__range=numbers)
    earlier = _in_own_words(question, _tellable(question, wanted).order_by("-number"))
    before: dict[UUID, Message] = {}
    for message in messages:
        for other in earlier:
            stands_before = (
                other.conversation_id == message.conversation_id and other.number < message.number
            )
            if other.pk == message.corrects_id or (stands_before and not message.corrects_id):
                before.setdefault(message.pk, other)
    return before


def _own(question: Message) -> MessageQuerySet:
    """Return the messages that the asking user wrote."""
    return Message.objects.for_user(question.user_id).filter(role=Message.Role.USER, author="")


def _tellable(question: Message, which: Q) -> MessageQuerySet:
    """Return the messages matching `which` that may be quoted beside the question."""
    here = Q(conversation=question.conversation_id)
    elsewhere = Message.objects.quotable_elsewhere(question.user_id).filter(which)
    findable = Passage.objects.filter(user=question.user_id, message=OuterRef("pk"))
    elsewhere = elsewhere.filter(Exists(findable))
    rows = _own(question).filter(which).filter(here | Q(pk__in=elsewhere.values("pk")))
    return rows.exclude(pk=question.pk).exclude(state=Message.State.REMOVED)


def _in_own_words(question: Message, rows: Iterable[Message]) -> list[Message]:
    """Return the messages reduced to the user's own words that may be quoted here. Left out are
    pasted text, unchecked claims, orders, and what holds in another conversation only.
    """
    messages = []
    for message in rows:
        elsewhere = message.conversation_id != question.conversation_id
        parts = collect_quotable_parts(message.content, stretches_of(message), elsewhere=elsewhere)
        own = [part.text for part in parts if part.standing == TextStanding.OWN]
        if own:
            message.content = own[0]
            messages.append(message)
    return messages
