"""A role's lessons and the user's part in them, as pages show them.

The number of supporters is shown only for visible lessons; the last confirmation only by week or
month, so that nobody can be identified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils.timezone import localtime, now

from memory.lessons.cohort import CohortLesson
from memory.models import Lesson, LessonReport, LessonSupport
from personas.models import Persona, UserPersona

# The most threads in the picture beside a lesson.
_THREADS = 7
_LEARNED = {
    "role": "learned by everyone in this role",
    "industry": "learned in your industry",
    "global": "learned by everyone",
}
_WAITING = {
    Lesson.Standing.RETIRED: "removed by staff",
    Lesson.Standing.FADED: "faded, because nobody confirmed it for a long time",
}
REPORT_KINDS = {
    LessonReport.Kind.PERSONAL: "It’s about a particular person or company",
    LessonReport.Kind.WRONG: "It’s wrong",
    LessonReport.Kind.HARMFUL: "It gives orders or could do harm",
    LessonReport.Kind.OTHER: "Something else",
}


@dataclass(frozen=True)
class LessonRow:
    """A lesson that the user receives, as the page shows it."""

    id: UUID
    text: str
    people: str
    confirmed: str
    learned: str
    mine: bool
    reported: bool
    # Heights of the threads in the picture, one per supporter.
    threads: tuple[int, ...]


@dataclass(frozen=True)
class OwnRow:
    """A lesson that the user supports and others cannot read."""

    id: UUID
    text: str
    standing: str
    # A similar visible lesson, which the user is asked to support instead.
    similar: Lesson | None


@dataclass(frozen=True)
class Role:
    """A role that the user has or may have; `sure` is its confidence in five steps."""

    persona: Persona
    sure: int
    since: str
    guessed: bool


def lesson_row(
    lesson: CohortLesson, mine: set[UUID], reported: set[UUID], names: Mapping[str, str]
) -> LessonRow:
    """Return a lesson as the page shows it; `names` are titles of personas by handle."""
    yours = ", you among them" if lesson.id in mine else ""
    people = f"{lesson.supporters} {'person' if lesson.supporters == 1 else 'people'}{yours}"
    learned = _LEARNED.get(lesson.learned, "")
    if lesson.learned == "borrowed":
        learned = f"borrowed from {names.get(lesson.key, 'a neighbouring industry')}"
    return LessonRow(
        id=lesson.id,
        text=lesson.text,
        people=people if lesson.supporters else "Approved by staff",
        confirmed=f"confirmed {coarsely(lesson.confirmed_at, now())}",
        learned=learned,
        mine=lesson.id in mine,
        reported=lesson.id in reported,
        threads=_threads(lesson.supporters),
    )


def own_rows(supports: Sequence[LessonSupport], similar: Mapping[UUID, Lesson]) -> list[OwnRow]:
    """Return the lessons that the user supports and others cannot read.

    `similar` has similar visible lessons by the id of the user's own.
    """
    return [
        OwnRow(
            support.lesson_id,
            support.lesson.text,
            _standing(support.lesson),
            similar.get(support.lesson_id),
        )
        for support in supports
        if not support.lesson.visible
    ]


def role(mine: UserPersona) -> Role:
    """Return a persona of the user as the page shows it."""
    guessed = mine.standing == UserPersona.Standing.GUESSED
    words = "A guess, from what you said" if guessed else "Sure"
    since = f"{words}, since {localtime(mine.last_confirmed or mine.discovered_at):%B %Y}"
    return Role(mine.persona, max(1, round(5 * mine.confidence)), since, guessed)


def meter(characters: int) -> dict[str, object]:
    """Return how full a shared memory block is, with the share in per cent."""
    most = settings.COHORT["block_characters"]
    return {"used": characters, "most": most, "share": round(100 * characters / most)}


def coarsely(at: datetime, today: datetime) -> str:
    """Return 'this week', 'this month', 'in October' or 'in October 2025'."""
    then, this = localtime(at).date(), localtime(today).date()
    if (this - then).days < 7:
        return "this week"
    if (then.year, then.month) == (this.year, this.month):
        return "this month"
    return f"in {then:%B}" if then.year == this.year else f"in {then:%B %Y}"


def _standing(lesson: Lesson) -> str:
    waits = "waiting for more support"
    return _WAITING.get(Lesson.Standing(lesson.standing), waits)


def _threads(people: int) -> tuple[int, ...]:
    """Return the heights where threads start, evenly around the middle of a picture 24 high."""
    many = max(1, min(_THREADS, people))
    return tuple(
        round(12 + (position - (many - 1) / 2) * 18 / max(1, many - 1)) for position in range(many)
    )
