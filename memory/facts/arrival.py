"""Saving the choices made at sign-up: whether memory is on, and the preferred name."""

from contextlib import suppress
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.core.switch import record_first_choice
from memory.facts import revision


def record_sign_up_choices(user: User, **_signal: Any) -> None:
    """Log whether a new user switched memory on, and save their name as a fact if memory is on.

    A name that the checks refuse is not saved.
    """
    with acting_as(user):
        record_first_choice(user)
        if user.name and user.memory_on:
            with suppress(revision.SlotTaken):
                revision.write_by_hand(user.pk, "preferred_name", user.name)
