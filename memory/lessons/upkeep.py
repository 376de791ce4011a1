"""The daily round of the lessons: what is old fades, what says the same is merged.

It never waits for a person while it holds what they want: where somebody is at a lesson in that
moment, the lesson has its turn in the next round. So nobody's click meets a deadlock.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import combinations
from uuid import UUID

import numpy as np
import psycopg
import structlog
from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import Q
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as_cohort, acting_as_worker
from memory.language.text import dedup, terms
from memory.lessons import cohort, contribution, experience_days, guard
from memory.models import Lesson, LessonSupport
from personas import membership
from personas.models import Persona

log = structlog.get_logger(__name__)
LESSONS_UPKEEP = "lessons_upkeep"
Scope, Standing = Lesson.Scope, Lesson.Standing
DAY = 86_400.0
# What nobody supports is kept for so long: whoever withdrew may come back to it.
_UNSUPPORTED_DAYS = 7
# Words that turn what a lesson says: two lessons that do not share them are two.
_TURNING = frozenset("before after first last more less fewer above below only always".split())
_IN_THE_WAY = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)


@dataclass(frozen=True)
class Round:
    """What a round did, as numbers of lessons."""

    faded: int
    merged: int
    refused: int
    removed: int


def tend(claim: work.Claim) -> None:
    """The site's round, and the next one a day later."""
    done = look_after(now())
    log.info("lessons_looked_after", **asdict(done))
    with acting_as_worker():
        if work.finish(claim):
            work.enqueue_for_site(LESSONS_UPKEEP, claim.subject, delay=DAY)


def look_after(at: datetime) -> Round:
    """Do all of it, in blocks of its own. Twice is once."""
    with acting_as_cohort():
        refused, faded = refuse_anew(), fade(at)
    merged = merge_all()
    with acting_as_cohort():
        removed = remove_unsupported(at)
        for persona in membership.personas():
            experience_days.record_block_length(persona.handle, cohort.length(persona))
        return Round(faded, merged, refused, removed)


def fade(at: datetime) -> int:
    """Put aside what nobody confirmed for long, and after twice that what staff approved."""
    days = timedelta(days=settings.COHORT["fades_after_days"])
    old = Q(approved_at__isnull=True, confirmed_at__lt=at - days)
    old |= Q(confirmed_at__lt=at - 2 * days, approved_at__lt=at - 2 * days)
    return Lesson.objects.filter(old, standing=Standing.OPEN).update(standing=Standing.FADED)


def refuse_anew() -> int:
    """Retire what others read and the guard would refuse by now; what staff approved stays."""
    retired = 0
    known = field_terms()
    for lesson in Lesson.objects.visible().filter(approved_at__isnull=True):
        verdict = guard.check_shareable(lesson.text, terms=terms_for(lesson, known))
        if not verdict.accepted:
            retired += Lesson.objects.filter(pk=lesson.pk, standing=Standing.OPEN).update(
                standing=Standing.RETIRED, reason=f"The guard refuses it by now: {verdict.reason}."
            )
    return retired


def remove_unsupported(at: datetime) -> int:
    """Delete what nobody supports any more, or never did; staff's own stay."""
    rows = Lesson.objects.filter(
        standing=Standing.OPEN,
        supporters=0,
        approved_at__isnull=True,
        confirmed_at__lt=at - timedelta(days=_UNSUPPORTED_DAYS),
    )
    _, by_model = rows.delete()
    return by_model.get(Lesson._meta.label, 0)


# --- Whose words a lesson may use ----------------------------------------------------------------


def field_terms() -> list[tuple[Persona, frozenset[str]]]:
    """Every persona with the words of its field."""
    return [(persona, contribution.field_terms_of(persona)) for persona in Persona.objects.all()]


def terms_for(lesson: Lesson, known: list[tuple[Persona, frozenset[str]]]) -> frozenset[str]:
    """The words that a lesson may use where it is read; none beside plain English for everybody."""
    kept = [words for persona, words in known if _is_reader(persona, lesson)]
    return frozenset().union(*kept)


def _is_reader(persona: Persona, lesson: Lesson) -> bool:
    keys = {
        Scope.PERSONA: persona.handle,
        Scope.ROLE: persona.role,
        Scope.INDUSTRY: persona.industry,
    }
    return keys.get(Scope(lesson.scope)) == lesson.key


# --- Merging -------------------------------------------------------------------------------------


