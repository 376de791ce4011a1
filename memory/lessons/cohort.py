"""The lessons that a user gets from others in their role: merged and sorted, within a budget.

A lesson's weight depends on its supporters, its last confirmation, the confidence in the user's
persona, and where it comes from: their persona, role or industry, everyone, or another persona of
the same role (borrowed).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from memory.core import statements
from memory.core.statements import Row, SendStatement
from memory.models import Lesson
from memory.models.lessons import LessonQuerySet
from personas.models import Persona

COHORT_PURPOSE = (
    "What was learned from helping people with this persona, for helping the next one. It is "
    "shared, so it never holds a name, a place, a number, a company or what one person found out."
)
# The number of lessons that are weighed per scope.
_MOST = 200


@dataclass(frozen=True)
class CohortLesson:
    """A visible lesson with its weight for one user."""

    id: UUID
    text: str
    weight: float
    supporters: int
    confirmed_at: datetime
    # The source: "persona", "role", "industry", "global", or "borrowed".
    learned: str
    # The persona, role or industry; for a borrowed lesson the other persona.
    key: str


# One statement for all users; no lessons for users without a persona or who opted out. It also
# reads the user's memory blocks and personas.
_READ = f"""
with mine as (
    select p.handle, p.role, p.industry, m.confidence
    from personas_userpersona m join personas_persona p on p.id = m.persona_id
    where m.user_id = %(user)s and m.standing = 'confirmed' and not p.retired
), sharing as (
    select mine.* from mine
    where %(opted_out_too)s or not exists (select from accounts_privacysettings s
                                           where s.user_id = %(user)s and not s.shares_lessons)
), wanted as (
    select 'persona' as learned, 'persona' as scope, handle as key, confidence from sharing
    union all select 'role', 'role', role, max(confidence) from sharing group by role
    union all select 'industry', 'industry', industry, max(confidence)
        from sharing group by industry
    union all select 'global', 'global', '', max(confidence) from sharing having count(*) > 0
    union all select 'borrowed', 'persona', p.handle, max(sharing.confidence)
        from sharing join personas_persona p on p.role = sharing.role and not p.retired
        where p.handle not in (select handle from sharing) group by p.handle
)
select l.id, l.text, w.learned, w.key, w.confidence, l.supporters, l.confirmed_at,
       l.approved_at is not null
from wanted w cross join lateral (
    select * from memory_lesson
    where visible and scope = w.scope and key = w.key
    order by supporters desc limit {_MOST}
) l
union all
select b.id, b.content, 'block', b.label, 0, 0, b.updated_at, false
from memory_memoryblock b where b.user_id = %(user)s and exists (select from mine)
union all
select null, '', 'member', handle, confidence, 0, now(), false from mine
"""  # noqa: S608 - a number only


@dataclass(frozen=True)
class CohortLessons:
    """A user's lessons, best first, memory blocks by label, and persona handles, surest first."""

    lessons: list[CohortLesson]
    blocks: dict[str, str]
    member_of: tuple[str, ...]


def lessons_for(user_id: UUID, *, opted_out_too: bool = False) -> list[CohortLesson]:
    """Return a user's lessons, best first.

    Empty without a persona or, unless `opted_out_too`, after opting out.
    """
    rows = statements.fetch_rows(_READ, {"user": user_id, "opted_out_too": opted_out_too})
    return _learned(rows).lessons


def readable(user_id: UUID) -> LessonQuerySet:
    """Return the visible lessons that a user can read, or could without having opted out."""
    lessons = lessons_for(user_id, opted_out_too=True)
    return Lesson.objects.filter(pk__in=[lesson.id for lesson in lessons])


def learned_later(user_id: UUID, send: SendStatement) -> Callable[[], CohortLessons]:
    """Send the query for lessons and blocks in a pipeline; return a function for the result."""
    rows = send(_READ, {"user": user_id, "opted_out_too": False})
    return lambda: _learned(rows())


def within(lessons: Iterable[CohortLesson], characters: int) -> list[CohortLesson]:
    """Return the lessons that fit into some characters, in order; too long ones are skipped."""
    chosen = []
    for lesson in lessons:
        length = len(as_line(lesson)) + 1
        if length <= characters:
            chosen.append(lesson)
            characters -= length
    return chosen


def as_line(lesson: CohortLesson) -> str:
    """Return a lesson as a line of a block or prompt; a borrowed one is marked."""
    borrowed = " (learned in a neighbouring industry)" if lesson.learned == "borrowed" else ""
    return f"- {lesson.text}{borrowed}"


def cohort_block(persona: Persona) -> str:
    """Return the text of a persona's shared block: its visible lessons, best first."""
    rows = Lesson.objects.visible().of_persona(persona.handle).order_by("-supporters")[:_MOST]
    lessons = sorted((_of_its_own(lesson) for lesson in rows), key=_best_first)
    lines = map(as_line, within(lessons, settings.COHORT["block_characters"]))
    return "\n".join(lines) or nothing_yet(persona.handle)


def length(persona: Persona) -> int:
    """Return the length of a persona's shared block in characters; 0 without lessons."""
    text = cohort_block(persona)
    return 0 if text == nothing_yet(persona.handle) else len(text)


def nothing_yet(handle: str) -> str:
    """Return the text of a persona's shared block before there are lessons."""
    return (
        "We have not yet gained any experience commensurate of the specific servicing of queries"
        f" or analytical flows for {handle} users"
    )


def strength(supporters: int, confirmed_at: datetime, *, approved: bool = False) -> float:
    """Return the weight of a lesson: grows with supporters, halves every half-life."""
    days = max(0.0, (now() - confirmed_at).total_seconds() / 86_400)
    people = max(supporters, settings.COHORT["people"] if approved else 0)
    half_life: float = settings.COHORT["half_life_days"]
    return float(math.log1p(people) * 0.5 ** (days / half_life))


def _of_its_own(lesson: Lesson) -> CohortLesson:
    approved = lesson.approved_at is not None
    return CohortLesson(
        lesson.pk,
        lesson.text,
        strength(lesson.supporters, lesson.confirmed_at, approved=approved),
        lesson.supporters,
        lesson.confirmed_at,
        lesson.scope,
        lesson.key,
    )


def _learned(rows: Iterable[Row]) -> CohortLessons:
    records = list(rows)
    blocks = {label: text for _, text, kind, label, *_ in records if kind == "block"}
    members = sorted(
        (-sure, handle) for _, _, kind, handle, sure, *_ in records if kind == "member"
    )
    lessons = _weighed(row for row in records if row[2] not in ("block", "member"))
    return CohortLessons(lessons, blocks, tuple(handle for _, handle in members))


def _weighed(rows: Iterable[Row]) -> list[CohortLesson]:
    weights = settings.COHORT["weights"]
    lessons = [
        CohortLesson(
            key,
            text,
            confidence * weights[learned] * strength(supporters, confirmed_at, approved=approved),
            supporters,
            confirmed_at,
            learned,
            of,
        )
        for key, text, learned, of, confidence, supporters, confirmed_at, approved in rows
    ]
    best = {
        lesson.text.lower(): lesson for lesson in sorted(lessons, key=_best_first, reverse=True)
    }
    return sorted(best.values(), key=_best_first)


def _best_first(lesson: CohortLesson) -> tuple[float, str]:
    return -lesson.weight, lesson.text
