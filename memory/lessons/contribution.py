"""Contributing, supporting and withdrawing lessons; texts are checked by the guard."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.timezone import now

from accounts import audit, privacy
from accounts.access import organisations
from accounts.audit import Action
from accounts.models import PrivacySettings, User
from memory.core.persistence_gate import (
    Allowances,
    PersistenceDecision,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.language.text import embeddings
from memory.lessons import cohort, experience_days, guard, private_terms, wordings
from memory.lessons.guard import ShareVerdict
from memory.models import Lesson, LessonSupport
from personas import membership
from personas.models import Persona, UserPersona

log = structlog.get_logger(__name__)
LessonSource = LessonSupport.Source


class NotShared(ValueError):
    """The user may not contribute; the message says why and what to do."""


class TooMany(NotShared):
    """The user's daily limit of supports is reached."""


@dataclass(frozen=True)
class ContributionResult:
    """The guard's verdict, and the lesson (None if refused).

    `similar` is a visible lesson with nearly the same words, which the user could support instead.
    """

    verdict: ShareVerdict
    lesson: Lesson | None = None
    similar: Lesson | None = None


def contribute_lesson(
    user: User,
    persona: Persona,
    text: str,
    *,
    source: str,
    messages: Sequence[str] = (),
    conversation_id: UUID | None = None,
) -> ContributionResult:
    """Contribute a lesson in the user's words if the guard allows it. Raises NotShared.

    Must run in the user's transaction. `messages` are the user's own, which may not be quoted.
    Others can read the lesson once enough people support the same text.
    """
    verdict = check_lesson(user, persona, text, messages=messages)
    if not verdict.accepted:
        return ContributionResult(verdict)
    lesson_id = begin(Lesson.Scope.PERSONA, persona.handle, verdict.text)
    _support(user, lesson_id, verdict.text, source, conversation_id)
    mine = LessonSupport.lessons_of(user.pk).get(lesson_id=lesson_id)
    if mine.lesson.standing == Lesson.Standing.RETIRED:
        # Only its supporters can see that the lesson exists.
        mine.delete()
        raise NotShared("Staff removed this lesson. Write a different one.")
    experience_days.count_contribution(persona.handle, cohort.length(persona))
    similar = wordings.other_wordings(user.pk, [mine]).get(lesson_id)
    return ContributionResult(verdict, mine.lesson, similar)


def check_lesson(
    user: User, persona: Persona, text: str, *, messages: Sequence[str] = ()
) -> ShareVerdict:
    """Return the guard's verdict on a lesson, and count refusals. Raises NotShared."""
    _check_that_they_may(user, persona)
    verdict = guard.check_shareable(
        text,
        terms=field_terms_of(persona),
        private_values=private_terms.of(user, messages),
        messages=messages,
    )
    if not verdict.accepted:
        experience_days.count_refusal(persona.handle, verdict.reason)
        # Logs the rule, never the words.
        log.info("lesson_refused", persona=persona.handle, reason=verdict.reason)
    return verdict


def agree(user: User, lesson: Lesson, *, in_place_of: UUID | None = None) -> None:
    """Support a lesson that the user can read, instead of `in_place_of`. Raises NotShared."""
    _check_that_they_may(user, None)
    with transaction.atomic():
        _support(user, lesson.pk, lesson.text, LessonSource.OWNER, None)
        if in_place_of not in (None, lesson.pk):
            withdraw(user.pk, in_place_of)


def withdraw(user_id: UUID, lesson_id: UUID) -> bool:
    """Withdraw the user's support of a lesson; return False if there was none."""
    mine = LessonSupport.lessons_of(user_id).filter(lesson_id=lesson_id).first()
    if mine is None:
        return False
    mine.delete()
    audit.record(user_id, Action.WITHDRAWN, subject=lesson_id, before=mine.lesson.text)
    return True


def find_matching_support(user_id: UUID, tells: Callable[[str], bool]) -> list[LessonSupport]:
    """Return the user's supports whose lesson text matches."""
    return [support for support in LessonSupport.lessons_of(user_id) if tells(support.lesson.text)]


