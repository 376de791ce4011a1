"""What somebody chooses at sign-up: whether to be remembered, and the name they go by."""

from contextlib import suppress
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.core import record_first_choice
from memory.facts import revision


def record_sign_up_choices(user: User, **_signal: Any) -> None:
    """Write the choice of a new account into its history, and its name into its profile where
    memory is on and the name is fit.
    """
    with acting_as(user):
        record_first_choice(user)
        if user.name and user.memory_on:
            with suppress(revision.SlotTaken):
                revision.write_by_hand(user.pk, "preferred_name", user.name)
