"""Facts, memories and activity as pages show them."""

from memory.web.present.facts import (
    FactGroup,
    FactRow,
    closed_slots,
    groups,
    here_only,
    portrait,
    profile_choices,
    row,
    slot_choices,
)

__all__ = [
    "FactGroup",
    "FactRow",
    "closed_slots",
    "groups",
    "here_only",
    "portrait",
    "profile_choices",
    "row",
    "slot_choices",
]
