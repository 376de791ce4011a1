"""The switch for memory: on or off for each user.

With memory off, nothing is saved and nothing saved is used. Existing rows stay, and the user can
read, change and retract them.
"""

from datetime import UTC, datetime

from accounts import audit
from accounts.audit import Action
from accounts.models import AuditEvent, User

_WHY = "Remembering across conversations"


def switch_memory(person: User, *, on: bool) -> None:
    """Turn memory on or off for future messages. Must run in the user's transaction."""
    if person.memory_on != on:
        before, after = ("Off", "On") if on else ("On", "Off")
        audit.record(person.pk, Action.ALLOWED, before=before, after=after, why=_WHY)
    person.memory_on = on
    person.save(update_fields=["memory_on"])


def record_first_choice(person: User) -> None:
    """Log the choice at sign-up. Must run in the user's transaction.

    The entry has no state before, so imported older messages do not count as said with memory off.
    """
    after = "On" if person.memory_on else "Off"
    audit.record(person.pk, Action.ALLOWED, after=after, why=_WHY)


def memory_switched_at(person: User) -> datetime | None:
    """Return when memory was last switched or chosen at sign-up; None for never.

    Must run in the user's transaction.
    """
    lines = AuditEvent.objects.for_user(person.pk).filter(deed=Action.ALLOWED, why=_WHY)
    return lines.order_by("-at").values_list("at", flat=True).first()


def memory_off_periods(person: User) -> list[tuple[datetime, datetime]]:
    """Return the periods with memory off as (start, end). Must run in the user's transaction."""
    lines = (
        AuditEvent.objects.for_user(person.pk).filter(deed=Action.ALLOWED, why=_WHY).order_by("at")
    )
    times = [datetime.min.replace(tzinfo=UTC), *(line.at for line in lines)]
    states = [line.before for line in lines] + ["On" if person.memory_on else "Off"]
    ends = [*times[1:], datetime.max.replace(tzinfo=UTC)]
    spans = zip(states, times, ends, strict=True)
    return [(since, until) for state, since, until in spans if state == "Off"]
