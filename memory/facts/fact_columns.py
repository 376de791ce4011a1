"""Columns of a fact that are computed from its slot and value."""

from memory.language.text import embeddings
from memory.models import ProfileFact, key_of
from memory.slots import SLOTS


def complete(fact: ProfileFact) -> ProfileFact:
    """Set `many`, `value_key` and the embedding of an unsaved fact, and return the fact."""
    slot = SLOTS[fact.slot]
    fact.many = slot.many
    fact.value_key = key_of(slot.key, fact.value)
    vector = embeddings.embed(f"{slot.label}: {fact.value}")
    fact.embedding, fact.embedding_model = vector, embeddings.MODEL_NAME if vector else ""
    return fact
