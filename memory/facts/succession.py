"""Replacing facts, after the answer to a conflict or by a more precise value.

Every change closes a row and keeps it. Only the ledger and memory itself may import this module;
changes by hand are in :mod:`memory.facts.revision`.
"""

from datetime import datetime

from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action, By
from memory.core.scope import Scope
from memory.core.signals import fact_refined
from memory.core.slot_locks import lock_slot
from memory.facts import fact_log, validity
from memory.models import Precision, ProfileFact
from memory.slots import alike_to, same_value

Status = ProfileFact.Status


def replace_with_challenger(old: ProfileFact, new: ProfileFact, at: datetime) -> None:
    """Make the challenger current and set the old value aside."""
    end(old, Status.SET_ASIDE, at)
    new.status = Status.CURRENT
    new.last_verified = at
    new.save(update_fields=["status", "last_verified", "updated_at"])
    validity.set_start_of_current(new)


def accept_both(new: ProfileFact, at: datetime) -> None:
    """Make the challenger current beside the old value."""
    new.status, new.last_verified = Status.CURRENT, at
    new.save(update_fields=["status", "last_verified", "updated_at"])


def hold_in_sequence(
    old: ProfileFact,
    new: ProfileFact,
    until: datetime,
    since: datetime,
    precision: str = Precision.DAY,
) -> None:
    """Let the old value end at `until` and the challenger start at `since`.

    The ledger passes an `until` not after `since`; `precision` applies to both. If the old value
    was saved after its end, its start becomes unknown (equal to its end).
    """
    old.valid_from, old.to_precision = min(old.valid_from, until), precision
    old.save(update_fields=["valid_from", "to_precision"])
    end(old, Status.PAST, until)
    new.status, new.valid_from, new.last_verified = Status.CURRENT, since, now()
    new.from_precision = precision
    new.save(
        update_fields=["status", "valid_from", "from_precision", "last_verified", "updated_at"]
    )
    validity.make_room(new)


def duplicates_of(fact: ProfileFact) -> list[ProfileFact]:
    """Return the other current facts that say the same in a similar slot (likes, interests)."""
    like = alike_to(fact.slot) - {fact.slot}
    current = ProfileFact.objects.for_user(fact.user_id).current().filter(slot__in=like)
    rows = current.order_by("created_at") if like else ()
    return [row for row in rows if same_value(fact.slot, row.value, fact.value)]


def end_duplicates(echo: ProfileFact, fact: ProfileFact) -> None:
    """End a duplicate like the fact that it repeats, with the same status and end."""
    echo.to_precision = fact.to_precision
    echo.valid_from = min(echo.valid_from, fact.valid_to or echo.valid_from)
    echo.save(update_fields=["to_precision", "valid_from"])
    end(echo, Status(fact.status), fact.valid_to or now())


def end_replaced(wider: ProfileFact, at: datetime, *, corrected: bool = False) -> bool:
    """End a fact that was stated more precisely or, if `corrected`, was never true.

    Returns whether this call ended it.
    """
    if not lock_fact(wider) or wider.status != Status.CURRENT:
        return False
    end(wider, Status.SET_ASIDE if corrected else Status.PAST, max(at, wider.valid_from))
    return True


def link_to_predecessor(
    finer: ProfileFact, wider: ProfileFact, begun: datetime, scope: Scope
) -> None:
    """Link a fact to the fact that it replaced, which began at `begun`."""
    finer.replaces = wider
    finer.save(update_fields=["replaces", "updated_at"])
    wider.refresh_from_db(fields=["valid_from", "valid_to"])
    if wider.valid_from != begun:
        # "In Moscow since 2010" must not change the start of Russia: undo restores Russia.
        wider.valid_from = wider.valid_to = begun
        wider.save(update_fields=["valid_from", "valid_to", "updated_at"])
    fact_refined.send(ProfileFact, replaced=wider, current=finer)
    corrected = wider.status == Status.SET_ASIDE
    why = "You corrected it" if corrected else "You said more about it"
    fact_log.from_talk(
        scope, finer, Action.REWRITTEN, before=wider.value, after=finer.value, why=why
    )


def fold(echo: ProfileFact, into: ProfileFact) -> bool:
    """Set aside a duplicate fact; it can be restored. Returns whether this call did."""
    if not lock_fact(echo) or echo.status != Status.CURRENT:
        return False
    end(echo, Status.REMOVED, now())
    sentence = into.sentence
    audit.record(
        echo.user_id,
        Action.REMOVED,
        by=By.HOUSE,
        subject=echo.pk,
        slot=echo.slot,
        before=echo.value,
        why=f"Another fact says the same thing: {sentence}",
    )
    return True


def put_back(fact: ProfileFact, was: dict[str, object]) -> None:
    """Restore columns of a fact; `was` holds the old values by column name."""
    for name, value in was.items():
        setattr(fact, name, value)
    fact.save(update_fields=[*was, "updated_at"])


def succeed(challenger: ProfileFact) -> None:
    """Make a challenger current after its rival was deleted."""
    challenger.status = Status.CURRENT
    challenger.save(update_fields=["status", "updated_at"])
    validity.set_start_of_current(challenger)


def dismiss(challenger: ProfileFact, at: datetime) -> None:
    """Set a challenger aside because the current value is right."""
    end(challenger, Status.SET_ASIDE, at)


def lock_fact(fact: ProfileFact, *fields: str) -> bool:
    """Lock the slot of a fact and reload the named fields; return False if the fact was erased."""
    lock_slot(fact.user_id, fact.slot)
    try:
        fact.refresh_from_db(fields=["status", *fields])
    except ProfileFact.DoesNotExist:
        return False
    return True


def end(fact: ProfileFact, status: ProfileFact.Status, at: datetime) -> None:
    """Set the status and end of a fact and save it."""
    fact.status = status
    fact.valid_to = at
    fact.save(update_fields=["status", "valid_to", "updated_at"])
