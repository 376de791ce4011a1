"""What must be quoted in its own conversation only, told by the words alone."""

from memory.language.reading import Reading
from memory.language.safety import sensitivity
from memory.slots import SLOTS


def is_confidential(said: Reading) -> bool:
    """Whether a message holds a secret, an order, a private matter or a wish to forget.

    The reading that learning does, without what it knows besides: for what was not learned from.
    """
    return bool(
        said.asks_to_forget
        or said.holds_a_secret
        or said.orders_gravely
        or sensitivity.is_private_text(said.text)
        or any(SLOTS[one.slot].sensitive for one in said.facts)
    )
