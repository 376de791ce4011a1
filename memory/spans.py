"""One value at a time: where the values of a slot that holds one begin and end.

What held and what holds of such a slot never overlap. A beginning that its owner told cuts short
what was held by then; any other value begins, at the earliest, when the last one ended.
"""

from itertools import pairwise
from uuid import UUID

from django.db.models import F, Q

from memory.models import FactQuerySet, ProfileFact

Status = ProfileFact.Status


def make_room(fact: ProfileFact) -> None:
    """Its owner told when it began: what was held before it ended then, at the latest."""
    for past in past_of(fact).filter(valid_to__gt=fact.valid_from):
        past.valid_from = min(past.valid_from, fact.valid_from)
        past.valid_to, past.to_precision = fact.valid_from, fact.from_precision
        past.save(update_fields=["valid_from", "valid_to", "to_precision", "updated_at"])


def begin_after_the_last(fact: ProfileFact) -> None:
    """Nobody told when it began: not before the last value ended."""
    ended = past_of(fact).filter(valid_to__gt=F("valid_from"))
    last = ended.order_by("-valid_to").values_list("valid_to", "to_precision").first()
    if last is not None and last[0] is not None and last[0] > fact.valid_from:
        fact.valid_from, fact.from_precision = last[0], last[1]
        fact.save(update_fields=["valid_from", "from_precision", "updated_at"])


def past_of(fact: ProfileFact) -> FactQuerySet:
    """The other values that its slot held; none for a slot that holds several at once."""
    rows = ProfileFact.objects.for_user(fact.user_id).filter(slot=fact.slot, status=Status.PAST)
    return rows.none() if fact.many else rows.exclude(pk=fact.pk)


def agree(user_id: UUID, slot: str) -> bool:
    """Whether no two values of a slot with one value hold at the same time."""
    held = ProfileFact.objects.for_user(user_id).filter(
        Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from")),
        slot=slot,
        many=False,
        status__in=[Status.CURRENT, Status.PAST],
    )
    spans = held.order_by("valid_from").values_list("valid_from", "valid_to")
    return all(end is not None and end <= begin for (_, end), (begin, _) in pairwise(spans))
