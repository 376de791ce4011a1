"""Facts that a copy brings back: what the product itself says of each, and which cannot hold."""

from collections.abc import Collection
from uuid import UUID

from django.utils.timezone import now

from memory.facts import blocked_slots
from memory.language.safety import guard, secrets
from memory.language.text import embeddings
from memory.models import Memory, ProfileFact, key_of
from memory.slots import SLOTS

Status = ProfileFact.Status
_IN_USE = (Status.CURRENT, Status.CHALLENGER)


def complete(fact: ProfileFact) -> None:
    """Everything of a row that is not in a copy; a value that may not be kept is taken back."""
    if fact.status in _IN_USE and guard.why_not(fact.value):
        fact.status = Status.REMOVED
    slot, fact.value = SLOTS[fact.slot], secrets.masked(fact.value)
    fact.many, fact.value_key = slot.many, key_of(slot.key, fact.value)
    vector = embeddings.embed(f"{slot.label}: {fact.value}")
    fact.embedding, fact.embedding_model = vector, embeddings.MODEL_NAME if vector else ""


def take_back_what_is_closed(user_id: UUID) -> None:
    """Kinds that are closed hold nothing, and no note tells of them; in the person's open block."""
    for slot in blocked_slots.slots_of(user_id):
        held = blocked_slots.held_of(user_id, slot)
        facts = ProfileFact.objects.for_user(user_id).filter(pk__in=[one.pk for one in held.facts])
        facts.update(status=Status.REMOVED)
        notes = Memory.objects.for_user(user_id).filter(pk__in=[one.pk for one in held.notes])
        notes.update(status=Memory.Status.REMOVED, ended_at=now())


def set_aside_challengers(user_id: UUID, but: Collection[UUID]) -> None:
    """What stands against nothing that is asked about is set aside; `but` are asked about."""
    against = ProfileFact.objects.for_user(user_id).challengers()
    against.exclude(pk__in=but).update(status=Status.SET_ASIDE)
