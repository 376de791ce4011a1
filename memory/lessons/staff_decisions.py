"""What staff decide about lessons and reports; each opens the cohort's block itself."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.timezone import now

from accounts.database.isolation import acting_as_cohort
from memory.language.text import embeddings
from memory.lessons import contribution, guard, upkeep
from memory.lessons.guard import ShareVerdict
from memory.models import Lesson, LessonReport
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
    """What staff could release: supported by enough people or for long; in the cohort's block."""
    rows = Lesson.objects.filter(standing=Standing.OPEN, visible=False, supporters__gt=0)
    enough = Q(supporters__gte=F("needs_people"))
    return rows.filter(enough | Q(first_at__lt=now() - _LONG)).order_by("-supporters", "first_at")


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
    wider = [LessonAudience(Scope.GLOBAL, "", "Everybody with a persona")]
    if lesson.scope == Scope.PERSONA and persona is not None:
        wider = [
            LessonAudience(Scope.ROLE, persona.role, f"Everybody in {persona.role}"),
            LessonAudience(Scope.INDUSTRY, persona.industry, f"Everybody in {persona.industry}"),
            *wider,
        ]
    return [here, *(one for one in wider if one.scope != lesson.scope)]


def release(lesson_id: UUID, reason: str) -> None:
    """Let it be read though few support it; one that was put aside comes back."""
    _change(lesson_id, approved_at=now(), standing=Standing.OPEN, confirmed_at=now(), reason=reason)


def retire(lesson_id: UUID, reason: str) -> None:
    """Take it away from everybody, for good."""
    _change(lesson_id, standing=Standing.RETIRED, approved_at=None, reason=reason)


def reword(lesson: Lesson, text: str, reason: str) -> None:
    """Say it in other words, which the guard lets pass. Raises GuardRefused."""
    verdict = verdict_on(lesson, text)
    if not verdict.accepted:
        raise GuardRefused(verdict.why)
    _change(lesson.pk, text=verdict.text, embedding=embeddings.embed(verdict.text), reason=reason)


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
