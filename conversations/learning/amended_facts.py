"""Corrections of what was said just before: read as a fact, and told beside what they correct."""

import re
from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from conversations.models import LearningOutcome, Message, MessageQuerySet
from memory.language import (
    CURRENT_KINDS,
    IMPLIED_TRUST,
    NUMBER_OR_DAY,
    FactCandidate,
    FoundValue,
    continuation_probabilities,
    extract_facts,
    goes_on_about,
    infer_slot,
    is_correction,
    is_rescheduling,
    read_bare_value,
    read_corrected_value,
)
from memory.slots import SLOTS

# How a value alone is said in full, so that it is read like any other statement of its kind.
_IN_FULL = {
    "birthday": "My birthday is {}.",
    "age": "I am {} years old.",
    "location": "I live in {}.",
    "employer": "I work at {}.",
    "job_title": "I work as a {}.",
    "name": "My name is {}.",
    "preferred_name": "Call me {}.",
}
# These are any word at all; a value must look like one.
_NAMES = frozenset({"location", "employer", "name", "preferred_name"})
_OF_BIRTHDAY = re.compile(
    r"\b(?:my|the) (?:birth ?(?:day|date)|bday|date of birth)\b|\bi was born\b", re.IGNORECASE
)
# "Sorry, it was moved to Monday" names nothing of what it moves.
_OF_IT = re.compile(r"\W*(?:\w+\W+){0,2}(?:it|they|that)\b", re.IGNORECASE)
# How many messages before it what is corrected may stand: the last exchange, and the one before.
LAST, _RECENT = 2, 4
# How many messages one goes on from at most, and how probably.
_CHAIN, _SPEAKS_OF = 3, 0.25


def read(message: Message) -> list[FactCandidate]:
    """What a message puts right of the facts that the one before it told; [] for all else.

    It is a correction, so that the ledger asks: nothing is changed by it alone.
    """
    found = read_corrected_value(message.content)
    bare = None if found else read_bare_value(message.content)
    if (found or bare) is None:
        return []
    slots = _just_noted(message) if found else []
    if not slots and _speaks_of_birthday(message):
        slots = ["birthday"]
    read_as = [one for slot in slots for one in _as_one_of(slot, found or bare)]
    return read_as if len(read_as) == 1 else []


def _before(message: Message, reach: int) -> Q:
    numbers = (message.number - reach, message.number - 1)
    return Q(user_id=message.user_id, conversation=message.conversation_id, number__range=numbers)


def _just_noted(message: Message) -> list[str]:
    """The slots of one value of which the message before told something."""
    last = Message.objects.filter(_before(message, LAST))
    noted = LearningOutcome.objects.filter(
        user_id=message.user_id, message__in=last, fact__isnull=False
    )
    slots = noted.values_list("slot", flat=True).distinct()
    return [slot for slot in slots if slot in _IN_FULL and not SLOTS[slot].many]


def _speaks_of_birthday(message: Message) -> bool:
    said = Message.objects.filter(_before(message, _RECENT), role=Message.Role.USER)
    return any(_OF_BIRTHDAY.search(text) for text in said.values_list("content", flat=True))


def _as_one_of(slot: str, found: FoundValue | None) -> list[FactCandidate]:
    """The value as one of this slot, where it reads as one when it is said in full."""
    if found is None:
        return []
    value = re.sub(r"^(?:an? |the )", "", found.value, flags=re.IGNORECASE)
    kind = infer_slot(value)
    named = value[:1].isupper() and not NUMBER_OR_DAY.search(value)
    if slot in _NAMES and kind != slot and (kind or not named):
        return []
    if slot == "job_title" and kind != slot:
        return []
    return [
        FactCandidate(
            slot, one.value, one.confidence, IMPLIED_TRUST, found.start, found.end, "profile",
            "correction", f"{slot}.put_right",
        )
        for one in extract_facts(_IN_FULL[slot].format(value))
        if one.slot == slot and one.kind in CURRENT_KINDS and _is_all(one.value, value, slot)
    ]  # fmt: skip


