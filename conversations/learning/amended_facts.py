"""Corrections of what was said just before, read as a fact."""

import re

from django.db.models import Q

from conversations.models import LearningOutcome, Message
from memory.language import (
    CURRENT_KINDS,
    IMPLIED_TRUST,
    NUMBER_OR_DAY,
    FactCandidate,
    FoundValue,
    extract_facts,
    infer_slot,
    read_bare_value,
    read_corrected_value,
)
from memory.slots import SLOTS

_OF_BIRTHDAY = re.compile(
    r"\b(?:my|the) (?:birth ?(?:day|date)|bday|date of birth)\b|\bi was born\b", re.IGNORECASE
)
# How many messages before it what is corrected may stand: the last exchange, and the one before.
_LAST, _RECENT = 2, 4


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
    read_as = [candidate for slot in slots for candidate in _as_one_of(slot, found or bare)]
    return read_as if len(read_as) == 1 else []


def _before(message: Message, reach: int) -> Q:
    numbers = (message.number - reach, message.number - 1)
    return Q(user_id=message.user_id, conversation=message.conversation_id, number__range=numbers)


def _just_noted(message: Message) -> list[str]:
    """The slots of one value of which the message before told something."""
    last = Message.objects.filter(_before(message, _LAST))
    noted = LearningOutcome.objects.filter(
        user_id=message.user_id, message__in=last, fact__isnull=False
    )
    slots = noted.values_list("slot", flat=True).distinct()
    return [slot for slot in slots if SLOTS[slot].statement]


def _speaks_of_birthday(message: Message) -> bool:
    messages = Message.objects.filter(_before(message, _RECENT), role=Message.Role.USER)
    return any(_OF_BIRTHDAY.search(text) for text in messages.values_list("content", flat=True))


def _as_one_of(slot: str, found: FoundValue | None) -> list[FactCandidate]:
    """The value as one of this slot, where it reads as one when it is said in full."""
    if found is None:
        return []
    value = re.sub(r"^(?:an? |the )", "", found.value, flags=re.IGNORECASE)
    kind = infer_slot(value)
    named = value[:1].isupper() and not NUMBER_OR_DAY.search(value)
    if SLOTS[slot].proper_name and kind != slot and (kind or not named):
        return []
    if slot == "job_title" and kind != slot:
        return []
    return [
        FactCandidate(
            slot, candidate.value, candidate.confidence, IMPLIED_TRUST, found.start, found.end,
            "profile", "correction", f"{slot}.put_right",
        )
        for candidate in extract_facts(SLOTS[slot].statement.format(value=value))
        if candidate.slot == slot
        and candidate.kind in CURRENT_KINDS
        and _is_all(candidate.value, value, slot)
    ]  # fmt: skip


def _is_all(read_as: str, value: str, slot: str) -> bool:
    """A name is all that was said: "Monday was busy" is none."""
    return not SLOTS[slot].proper_name or read_as.casefold() == value.casefold()
