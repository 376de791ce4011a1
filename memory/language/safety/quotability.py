"""What must be quoted in its own conversation only, told by the words alone."""

from memory.language.reading import Reading
from memory.slots import SLOTS


def is_confidential(reading: Reading) -> bool:
    """Whether a message holds a secret, an order, a private matter or a wish to forget.

    The reading that learning does, without what it knows besides: for what was not learned from.
    What could not be read is taken for one, and a secret is looked for beyond what was read.
    """
    return bool(
        reading.could_not_be_read
        or reading.asks_to_forget
        or reading.holds_a_secret
        or reading.orders_gravely
        or reading.private
        or any(SLOTS[candidate.slot].sensitive for candidate in reading.facts)
    )
