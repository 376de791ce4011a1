"""Validity periods of the values of single-valued slots, which never overlap.

A start that the user stated shortens the earlier value; any other value starts, at the earliest,
when the last one ended.
"""

from datetime import datetime, time
from itertools import pairwise
from uuid import UUID

from django.db.models import F, Q
from django.utils.timezone import localtime

from accounts.audit import Action
from accounts.support import formatting
from memory.core.scope import Scope
from memory.facts import fact_log
from memory.facts.start_dates import StartDate
from memory.models import FactQuerySet, ProfileFact

Status = ProfileFact.Status
BEGINS_ANEW = "You told me when it began."


def make_room(fact: ProfileFact) -> None:
    """End the earlier values of a fact's slot when the fact starts."""
    for past in past_values_of(fact).filter(valid_to__gt=fact.valid_from):
        if past.begins_unknown and past.valid_to and not is_told_time(past.valid_to):
            continue  # Only known to be over: there is no period to shorten.
        past.valid_from = min(past.valid_from, fact.valid_from)
        past.valid_to, past.to_precision = fact.valid_from, fact.from_precision
        past.save(update_fields=["valid_from", "valid_to", "to_precision", "updated_at"])


def is_told_time(moment: datetime) -> bool:
    """Return whether a moment is a stated day (midnight) and not the time of saving."""
    return localtime(moment).time() == time()


def since_in_words(fact: ProfileFact) -> str:
    """Return ', since March 2024' if the user stated the start, else ''."""
    if not is_told_time(fact.valid_from):
        return ""
    return (
        f", since {formatting.told_in_full(localtime(fact.valid_from).date(), fact.from_precision)}"
    )


def begin_as_told(fact: ProfileFact, began: StartDate) -> bool:
    """Set the start that the user stated; return False if the slot had another value then."""
    if _held_another(fact, began.at):
        return False
    fact.valid_from, fact.from_precision = began.at, began.exactly
    fact.save(update_fields=["valid_from", "from_precision", "updated_at"])
    if fact.status == Status.CURRENT:
        make_room(fact)
    return True


def begin_as_told_again(fact: ProfileFact, began: StartDate, scope: Scope) -> bool:
    """Set an earlier or more precise start that a repetition states, and log it once.

    Returns False and changes nothing for a start later than the known one.
    """
    was, exactly = localtime(fact.valid_from).date(), fact.from_precision
    better = (
        began.is_better_than(was, exactly) if is_told_time(fact.valid_from) else began.day < was
    )
    if not better or not begin_as_told(fact, began):
        return False
    fact_log.from_talk(
        scope,
        fact,
        Action.REWRITTEN,
        before=f"{fact.value}, since {formatting.told_in_full(was, exactly)}",
        after=f"{fact.value}, since {formatting.told_in_full(began.day, began.exactly)}",
        why=BEGINS_ANEW,
    )
    return True


def set_start_of_current(fact: ProfileFact) -> None:
    """Set the start of a fact that became current: the stated start, else after the last value."""
    if is_told_time(fact.valid_from) and not _held_another(fact, fact.valid_from):
        make_room(fact)
    else:
        start_after_last_value(fact)


def _held_another(fact: ProfileFact, at: datetime) -> bool:
    """Return whether another value of the slot is stated to have ended after a moment."""
    ends = past_values_of(fact).filter(valid_to__gt=at, valid_from__lt=F("valid_to"))
    return any(is_told_time(end) for end in ends.values_list("valid_to", flat=True) if end)


def start_after_last_value(fact: ProfileFact) -> None:
    """Move the start of a fact to the end of the slot's last value, if that is later."""
    ended = past_values_of(fact).filter(valid_to__gt=F("valid_from"))
    last = ended.order_by("-valid_to").values_list("valid_to", "to_precision").first()
    if last is not None and last[0] is not None and last[0] > fact.valid_from:
        fact.valid_from, fact.from_precision = last[0], last[1]
        fact.save(update_fields=["valid_from", "from_precision", "updated_at"])


def past_values_of(fact: ProfileFact) -> FactQuerySet:
    """Return the past values of a fact's slot; none for a multi-valued slot."""
    rows = ProfileFact.objects.for_user(fact.user_id).filter(slot=fact.slot, status=Status.PAST)
    return rows.none() if fact.many else rows.exclude(pk=fact.pk)


def values_agree(user_id: UUID, slot: str) -> bool:
    """Return whether no two values of a single-valued slot overlap in time."""
    facts = ProfileFact.objects.for_user(user_id).filter(
        Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")),
        slot=slot,
        many=False,
        status__in=[Status.CURRENT, Status.PAST],
    )
    spans = facts.order_by("valid_from").values_list("valid_from", "valid_to")
    return all(end is not None and end <= begin for (_, end), (begin, _) in pairwise(spans))
