"""Statistics for staff: how much the members of each persona learn from each other."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F
from django.utils.timezone import localdate

from memory.models import ExperienceDay
from personas.models import Persona, UserPersona

DAYS = 90


@dataclass(frozen=True)
class Row:
    """A bar of a chart: label, value, the chart's maximum, and the value in words."""

    label: str
    value: float
    most: float
    said: str


@dataclass(frozen=True)
class BlockGrowth:
    """The length of a persona's shared block over time, as (day, characters)."""

    label: str
    days: tuple[tuple[date, int], ...]

    @property
    def now(self) -> int:
        """The length on the last day, in characters."""
        return self.days[-1][1] if self.days else 0


@dataclass(frozen=True)
class Figures:
    """All statistics of the last `DAYS` days; memberships as of now."""

    personas_a_person: list[Row]
    members: list[Row]
    growth: list[BlockGrowth]
    reads_a_write: list[Row]
    refusals: list[Row]
    calls_done: list[Row]
    length: list[Row]


def figures() -> Figures:
    """Return the statistics (four queries). Must run inside `acting_as_cohort`."""
    titles = dict(Persona.objects.values_list("handle", "title"))
    days = list(ExperienceDay.objects.filter(day__gt=localdate() - timedelta(days=DAYS)))
    of = _by_persona(days)
    return Figures(
        personas_a_person=_personas_a_person(),
        members=_members(titles),
        growth=_growth(days, titles),
        reads_a_write=_ratios(of, titles, "reads", "writes", "{:.1f} answers per lesson"),
        refusals=_bars(_refusals(days), "{:g}"),
        calls_done=_shares(of, titles),
        length=_lengths(of, titles),
    )


def _personas_a_person() -> list[Row]:
    confirmed = UserPersona.objects.filter(standing=UserPersona.Standing.CONFIRMED)
    many = Counter(confirmed.values("user").annotate(n=Count("pk")).values_list("n", flat=True))
    words = {n: f"{n} persona{'s' if n > 1 else ''}" for n in many}
    return _bars({words[n]: count for n, count in sorted(many.items())}, "{:g} people")


def _members(titles: dict[str, str]) -> list[Row]:
    confirmed = UserPersona.objects.filter(standing=UserPersona.Standing.CONFIRMED)
    counted = confirmed.values(handle=F("persona__handle")).annotate(n=Count("pk"))
    return _bars({titles[row["handle"]]: row["n"] for row in counted.order_by("-n")}, "{:g}")


def _by_persona(days: Iterable[ExperienceDay]) -> dict[str, Counter[str]]:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for day in days:
        for name in ("reads", "writes", "answers", "conversations", "calls", "calls_failed"):
            sums[day.key][name] += getattr(day, name)
    return sums


def _growth(days: Iterable[ExperienceDay], titles: dict[str, str]) -> list[BlockGrowth]:
    by_key: dict[str, list[tuple[date, int]]] = defaultdict(list)
    for row in sorted(days, key=lambda row: row.day):
        by_key[row.key].append((row.day, row.characters))
    return [BlockGrowth(titles.get(key, key), tuple(line)) for key, line in sorted(by_key.items())]


def _refusals(days: Iterable[ExperienceDay]) -> dict[str, float]:
    counted: Counter[str] = Counter()
    for day in days:
        counted.update(day.refusals)
    return {reason.replace("_", " "): many for reason, many in counted.most_common()}


def _ratios(
    of: dict[str, Counter[str]], titles: dict[str, str], over: str, under: str, template: str
) -> list[Row]:
    known = {
        titles.get(key, key): sums[over] / sums[under]
        for key, sums in sorted(of.items())
        if sums[under]
    }
    return _bars(known, template)


def _shares(of: dict[str, Counter[str]], titles: dict[str, str]) -> list[Row]:
    return [
        Row(
            titles.get(key, key),
            sums["calls"] - sums["calls_failed"],
            sums["calls"],
            f"{sums['calls'] - sums['calls_failed']} of {sums['calls']}",
        )
        for key, sums in sorted(of.items())
        if sums["calls"]
    ]


def _lengths(of: dict[str, Counter[str]], titles: dict[str, str]) -> list[Row]:
    """Return messages per conversation; each answer counts as two messages."""
    counted = {key: sums + Counter(messages=2 * sums["answers"]) for key, sums in of.items()}
    return _ratios(counted, titles, "messages", "conversations", "{:.1f} messages")


def _bars(counted: dict[str, float] | dict[str, int], template: str) -> list[Row]:
    most = max(counted.values(), default=0)
    return [Row(label, many, most, template.format(many)) for label, many in counted.items()]
