"""What must be quoted in its own conversation only, told by the words alone."""

from memory.language.reading import Reading
from memory.language.safety import guard, instructions, sensitivity
from memory.slots import SLOTS


def is_confidential(text: str) -> bool:
    """Whether a message holds a secret, an order, a private matter or a wish to forget.

    The reading that learning does, without what it knows besides: for what was not learned from.
    """
    said = Reading(text)
    return bool(
        guard.asks_to_forget(text)
        or guard.holds_a_secret(text)
        or instructions.by_rule(text).grave
        or sensitivity.is_private(text)
        or any(SLOTS[one.slot].sensitive for one in said.facts)
    )
