"""The history that a copy told of: read by its owner, blanked by every erasure."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.timezone import now

from memory.deletion import RedactionTerms
from privacy.models import RestoredLine


def lines_of(user_id: UUID) -> QuerySet[RestoredLine]:
    """The lines of a person, the newest first."""
    return RestoredLine.objects.filter(user_id=user_id).order_by("-at", "-pk")


def blank(
    *, user_id: UUID, words: Collection[RedactionTerms], subjects: Collection[UUID], **kwargs: Any
) -> None:
    """Something was erased for good: take the words out of the lines about it, and out of all that
    tell it, as the audit log does.
    """
    lines = RestoredLine.objects.filter(user_id=user_id, redacted_at=None)
    told = lines.filter(slot__in={one.slot for one in words} | {""})
    telling = [
        line.pk for line in told.iterator(500) if any(_line_tells(one, line) for one in words)
    ]
    lines.filter(Q(subject__in=subjects) | Q(pk__in=telling)).update(
        before="", after="", why="", redacted_at=now()
    )


def _line_tells(words: RedactionTerms, line: RestoredLine) -> bool:
    sides = [*line.before.split(" / "), *line.after.split(" / ")]
    of_the_slot = words.slot == line.slot and any(words.match_value(side) for side in sides)
    return of_the_slot or words.occur_in(line.before, line.after, line.why)
