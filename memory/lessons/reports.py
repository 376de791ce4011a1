"""Users' reports about lessons, with the answers of staff."""

from uuid import UUID

from accounts import audit
from accounts.audit import Action
from memory.models import Lesson, LessonReport


def report(user_id: UUID, lesson: Lesson, kind: str, words: str = "") -> LessonReport:
    """Save a report about a lesson; repeats change nothing. Must run in the user's transaction."""
    made, new = LessonReport.objects.get_or_create(
        user_id=user_id,
        lesson=lesson,
        standing=LessonReport.Standing.OPEN,
        defaults={"kind": LessonReport.Kind(kind), "words": words},
    )
    if new:
        audit.record(
            user_id,
            Action.REPORTED,
            subject=lesson.pk,
            after=lesson.text,
            why=made.get_kind_display(),
        )
    return made


def reports_of(user_id: UUID) -> list[LessonReport]:
    """Return a user's reports, newest first; `about` is the lesson's text if they can read it."""
    rows = list(LessonReport.objects.filter(user_id=user_id).order_by("-reported_at"))
    lessons = Lesson.objects.in_bulk({lesson_report.lesson_id for lesson_report in rows})
    for lesson_report in rows:
        lesson_report.about = (
            lessons[lesson_report.lesson_id].text if lesson_report.lesson_id in lessons else ""
        )
    return rows
