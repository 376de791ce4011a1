"""Ending facts. Importable only by the ledger's resolution and by memory itself.

Every change closes one row and leaves it in place: what was once held to be true can be read later.
"""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from memory import embeddings, guard, trust
from memory.locks import hold_slot
from memory.models import ProfileFact, TrustChange, key_of
from memory.signals import fact_ended_by_hand
from memory.slots import SLOTS, same_value

Status = ProfileFact.Status


class SlotTaken(ValueError):
    """The slot holds one value and has another by now."""


class UnfitValue(SlotTaken):
    """The value may not be kept at all: a secret, an order, nothing to be seen."""


def hand_over(old: ProfileFact, new: ProfileFact, at: datetime) -> None:
    """The challenger is right: it becomes current, and the old value is set aside."""
    _end(old, Status.SET_ASIDE, at)
    new.status = Status.CURRENT
    new.last_verified = at
    new.save(update_fields=["status", "last_verified", "updated_at"])


def succeed(challenger: ProfileFact) -> None:
    """The value it stood against is gone: the challenger is what is left, and becomes current."""
    challenger.status = Status.CURRENT
    challenger.save(update_fields=["status", "updated_at"])


def dismiss(challenger: ProfileFact, at: datetime) -> None:
    """The old value is right: the challenger is set aside."""
    _end(challenger, Status.SET_ASIDE, at)


def confirm(fact: ProfileFact, cause: TrustChange.Cause = TrustChange.Cause.CONFIRMED) -> None:
    """The person read it and said yes: as sure as a value can be."""
    fact.last_verified = now()
    fact.save(update_fields=["last_verified", "updated_at"])
    trust.move(fact, settings.MEMORY["manual_trust"], cause)


def rewrite(fact: ProfileFact, value: str) -> ProfileFact:
    """The person wrote it differently: the old wording goes into the history.

    Writing the same thing again only confirms it. Raises SlotTaken when a many-valued slot already
    holds the new value.
    """
    if reason := guard.why_not(value):
        raise UnfitValue(reason)
    hold_slot(fact.user_id, fact.slot)
    fact.refresh_from_db(fields=["status", "value", "trust"])
    if fact.status != Status.CURRENT:
        raise SlotTaken("This was changed a moment ago, in another window. Look again.")
    if fact.value == value:
        confirm(fact)
        return fact
    if already_held(fact.user_id, fact.slot, value, but=fact):
        raise SlotTaken(f"I have noted {value} already.")
    frozen_now = now()
    if fact.value_key == key_of(fact.slot, value):
        # Another spelling of the same value: the history would only repeat itself.
        fact.value = value
        fact.value_key = key_of(fact.slot, value)
        fact.save(update_fields=["value", "value_key", "updated_at"])
        confirm(fact)
        return fact
    _end(fact, Status.PAST, frozen_now)
    fact_ended_by_hand.send(ProfileFact, fact=fact, rewritten=True)
    return write_by_hand(fact.user_id, fact.slot, value, replaces=fact)


def write_by_hand(
    user_id: UUID, slot_key: str, value: str, *, replaces: ProfileFact | None = None
) -> ProfileFact:
    """A line the person wrote into the notebook. Raises SlotTaken when the slot has a value."""
    if reason := guard.why_not(value):
        raise UnfitValue(reason)
    slot = SLOTS[slot_key]
    hold_slot(user_id, slot_key)
    if replaces is None and already_held(user_id, slot_key, value):
        raise SlotTaken(f"I have noted that already: {slot.label.lower()}.")
    frozen_now = now()
    vector = embeddings.embed(f"{slot.label}: {value}")
    return ProfileFact.objects.create(
        user_id=user_id,
        slot=slot.key,
        many=slot.many,
        value=value,
        value_key=key_of(slot.key, value),
        trust=settings.MEMORY["manual_trust"],
        confidence=1.0,
        source=ProfileFact.Source.MANUAL,
        last_verified=frozen_now,
        valid_from=frozen_now,
        replaces=replaces,
        embedding=vector,
        embedding_model=embeddings.MODEL_NAME if vector else "",
    )


def already_held(user_id: UUID, slot: str, value: str, *, but: ProfileFact | None = None) -> bool:
    """Whether the slot is full: it has a value and takes one, or it has this very value."""
    held = ProfileFact.objects.for_user(user_id).current().filter(slot=slot)
    if but is not None:
        held = held.exclude(pk=but.pk)
    return any(not fact.many or same_value(slot, fact.value, value) for fact in held)


def retract(fact: ProfileFact) -> None:
    """The person took it back: it is used no more, and can be brought back. Twice is once."""
    hold_slot(fact.user_id, fact.slot)
    fact.refresh_from_db(fields=["status"])
    if fact.status != Status.CURRENT:
        return
    _end(fact, Status.REMOVED, now())
    fact_ended_by_hand.send(ProfileFact, fact=fact, rewritten=False)


def bring_back(fact: ProfileFact) -> None:
    """Undo a removal. Raises SlotTaken when something else holds the slot by now."""
    hold_slot(fact.user_id, fact.slot)
    if already_held(fact.user_id, fact.slot, fact.value):
        raise SlotTaken(f"There is another value for {fact.kind.noun} now. Remove that one first.")
    fact.status = Status.CURRENT
    fact.valid_to = None
    fact.save(update_fields=["status", "valid_to", "updated_at"])


def _end(fact: ProfileFact, status: ProfileFact.Status, at: datetime) -> None:
    fact.status = status
    fact.valid_to = at
    fact.save(update_fields=["status", "valid_to", "updated_at"])
