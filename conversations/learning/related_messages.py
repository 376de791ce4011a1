"""Earlier messages that a message refers to when it does not stand alone.

Which message it puts right is stored once its author was told so (`Message.corrects`); of all
others it is the message that stands before them in their conversation.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from conversations.messages import stretches_of
from conversations.models import Message, MessageQuerySet
from memory.language.message_provenance import TextStanding, collect_quotable_parts
from memory.language.reading import stands_alone
from memory.models import Passage

# So many messages back one is looked for that may be told, half of them answers.
_REACH = 6


def said_before(question: Message, messages: Iterable[Message]) -> dict[UUID, Message]:
    """Return by the keys of these messages what each goes on from: the one that it corrects; where
    it corrects none and no sentence of it stands alone, what their owner said right before it. Only
    what may be told here.
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
    """Return the messages that the asking person wrote."""
    return Message.objects.for_user(question.user_id).filter(role=Message.Role.USER, author="")


def _tellable(question: Message, which: Q) -> MessageQuerySet:
    """Return those of the messages that may be quoted beside the question."""
    here = Q(conversation=question.conversation_id)
    elsewhere = Message.objects.quotable_elsewhere(question.user_id).filter(which)
    findable = Passage.objects.filter(user=question.user_id, message=OuterRef("pk"))
    elsewhere = elsewhere.filter(Exists(findable))
    rows = _own(question).filter(which).filter(here | Q(pk__in=elsewhere.values("pk")))
    return rows.exclude(pk=question.pk).exclude(state=Message.State.REMOVED)


def _in_own_words(question: Message, rows: Iterable[Message]) -> list[Message]:
    """Return these messages with only those of their words that may be quoted here as their
    owner's: without what was pasted or claimed, what holds in another conversation only, and
    orders.
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