def merge_all() -> int:
    """Make one lesson of those that say the same; returns how many were put aside."""
    with acting_as_cohort():
        pairs = list(similar_pairs())
        late = Lesson.objects.filter(standing=Standing.MERGED, supports__isnull=False)
        strays = list(late.values_list("merged_into_id", "pk").distinct())
    for into, other in strays:
        if into is not None:
            _undisturbed(into, other)
    return sum(_undisturbed(*pair) for pair in pairs)


def similar_pairs() -> Iterator[tuple[UUID, UUID]]:
    """Pairs of lessons of one scope and key that say the same, the better supported first."""
    groups: dict[tuple[str, str], list[Lesson]] = defaultdict(list)
    rows = Lesson.objects.filter(standing=Standing.OPEN, embedding__isnull=False)
    for lesson in rows.order_by("-supporters", "first_at", "pk"):
        groups[lesson.scope, lesson.key].append(lesson)
    for lessons in groups.values():
        yield from _pairs(lessons)


def _pairs(lessons: Sequence[Lesson]) -> Iterator[tuple[UUID, UUID]]:
    meanings = np.stack([np.asarray(lesson.embedding, dtype=float) for lesson in lessons])
    near = meanings @ meanings.T >= settings.COHORT["same_lesson"]
    gone: set[UUID] = set()
    for one, other in combinations(range(len(lessons)), 2):
        first, second = lessons[one], lessons[other]
        if not near[one, other] or {first.pk, second.pk} & gone:
            continue
        if say_the_same(first.text, second.text):
            gone.add(second.pk)
            yield first.pk, second.pk


def say_the_same(one: str, other: str) -> bool:
    """Whether two lessons that are near in meaning are one: in numbers, denials, and order too."""
    mine, theirs = terms.split_words(one), terms.split_words(other)
    if (set(mine) ^ set(theirs)) & _TURNING:
        return False
    both = set(mine) & set(theirs)
    in_order = [word for word in mine if word in both] == [word for word in theirs if word in both]
    return in_order and dedup.says_the_same(one, other, loosely=True)


def _undisturbed(kept: UUID, other: UUID) -> bool:
    """Merge the second into the first, unless somebody is at one of them just now."""
    try:
        with acting_as_cohort():
            with connection.cursor() as cursor:
                # Far below the time after which PostgreSQL looks for a deadlock and ends somebody.
                cursor.execute("set local lock_timeout = '100ms'")
            return merge(kept, other)
    except OperationalError as error:
        if isinstance(error.__cause__, _IN_THE_WAY):
            return False
        raise


def merge(kept_id: UUID, other_id: UUID) -> bool:
    """Move the support of one lesson to another, in the cohort's block; who supports both is one.

    False where the one that should stay is no longer open, or the other was merged before: then
    only what came late moves.
    """
    rows = Lesson.objects.filter(pk__in=[kept_id, other_id]).order_by("pk")
    held = {lesson.pk: lesson for lesson in rows.select_for_update(no_key=True)}
    kept, other = held.get(kept_id), held.get(other_id)
    if kept is None or other is None or kept.standing != Standing.OPEN:
        return False
    late = other.standing == Standing.MERGED and other.merged_into_id == kept.pk
    if not late and other.standing != Standing.OPEN:
        return False
    _move_support(kept, other)
    Lesson.objects.filter(merged_into=other).update(merged_into=kept)
    Lesson.objects.filter(pk=other.pk).update(standing=Standing.MERGED, merged_into=kept)
    return not late


def _move_support(lesson: Lesson, other: Lesson) -> None:
    supports = list(LessonSupport.objects.filter(lesson=other).order_by("user_id"))
    moved = [
        LessonSupport(
            user_id=support.user_id,
            lesson=lesson,
            organisation=support.organisation,
            source=support.source,
            conversation_id=support.conversation_id,
            supported_at=support.supported_at,
        )
        for support in supports
    ]
    # What was withdrawn since it was read is not to come back: only what could be taken moves.
    taken = LessonSupport.objects.filter(pk__in=[support.pk for support in supports])
    still = set(taken.select_for_update().values_list("user_id", flat=True))
    LessonSupport.objects.filter(lesson=other, user_id__in=still).delete()
    mine = [support for support in moved if support.user_id in still]
    LessonSupport.objects.bulk_create(mine, ignore_conflicts=True)
