"""Decisions of staff about lessons and reports, run with the cohort role (`acting_as_cohort`)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.timezone import now

from accounts.database.isolation import acting_as_cohort
from memory.lessons import contribution, guard, upkeep, wordings
from memory.lessons.guard import ShareVerdict
from memory.models import Lesson, LessonReport, LessonSupport
from personas import membership
from personas.models import Persona

Scope, Standing = Lesson.Scope, Lesson.Standing
# Lessons that have waited this long for supporters are shown to staff, too.
_LONG = timedelta(days=30)


class GuardRefused(ValueError):
    """The guard refuses the new wording; the message says why and what to do."""


@dataclass(frozen=True)
class LessonAudience:
    """Who can read a lesson: a scope, its key, and a label."""

    scope: str
    key: str
    label: str

    @property
    def value(self) -> str:
        """The audience as a form value."""
        return f"{self.scope}:{self.key}"


def waiting() -> "QuerySet[Lesson]":
    """Return the lessons that staff could release. Must run inside `acting_as_cohort`.

    They have enough supporters, alone or with similar lessons, or have waited for 30 days.
    """
    rows = Lesson.objects.filter(standing=Standing.OPEN, visible=False, supporters__gt=0)
    rows = rows.order_by("-supporters", "first_at", "pk")
    enough = Q(supporters__gte=F("needs_people")) | Q(pk__in=list(_supported_together(rows)))
    return rows.filter(enough | Q(first_at__lt=now() - _LONG))


def similar_to(lesson: Lesson) -> list[Lesson]:
    """Return similar open lessons, best supported first. Must run inside `acting_as_cohort`."""
    rows = Lesson.objects.filter(standing=Standing.OPEN, scope=lesson.scope, key=lesson.key)
    others = rows.exclude(pk=lesson.pk).order_by("-supporters", "first_at", "pk")
    return [other for other in others if wordings.is_similar(lesson, other)]


def _supported_together(rows: "QuerySet[Lesson]") -> Iterator[UUID]:
    """Yield the first of each group of similar lessons that have enough supporters together."""
    people: dict[UUID, set[UUID]] = defaultdict(set)
    supports = LessonSupport.objects.filter(lesson__in=rows)
    for lesson_id, user_id in supports.values_list("lesson_id", "user_id"):
        people[lesson_id].add(user_id)
    for first, *others in wordings.groups_of_similar(rows):
        together = people[first.pk].union(*(people[other.pk] for other in others))
        if len(together) >= first.needs_people:
            yield first.pk


def verdict_on(lesson: Lesson, text: str = "") -> ShareVerdict:
    """Return the guard's verdict on a lesson, or on another wording for its audience."""
    known = [
        (persona, contribution.field_terms_of(persona)) for persona in membership.recognisable()
    ]
    return guard.check_shareable(text or lesson.text, terms=upkeep.terms_for(lesson, known))


def reaches(lesson: Lesson) -> list[LessonAudience]:
    """Return the possible audiences of a lesson: the present one and all wider ones."""
    here = LessonAudience(lesson.scope, lesson.key, f"{Scope(lesson.scope).label}: {lesson.key}")
    persona = Persona.objects.filter(handle=lesson.key).first()
    wider = [LessonAudience(Scope.GLOBAL, "", "Everyone with a persona")]
    if lesson.scope == Scope.PERSONA and persona is not None:
        wider = [
            LessonAudience(Scope.ROLE, persona.role, f"Everyone in {persona.role}"),
            LessonAudience(Scope.INDUSTRY, persona.industry, f"Everyone in {persona.industry}"),
            *wider,
        ]
    return [here, *(reach for reach in wider if reach.scope != lesson.scope)]


def release(lesson_id: UUID, reason: str) -> None:
    """Make a lesson visible despite few supporters, even a retired one."""
    _change(lesson_id, approved_at=now(), standing=Standing.OPEN, confirmed_at=now(), reason=reason)


def retire(lesson_id: UUID, reason: str) -> None:
    """Retire a lesson for everybody."""
    _change(lesson_id, standing=Standing.RETIRED, approved_at=None, reason=reason)


def reword(lesson: Lesson, text: str, reason: str) -> UUID:
    """Release a lesson in another wording and return its id. Raises GuardRefused.

    If more than the spelling changes, the old lesson is retired, because its supporters have not
    read the new wording; they are asked to support it if it is similar.
    """
    verdict = verdict_on(lesson, text)
    if not verdict.accepted:
        raise GuardRefused(verdict.why)
    if wordings.same_text(verdict.text) == wordings.same_text(lesson.text):
        _change(lesson.pk, text=verdict.text, reason=reason)
        return lesson.pk
    with acting_as_cohort():
        new = contribution.begin(lesson.scope, lesson.key, verdict.text)
    retire(lesson.pk, reason)
    release(new, reason)
    return new


def widen(lesson_id: UUID, reach: LessonAudience, reason: str) -> None:
    """Release a lesson to a wider audience."""
    _change(lesson_id, scope=reach.scope, key=reach.key, approved_at=now(), reason=reason)


def answer(report: LessonReport, standing: str, words: str) -> None:
    """Answer a report, and retire the lesson if that is the decision."""
    with acting_as_cohort():
        LessonReport.objects.filter(pk=report.pk).update(standing=standing, answer=words)
    if standing == LessonReport.Standing.RETIRED:
        retire(report.lesson_id, words)


def _change(lesson_id: UUID, **values: object) -> None:
    with acting_as_cohort():
        Lesson.objects.filter(pk=lesson_id).update(**values)
