"""Statistics of a user's memories: number, growth, categories, quality."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q
from django.utils.timezone import get_current_timezone_name, localtime

from memory.core.statements import fetch_rows
from memory.maintenance import lifecycle
from memory.models import Memory, Merge, ProfileFact, Quality

# The period of the charts.
WEEKS, DAYS = 12, 60
# How many days a merge can be undone on the page, and how many merges are listed.
MERGES_DAYS, MOST_MERGES = 30, 5


@dataclass(frozen=True)
class DayCounts:
    """A count at the end of a day."""

    day: date
    count: int


@dataclass(frozen=True)
class KeptCounts:
    """The number of current facts and active memories at the end of a period."""

    start: date
    facts: int
    notes: int


@dataclass(frozen=True)
class Counts:
    """Statistics of a user's memories.

    `used_last` were used by the latest prompt with facts or memories; `resting` are paused or
    faded; `held` are active, paused or waiting; `gone` are all others.
    """

    in_use: int
    used_last: int
    resting: int
    ever_used: int
    held: int
    gone: int
    weeks: tuple[DayCounts, ...]

    @property
    def used_share(self) -> int:
        """The percentage of active memories that were used at least once."""
        return round(100 * self.ever_used / self.in_use) if self.in_use else 0


def counts(user_id: UUID, at: datetime) -> Counts:
    """Return the statistics of a user's memories (three queries)."""
    status = Memory.Status
    active = Q(status=status.ACTIVE)
    ends = _week_ends(at)
    figures = Memory.objects.for_user(user_id).aggregate(
        in_use=Count("pk", filter=active),
        used_last=Count("pk", filter=active & _used_last(user_id)),
        resting=Count("pk", filter=Q(status=status.PAUSED) | (active & Q(faded_at__isnull=False))),
        ever_used=Count("pk", filter=active & Q(uses__gt=0)),
        held=Count("pk", filter=Q(status__in=[status.ACTIVE, status.PAUSED, status.WAITING])),
        all=Count("pk"),
        **{f"week_{position}": _in_use_at(end) for position, end in enumerate(ends)},
    )
    weeks = [
        DayCounts(localtime(end).date(), figures[f"week_{position}"])
        for position, end in enumerate(ends)
    ]
    return Counts(
        in_use=figures["in_use"],
        used_last=figures["used_last"],
        resting=figures["resting"],
        ever_used=figures["ever_used"],
        held=figures["held"],
        gone=figures["all"] - figures["held"],
        weeks=tuple(_from_the_first(weeks)),
    )


def kinds(user_id: UUID) -> dict[str, int]:
    """Return the number of active memories by category, for all categories in the model's order."""
    rows = Memory.objects.for_user(user_id).active().order_by()
    by_category = dict(rows.values_list("category").annotate(Count("pk")))
    return {category: by_category.get(category, 0) for category in Memory.Category.values}


def recent_merges(user_id: UUID, at: datetime) -> list[Merge]:
    """Return the latest merges that can be undone, with their memories."""
    since = at - timedelta(days=MERGES_DAYS)
    rows = Merge.objects.filter(user_id=user_id, undone_at__isnull=True, made_at__gte=since)
    rows = rows.filter(kept__status=Memory.Status.ACTIVE, mergedmemory__memory__status="merged")
    rows = rows.select_related("kept").prefetch_related("merged").distinct()
    return list(rows.order_by("-made_at")[:MOST_MERGES])


def recent_folds(user_id: UUID, at: datetime) -> list[tuple[ProfileFact, ProfileFact]]:
    """Return the latest duplicate facts that were set aside, each with the remaining fact."""
    return lifecycle.folded(user_id, at - timedelta(days=MERGES_DAYS))[:MOST_MERGES]


def history(user_id: UUID, at: datetime) -> list[DayCounts]:
    """Return by day how many memories and facts were duplicate, stale, junk or disputed."""
    since = localtime(at).date() - timedelta(days=DAYS)
    days = Quality.objects.filter(user_id=user_id, day__gte=since).order_by("day")
    return [DayCounts(q.day, q.duplicates + q.stale + q.junk + q.disputed) for q in days]


# Each fact or memory adds 1 when it was made and -1 when it ended, so a sum up to a day is the
# number on that day. Waiting and declined memories and challengers are not counted.
_COMING_AND_GOING = """
select date_trunc(%(unit)s, moment at time zone %(zone)s)::date as start,
       coalesce(sum(step) filter (where fact), 0)::int,
       coalesce(sum(step) filter (where not fact), 0)::int
from (
    select true as fact, created_at,
           case when status <> 'current' then greatest(coalesce(valid_to, updated_at), created_at)
           end as ended_at
    from memory_profilefact where user_id = %(user)s and status <> 'challenger'
    union all
    select false, created_at, ended_at
    from memory_memory where user_id = %(user)s and status not in ('waiting', 'declined')) kept
cross join lateral (values (created_at, 1), (ended_at, -1)) as moved (moment, step)
where moment <= %(until)s
group by 1 order by 1
"""


def memory_growth(
    user_id: UUID, unit: str, starts: Sequence[date], until: datetime
) -> list[KeptCounts]:
    """Return the number of facts and memories at the end of each period, in order; one query.

    `unit` is a unit of date_trunc: day, week, month or year; `starts` are the first days of
    consecutive periods of that length.
    """
    zone = get_current_timezone_name()
    moved = fetch_rows(
        _COMING_AND_GOING, {"user": user_id, "unit": unit, "zone": zone, "until": until}
    )
    moves_by_day = {day: (facts, notes) for day, facts, notes in moved}
    before = [moves for day, moves in moves_by_day.items() if day < starts[0]]
    facts, notes = (sum(moves[place] for moves in before) for place in (0, 1))
    points = []
    for start in starts:
        more_facts, more_notes = moves_by_day.get(start, (0, 0))
        facts, notes = facts + more_facts, notes + more_notes
        points.append(KeptCounts(start, facts, notes))
    return points


def first_day_of(unit: str, day: date) -> date:
    """Return the first day of a day's period, like PostgreSQL's date_trunc."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def _used_last(user_id: UUID) -> Q:
    """Return a condition for memories used last: a prompt's facts and memories share a time."""
    rows = (Memory.objects.for_user(user_id), ProfileFact.objects.for_user(user_id))
    times = [row.aggregate(last=Max("last_used_at"))["last"] for row in rows]
    last = max((time for time in times if time is not None), default=None)
    return Q(last_used_at=last) if last else Q(pk__in=[])


def _week_ends(at: datetime) -> list[datetime]:
    return [at - timedelta(weeks=back) for back in reversed(range(WEEKS))]


def _in_use_at(end: datetime) -> Count:
    """Return the count of memories that were active at a moment."""
    then = Q(created_at__lte=end) & (Q(ended_at__isnull=True) | Q(ended_at__gt=end))
    return Count("pk", filter=then & ~Q(status=Memory.Status.WAITING))


def _from_the_first(weeks: list[DayCounts]) -> list[DayCounts]:
    """Return the weeks from the first with a memory on, with one empty week before."""
    first = next((position for position, week in enumerate(weeks) if week.count), len(weeks) - 1)
    return weeks[min(max(first - 1, 0), len(weeks) - 2) :]
