"""Lessons that people of one persona share: general words, who supports them, who objects.

A lesson names nobody. Who supports it is each supporter's own row, which nobody else may read; the
database counts them (see `memory.lessons.tables`), by person and by organisation.
"""

from typing import ClassVar
from uuid import UUID

from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel
from memory.language.text import EMBEDDING_DIMENSIONS
from personas.models import HANDLE_LENGTH

LESSON_LENGTH = 300
REPORT_LENGTH = 500


class LessonQuerySet(models.QuerySet["Lesson"]):
    """Queries for lessons."""

    def visible(self) -> "LessonQuerySet":
        """Return the lessons that everybody of their scope may read."""
        return self.filter(visible=True)

    def of_persona(self, handle: str) -> "LessonQuerySet":
        """Return the lessons of one persona only."""
        return self.filter(scope=Lesson.Scope.PERSONA, key=handle)


class Lesson(models.Model):
    """One lesson in general words. It has no author.

    Its id follows from scope, key and text (`memory.lessons.wordings`), so that whoever contributes
    the same text finds it without reading it. No more than the spelling of a text ever changes.
    Nobody but its supporters reads it before it is visible: the database's own policies see to
    that.
    """

    class Scope(models.TextChoices):
        GLOBAL = "global", "Everyone"
        INDUSTRY = "industry", "One industry"
        ROLE = "role", "One role"
        PERSONA = "persona", "One persona"

    class Standing(models.TextChoices):
        OPEN = "open", "used once enough people support it"
        RETIRED = "retired", "retired by staff"
        FADED = "faded", "not confirmed for a long time"

    id = models.UUIDField(primary_key=True, editable=False)
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.PERSONA)
    # The persona's handle, the industry, the role, or ''.
    key = models.CharField(max_length=HANDLE_LENGTH, blank=True)
    text = models.CharField(max_length=LESSON_LENGTH)
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, editable=False)
    standing = models.CharField(max_length=8, choices=Standing, default=Standing.OPEN)
    # Staff let it be read though too few support it, or changed it: when, and why.
    approved_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=REPORT_LENGTH, blank=True)
    # Kept by the database, whatever way a support comes or goes.
    supporters = models.PositiveIntegerField(default=0, editable=False)
    organisations = models.PositiveIntegerField(default=0, editable=False)
    # How many it takes, as it was set when the lesson came.
    needs_people = models.PositiveSmallIntegerField()
    needs_organisations = models.PositiveSmallIntegerField()
    visible = models.GeneratedField(
        expression=Q(standing="open")  # type: ignore[arg-type]
        & (
            Q(approved_at__isnull=False)
            | (
                Q(supporters__gte=F("needs_people"))
                & Q(organisations__gte=F("needs_organisations"))
            )
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    first_at = models.DateTimeField(default=now, editable=False)
    confirmed_at = models.DateTimeField(default=now, editable=False)

    objects = LessonQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["scope", "key", "-supporters"],
                name="lessons_of_a_scope",
                condition=Q(visible=True),
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class LessonSupport(OwnedModel):
    """A user's support of a lesson. Nobody else can read it."""

    exported = ("lesson_id", "source", "supported_at")

    class Source(models.TextChoices):
        CONVERSATION = "conversation", "what you worked on"
        MODEL = "model", "the language model"
        OWNER = "owner", "you, by hand"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="supports")
    # A keyed hash of the registrable domain of the supporter's address: colleagues count as one
    # organisation. Empty for an address at a public mail provider, which is none.
    organisation = models.CharField(max_length=64, editable=False, blank=True)
    source = models.CharField(max_length=12, choices=Source)
    # Support that rests on a conversation goes with it.
    conversation = models.ForeignKey(
        "conversations.Conversation", null=True, blank=True, on_delete=models.CASCADE
    )
    supported_at = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "lesson"], name="a_lesson_once_a_supporter")
        ]

    def __str__(self) -> str:
        return f"{self.lesson_id} by {self.user_id}"

    @classmethod
    def lessons_of(cls, user_id: UUID) -> models.QuerySet["LessonSupport"]:
        """Return this user's supports with the lessons, newest first."""
        rows = cls.objects.filter(user_id=user_id).select_related("lesson")
        return rows.order_by("-supported_at")


class LessonTally(models.Model):
    """How many people of one organisation support a lesson. The database writes it."""

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="tallies")
    organisation = models.CharField(max_length=64)
    people = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["lesson", "organisation"], name="an_organisation_once_a_lesson"
            )
        ]

    def __str__(self) -> str:
        return f"{self.people} for {self.lesson_id}"


class LessonReport(OwnedModel):
    """A user's report about a lesson; staff decide."""

    exported = ("lesson_id", "kind", "words", "reported_at", "standing", "answer")

    class Kind(models.TextChoices):
        PERSONAL = "personal", "It’s about a particular person or company"
        WRONG = "wrong", "It’s wrong"
        HARMFUL = "harmful", "It gives orders or could do harm"
        OTHER = "other", "Something else"

    class Standing(models.TextChoices):
        OPEN = "open", "waiting for staff"
        KEPT = "kept", "lesson kept"
        CHANGED = "changed", "lesson changed"
        RETIRED = "retired", "lesson removed"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=Kind)
    words = models.CharField(max_length=REPORT_LENGTH, blank=True)
    reported_at = models.DateTimeField(default=now)
    standing = models.CharField(max_length=8, choices=Standing, default=Standing.OPEN)
    answer = models.CharField(max_length=REPORT_LENGTH, blank=True)
    # What the lesson says, for whoever may read it; filled in by `memory.lessons.reports`.
    about = ""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "lesson"],
                name="an_open_report_once_a_person",
                condition=Q(standing="open"),
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class ExperienceDay(models.Model):
    """What happened to one persona on a day, as numbers: nothing that was said or written.

    `refusals` counts by the guard's reason: {"name": 3}; `characters`: how long the shared block
    was at the end.
    """

    key = models.CharField(max_length=HANDLE_LENGTH)
    day = models.DateField()
    reads = models.PositiveIntegerField(default=0)
    writes = models.PositiveIntegerField(default=0)
    characters = models.PositiveIntegerField(default=0)
    # Of its members: answers, conversations that began, calls of tools.
    answers = models.PositiveIntegerField(default=0)
    conversations = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    calls_failed = models.PositiveIntegerField(default=0)
    refusals = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "persona statistics"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "day"], name="a_day_once_a_block")
        ]

    def __str__(self) -> str:
        return f"{self.key} on {self.day}"
