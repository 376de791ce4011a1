"""What memory holds, as its owner reads it."""

from memory.present.facts import (
    FactGroup,
    FactRow,
    api,
    groups,
    portrait,
    profile_choices,
    row,
    slot_choices,
)

__all__ = [
    "FactGroup",
    "FactRow",
    "api",
    "groups",
    "portrait",
    "profile_choices",
    "row",
    "slot_choices",
]
