"""What staff decide about lessons and reports; each opens the cohort's block itself."""

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
# What waits so long for more supporters is shown to staff, too.
_LONG = timedelta(days=30)


class GuardRefused(ValueError):
    """The guard does not let the new words pass; the message says why and what to do."""


@dataclass(frozen=True)
class LessonAudience:
    """Who reads a lesson: a scope, its key, and both in words."""

    scope: str
    key: str
    label: str

    @property
    def value(self) -> str:
        """As a form sends it."""
        return f"{self.scope}:{self.key}"


def waiting() -> "QuerySet[Lesson]":
    """What staff could release: supported by enough people, in these words or with others that say
    nearly the same, or for long; in the cohort's block.
    """
    rows = Lesson.objects.filter(standing=Standing.OPEN, visible=False, supporters__gt=0)
    rows = rows.order_by("-supporters", "first_at", "pk")
    enough = Q(supporters__gte=F("needs_people")) | Q(pk__in=list(_supported_together(rows)))
    return rows.filter(enough | Q(first_at__lt=now() - _LONG))


def similar_to(lesson: Lesson) -> list[Lesson]:
    """Lessons in use that say nearly the same, best supported first; in the cohort's block."""
    rows = Lesson.objects.filter(standing=Standing.OPEN, scope=lesson.scope, key=lesson.key)
    others = rows.exclude(pk=lesson.pk).order_by("-supporters", "first_at", "pk")
    return [other for other in others if wordings.is_similar(lesson, other)]


def _supported_together(rows: "QuerySet[Lesson]") -> Iterator[UUID]:
    """The first of each group that enough people support, each in words of their own."""
    people: dict[UUID, set[UUID]] = defaultdict(set)
    supports = LessonSupport.objects.filter(lesson__in=rows)
    for lesson_id, user_id in supports.values_list("lesson_id", "user_id"):
        people[lesson_id].add(user_id)
    for first, *others in wordings.groups_of_similar(rows):
        together = people[first.pk].union(*(people[other.pk] for other in others))
        if len(together) >= first.needs_people:
            yield first.pk


def verdict_on(lesson: Lesson, text: str = "") -> ShareVerdict:
    """What the guard says of it by now, or of other words for it."""
    known = [
        (persona, contribution.field_terms_of(persona)) for persona in membership.recognisable()
    ]
    return guard.check_shareable(text or lesson.text, terms=upkeep.terms_for(lesson, known))


def reaches(lesson: Lesson) -> list[LessonAudience]:
    """Who could read it: those who do, and each wider circle."""
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
    """Let it be read though few support it; one that was put aside comes back."""
    _change(lesson_id, approved_at=now(), standing=Standing.OPEN, confirmed_at=now(), reason=reason)


def retire(lesson_id: UUID, reason: str) -> None:
    """Take it away from everybody, for good."""
    _change(lesson_id, standing=Standing.RETIRED, approved_at=None, reason=reason)


def reword(lesson: Lesson, text: str, reason: str) -> UUID:
    """Release it in other words, which the guard lets pass; returns the id of the new wording.

    Nobody supports words that they have not read: the old wording is retired with its supporters,
    who are asked about the new one where it says nearly the same. Raises GuardRefused.
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
    """Let a wider circle read it, released: words of one field may be rare in another."""
    _change(lesson_id, scope=reach.scope, key=reach.key, approved_at=now(), reason=reason)


def answer(report: LessonReport, standing: str, words: str) -> None:
    """Answer who reported; a lesson that is to go, goes."""
    with acting_as_cohort():
        LessonReport.objects.filter(pk=report.pk).update(standing=standing, answer=words)
    if standing == LessonReport.Standing.RETIRED:
        retire(report.lesson_id, words)


def _change(lesson_id: UUID, **values: object) -> None:
    with acting_as_cohort():
        Lesson.objects.filter(pk=lesson_id).update(**values)
