"""What of a fact's row follows from its slot and its value."""

from memory.language.text import embeddings
from memory.models import ProfileFact, key_of
from memory.slots import SLOTS


def complete(fact: ProfileFact) -> ProfileFact:
    """Fill it in, for a row that is not written down yet."""
    slot = SLOTS[fact.slot]
    fact.many = slot.many
    fact.value_key = key_of(slot.key, fact.value)
    vector = embeddings.embed(f"{slot.label}: {fact.value}")
    fact.embedding, fact.embedding_model = vector, embeddings.MODEL_NAME if vector else ""
    return fact
