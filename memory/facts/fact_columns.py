"""Columns of a fact that follow from its slot and value."""

from memory.language.text import embeddings
from memory.models import ProfileFact, key_of
from memory.slots import SLOTS


def complete(fact: ProfileFact) -> ProfileFact:
    """Fill in the derived columns of an unsaved row."""
    slot = SLOTS[fact.slot]
    fact.many = slot.many
    fact.value_key = key_of(slot.key, fact.value)
    vector = embeddings.embed(f"{slot.label}: {fact.value}")
    fact.embedding, fact.embedding_model = vector, embeddings.MODEL_NAME if vector else ""
    return fact