def _is_all(read_as: str, value: str, slot: str) -> bool:
    """A name is all that was said: "Monday was busy" is none."""
    return slot not in _NAMES or read_as.casefold() == value.casefold()


def after(question: Message, quoted: Iterable[UUID]) -> list[Message]:
    """The messages right after these of their owner that correct or add to them, earliest first.

    Only what may be told here: of another conversation, only what may be quoted elsewhere.
    """
    mine = Message.objects.for_user(question.user_id).filter(role=Message.Role.USER, author="")
    said = list(mine.filter(pk__in=list(quoted)).only("content", "number", "conversation_id"))
    if not said:
        return []
    next_to = Q()
    for one in said:
        numbers = (one.number + 1, one.number + LAST)
        next_to |= Q(conversation=one.conversation_id, number__range=numbers)
    rows = _tellable(question, next_to)
    places = {
        (one.conversation_id, one.number + step): one.content for one in said for step in (1, LAST)
    }
    told = [
        (one, places[one.conversation_id, one.number])
        for one in rows.select_related("conversation").order_by("said_at")
    ]
    goes_on = goes_on_about([(before, one.content) for one, before in told])
    adding = [one.pk for (one, _), adds in zip(told, goes_on, strict=True) if adds]
    noted = _noted_of(question.user_id, adding) if adding else set()
    return [
        one
        for one, before in told
        if is_correction(one.content, [before])
        or (one.pk in adding and one.pk not in noted)
        or (_OF_IT.match(one.content) and is_rescheduling(one.content))
    ]


def said_before(question: Message, messages: Iterable[Message]) -> dict[UUID, list[Message]]:
    """By the keys of these messages, what their owner said right before each, the last first: up to
    three messages, of those that may be told here.
    """
    messages = list(messages)
    next_to = Q(pk__in=[])
    for one in messages:
        numbers = (one.number - _CHAIN * LAST, one.number - 1)
        next_to |= Q(conversation=one.conversation_id, number__range=numbers)
    told = list(_tellable(question, next_to).order_by("-number")) if messages else []
    found: dict[UUID, list[Message]] = {}
    for one in messages:
        there = [t for t in told if t.conversation_id == one.conversation_id]
        found[one.pk] = [t for t in there if t.number < one.number][:_CHAIN]
    return found


def goes_on_from(message: Message) -> Message | None:
    """Of the few messages right before it, that may be told elsewhere, the one that it most
    probably goes on about; None where it is about none of them.
    """
    near = (message.number - _CHAIN * LAST, message.number - 1)
    which = Q(conversation=message.conversation_id, number__range=near)
    before = list(_tellable(message, which).filter(confidential=False).order_by("-number"))
    shares = continuation_probabilities([(one.content, message.content) for one in before])
    share, place = max(zip(shares, range(len(before)), strict=True), default=(0.0, 0))
    return before[place] if share >= _SPEAKS_OF else None


def _tellable(question: Message, which: Q) -> MessageQuerySet:
    """Of these messages of their owner, those that may be told beside the question."""
    mine = Message.objects.for_user(question.user_id).filter(role=Message.Role.USER, author="")
    here = Q(conversation=question.conversation_id)
    elsewhere = Message.objects.quotable_elsewhere(question.user_id).filter(which)
    rows = mine.filter(which).filter(here | Q(pk__in=elsewhere.values("pk")))
    return rows.exclude(pk=question.pk).exclude(state=Message.State.REMOVED)


def _noted_of(user_id: UUID, messages: list[UUID]) -> set[UUID | None]:
    """The messages of which something was noted: they say it by themselves, and add to nothing."""
    outcomes = LearningOutcome.objects.filter(user_id=user_id, message__in=messages)
    return set(outcomes.values_list("message_id", flat=True))
