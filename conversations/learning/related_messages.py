"""What a message has to do with another of the same person: it puts it right, or goes on about it.

Which one it puts right is stored once its author was told so (`Message.corrects`); of all others it
is judged by a classifier of pairs, and of those alone that stand next to each other.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from conversations.messages import stretches_of
from conversations.models import Message, MessageQuerySet
from memory.language import (
    TextStanding,
    collect_quotable_parts,
    continuation_probabilities,
    only_asks,
    puts_right,
)
from memory.models import Passage
from memory.notes import goes_on_from_context, leans_on_context, speaks_of_somebody_unnamed

# How many messages on one may be put right or gone on about: the next, or behind an answer.
_NEXT = 2
# How many messages one goes on from at most; and how probably: any of them, and the last, where
# its words may lean on that.
_CHAIN, _SURELY_OF, _MAY_BE_OF = 3, 0.4, 0.06


def said_before(question: Message, messages: Iterable[Message]) -> dict[UUID, Message]:
    """Return by the keys of these messages what each goes on from: the one that it corrects, else
    what their owner said right before it. Only what may be told here.
    """
    messages = list(messages)
    if not messages:
        return {}
    wanted = Q(pk__in=[message.corrects_id for message in messages if message.corrects_id])
    for message in messages:
        numbers = (message.number - _CHAIN * _NEXT, message.number - 1)
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


def goes_on_from(message: Message) -> Message | None:
    """Return, of the few messages right before it that may be told elsewhere, the one that it most
    probably goes on about; None where it is about none of them, or stands by itself. What speaks
    of somebody whom it does not name, or does not say at all of what it speaks, goes on about what
    was said last.
    """
    if message.number == 1:
        return None
    near = (message.number - _CHAIN * _NEXT, message.number - 1)
    which = Q(conversation=message.conversation_id, number__range=near)
    rows = _tellable(message, which).filter(confidential=False).order_by("-number")
    # Nobody asks for so long without saying anything.
    before = [one for one in rows if one.is_long or not only_asks(one.content)]
    shares = continuation_probabilities([(one.content, message.content) for one in before])
    share, position = max(zip(shares, range(len(before)), strict=True), default=(0.0, 0))
    if share >= _SURELY_OF:
        return before[position]
    if not before or message.number - before[0].number > _NEXT:
        return None
    text = message.content
    leans = speaks_of_somebody_unnamed(text) or leans_on_context(text)
    begins_so = goes_on_from_context(text) and not puts_right(text)
    may_lean = begins_so and shares[0] >= _MAY_BE_OF
    return before[0] if leans or may_lean else None


def _own(question: Message) -> MessageQuerySet:
    """What the one who asks said."""
    return Message.objects.for_user(question.user_id).filter(role=Message.Role.USER, author="")


def _tellable(question: Message, which: Q) -> MessageQuerySet:
    """Of these messages of their owner, those that may be told beside the question."""
    here = Q(conversation=question.conversation_id)
    elsewhere = Message.objects.quotable_elsewhere(question.user_id).filter(which)
    findable = Passage.objects.filter(user=question.user_id, message=OuterRef("pk"))
    elsewhere = elsewhere.filter(Exists(findable))
    rows = _own(question).filter(which).filter(here | Q(pk__in=elsewhere.values("pk")))
    return rows.exclude(pk=question.pk).exclude(state=Message.State.REMOVED)


def _in_own_words(question: Message, rows: Iterable[Message]) -> list[Message]:
    """These messages with only those of their words that may be quoted here as their owner's:
    without what was pasted or claimed, what holds in another conversation only, and orders.
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
