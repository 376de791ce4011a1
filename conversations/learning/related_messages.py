"""What a message has to do with another of the same person: it puts it right, or goes on about it.

Which one it puts right is stored once its author was told so (`Message.corrects`); of all others it
is judged by a classifier of pairs, and of those alone that stand next to each other.
"""

import re
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from conversations.messages import stretches_of
from conversations.models import Message, MessageQuerySet
from memory.language import (
    TextStanding,
    collect_quotable_parts,
    continuation_probabilities,
    goes_on_about,
    is_correction,
    is_explicit_correction,
    is_rescheduling,
)
from memory.models import Passage
from memory.notes import goes_on_from_context, leans_on_context, speaks_of_somebody_unnamed

# "Sorry, it was moved to Monday" names nothing of what it moves.
_OF_IT = re.compile(r"\W*(?:\w+\W+){0,2}(?:it|they|that)\b", re.IGNORECASE)
# How many messages on one may be put right or gone on about: the next, or behind an answer.
_NEXT = 2
# How many messages one goes on from at most; and how probably: any of them, and the last, where
# its words may lean on that.
_CHAIN, _SURELY_OF, _MAY_BE_OF = 3, 0.4, 0.06


def corrections_and_additions(
    question: Message, quoted: Iterable[UUID], answering: Collection[UUID]
) -> list[Message]:
    """What corrects these messages of their owner, and what right after those `answering` adds to
    them, earliest first.

    Only what may be told here: of another conversation, only what may be quoted elsewhere.
    """
    quoted = list(quoted)
    messages = list(_own(question).filter(pk__in=quoted))
    if not messages:
        return []
    messages = [one for one in messages if one.pk in answering]
    wanted = Q(corrects__in=quoted)
    for message in messages:
        numbers = (message.number + 1, message.number + _NEXT)
        wanted |= Q(conversation=message.conversation_id, number__range=numbers)
    found = _tellable(question, wanted).select_related("conversation").order_by("said_at")
    rows = [one for one in _in_own_words(question, found) if one.pk not in quoted]
    told = [one for one in rows if one.corrects_id in quoted]
    # What corrects something else belongs to that alone.
    return [*told, *_next_to_them(messages, [one for one in rows if one.corrects_id is None])]


def _next_to_them(messages: list[Message], rows: list[Message]) -> list[Message]:
    """Of what stands right after these messages, what corrects or adds to them by its words."""
    pairs = [
        (next(before for before in reversed(messages) if _is_next_to(message, before)), message)
        for message in rows
    ]
    goes_on = goes_on_about([(before.content, message.content) for before, message in pairs])
    adding = {message.pk for (_, message), adds in zip(pairs, goes_on, strict=True) if adds}
    return [
        message
        for before, message in pairs
        if is_correction(message.content, [before.content])
        or message.pk in adding
        or (_OF_IT.match(message.content) and is_rescheduling(message.content))
    ]


def belongs_to(message: Message, other: Message) -> bool:
    """Whether a message is told to correct another, or is what its owner said next, or next but
    one, with an answer between.
    """
    return message.corrects_id == other.pk or (
        message.corrects_id is None and _is_next_to(message, other)
    )


def _is_next_to(message: Message, before: Message) -> bool:
    same = message.conversation_id == before.conversation_id
    return same and 0 < message.number - before.number <= _NEXT


def said_before(question: Message, messages: Iterable[Message]) -> dict[UUID, list[Message]]:
    """By the keys of these messages, what each goes on from: the one that it corrects, else what
    their owner said right before it, the last first: up to three messages. Only what may be told
    here.
    """
    messages = list(messages)
    wanted = Q(pk__in=[one.corrects_id for one in messages if one.corrects_id])
    for message in messages:
        if not message.corrects_id:
            numbers = (message.number - _CHAIN * _NEXT, message.number - 1)
            wanted |= Q(conversation=message.conversation_id, number__range=numbers)
    rows = _tellable(question, wanted).order_by("-number") if messages else []
    told = _in_own_words(question, rows)
    found: dict[UUID, list[Message]] = {}
    for message in messages:
        if message.corrects_id:
            found[message.pk] = [t for t in told if t.pk == message.corrects_id]
            continue
        there = [t for t in told if t.conversation_id == message.conversation_id]
        found[message.pk] = [t for t in there if t.number < message.number][:_CHAIN]
    return found


def goes_on_from(message: Message) -> Message | None:
    """Of the few messages right before it, that may be told elsewhere, the one that it most
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
    before = [one for one in rows if one.is_long or not all(asks for _, asks in one.reading.acts)]
    shares = continuation_probabilities([(one.content, message.content) for one in before])
    share, position = max(zip(shares, range(len(before)), strict=True), default=(0.0, 0))
    if share >= _SURELY_OF:
        return before[position]
    if not before or message.number - before[0].number > _NEXT:
        return None
    text = message.content
    leans = speaks_of_somebody_unnamed(text) or leans_on_context(text)
    begins_so = goes_on_from_context(text) and not is_explicit_correction(text)
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
