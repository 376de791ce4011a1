"""Daily maintenance of lessons: old ones fade, and those that the guard refuses now are retired.

Support is never moved: similar lessons are proposed to their supporters (`wordings`).
"""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as_cohort, acting_as_worker
from memory.lessons import cohort, contribution, experience_days, guard
from memory.models import Lesson
from personas import membership
from personas.models import Persona

log = structlog.get_logger(__name__)
LESSONS_UPKEEP = "lessons_upkeep"
Scope, Standing = Lesson.Scope, Lesson.Standing
DAY = 86_400.0
# Days until an unsupported lesson is deleted: supporters may come back to it.
_UNSUPPORTED_DAYS = 7


@dataclass(frozen=True)
class Round:
    """The results of a run: numbers of lessons."""

    faded: int
    refused: int
    removed: int


def tend(claim: work.Claim) -> None:
    """Run the site's lesson maintenance, and schedule the next run a day later."""
    counts = look_after(now())
    log.info("lessons_looked_after", **asdict(counts))
    with acting_as_worker():
        if work.finish(claim):
            work.enqueue_for_site(LESSONS_UPKEEP, claim.subject, delay=DAY)


def look_after(at: datetime) -> Round:
    """Run all steps inside `acting_as_cohort`. Idempotent."""
    with acting_as_cohort():
        refused, faded = recheck_lessons(), fade(at)
        removed = remove_unsupported(at)
        for persona in membership.personas():
            experience_days.record_block_length(persona.handle, cohort.length(persona))
        return Round(faded, refused, removed)


def fade(at: datetime) -> int:
    """Mark lessons as faded that were not confirmed for long; return the number.

    For those approved by staff the time is twice as long.
    """
    days = timedelta(days=settings.COHORT["fades_after_days"])
    old = Q(approved_at__isnull=True, confirmed_at__lt=at - days)
    old |= Q(confirmed_at__lt=at - 2 * days, approved_at__lt=at - 2 * days)
    return Lesson.objects.filter(old, standing=Standing.OPEN).update(standing=Standing.FADED)


def recheck_lessons() -> int:
    """Retire visible lessons that the guard refuses now, not staff-approved; return the number."""
    retired = 0
    known = field_terms()
    for lesson in Lesson.objects.visible().filter(approved_at__isnull=True):
        verdict = guard.check_shareable(lesson.text, terms=terms_for(lesson, known))
        if not verdict.accepted:
            retired += Lesson.objects.filter(pk=lesson.pk, standing=Standing.OPEN).update(
                standing=Standing.RETIRED, reason=f"The guard now refuses it: {verdict.reason}."
            )
    return retired


def remove_unsupported(at: datetime) -> int:
    """Delete lessons without supporters, except staff-approved; return the number."""
    rows = Lesson.objects.filter(
        standing=Standing.OPEN,
        supporters=0,
        approved_at__isnull=True,
        confirmed_at__lt=at - timedelta(days=_UNSUPPORTED_DAYS),
    )
    _, by_model = rows.delete()
    return by_model.get(Lesson._meta.label, 0)


# --- Terms that a lesson may use -----------------------------------------------------------------


def field_terms() -> list[tuple[Persona, frozenset[str]]]:
    """Return every persona with the terms of its field."""
    return [(persona, contribution.field_terms_of(persona)) for persona in Persona.objects.all()]


def terms_for(lesson: Lesson, known: list[tuple[Persona, frozenset[str]]]) -> frozenset[str]:
    """Return the field terms that a lesson may use for its audience; empty for a global lesson."""
    kept = [words for persona, words in known if _is_reader(persona, lesson)]
    return frozenset().union(*kept)


def _is_reader(persona: Persona, lesson: Lesson) -> bool:
    keys = {
        Scope.PERSONA: persona.handle,
        Scope.ROLE: persona.role,
        Scope.INDUSTRY: persona.industry,
    }
    return keys.get(Scope(lesson.scope)) == lesson.key