def erase_support(user_id: UUID, supports: Collection[LessonSupport]) -> None:
    """Delete these supports without logging the lessons' texts."""
    LessonSupport.objects.filter(
        user_id=user_id, pk__in=[support.pk for support in supports]
    ).delete()


def withdraw_all(user_id: UUID, handle: str = "") -> int:
    """Withdraw all support of a user, or only for one persona; return the number of lessons."""
    mine = LessonSupport.objects.filter(user_id=user_id)
    if handle:
        mine = mine.filter(lesson__in=Lesson.objects.of_persona(handle))
    many, _ = mine.delete()
    if many:
        audit.record(user_id, Action.WITHDRAWN, before=f"all of them, {many}")
    return many


def opt_out(user_id: UUID) -> int:
    """Stop sharing and receiving lessons, and delete all support; return the number of lessons."""
    privacy.choose(user_id, shares_lessons=False)
    return withdraw_all(user_id)


def opt_in(user_id: UUID) -> None:
    """Share and receive lessons again; withdrawn support is not restored."""
    privacy.choose(user_id, shares_lessons=True)


def leave(user_id: UUID, persona: Persona) -> int:
    """Leave a persona and withdraw support for its lessons; return the number of lessons."""
    privacy.hold_choices(user_id)
    membership.leave(user_id, persona)
    return withdraw_all(user_id, persona.handle)


def begin(scope: str, key: str, text: str, **more: object) -> UUID:
    """Return the id of the lesson with this text, creating it if it is new.

    The id is computed from the text, so existing lessons are not read. The guard must have accepted
    `text`.
    """
    lesson = Lesson(
        pk=wordings.lesson_id(scope, key, text),
        scope=scope,
        key=key,
        text=text,
        embedding=embeddings.embed(text),
        needs_people=settings.COHORT["people"],
        needs_organisations=settings.COHORT["organisations"],
        **more,
    )
    Lesson.objects.bulk_create([lesson], ignore_conflicts=True)
    return lesson.pk


def field_terms_of(persona: Persona) -> frozenset[str]:
    """Return the terms of a persona's field, which its lessons may use even if they are rare."""
    field = f"{persona.industry} {persona.role}".lower().split()
    return frozenset([*(term.lower() for term in persona.terms), *field])


def organisation_of(user: User) -> str:
    """Return a keyed hash of the organisation of the user's e-mail address, '' if there is none."""
    domain = organisations.organisation_of(user.email)
    if not domain:
        return ""
    return salted_hmac("throughline.organisation", domain, algorithm="sha256").hexdigest()


def decide_lesson_for(user: User) -> PersistenceDecision:
    """Return the persistence gate's decision on sharing lessons; the guard checks the text."""
    shares = PrivacySettings.of(user.pk).shares_lessons
    return decide_persistence(
        PersistenceRequest(RecordKind.LESSON),
        Allowances(memory_on=user.memory_on, consented=shares),
    )


def _check_that_they_may(user: User, persona: Persona | None) -> None:
    """Raise NotShared if the user may not contribute; lock their choices for the transaction."""
    decision = decide_lesson_for(privacy.hold_choices(user.pk))
    if not decision.kept:
        raise NotShared(decision.reason.in_full)
    mine = UserPersona.confirmed(user.pk)
    if not (mine.filter(persona=persona) if persona else mine).exists():
        raise NotShared("Confirm your role first.")


def _support(
    user: User, lesson_id: UUID, text: str, source: str, conversation_id: UUID | None
) -> None:
    mine = LessonSupport.objects.filter(user_id=user.pk)
    if mine.filter(lesson_id=lesson_id).update(supported_at=now()):
        return
    today = mine.filter(supported_at__gt=now() - timedelta(days=1)).count()
    if today >= settings.COHORT["supports_a_day"]:
        raise TooMany("You’ve reached today’s limit for supporting lessons. Try again tomorrow.")
    support = LessonSupport(
        user_id=user.pk,
        lesson_id=lesson_id,
        organisation=organisation_of(user),
        source=source,
        conversation_id=conversation_id,
    )
    LessonSupport.objects.bulk_create([support], ignore_conflicts=True)
    audit.record(
        user.pk, Action.SUPPORTED, subject=lesson_id, conversation=conversation_id, after=text
    )
