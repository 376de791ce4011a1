"""Memory on or off: one switch a person, heard by everything that learns and everything that uses.

Off means off. Nothing is noted, and nothing noted is used. What was noted stays, and its owner can
still read it, change it and take it back.
"""

from accounts import audit
from accounts.audit import Deed
from accounts.models import User


def turn(person: User, *, on: bool) -> None:
    """Turn it, for whatever is said from now on; in the person's open block."""
    if person.memory_on != on:
        before, after = ("Off", "On") if on else ("On", "Off")
        why = "Remembering across conversations"
        audit.record(person.pk, Deed.ALLOWED, before=before, after=after, why=why)
    person.memory_on = on
    person.save(update_fields=["memory_on"])
