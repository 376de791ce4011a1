"""A person's notes at a glance: how many, how they grew, what they are, how good they are."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q
from django.utils.timezone import localtime

from memory import lifecycle
from memory.models import Memory, Merge, ProfileFact, Quality

# How far back the charts look.
WEEKS, DAYS = 12, 60
# Merges are offered for undoing on the page this long, and so many of them.
MERGES_DAYS, MOST_MERGES = 30, 5


@dataclass(frozen=True)
class Moment:
    """How many there were at the end of a day."""

    day: date
    count: int


@dataclass(frozen=True)
class Counts:
    """The notes in numbers. `used_last` were used together, the last time any were."""

    in_use: int
    used_last: int
    resting: int
    ever_used: int
    held: int
    gone: int
    weeks: tuple[Moment, ...]

    @property
    def used_share(self) -> int:
        """How many of a hundred notes in use were used at least once."""
        return round(100 * self.ever_used / self.in_use) if self.in_use else 0


def counts(user_id: UUID, at: datetime) -> Counts:
    """Count in three reads, however many there are."""
    status = Memory.Status
    active = Q(status=status.ACTIVE)
    ends = _week_ends(at)
    told = Memory.objects.for_user(user_id).aggregate(
        in_use=Count("pk", filter=active),
        used_last=Count("pk", filter=active & _used_last(user_id)),
        resting=Count("pk", filter=Q(status=status.PAUSED) | (active & Q(faded_at__isnull=False))),
        ever_used=Count("pk", filter=active & Q(uses__gt=0)),
        held=Count("pk", filter=Q(status__in=[status.ACTIVE, status.PAUSED, status.WAITING])),
        all=Count("pk"),
        **{f"week_{place}": _in_use_at(end) for place, end in enumerate(ends)},
    )
    weeks = [Moment(localtime(end).date(), told[f"week_{place}"]) for place, end in enumerate(ends)]
    return Counts(
        in_use=told["in_use"],
        used_last=told["used_last"],
        resting=told["resting"],
        ever_used=told["ever_used"],
        held=told["held"],
        gone=told["all"] - told["held"],
        weeks=tuple(_from_the_first(weeks)),
    )


def kinds(user_id: UUID) -> dict[str, int]:
    """How many notes in use there are of each category; all of them, in the order of the model."""
    rows = Memory.objects.for_user(user_id).active().order_by()
    told = dict(rows.values_list("category").annotate(Count("pk")))
    return {category: told.get(category, 0) for category in Memory.Category.values}


def recent_merges(user_id: UUID, at: datetime) -> list[Merge]:
    """The latest merges that can still be undone here, with the notes they are about."""
    since = at - timedelta(days=MERGES_DAYS)
    rows = Merge.objects.filter(user_id=user_id, undone_at__isnull=True, made_at__gte=since)
    rows = rows.filter(kept__status=Memory.Status.ACTIVE, mergedmemory__memory__status="merged")
    rows = rows.select_related("kept").prefetch_related("merged").distinct()
    return list(rows.order_by("-made_at")[:MOST_MERGES])


def figures(user_id: UUID, at: datetime) -> lifecycle.Figures:
    """How good the notes are, as they stand now."""
    return lifecycle.figures(user_id, at)


def history(user_id: UUID, at: datetime) -> list[Moment]:
    """How many notes were in need of a look, day by day, as far as it was counted."""
    since = localtime(at).date() - timedelta(days=DAYS)
    days = Quality.objects.filter(user_id=user_id, day__gte=since).order_by("day")
    return [Moment(q.day, q.duplicates + q.stale + q.junk + q.disputed) for q in days]


def _used_last(user_id: UUID) -> Q:
    """What the last answer that drew on anything used: one statement marks its notes and facts."""
    rows = (Memory.objects.for_user(user_id), ProfileFact.objects.for_user(user_id))
    times = [row.aggregate(last=Max("last_used_at"))["last"] for row in rows]
    last = max((time for time in times if time is not None), default=None)
    return Q(last_used_at=last) if last else Q(pk__in=[])


def _week_ends(at: datetime) -> list[datetime]:
    return [at - timedelta(weeks=back) for back in reversed(range(WEEKS))]


def _in_use_at(end: datetime) -> Count:
    """A note was in use from the day it was made until it ended, whatever ended it."""
    then = Q(created_at__lte=end) & (Q(ended_at__isnull=True) | Q(ended_at__gt=end))
    return Count("pk", filter=then & ~Q(status=Memory.Status.WAITING))


def _from_the_first(weeks: list[Moment]) -> list[Moment]:
    """Empty weeks before the first note tell nothing; one of them shows that it began."""
    first = next((place for place, week in enumerate(weeks) if week.count), len(weeks) - 1)
    return weeks[min(max(first - 1, 0), len(weeks) - 2) :]
