"""A lesson is one text, word for word, and who supports it has read or written that text.

So far ids followed from the stems of the telling words, which left out "never" and "after", and the
daily round moved support between lessons. What each person said is in their line of the audit log;
every support is put back to that text. Where no line shows it the support is dropped: a lesson with
too few supporters can gather new ones, while words that somebody never agreed to cannot be unread.
"""

from typing import Any, ClassVar
from uuid import NAMESPACE_URL, UUID, uuid5

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.crypto import salted_hmac

from accounts.access.organisations import organisation_of
from memory.language.text import embeddings
from memory.lessons import tables

_TABLES = (
    "memory_lesson",
    "memory_lessonsupport",
    "memory_lessontally",
    "memory_lessonreport",
    "accounts_auditevent",
)
# Whoever makes the tables is bound by the policies as well, where they are no superuser.
OPEN = "".join(f"alter table {table} no force row level security;" for table in _TABLES)
CLOSE = "".join(f"alter table {table} force row level security;" for table in _TABLES)
NO_REDIRECTION = """
    drop trigger if exists memory_lesson_followed on memory_lessonsupport;
    drop function if exists memory_lesson_follow();
"""
# A lesson's own columns, without those that the database fills in.
_KEPT = (
    "scope key text embedding standing approved_at reason needs_people needs_organisations"
    " first_at confirmed_at"
).split()


def rebuild(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give every lesson the id of its text, and every support the text of its supporter."""
    lessons = apps.get_model("memory", "Lesson").objects
    supports = apps.get_model("memory", "LessonSupport").objects
    reports = apps.get_model("memory", "LessonReport").objects
    old = {lesson.pk: lesson for lesson in lessons.all()}
    if not old:
        return
    # What staff retired or released comes first: of two rows with one text theirs stays.
    ranked = sorted(old.values(), key=lambda row: (row.standing != "retired", not row.approved_at))
    new_ids = {row.pk: _new_id(row.scope, row.key, row.text) for row in ranked}
    made: dict[UUID, Any] = {}
    for row in ranked:
        made.setdefault(new_ids[row.pk], _copy(lessons.model, row, row.text))
    moved = []
    for support in supports.select_related("user"):
        kept = old[support.lesson_id]
        for text, of in _own_words(apps, support.user, kept, old):
            key = _new_id(of.scope, of.key, text)
            made.setdefault(key, _copy(lessons.model, of, text))
            moved.append(_support(supports.model, support, key))
    supports.all().delete()
    lessons.bulk_create(made.values())
    supports.bulk_create(moved, ignore_conflicts=True)
    reported = set()
    for report in reports.all():
        now_about = (report.user_id, new_ids[report.lesson_id], report.standing)
        if report.standing == "open" and now_about in reported:
            report.delete()
            continue
        reported.add(now_about)
        reports.filter(pk=report.pk).update(lesson_id=now_about[1])
    lessons.filter(pk__in=old).delete()
    # No event may wait when the tables are altered again.
    schema_editor.execute("set constraints all immediate")


def _own_words(apps: Apps, user: Any, kept: Any, old: dict[UUID, Any]) -> list[tuple[str, Any]]:
    """The texts that somebody supported and that counted for `kept`, each with its lesson then.

    A withdrawal ends all that came before it.
    """
    family = {key: row for key, row in old.items() if kept.pk in (key, row.merged_into_id)}
    lines = apps.get_model("accounts", "AuditEvent").objects.filter(
        pseudonym=user.audit_pseudonym, deed__in=["supported", "withdrawn"]
    )
    texts: dict[str, Any] = {}
    for line in lines.order_by("at", "pk"):
        if line.deed == "withdrawn" and (line.subject is None or line.subject in family):
            texts.clear()
        elif line.deed == "supported" and line.subject in family and line.after:
            texts[line.after] = family[line.subject]
    return list(texts.items())


def _copy(model: Any, row: Any, text: str) -> Any:
    """A lesson like `row` with this text; only the row's own text has what staff decided of it."""
    values = {name: getattr(row, name) for name in _KEPT}
    if values["standing"] == "merged":
        values["standing"] = "open"
    if _same_text(text) != _same_text(row.text):
        values |= {"standing": "open", "approved_at": None, "reason": ""}
        values |= {"text": text, "embedding": embeddings.embed(text)}
    return model(pk=_new_id(row.scope, row.key, text), **values)


def _support(model: Any, support: Any, lesson_id: UUID) -> Any:
    names = ("user_id", "source", "conversation_id", "supported_at")
    values = {name: getattr(support, name) for name in names}
    return model(lesson_id=lesson_id, organisation=_organisation(support.user.email), **values)


def _organisation(email: str) -> str:
    domain = organisation_of(email)
    salt = "throughline.organisation"
    return salted_hmac(salt, domain, algorithm="sha256").hexdigest() if domain else ""


def _new_id(scope: str, key: str, text: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"lesson text:{scope}:{key}:{_same_text(text)}")


def _same_text(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!;:,")


class Migration(migrations.Migration):
    """Ids follow from texts; nothing is merged any more."""

    dependencies: ClassVar = [
        ("memory", "0029_gone_with_the_account"),
        ("accounts", "0014_retention"),
    ]

    operations: ClassVar = [
        migrations.RunSQL(NO_REDIRECTION, migrations.RunSQL.noop),
        migrations.RunSQL(tables.COUNT, migrations.RunSQL.noop),
        migrations.AlterField(
            "lessonsupport",
            "organisation",
            models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.RunSQL(OPEN, CLOSE),
        migrations.RunPython(rebuild, migrations.RunPython.noop),
        migrations.RunSQL(CLOSE, OPEN),
        migrations.RemoveField("lesson", "merged_into"),
        migrations.AlterField(
            "lesson",
            "standing",
            models.CharField(
                choices=[
                    ("open", "in use once it is supported"),
                    ("retired", "retired by staff"),
                    ("faded", "not confirmed for long"),
                ],
                default="open",
                max_length=8,
            ),
        ),
    ]
