"""The name that somebody gives at sign-up is the first fact of their profile."""

from contextlib import suppress
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.facts import revision


def write_name(user: User, **_signal: Any) -> None:
    """Write the name of a new account into its profile, where memory is on and the name is fit."""
    if user.name and user.memory_on:
        with acting_as(user), suppress(revision.SlotTaken):
            revision.write_by_hand(user.pk, "preferred_name", user.name)
